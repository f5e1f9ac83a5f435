import { infiniteQueryOptions, keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { BookTypes } from '../../../clients/sdk/book.ts';
import type { ExchangePaths } from '../../../clients/sdk/exchange.ts';
import { book, dataOf, exchange, iam } from './client.ts';
import type { paths as IamPaths } from './generated/iam-api.ts';
import { type PageOf, pageWith } from './page-of.ts';

export type Answer<Paths, Path extends keyof Paths> = Paths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': infer Body } } } };
}
  ? Body
  : never;

export type Asset = Answer<ExchangePaths, '/v1/assets'>['data'][number];
export type AssetDetails = Answer<ExchangePaths, '/v1/assets/{id}'>['data'];
export type Position = Answer<ExchangePaths, '/v1/portfolio'>['data'][number];
export type Holding = Answer<ExchangePaths, '/v1/exchange-portfolio'>['data'][number];
export type Transaction = Answer<ExchangePaths, '/v1/core-transactions'>['data'][number];
export type Market = BookTypes['schemas']['Market'];
export type Order = BookTypes['schemas']['Order'];
export type Fill = BookTypes['schemas']['Fill'];
export type OrderPreview = BookTypes['schemas']['OrderPreview'];
export type ApiKey = Answer<IamPaths, '/v1/keys'>['data'][number];

/** What a page polls: within the thirty a minute that leave room for what a person does. */
const PRICES_MS = 15_000;

export const accountQuery = queryOptions({
  queryKey: ['own', 'account'],
  queryFn: async ({ signal }) => (await dataOf(exchange.GET('/v1/account', { signal }))).data,
});

export const balancesQuery = queryOptions({
  queryKey: ['own', 'balances'],
  queryFn: async ({ signal }) => (await dataOf(book.GET('/v1/account/balances', { signal }))).balances,
});

export const portfolioQuery = queryOptions({
  queryKey: ['own', 'portfolio'],
  queryFn: ({ signal }) => dataOf(exchange.GET('/v1/portfolio', { signal })),
  refetchInterval: PRICES_MS,
});

export const holdingsQuery = queryOptions({
  queryKey: ['own', 'holdings'],
  queryFn: async ({ signal }) => (await dataOf(exchange.GET('/v1/exchange-portfolio', { signal }))).data,
});

export const openOrdersQuery = queryOptions({
  queryKey: ['own', 'orders', 'open'],
  queryFn: async ({ signal }) =>
    (await dataOf(book.GET('/v1/orders', { params: { query: { status: 'open' } }, signal }))).orders,
});

export const allOrdersQuery = queryOptions({
  queryKey: ['own', 'orders', 'all'],
  queryFn: async ({ signal }) => (await dataOf(book.GET('/v1/orders', { signal }))).orders,
});

/** Rows of one page of a long list. */
const PAGE = 200;
/** Goes on by the cursor of the page before. */
const paged = {
  initialPageParam: null as string | null,
  getNextPageParam: ({ next }: PageOf<unknown>) => next,
};
const pageAt = (cursor: string | null) => ({ limit: PAGE as never, ...(cursor === null ? {} : { cursor }) });

interface OrderFilter {
  readonly status: 'open' | 'done' | 'rejected';
  readonly symbol?: string | undefined;
}

/** Newest first, page by page. */
export const orderPagesQuery = ({ status, symbol }: OrderFilter) =>
  infiniteQueryOptions({
    queryKey: ['own', 'orders', 'pages', status, symbol ?? null],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...pageAt(pageParam), status, ...(symbol === undefined ? {} : { symbol }) };
      return pageWith(book.GET('/v1/orders', { params: { query }, signal }), ({ orders }) => orders);
    },
    ...paged,
  });

export const orderQuery = (orderId: string) =>
  queryOptions({
    queryKey: ['own', 'orders', orderId],
    queryFn: ({ signal }) =>
      dataOf(book.GET('/v1/orders/{order_id}', { params: { path: { order_id: orderId } }, signal })),
  });

export const fillsQuery = (filter: { readonly symbol?: string; readonly order_id?: string } = {}) =>
  queryOptions({
    queryKey: ['own', 'fills', filter],
    queryFn: async ({ signal }) => {
      const query = { ...filter, order: 'newest_first' } as const;
      return (await dataOf(book.GET('/v1/fills', { params: { query }, signal }))).fills;
    },
  });

