import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { dataOf, exchange } from '../api/client.ts';
import type { components } from '../api/generated/exchange-api.ts';

type Schemas = components['schemas'];
export type Overview = Schemas['OperatorOverview'];
export type StandingMarket = Schemas['OperatorStandingMarket'];
export type HaltStep = Schemas['OperatorHaltStep'];
export type VenueMarket = Schemas['OperatorVenueMarket'];
export type VenueMarketDetail = Schemas['OperatorVenueMarketDetail'];
export type Waiting = Schemas['OperatorWaiting'];
export type LedgerState = Schemas['OperatorLedger'];
export type Book = Schemas['OperatorBook'];
export type WorkQueue = keyof NonNullable<Overview['waiting']>;
export type Cause = VenueMarket['causes'][number];

/** One call that asks every book: four a minute. */
const OVERVIEW_MS = 15_000;

export const overviewQuery = queryOptions({
  queryKey: ['operator', 'overview'],
  queryFn: async ({ signal }) => (await dataOf(exchange.GET('/v1/operator/overview', { signal }))).data,
  refetchInterval: OVERVIEW_MS,
});

export interface MarketFilter {
  readonly search?: string | undefined;
  readonly status?: VenueMarket['rules']['status'] | undefined;
  readonly route?: VenueMarket['route'] | undefined;
}

/** So many at a time. */
const MARKETS_PAGE = 200;

/** @param pages how many pages are shown, from the first on */
export const venueMarketsQuery = (filter: MarketFilter, pages: number) =>
  queryOptions({
    queryKey: ['operator', 'markets', filter, pages],
    queryFn: async ({ signal }) => {
      const markets: VenueMarket[] = [];
      for (let page = 0; page < pages; page++) {
        const cursor = markets.at(-1)?.symbol;
        const query = { ...filter, limit: String(MARKETS_PAGE), ...(cursor === undefined ? {} : { cursor }) };
        const { data } = await dataOf(
          exchange.GET('/v1/operator/markets', { params: { query: query as never }, signal }),
        );
        markets.push(...data);
        if (data.length < MARKETS_PAGE) return { markets, isMore: false };
      }
      return { markets, isMore: true };
    },
    placeholderData: keepPreviousData,
  });

export const venueMarketQuery = (symbol: string) =>
  queryOptions({
    queryKey: ['operator', 'markets', symbol],
    queryFn: async ({ signal }) =>
      (await dataOf(exchange.GET('/v1/operator/markets/{symbol}', { params: { path: { symbol } }, signal }))).data,
    refetchInterval: OVERVIEW_MS,
  });

export const ledgerQuery = queryOptions({
  queryKey: ['operator', 'ledger'],
  queryFn: async ({ signal }) => (await dataOf(exchange.GET('/v1/operator/ledger', { signal }))).data,
  refetchInterval: 5_000,
});

export const booksQuery = queryOptions({
  queryKey: ['operator', 'books'],
  queryFn: async ({ signal }) => (await dataOf(exchange.GET('/v1/operator/books', { signal }))).data,
  refetchInterval: OVERVIEW_MS,
});

export const storesQuery = queryOptions({
  queryKey: ['operator', 'stores'],
  queryFn: async ({ signal }) => (await dataOf(exchange.GET('/v1/operator/stores', { signal }))).data,
  refetchInterval: 60_000,
});

/** Asked for by a button alone: it recounts everything. */
export const auditQuery = queryOptions({
  queryKey: ['operator', 'audit'],
  queryFn: async () => {
    const beganAt = Date.now();
    const { data } = await dataOf(exchange.GET('/v1/operator/audit'));
    return { ...data, beganAt, endedAt: Date.now() };
  },
  enabled: false,
  staleTime: Number.POSITIVE_INFINITY,
  gcTime: Number.POSITIVE_INFINITY,
  retry: false,
});
