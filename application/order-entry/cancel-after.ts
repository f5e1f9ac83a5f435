import { err, ok, type Result } from '../../domain/result.ts';
import {
  CONNECTION_LEASE_MS,
  cancelSwitchOf,
  type SwitchHolder,
  TIMER,
} from '../../durable-objects/cancel-switch/api.ts';
import { log } from '../../durable-objects/log/log.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { openBooks } from '../ledger/open-books.ts';
import { describeBug } from '../log/describe-bug.ts';
import { askAgain } from '../objects/ask-again.ts';
import { cancelUntilNone } from '../order-book/cancel-until-none.ts';

/** Arms, or with 0 disarms, the timer of a holder's switch; answers when it rings. */
export async function armCancelAfter(
  env: Env,
  holder: SwitchHolder,
  timeout_ms: number,
): Promise<Result<number | null, ApiError>> {
  const at_ms = timeout_ms === 0 ? null : Date.now() + timeout_ms;
  return (await arm(env, holder, TIMER, at_ms, false)) ? ok(at_ms) : err(UNAVAILABLE);
}

/** Makes a connection's end cancel the holder's open orders, or no longer. */
export async function armCancelOnDisconnect(
  env: Env,
  holder: SwitchHolder,
  connectionId: string,
  isEnabled: boolean,
): Promise<Result<null, ApiError>> {
  const at_ms = isEnabled ? Date.now() + CONNECTION_LEASE_MS : null;
  return (await arm(env, holder, connectionId, at_ms, isEnabled)) ? ok(null) : err(UNAVAILABLE);
}

const UNAVAILABLE = apiError('SERVICE_UNAVAILABLE', 'the switch cannot be set now: repeat the request');

async function arm(
  env: Env,
  holder: SwitchHolder,
  trigger: string,
  at_ms: number | null,
  takesOver: boolean,
): Promise<boolean> {
  try {
    return await askAgain(() => cancelSwitchOf(env, holder).arm(holder, trigger, at_ms, takesOver));
  } catch (error) {
    log('error', 'cancel switch out of reach', describeBug(error));
    return false;
  }
}

/** Cancels the holder's open orders in every book until there are none; false where one could not be reached. */
export async function cancelAllOf(env: Env, { account, keyId }: SwitchHolder): Promise<boolean> {
  const books = await openBooks(env, account);
  if (books === null) return false;
  const command = { account, keyId, side: null, reason: 'user' } as const;
  const { unreachable } = await cancelUntilNone(env, { command, cancelIn: books, askedBy: [] });
  return unreachable.length === 0;
}
