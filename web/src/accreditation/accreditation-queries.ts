import { queryOptions } from '@tanstack/react-query';
import { dataOf, exchange } from '../api/client.ts';
import type { paths } from '../api/generated/exchange-api.ts';
import type { Answer } from '../api/queries.ts';

export type Accreditation = Answer<paths, '/v1/account/accreditation'>['data'];
export type AccreditationRecord = Accreditation['records'][number];
export type Verification = Answer<paths, '/v1/account/accreditation/verifications'>['data'][number];

export const accreditationQuery = queryOptions({
  queryKey: ['own', 'accreditation'],
  queryFn: async ({ signal }) => (await dataOf(exchange.GET('/v1/account/accreditation', { signal }))).data,
});

export const verificationsQuery = queryOptions({
  queryKey: ['own', 'verifications'],
  queryFn: async ({ signal }) =>
    (await dataOf(exchange.GET('/v1/account/accreditation/verifications', { signal }))).data,
});
