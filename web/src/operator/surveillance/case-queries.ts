import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { dataOf, exchange } from '../../api/client.ts';
import type { components } from '../../api/generated/exchange-api.ts';
import { pageOf } from '../../api/page-of.ts';
import { OPERATOR_KEY } from '../queue-queries.ts';

type Schemas = components['schemas'];
export type CaseItem = Schemas['SurveillanceCaseItem'];
export type SurveillanceCase = Schemas['SurveillanceCase'];
export type WatchedDay = Schemas['SurveillanceDay'];

const LIMIT = '50';
const DAYS_SHOWN = '7';
/** A night brings cases, and other operators' acts do in between. */
const WAITING_MS = 60_000;

export interface CaseFilter {
  readonly state: CaseItem['state'] | 'all';
  readonly rule?: CaseItem['rule'] | undefined;
  readonly market?: string | undefined;
  readonly userId?: string | undefined;
  /** User id; '' for nobody's. */
  readonly assignee?: string | undefined;
  readonly cursor?: string | undefined;
}

export const casesQuery = (filter: CaseFilter) =>
  queryOptions({
    queryKey: [...OPERATOR_KEY, 'surveillance', filter],
    queryFn: ({ signal }) => {
      const asked = Object.fromEntries(Object.entries(filter).filter(([, value]) => value !== undefined));
      return pageOf(
        exchange.GET('/v1/operator/surveillance', {
          params: { query: { limit: LIMIT, ...asked } },
          signal,
        }),
      );
    },
    placeholderData: keepPreviousData,
    refetchInterval: WAITING_MS,
  });

export const caseQuery = (id: string) =>
  queryOptions({
    queryKey: [...OPERATOR_KEY, 'surveillance-case', id],
    queryFn: async ({ signal }) =>
      (await dataOf(exchange.GET('/v1/operator/surveillance/{id}', { params: { path: { id } }, signal }))).data,
    refetchInterval: WAITING_MS,
  });

export const watchedDaysQuery = queryOptions({
  queryKey: [...OPERATOR_KEY, 'surveillance-days'],
  queryFn: async ({ signal }) =>
    (await dataOf(exchange.GET('/v1/operator/surveillance-days', { params: { query: { limit: DAYS_SHOWN } }, signal })))
      .data,
});
