import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { dataOf, exchange } from '../../api/client.ts';
import type { paths } from '../../api/generated/exchange-api.ts';
import { pageOf } from '../../api/page-of.ts';
import type { Answer } from '../../api/queries.ts';
import { OPERATOR_KEY } from '../queue-queries.ts';

export type Incident = Answer<paths, '/v1/operator/incidents/{id}'>['data'];

const LIMIT = '50';

export const incidentsQuery = (cursor: string | undefined) =>
  queryOptions({
    queryKey: [...OPERATOR_KEY, 'incidents', cursor ?? null],
    queryFn: ({ signal }) =>
      pageOf(
        exchange.GET('/v1/operator/incidents', {
          params: { query: { limit: LIMIT as never, ...(cursor === undefined ? {} : { cursor }) } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });

export const incidentQuery = (id: string) =>
  queryOptions({
    queryKey: [...OPERATOR_KEY, 'incident', id],
    queryFn: async ({ signal }) =>
      (await dataOf(exchange.GET('/v1/operator/incidents/{id}', { params: { path: { id } }, signal }))).data,
  });
