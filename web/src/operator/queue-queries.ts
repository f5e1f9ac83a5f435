import { keepPreviousData, queryOptions } from '@tanstack/react-query';
import { dataOf, exchange, iam } from '../api/client.ts';
import type { components, paths } from '../api/generated/exchange-api.ts';
import { pageOf } from '../api/page-of.ts';
import type { Answer } from '../api/queries.ts';

type Schemas = components['schemas'];

export type Approval = Schemas['OperatorApproval'];
export type AuditedAction = Schemas['OperatorAuditedAction'];
export type Identity = Schemas['Onboarding'];
export type IdentityItem = Schemas['OnboardingItem'];
export type Refusal = Schemas['OperatorRefusal'];
export type TransferRequest = Schemas['OperatorTransferRequest'];
export type UserDetail = Schemas['OperatorUserDetail'];
export type AccountDetail = Schemas['OperatorAccountDetail'];
export type ListedUser = Answer<paths, '/v1/operator/users'>['data'][number];
export type ListedAccount = Answer<paths, '/v1/operator/accounts'>['data'][number];
export type ListedOrganization = Answer<paths, '/v1/operator/organizations'>['data'][number];

/** Rows of a page. */
const LIMIT = '50';
/** What waits for a person is read again while somebody looks. */
const WAITING_MS = 30_000;

/** Everything that an operator reads: an act makes it old. */
export const OPERATOR_KEY = ['operator'] as const;

export type Paged = { readonly cursor?: string | undefined };

/** Without what is not asked for. */
export function asked<T extends object>(query: T): { [Key in keyof T]?: Exclude<T[Key], undefined> } {
  return Object.fromEntries(Object.entries(query).filter(([, value]) => value !== undefined)) as never;
}