/** Newest first, page by page. */
export const fillPagesQuery = (symbol: string | undefined) =>
  infiniteQueryOptions({
    queryKey: ['own', 'fills', 'pages', symbol ?? null],
    queryFn: ({ pageParam, signal }) => {
      const query = {
        ...pageAt(pageParam),
        order: 'newest_first',
        ...(symbol === undefined ? {} : { symbol }),
      } as const;
      return pageWith(book.GET('/v1/fills', { params: { query }, signal }), ({ fills }) => fills);
    },
    ...paged,
  });

/** What moved an account, by kind; all of it where none is named. */
export type TransactionKind = 'deposit' | 'withdrawal' | 'trade';

/** Newest first, page by page. */
export const transactionPagesQuery = (type: TransactionKind | undefined) =>
  infiniteQueryOptions({
    queryKey: ['own', 'transactions', type ?? null],
    queryFn: ({ pageParam, signal }) => {
      const query = { ...pageAt(pageParam), ...(type === undefined ? {} : { type }) };
      return pageWith(exchange.GET('/v1/core-transactions', { params: { query }, signal }), (answer) =>
        typeof answer === 'string' ? [] : answer.data,
      );
    },
    ...paged,
  });

export const navigationQuery = queryOptions({
  queryKey: ['navigation'],
  queryFn: async ({ signal }) => (await dataOf(exchange.GET('/v1/navigation', { signal }))).rails,
  staleTime: 3_600_000,
});

export const assetsQuery = queryOptions({
  queryKey: ['assets'],
  queryFn: async ({ signal }) => (await dataOf(exchange.GET('/v1/assets', { signal }))).data,
  refetchInterval: PRICES_MS,
});

export const assetQuery = (id: string) =>
  queryOptions({
    queryKey: ['assets', id],
    queryFn: async ({ signal }) =>
      (await dataOf(exchange.GET('/v1/assets/{id}', { params: { path: { id } }, signal }))).data,
    refetchInterval: PRICES_MS,
  });

export const marketsQuery = queryOptions({
  queryKey: ['markets'],
  queryFn: async ({ signal }) => (await dataOf(book.GET('/v1/markets', { signal }))).markets,
  staleTime: 60_000,
});

export const tickerQuery = (symbol: string) =>
  queryOptions({
    queryKey: ['ticker', symbol],
    queryFn: ({ signal }) => dataOf(book.GET('/v1/ticker/{symbol}', { params: { path: { symbol } }, signal })),
    refetchInterval: PRICES_MS,
  });

export const tradesQuery = (symbol: string) =>
  queryOptions({
    queryKey: ['trades', symbol],
    queryFn: async ({ signal }) =>
      (await dataOf(book.GET('/v1/trades/{symbol}', { params: { path: { symbol } }, signal }))).trades,
  });

export type BarInterval = '1m' | '5m' | '15m' | '1h' | '1d';
export type ChartRange = '1d' | '5d' | '1m' | '3m' | '6m' | '1y' | '5y';

export const chartQuery = (id: string, range: ChartRange, interval: BarInterval) =>
  queryOptions({
    queryKey: ['chart', id, range, interval],
    queryFn: ({ signal }) =>
      dataOf(exchange.GET('/v1/assets/{id}/chart', { params: { path: { id }, query: { range, interval } }, signal })),
    refetchInterval: 60_000,
    placeholderData: keepPreviousData,
  });

export const routedBookQuery = (id: string) =>
  queryOptions({
    queryKey: ['routed-book', id],
    queryFn: ({ signal }) => dataOf(exchange.GET('/v1/assets/{id}/book', { params: { path: { id } }, signal })),
    refetchInterval: 5_000,
  });

export const keysQuery = queryOptions({
  queryKey: ['own', 'keys'],
  queryFn: async ({ signal }) => (await dataOf(iam.GET('/v1/keys', { signal }))).data,
});

export const sessionsQuery = queryOptions({
  queryKey: ['own', 'sessions'],
  queryFn: async ({ signal }) => (await dataOf(iam.GET('/v1/sessions', { signal }))).data,
});
