import type { UseQueryResult } from '@tanstack/react-query';
import { type ReactNode, useEffect, useState } from 'react';
import { ApiProblem } from '../api/api-problem.ts';
import { useWords } from '../texts/words.tsx';
import { CopyText } from './copy-text.tsx';

interface ReadBlockProps<T> {
  readonly query: UseQueryResult<T>;
  /** What could not be read, as a sentence's subject. */
  readonly failed: string;
  /** Rows of the skeleton. */
  readonly rows?: number;
  readonly children: (data: T) => ReactNode;
}

/** A block that is read: its skeleton, what went wrong, or its data, marked as old where reading it again failed. */
export function ReadBlock<T>({ query, failed, rows = 4, children }: ReadBlockProps<T>) {
  const { data, error, isPending, dataUpdatedAt, refetch } = query;
  const { t, time } = useWords();
  if (data !== undefined) {
    return (
      <>
        {error !== null && (
          <div className="stale-bar">
            <span className="state warn">{t('state.stale', { time: time(dataUpdatedAt) })}</span>
            <button type="button" className="link" onClick={() => void refetch()}>
              {t('act.again')}
            </button>
          </div>
        )}
        {children(data)}
      </>
    );
  }
  if (isPending) return <Skeleton rows={rows} />;
  return <ProblemNote title={failed} error={error} onRetry={() => void refetch()} />;
}

/** Rows of the final height, after a moment: what is there at once does not flicker. */
export function Skeleton({ rows = 4 }: { readonly rows?: number }) {
  const { t } = useWords();
  const [shown, setShown] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => setShown(true), 150);
    return () => clearTimeout(timer);
  }, []);
  return (
    <div className={shown ? 'skeleton' : 'skeleton unseen'} aria-busy="true">
      <span className="hidden-text">{t('state.loading')}</span>
      {Array.from({ length: rows }, (_, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: they are all alike
        <i key={index} />
      ))}
    </div>
  );
}

interface ProblemProps {
  readonly title: string;
  readonly error: unknown;
  readonly onRetry?: (() => void) | undefined;
}

/** What went wrong: words first, then code and request id, small, to copy. */
export function ProblemNote({ title, error, onRetry }: ProblemProps) {
  const { t } = useWords();
  const problem = error instanceof ApiProblem ? error : null;
  return (
    <div className="problem" role="alert">
      <div className="note bad">
        <strong>{title}</strong>
        <p>{wordsOf(problem, t)}</p>
        {problem !== null && problem.status !== 0 && (
          <p className="small dim">
            {problem.status} {problem.code}
            {problem.requestId !== null && (
              <>
                {' · '}
                <CopyText text={problem.requestId} />
              </>
            )}
          </p>
        )}
      </div>
      {onRetry !== undefined && (
        <button type="button" className="button" onClick={onRetry}>
          {t('act.again')}
        </button>
      )}
    </div>
  );
}

function wordsOf(problem: ApiProblem | null, t: ReturnType<typeof useWords>['t']): string {
  if (problem === null) return t('problem.ours');
  if (problem.code === 'OFFLINE') return t('problem.offline');
  if (problem.code === 'NO_ANSWER') return t('problem.no_answer');
  if (problem.status === 429)
    return t('problem.too_many', { seconds: Math.ceil((problem.retryAfter ?? 1_000) / 1_000) });
  if (problem.status === 404) return t('problem.not_found');
  if (problem.status === 403) return t('problem.forbidden', { message: problem.message });
  return problem.message;
}

interface EmptyProps {
  readonly title: string;
  readonly text: string;
  readonly action?: ReactNode;
}

/** Nothing is there: what would stand here, and the next step. */
export function Empty({ title, text, action }: EmptyProps) {
  return (
    <div className="empty">
      <p className="empty-title">{title}</p>
      <p>{text}</p>
      {action}
    </div>
  );
}