export const identitiesQuery = (filter: Paged & { readonly state?: IdentityItem['state'] | undefined }) =>
  queryOptions({
    queryKey: [...OPERATOR_KEY, 'identities', filter],
    queryFn: ({ signal }) =>
      pageOf(
        exchange.GET('/v1/operator/onboarding', { params: { query: { limit: LIMIT, ...asked(filter) } }, signal }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: WAITING_MS,
  });

export const identityQuery = (id: string) =>
  queryOptions({
    queryKey: [...OPERATOR_KEY, 'identity', id],
    queryFn: async ({ signal }) =>
      (await dataOf(exchange.GET('/v1/operator/onboarding/{id}', { params: { path: { id } }, signal }))).data,
  });

export const approvalsQuery = (filter: Paged & { readonly state?: Approval['state'] | undefined }) =>
  queryOptions({
    queryKey: [...OPERATOR_KEY, 'approvals', filter],
    queryFn: ({ signal }) =>
      pageOf(exchange.GET('/v1/operator/approvals', { params: { query: { limit: LIMIT, ...asked(filter) } }, signal })),
    placeholderData: keepPreviousData,
    refetchInterval: WAITING_MS,
  });

export const approvalQuery = (id: string) =>
  queryOptions({
    queryKey: [...OPERATOR_KEY, 'approval', id],
    queryFn: async ({ signal }) =>
      (await dataOf(exchange.GET('/v1/operator/approvals/{id}', { params: { path: { id } }, signal }))).data,
    refetchInterval: WAITING_MS,
  });

interface TransferFilter extends Paged {
  readonly status?: TransferRequest['status'] | undefined;
  readonly type?: TransferRequest['type'] | undefined;
  readonly accountId?: string | undefined;
  /** As it stands on the transfer that has come. */
  readonly paymentReference?: string | undefined;
}

export const transferRequestsQuery = (filter: TransferFilter) =>
  queryOptions({
    queryKey: [...OPERATOR_KEY, 'transfers', filter],
    queryFn: ({ signal }) =>
      pageOf(
        exchange.GET('/v1/operator/transfer-requests', {
          params: { query: { limit: LIMIT, ...asked(filter) } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
    refetchInterval: WAITING_MS,
  });

export const transferRequestQuery = (id: string) =>
  queryOptions({
    queryKey: [...OPERATOR_KEY, 'transfer', id],
    queryFn: async ({ signal }) =>
      (await dataOf(exchange.GET('/v1/operator/transfer-requests/{id}', { params: { path: { id } }, signal }))).data,
  });

export interface UserFilter extends Paged {
  readonly owner?: string | undefined;
  readonly role?: ListedUser['roles'][number] | undefined;
  readonly active?: 'true' | 'false' | undefined;
  /** Goes out in the body: names and numbers stand in no address. */
  readonly words?: string | undefined;
}

export const usersQuery = ({ words, cursor, ...filter }: UserFilter) =>
  queryOptions({
    queryKey: [...OPERATOR_KEY, 'users', { words, cursor, ...filter }],
    queryFn: ({ signal }) => {
      const page = { limit: LIMIT, ...asked({ cursor }) };
      const { active, ...of } = asked(filter);
      if (words === undefined)
        return pageOf(exchange.GET('/v1/operator/users', { params: { query: { ...page, ...asked(filter) } }, signal }));
      return pageOf(
        exchange.POST('/v1/operator/users/search', {
          params: { query: page },
          body: { search: words, ...of, ...(active !== undefined && { active: active === 'true' }) },
          signal,
        }),
      );
    },
    placeholderData: keepPreviousData,
  });

export const userQuery = (id: string) =>
  queryOptions({
    queryKey: [...OPERATOR_KEY, 'user', id],
    queryFn: async ({ signal }) =>
      (await dataOf(exchange.GET('/v1/operator/users/{id}', { params: { path: { id } }, signal }))).data,
    staleTime: 60_000,
  });

export const userSessionsQuery = (userId: string) =>
  queryOptions({
    queryKey: [...OPERATOR_KEY, 'sessions', userId],
    queryFn: async ({ signal }) =>
      (await dataOf(iam.GET('/v1/sessions', { params: { query: { userId } }, signal }))).data,
  });

export const organizationsQuery = (filter: Paged) =>
  queryOptions({
    queryKey: [...OPERATOR_KEY, 'organizations', filter],
    queryFn: ({ signal }) =>
      pageOf(
        exchange.GET('/v1/operator/organizations', { params: { query: { limit: LIMIT, ...asked(filter) } }, signal }),
      ),
    placeholderData: keepPreviousData,
  });

export const accountsQuery = (filter: Paged & { readonly frozen?: 'true' | 'false' | undefined }) =>
  queryOptions({
    queryKey: [...OPERATOR_KEY, 'accounts', filter],
    queryFn: ({ signal }) =>
      pageOf(exchange.GET('/v1/operator/accounts', { params: { query: { limit: LIMIT, ...asked(filter) } }, signal })),
    placeholderData: keepPreviousData,
  });

export const accountDetailQuery = (id: string) =>
  queryOptions({
    queryKey: [...OPERATOR_KEY, 'account', id],
    queryFn: async ({ signal }) =>
      (await dataOf(exchange.GET('/v1/operator/accounts/{id}', { params: { path: { id } }, signal }))).data,
  });

interface RefusalFilter extends Paged {
  readonly rule?: RuleName | undefined;
  readonly accountId?: string | undefined;
  readonly assetId?: string | undefined;
}

export type RuleName = NonNullable<NonNullable<paths['/v1/operator/refusals']['get']['parameters']['query']>['rule']>;

export const refusalsQuery = (filter: RefusalFilter) =>
  queryOptions({
    queryKey: [...OPERATOR_KEY, 'refusals', filter],
    queryFn: ({ signal }) =>
      pageOf(exchange.GET('/v1/operator/refusals', { params: { query: { limit: LIMIT, ...asked(filter) } }, signal })),
    placeholderData: keepPreviousData,
  });

/** Of today, by UTC. */
export const refusalRulesQuery = queryOptions({
  queryKey: [...OPERATOR_KEY, 'refusal-rules'],
  queryFn: async ({ signal }) => (await dataOf(exchange.GET('/v1/operator/refusals/rules', { signal }))).data,
});

export interface TrailFilter extends Paged {
  readonly subject?: string | undefined;
  readonly actor?: string | undefined;
  readonly type?: string | undefined;
}

export const trailQuery = (filter: TrailFilter, limit = '50') =>
  queryOptions({
    queryKey: [...OPERATOR_KEY, 'trail', filter, limit],
    queryFn: ({ signal }) =>
      pageOf(
        exchange.GET('/v1/operator/audit-trail', {
          params: { query: { limit, ...asked(filter) } },
          signal,
        }),
      ),
    placeholderData: keepPreviousData,
  });
