import { database } from '../../data/database.ts';
import { findUserFacts } from '../../data/identity/gate-facts.ts';
import { endUserTokens } from '../../data/identity/revocations.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { projected } from '../ledger/projected.ts';
import { revokeUser } from '../ledger/revoke.ts';
import type { CancelledOrders } from '../order-book/cancel-in-books.ts';
import { cancelUntilNone } from '../order-book/cancel-until-none.ts';
import { invalidateUser } from './invalidate-gates.ts';

/** What has ended of a user. */
export interface Ended extends CancelledOrders {
  readonly keyIds: readonly string[];
}

const NOTHING_OPEN = { orderIds: [], pendingOrderIds: [], unreachable: [] };

/** Ends every token and key of a user at once, and cancels every open order. Repeated, it ends what has come since. */
export async function endEverything(env: Env, userId: string): Promise<Result<Ended, ApiError>> {
  const db = database(env.DB);
  await endUserTokens(db, userId, Date.now());
  // At once: what follows waits for the ledger and for books.
  await invalidateUser(env, userId);
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
  if (unreachable.length > 0)
    return err(apiError('SERVICE_UNAVAILABLE', 'ended, but some books are out of reach: repeat', { unreachable }));
  return ok({ keyIds, ...cancelled });
}
