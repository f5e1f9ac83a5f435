import { uuidv7 } from 'uuidv7';
import { database } from '../../data/database.ts';
import { listActiveKeyIds } from '../../data/identity/api-keys.ts';
import { findUserFacts } from '../../data/identity/gate-facts.ts';
import type { LedgerEnv } from './ledger-env.ts';
import { transact } from './transact.ts';

/** What a revocation has ended: nothing of it is admitted any more. D1 shows it once it is `projected`. */
export interface Revocation {
  readonly keyIds: readonly string[];
  /** Books that must cancel open orders. */
  readonly cancelIn: readonly string[];
  /** Ids of the ledger transactions that ask them to. */
  readonly askedBy: readonly string[];
}

/** An API key, and whose it is. */
export interface OwnedKey {
  readonly id: string;
  readonly account: string;
}

/** Ends an API key. Null when the outcome is unknown: repeat it. */
export function revokeApiKey(env: LedgerEnv, key: OwnedKey, now: number): Promise<Revocation | null> {
  return revokeKeys(env, key.account, [key.id], now);
}

/**
 * Ends the API keys of a user whose tokens have ended (`endUserTokens`, first: a key made from then on is not, see createApiKeyOfBearer).
 * What was checked under a credential of theirs and is not admitted yet is refused as stale, since the facts of the user's account get
 * another version. Null when the outcome is unknown: repeat it.
 */
export async function revokeUser(env: LedgerEnv, userId: string, now: number): Promise<Revocation | null> {
  const db = database(env.DB);
  const keyIds = await listActiveKeyIds(db, userId);
  const account = (await findUserFacts(db, userId))?.account ?? null;
  if (account === null) return { keyIds: [], cancelIn: [], askedBy: [] };
  const keys = await revokeKeys(env, account.accountId, keyIds, now);
  const orders = await raiseFactsVersion(env, account, now);
  if (keys === null || orders === null) return null;
  return {
    keyIds,
    cancelIn: [...new Set([...keys.cancelIn, ...orders.cancelIn])],
    askedBy: [...keys.askedBy, ...orders.askedBy],
  };
}

async function revokeKeys(
  env: LedgerEnv,
  account: string,
  keyIds: readonly string[],
  now: number,
): Promise<Revocation | null> {
  if (keyIds.length === 0) return { keyIds, cancelIn: [], askedBy: [] };
  const id = uuidv7();
  const outcome = await transact(env, { kind: 'revoke_keys', id, account, keyIds, createdAt: now });
  return outcome.type === 'done' ? { keyIds, cancelIn: outcome.cancelIn, askedBy: [id] } : null;
}

/** A version that others raise meanwhile is asked for again. */
const TRIES_MAX = 5;

async function raiseFactsVersion(
  env: LedgerEnv,
  { accountId, factsVersion }: { readonly accountId: string; readonly factsVersion: number },
  now: number,
): Promise<Revocation | null> {
  let expectedVersion = factsVersion;
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const id = uuidv7();
    const outcome = await transact(env, {
      kind: 'facts',
      id,
      account: accountId,
      expectedVersion,
      facts: null,
      cancelsOrders: true,
      createdAt: now,
      event: null,
    });
    if (outcome.type === 'done') return { keyIds: [], cancelIn: outcome.cancelIn, askedBy: [id] };
    if (outcome.type !== 'stale') return null;
    expectedVersion = outcome.version;
  }
  throw new Error(`facts of account ${accountId} kept changing`);
}
