import type { InfiniteData, UseInfiniteQueryResult } from '@tanstack/react-query';
import type { PageOf } from '../api/page-of.ts';
import { useWords } from '../texts/words.tsx';
import { ProblemNote } from './read-block.tsx';

/** The rows of all pages that were read, in their order. */
export function rowsOf<T>(data: InfiniteData<PageOf<T>>): readonly T[] {
  return data.pages.flatMap(({ rows }) => rows);
}

interface MoreProps<T> {
  readonly query: UseInfiniteQueryResult<InfiniteData<PageOf<T>>>;
  readonly failed: string;
}

/** Reads the next page of a list below what is there; nothing where the list ends. */
export function MoreRows<T>({ query, failed }: MoreProps<T>) {
  const { t } = useWords();
  const { hasNextPage, isFetchingNextPage, isFetchNextPageError, error, fetchNextPage } = query;
  if (isFetchNextPageError) return <ProblemNote title={failed} error={error} onRetry={() => void fetchNextPage()} />;
  if (!hasNextPage) return null;
  return (
    <p className="pager">
      <button
        type="button"
        className="button small-button"
        disabled={isFetchingNextPage}
        onClick={() => void fetchNextPage()}
      >
        {t(isFetchingNextPage ? 'state.loading' : 'list.more')}
      </button>
    </p>
  );
}
