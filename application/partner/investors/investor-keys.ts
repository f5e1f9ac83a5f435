import { database } from '../../../data/database.ts';
import {
  countActiveKeysOfOwner,
  findApiKey,
  listActiveKeysOfOwner,
  listApiKeysOfAccount,
  type StoredApiKey,
} from '../../../data/identity/api-keys.ts';
import type { Bearer } from '../../../data/identity/bearer.ts';
import { findAccountFacts } from '../../../data/identity/gate-facts.ts';
import { findInvestorOf } from '../../../data/partner/investors.ts';
import { marketsOfListed } from '../../../data/partner/securities.ts';
import type { Principal, Scope } from '../../../domain/identity/principal.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { invalidateKey } from '../../identity/invalidate-gates.ts';
import { type CreatedKey, createKey } from '../../identity/keys/create-key.ts';
import { noSuchKey } from '../../identity/keys/find-managed-key.ts';
import { revokeKey } from '../../identity/keys/revoke-key.ts';
import { investorPrincipal } from '../orders/investor-principal.ts';

/** Active keys of all investors of one organization: those that a suspension has to end at once. */
const ACTIVE_KEYS_MAX = 200;

/** An account of one of the organization's investors. */
export interface InvestorAccountOf {
  readonly organization: string;
  readonly investor: string;
  readonly account: string;
  readonly clientAddress: string;
}

export interface InvestorKeyTerms {
  readonly name: string;
  readonly scopes: readonly Scope[];
  /** Listed securities that it may trade, and nothing else. */
  readonly securities: readonly string[];
  readonly ipAllowlist: readonly string[] | null;
  /** When it ends by itself, Unix milliseconds; null for no end of its own. */
  readonly expiresAt: number | null;
}

/**
 * Makes an API key by which the organization trades for one account of its investor, over FIX 4.4, WebSocket, gRPC and the order-book profile
 * (docs/design/partner.md#keys-of-investors-accounts).
 *
 * @param bearer by whose token of the partner: the key ends with it (`endEverything`)
 */
export async function createInvestorKey(
  env: Env,
  of: InvestorAccountOf,
  { securities, ...terms }: InvestorKeyTerms,
  bearer: Bearer,
): Promise<Result<CreatedKey, ApiError>> {
  const principal = await principalOfAccount(env, of);
  if (principal === null) return err(noSuchAccount());
  const db = database(env.DB);
  const markets = await marketsOfListed(db, securities);
  const unknown = securities.find((id) => !markets.has(id));
  if (unknown !== undefined)
    return err(apiError('VALIDATION_ERROR', 'no listed security has this id', { field: 'security_ids', id: unknown }));
  if ((await countActiveKeysOfOwner(db, of.organization)) >= ACTIVE_KEYS_MAX)
    return err(apiError('CONFLICT', 'revoke a key first', { activeKeysMax: ACTIVE_KEYS_MAX }));
  const none = { positionLimits: null, orderSizeLimits: null, dailyLossMax: null, dailyNotionalMax: null };
  return createKey(env, principal, bearer, { ...terms, ...none, symbols: [...new Set(markets.values())] });
}

/** Keys of the account, newest first; null where it is none of the organization's. */
export async function listInvestorKeys(env: Env, of: InvestorAccountOf): Promise<StoredApiKey[] | null> {
  if ((await principalOfAccount(env, of)) === null) return null;
  return listApiKeysOfAccount(database(env.DB), of.account);
}

/** Ends a key of the account, and cancels what it has open. */
export async function revokeInvestorKey(
  env: Env,
  of: InvestorAccountOf,
  { key, requestId }: { readonly key: string; readonly requestId: string },
): Promise<Result<null, ApiError>> {
  const [principal, found] = await Promise.all([principalOfAccount(env, of), findApiKey(database(env.DB), key)]);
  if (principal === null || found?.account !== of.account) return err(noSuchKey());
  const revoked = await revokeKey(env, { principal, requestId }, key);
  return revoked.ok ? ok(null) : revoked;
}

/** The state of an organization has changed: each of its keys is judged anew before it opens anything. */
export async function reexamineKeysOf(env: Env, organization: string): Promise<void> {
  for (const id of await listActiveKeysOfOwner(database(env.DB), organization)) await invalidateKey(env, id);
}

async function principalOfAccount(
  env: Env,
  { organization, investor, account, clientAddress }: InvestorAccountOf,
): Promise<Principal | null> {
  const db = database(env.DB);
  if ((await findInvestorOf(db, organization, investor)) === null) return null;
  const facts = await findAccountFacts(db, investor, account);
  return facts === null ? null : investorPrincipal(organization, investor, facts, clientAddress);
}

export function noSuchAccount(): ApiError {
  return apiError('NOT_FOUND', 'account does not exist');
}
