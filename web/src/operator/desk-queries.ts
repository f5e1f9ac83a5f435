import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { dataOf, exchange } from '../api/client.ts';
import type { components } from '../api/generated/exchange-api.ts';
import { pageOf } from '../api/page-of.ts';
import { asked, OPERATOR_KEY, type Paged } from './queue-queries.ts';

type Schemas = components['schemas'];

export type BrokerBreak = Schemas['OperatorBrokerBreak'];
export type BrokerDifference = Schemas['OperatorBrokerDifference'];
export type PrimeEvent = Schemas['OperatorPrimeEvent'];
export type VenueAsset = Schemas['OperatorAsset'];
export type ListingEvent = Schemas['OperatorListingEvent'];
export type Webhook = Schemas['OperatorWebhook'];
export type Delivery = Schemas['OperatorDelivery'];
export type Found = Schemas['OperatorFound'];
export type BridgeTransfer = Schemas['OperatorBridgeTransfer'];
export type BridgeWords = Schemas['OperatorBridgeWords'];

const LIMIT = '50';
/** What waits for a person, or goes on by itself, is read again while somebody looks. */
const WAITING_MS = 30_000;
const RUNNING_MS = 5_000;
const WEBHOOKS_MS = 300_000;

export const breaksQuery = (filter: Paged & { readonly state?: 'open' | 'resolved' | 'all' | undefined }) =>
  queryOptions({
    queryKey: [...OPERATOR_KEY, 'breaks', filter],
    queryFn: ({ signal }) =>
      pageOf(
        exchange.GET('/v1/operator/broker-breaks', { params: { query: { limit: LIMIT, ...asked(filter) } }, signal }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: WAITING_MS,
  });

export const breakQuery = (symbol: string, id: string) =>
  queryOptions({
    queryKey: [...OPERATOR_KEY, 'break', symbol, id],
    queryFn: async ({ signal }) =>
      (
        await dataOf(
          exchange.GET('/v1/operator/markets/{symbol}/broker-breaks/{id}', {
            params: { path: { symbol, id } },
            signal,
          }),
        )
      ).data,
    refetchInterval: WAITING_MS,
  });

export const differencesQuery = (filter: Paged) =>
  queryOptions({
    queryKey: [...OPERATOR_KEY, 'differences', filter],
    queryFn: ({ signal }) =>
      pageOf(
        exchange.GET('/v1/operator/broker-differences', {
          params: { query: { limit: LIMIT, ...asked(filter) } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });

export const primeEventsQuery = queryOptions({
  queryKey: [...OPERATOR_KEY, 'prime-events'],
  queryFn: async ({ signal }) => (await dataOf(exchange.GET('/v1/operator/prime-events', { signal }))).data,
});

export const venueAssetsQuery = (
  filter: Paged & { readonly status?: VenueAsset['status'] | undefined; readonly search?: string | undefined },
) =>
  queryOptions({
    queryKey: [...OPERATOR_KEY, 'assets', filter],
    queryFn: ({ signal }) =>
      pageOf(exchange.GET('/v1/operator/assets', { params: { query: { limit: LIMIT, ...asked(filter) } }, signal })),
    placeholderData: keepPreviousData,
  });

export const venueAssetQuery = (id: string) =>
  queryOptions({
    queryKey: [...OPERATOR_KEY, 'asset', id],
    queryFn: async ({ signal }) =>
      (await dataOf(exchange.GET('/v1/operator/assets/{id}', { params: { path: { id } }, signal }))).data,
  });

export const interestQuery = (id: string) =>
  queryOptions({
    queryKey: [...OPERATOR_KEY, 'interest', id],
    queryFn: async ({ signal }) =>
      (
        await dataOf(
          exchange.GET('/v1/operator/assets/{id}/interest', {
            params: { path: { id }, query: { limit: '10' } },
            signal,
          }),
        )
      ).data,
    retry: false,
  });

export const listingsQuery = (id: string) =>
  queryOptions({
    queryKey: [...OPERATOR_KEY, 'listings', id],
    queryFn: async ({ signal }) =>
      (await dataOf(exchange.GET('/v1/operator/assets/{id}/listing-events', { params: { path: { id } }, signal })))
        .data,
  });

export const listingQuery = (id: string, event: string, runs: (state: ListingEvent['state']) => boolean) =>
  queryOptions({
    queryKey: [...OPERATOR_KEY, 'listing', id, event],
    queryFn: async ({ signal }) =>
      (
        await dataOf(
          exchange.GET('/v1/operator/assets/{id}/listing-events/{event}', {
            params: { path: { id, event } },
            signal,
          }),
        )
      ).data,
    refetchInterval: ({ state: { data } }) => (data !== undefined && runs(data.state) ? RUNNING_MS : false),
  });

export const allotmentsQuery = (id: string, event: string, { cursor }: Paged) =>
  queryOptions({
    queryKey: [...OPERATOR_KEY, 'allotments', id, event, cursor],
    queryFn: ({ signal }) =>
      pageOf(
        exchange.GET('/v1/operator/assets/{id}/listing-events/{event}/indications', {
          params: { path: { id, event }, query: { limit: LIMIT, ...asked({ cursor }) } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });

export const webhooksQuery = (
  filter: Paged & { readonly status?: 'enabled' | 'disabled' | undefined; readonly organization?: string | undefined },
) =>
  queryOptions({
    queryKey: [...OPERATOR_KEY, 'webhooks', filter],
    queryFn: ({ signal }) =>
      pageOf(exchange.GET('/v1/operator/webhooks', { params: { query: { limit: LIMIT, ...asked(filter) } }, signal })),
    placeholderData: keepPreviousData,
    // Each row wakes an object.
    refetchInterval: WEBHOOKS_MS,
  });

export const webhookQuery = (id: string) =>
  queryOptions({
    queryKey: [...OPERATOR_KEY, 'webhook', id],
    queryFn: async ({ signal }) =>
      (await dataOf(exchange.GET('/v1/operator/webhooks/{id}', { params: { path: { id } }, signal }))).data,
    refetchInterval: WAITING_MS,
  });

export const deliveriesQuery = (id: string, filter: Paged & { readonly status?: Delivery['status'] | undefined }) =>
  queryOptions({
    queryKey: [...OPERATOR_KEY, 'deliveries', id, filter],
    queryFn: ({ signal }) =>
      pageOf(
        exchange.GET('/v1/operator/webhooks/{id}/deliveries', {
          params: { path: { id }, query: { limit: LIMIT, ...asked(filter) } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: WAITING_MS,
  });

export const deliveryQuery = (id: string, delivery: string) =>
  queryOptions({
    queryKey: [...OPERATOR_KEY, 'delivery', id, delivery],
    queryFn: async ({ signal }) =>
      (
        await dataOf(
          exchange.GET('/v1/operator/webhooks/{id}/deliveries/{delivery}', {
            params: { path: { id, delivery } },
            signal,
          }),
        )
      ).data,
  });

export const foundQuery = (id: string) =>
  queryOptions({
    queryKey: [...OPERATOR_KEY, 'found', id],
    queryFn: async ({ signal }) =>
      (await dataOf(exchange.GET('/v1/operator/search', { params: { query: { id } }, signal }))).data,
  });

export const bridgesQuery = (filter: Paged) =>
  queryOptions({
    queryKey: [...OPERATOR_KEY, 'bridges', filter],
    queryFn: ({ signal }) =>
      pageOf(
        exchange.GET('/v1/operator/bridge/organizations', {
          params: { query: { limit: LIMIT, ...asked(filter) } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });

export const bridgeQuery = (organization: string) =>
  queryOptions({
    queryKey: [...OPERATOR_KEY, 'bridge', organization],
    queryFn: async ({ signal }) =>
      (
        await dataOf(
          exchange.GET('/v1/operator/bridge/organizations/{organization}', {
            params: { path: { organization } },
            signal,
          }),
        )
      ).data,
    retry: false,
  });

export const tenantsQuery = (organization: string) =>
  queryOptions({
    queryKey: [...OPERATOR_KEY, 'tenants', organization],
    queryFn: async ({ signal }) =>
      (
        await dataOf(
          exchange.GET('/v1/operator/bridge/organizations/{organization}/tenants', {
            params: { path: { organization } },
            signal,
          }),
        )
      ).data,
  });

export const signersQuery = (organization: string) =>
  queryOptions({
    queryKey: [...OPERATOR_KEY, 'signers', organization],
    queryFn: async ({ signal }) =>
      (
        await dataOf(
          exchange.GET('/v1/operator/bridge/organizations/{organization}/signers', {
            params: { path: { organization } },
            signal,
          }),
        )
      ).data,
  });

export const bridgeTransfersQuery = (organization: string, { cursor }: Paged) =>
  queryOptions({
    queryKey: [...OPERATOR_KEY, 'bridge-transfers', organization, cursor],
    queryFn: ({ signal }) =>
      pageOf(
        exchange.GET('/v1/operator/bridge/transfers', {
          params: { query: { organization, limit: LIMIT, ...asked({ cursor }) } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: WAITING_MS,
  });

export const bridgeTransferQuery = (id: string) =>
  queryOptions({
    queryKey: [...OPERATOR_KEY, 'bridge-transfer', id],
    queryFn: async ({ signal }) =>
      (await dataOf(exchange.GET('/v1/operator/bridge/transfers/{id}', { params: { path: { id } }, signal }))).data,
    refetchInterval: WAITING_MS,
  });

export const bridgeWordsQuery = (id: string) =>
  queryOptions({
    queryKey: [...OPERATOR_KEY, 'bridge-words', id],
    queryFn: async ({ signal }) =>
      (await dataOf(exchange.GET('/v1/operator/bridge/transfers/{id}/words', { params: { path: { id } }, signal })))
        .data,
  });
