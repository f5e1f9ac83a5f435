import { type AppContext, principalOf } from '../middleware/app-env.ts';

/** Organization and tenant of the caller, from the claims of the token and from nowhere else (E-AUT-02, E-AUT-03). */
export interface Tenancy {
  readonly organization: string;
  /** Unique over all organizations: what every query and every key of this service is scoped to. */
  readonly tenant: string;
}

/** An owner has one tenant, itself, unless its tokens carry a `tenant` claim. */
export function tenancyOf(c: AppContext): Tenancy {
  const { owner } = principalOf(c);
  const claimed = c.get('accessToken')?.tenant ?? owner;
  return { organization: owner, tenant: claimed === owner ? owner : `${owner}/${claimed}` };
}
