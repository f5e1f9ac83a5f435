import { findOperatorChange, type OperatorAction } from '../../../data/audit/trail/operator-events.ts';
import { database } from '../../../data/database.ts';
import { endEvent, findRegisterEvent, type RegisterEventRow } from '../../../data/partner/register/register-events.ts';
import { BOUNDARY_ACCOUNT } from '../../../domain/ledger/boundary-accounts.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { log } from '../../../durable-objects/log/log.ts';
import type { LedgerEnv } from '../../ledger/ledger-env.ts';
import { describeBug } from '../../log/describe-bug.ts';
import { carryOn, enter } from './change-register.ts';

/**
 * An operator ends an event that does not come to its end: it is carried on first, as by its own request. Where the ledger gives no answer to it still, the ledger is made to refuse
 * its id for good, so that nothing of it happens later, and the event ends as refused. What the ledger has done already is recorded instead.
 */
export async function endRegisterEvent(
  env: LedgerEnv,
  id: string,
  action: OperatorAction,
): Promise<Result<RegisterEventRow, RegisterEndError>> {
  const db = database(env.DB);
  const before = await findRegisterEvent(db, id);
  if (before === null) return err({ reason: 'event_not_found' });
  if ((await findOperatorChange(db, action, id)) !== null) return ok(before);
  if (before.state !== 'staged' && before.state !== 'announced') return err({ reason: 'wrong_state', event: before });
  if (before.state === 'announced') await tryOnceMore(env, id);
  const event = await findRegisterEvent(db, id);
  if (event === null) return err({ reason: 'event_not_found' });
  // It has come to its end by itself.
  if (event.state !== 'staged' && event.state !== 'announced') return err({ reason: 'wrong_state', event });
  if (event.type === 'split' || event.type === 'merger' || event.type === 'conversion')
    return err({ reason: 'of_corporate_action', event });
  if (event.state === 'announced') {
    const refused = await refuseForGood(env, event);
    if (refused === 'outcome_unknown') return err({ reason: refused });
    if (refused === 'answered') return err(await endOfAnswered(env, event));
  }
  const isEnded = await endEvent(db, event, Date.now(), action);
  const ended = (await findRegisterEvent(db, id)) ?? event;
  return isEnded ? ok(ended) : err({ reason: 'wrong_state', event: ended });
}

/** The ledger has answered the event's own entry since it was carried on: the event ends as that says, or the shares have moved and the record is missing. */
async function endOfAnswered(env: LedgerEnv, event: RegisterEventRow): Promise<RegisterEndError> {
  await tryOnceMore(env, event.id);
  const now = (await findRegisterEvent(database(env.DB), event.id)) ?? event;
  return now.state === 'announced' ? { reason: 'shares_moved' } : { reason: 'wrong_state', event: now };
}

/** Whatever keeps it from its end, an operator may end it. */
async function tryOnceMore(env: LedgerEnv, id: string): Promise<void> {
  try {
    await carryOn(env, id);
  } catch (error) {
    log('error', 'an event of a register cannot be carried on', { event: id, ...describeBug(error) });
  }
}

export type RegisterEndError =
  | { readonly reason: 'event_not_found' }
  /** It was recorded or refused, as it says. */
  | { readonly reason: 'wrong_state'; readonly event: RegisterEventRow }
  /** It goes on or ends with the corporate action that it belongs to. */
  | { readonly reason: 'of_corporate_action'; readonly event: RegisterEventRow }
  /** The ledger has moved its shares: what is missing is its record. */
  | { readonly reason: 'shares_moved' }
  /** The ledger does not answer at all. */
  | { readonly reason: 'outcome_unknown' };

/**
 * The ledger keeps the first answer to an id. An entry that takes a share from an account that nobody has is refused whatever the ledger holds; once that answer is kept, what the event
 * asks for under the same id is never done.
 */
async function refuseForGood(
  env: LedgerEnv,
  event: RegisterEventRow,
): Promise<'refused' | 'answered' | 'outcome_unknown'> {
  const legs = [
    { account: NOBODY, change: -1, lots: [] },
    { account: BOUNDARY_ACCOUNT.issuance, change: 1, lots: [] },
  ];
  const { type } = await enter(env, event, legs);
  if (type === 'outcome_unknown') return type;
  // Its own entry was answered.
  return type === 'id_conflict' || type === 'done' ? 'answered' : 'refused';
}

/** No account's id: those are UUIDs, or named by the venue. */
const NOBODY = 'nobody:ended-by-operator';
