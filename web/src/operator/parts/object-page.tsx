import type { UseQueryResult } from '@tanstack/react-query';
import type { ReactNode } from 'react';
import { ReadBlock } from '../../parts/read-block.tsx';
import { usePageTitle } from '../../parts/use-page-title.ts';

interface ObjectPageProps<T> {
  /** Of the page, until the object is read and has a heading of its own. */
  readonly title: string;
  /** The list that it stands in. */
  readonly list: ReactNode;
  readonly query: UseQueryResult<T>;
  readonly failed: string;
  readonly children: (data: T) => ReactNode;
}

/** The page of one object: the way back to its list, and what is known of it. */
export function ObjectPage<T>({ title, list, query, failed, children }: ObjectPageProps<T>) {
  usePageTitle(title);
  return (
    <div className="page">
      <p className="crumb">{list}</p>
      {query.data === undefined && <h1 className="hidden-text">{title}</h1>}
      <ReadBlock query={query} failed={failed} rows={8}>
        {children}
      </ReadBlock>
    </div>
  );
}
