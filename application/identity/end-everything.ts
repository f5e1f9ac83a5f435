import { database } from '../../data/database.ts';
import { listActiveKeysMadeBy } from '../../data/identity/api-keys.ts';
import { findUserFacts } from '../../data/identity/gate-facts.ts';
import { endUserTokens } from '../../data/identity/revocations.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { endBrowserSessionsOf } from '../console/browser-sessions.ts';
import { projected } from '../ledger/projected.ts';
import { revokeUser } from '../ledger/revoke.ts';
import type { CancelledOrders } from '../order-book/cancel-in-books.ts';
import { cancelUntilNone } from '../order-book/cancel-until-none.ts';
import { hourlyId } from './hourly-id.ts';
import { invalidateUser } from './invalidate-gates.ts';
import { endKey } from './keys/revoke-key.ts';
import { recordSignIn } from './sign-ins/record-sign-in.ts';

/** What has ended of a user. */
export interface Ended extends CancelledOrders {
  readonly keyIds: readonly string[];
}

const NOTHING_OPEN = { orderIds: [], pendingOrderIds: [], unreachable: [] };

/** Keys that a user has made for others and that a call ends: each asks the ledger and books. */
const MADE_KEYS_MAX = 50;

/**
 * Ends every token and key of a user at once, and cancels every open order; then the keys that the user has made for others, with their orders. Repeated, it ends what
 * has come since.
 */
export async function endEverything(env: Env, userId: string): Promise<Result<Ended, ApiError>> {
  const db = database(env.DB);
  await endUserTokens(db, userId, Date.now());
  // At once: what follows waits for the ledger and for books.
  await invalidateUser(env, userId);
  // Another provider knows of no switch, and would renew their tokens.
  const isSignedOut = await endBrowserSessionsOf(env, userId, 'revoked');
  const entry = { userId, type: 'kill_switch_pulled' } as const;
  await recordSignIn(env, { ...entry, id: await hourlyId(Date.now(), `kill switch ${userId}`) });
  const ended = await revokeUser(env, userId, Date.now());
  if (ended === null) {
    const message = 'the tokens have ended, but the ledger did not answer for the keys: repeat';
    return err(apiError('SERVICE_UNAVAILABLE', message));
  }
  const { keyIds, cancelIn, askedBy } = ended;
  const account = (await findUserFacts(db, userId))?.account?.accountId ?? null;
  const command = { keyId: null, side: null, reason: 'revoked' } as const;
  const { unreachable, ...cancelled } =
    account === null
      ? NOTHING_OPEN
      : await cancelUntilNone(env, { command: { ...command, account }, cancelIn, askedBy });
  const isShown = await projected(env);
  await invalidateUser(env, userId);
  if (!isShown) return err(apiError('SERVICE_UNAVAILABLE', 'ended, but reads do not show it yet: repeat'));
  if (!isSignedOut)
    return err(apiError('SERVICE_UNAVAILABLE', 'ended, but not yet every session of the console: repeat'));
  if (unreachable.length > 0)
    return err(apiError('SERVICE_UNAVAILABLE', 'ended, but some books are out of reach: repeat', { unreachable }));
  const made = await endKeysMadeBy(env, userId);
  return made.ok ? ok({ keyIds: [...keyIds, ...made.value], ...cancelled }) : made;
}

/** One that fails keeps none of the others. @returns ids */
async function endKeysMadeBy(env: Env, userId: string): Promise<Result<string[], ApiError>> {
  const keys = await listActiveKeysMadeBy(database(env.DB), userId, MADE_KEYS_MAX);
  let failure: ApiError | null = null;
  for (const key of keys) {
    const ended = await endKey(env, key);
    if (!ended.ok) failure ??= ended.error;
  }
  if (failure !== null) return err(failure);
  if (keys.length === MADE_KEYS_MAX)
    return err(apiError('SERVICE_UNAVAILABLE', 'ended, but not yet every key that was made for others: repeat'));
  return ok(keys.map(({ id }) => id));
}
