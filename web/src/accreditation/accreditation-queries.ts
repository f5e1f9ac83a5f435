import { queryOptions } from '@tanstack/react-query';
import type { ExchangePaths } from '../../../clients/sdk/exchange.ts';
import { dataOf, exchange } from '../api/client.ts';
import type { Answer } from '../api/queries.ts';

export type Accreditation = Answer<ExchangePaths, '/v1/account/accreditation'>['data'];
export type AccreditationRecord = Accreditation['records'][number];
export type Verification = Answer<ExchangePaths, '/v1/account/accreditation/verifications'>['data'][number];

export const accreditationQuery = queryOptions({
  queryKey: ['own', 'accreditation'],
  queryFn: async ({ signal }) => (await dataOf(exchange.GET('/v1/account/accreditation', { signal }))).data,
});

export const verificationsQuery = queryOptions({
  queryKey: ['own', 'verifications'],
  queryFn: async ({ signal }) =>
    (await dataOf(exchange.GET('/v1/account/accreditation/verifications', { signal }))).data,
});
