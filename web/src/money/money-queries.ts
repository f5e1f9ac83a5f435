import { infiniteQueryOptions, queryOptions } from '@tanstack/react-query';
import type { ExchangePaths } from '../../../clients/sdk/exchange.ts';
import { dataOf, exchange } from '../api/client.ts';
import { pageOf } from '../api/page-of.ts';
import type { Answer } from '../api/queries.ts';

export type PayableAsset = Answer<ExchangePaths, '/v1/account/money'>['data'][number];
export type PayRequest = Answer<ExchangePaths, '/v1/account/transfer-requests/{id}'>['data'];
export type PayType = PayRequest['type'];

const PAGE = '50';
/** An open request is decided by a person: it is looked at so often. */
const OPEN_MS = 15_000;

export const moneyQuery = queryOptions({
  queryKey: ['own', 'money'],
  queryFn: async ({ signal }) => (await dataOf(exchange.GET('/v1/account/money', { signal }))).data,
});

export const payRequestsQuery = infiniteQueryOptions({
  queryKey: ['own', 'pay-requests'],
  queryFn: ({ pageParam, signal }) =>
    pageOf(
      exchange.GET('/v1/account/transfer-requests', {
        params: { query: { limit: PAGE as never, ...(pageParam === null ? {} : { cursor: pageParam }) } },
        signal,
      }),
    ),
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }) => next,
});

export const payRequestQuery = (id: string) =>
  queryOptions({
    queryKey: ['own', 'pay-requests', id],
    queryFn: async ({ signal }) =>
      (await dataOf(exchange.GET('/v1/account/transfer-requests/{id}', { params: { path: { id } }, signal }))).data,
    refetchInterval: ({ state }) => (state.data !== undefined && isOpenRequest(state.data) ? OPEN_MS : false),
  });

export function isOpenRequest({ status }: Pick<PayRequest, 'status'>): boolean {
  return status === 'requested' || status === 'approved';
}
