import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import type { ExchangePaths } from '../../../clients/sdk/exchange.ts';
import { book, dataOf, exchange } from './client.ts';

type Data<Path extends keyof ExchangePaths> = ExchangePaths[Path] extends {
  get: { responses: { 200: { content: { 'application/json': { data: infer Found } } } } };
}
  ? Found
  : never;

export type Eligibility = Data<'/v1/assets/{id}/eligibility'>;
export type Statement = Data<'/v1/statements/{month}'>;
export type PortfolioDay = Data<'/v1/portfolio/history'>[number];
export type Confirmation = Data<'/v1/fills/{id}/confirmation'>[number];

const OLD_MS = 60_000;
const BOOK_MS = 5_000;
/** Levels of each side that the depth is drawn of. */
const DEPTH = 500;

export const feesQuery = queryOptions({
  queryKey: ['own', 'fees'],
  queryFn: async ({ signal }) => (await dataOf(exchange.GET('/v1/fees', { signal }))).data,
  staleTime: OLD_MS,
});

export const eligibilityQuery = (id: string) =>
  queryOptions({
    queryKey: ['own', 'eligibility', id],
    queryFn: async ({ signal }) =>
      (await dataOf(exchange.GET('/v1/assets/{id}/eligibility', { params: { path: { id } }, signal }))).data,
    refetchInterval: OLD_MS,
  });

export const statementsQuery = queryOptions({
  queryKey: ['own', 'statements'],
  queryFn: async ({ signal }) => (await dataOf(exchange.GET('/v1/statements', { signal }))).data,
});

export const statementQuery = (month: string) =>
  queryOptions({
    queryKey: ['own', 'statements', month],
    queryFn: async ({ signal }) =>
      (await dataOf(exchange.GET('/v1/statements/{month}', { params: { path: { month } }, signal }))).data,
  });

export const confirmationQuery = (id: string) =>
  queryOptions({
    queryKey: ['own', 'confirmations', id],
    queryFn: async ({ signal }) =>
      (await dataOf(exchange.GET('/v1/fills/{id}/confirmation', { params: { path: { id } }, signal }))).data,
  });

/** The sales of a year, as many as one answer has: `isCut` where there are more. */
export const gainsQuery = (year: string) =>
  queryOptions({
    queryKey: ['own', 'gains', year],
    queryFn: async ({ signal }) => {
      const query = { year: year as never };
      const { data: answer, response } = await exchange.GET('/v1/gains', { params: { query }, signal });
      const gains = answer === undefined || typeof answer === 'string' ? [] : answer.data;
      return { gains, isCut: response.headers.has('link') };
    },
  });

export const valueQuery = (days: string) =>
  queryOptions({
    queryKey: ['own', 'value', days],
    queryFn: async ({ signal }) => {
      const query = { days: days as never };
      return (await dataOf(exchange.GET('/v1/portfolio/history', { params: { query }, signal }))).data;
    },
    staleTime: OLD_MS,
    placeholderData: keepPreviousData,
  });

/** All that is shown of the book of a pair, read now and then: a depth is looked at, not traded by. */
export const depthQuery = (symbol: string) =>
  queryOptions({
    queryKey: ['depth', symbol],
    queryFn: ({ signal }) =>
      dataOf(
        book.GET('/v1/orderbook/{symbol}', { params: { path: { symbol }, query: { depth: DEPTH as never } }, signal }),
      ),
    refetchInterval: BOOK_MS,
  });
