import { database } from '../../../data/database.ts';
import { mergersUnderWay } from '../../../data/partner/actions/merger-actions.ts';
import {
  announceEvent,
  findAnnounced,
  findRegisterEvent,
  type RegisterEventRow,
  refuseEvent,
} from '../../../data/partner/register/register-events.ts';
import { registerTotals, splitObstacles, stageSplit } from '../../../data/partner/register/split-events.ts';
import { sha256 } from '../../../domain/ledger/journal-chain.ts';
import { ALL_END } from '../../../domain/ledger/split-units.ts';
import { tradeEventId } from '../../../domain/partner/trade-event-id.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import type { LedgerEnv } from '../../ledger/ledger-env.ts';
import { projected } from '../../ledger/projected.ts';
import { moveParts, recordParts, type SplitAsked, type SplitError, stepOf, waitsOf } from './split-shares.ts';

/** The register's event of one attempt of a merger. What was given up is not begun again: the next attempt has another event. */
export function mergerEventId({ id, attempt }: { readonly id: string; readonly attempt: number }): string {
  return tradeEventId(id, `merger.${attempt}`);
}

/**
 * Keeps every share of a security where it is, in the ledger and the register, once nothing of it is on its way: the event is announced, and the ledger has
 * begun. The same again finds it as it stands.
 */
export async function holdShares(
  env: LedgerEnv,
  { id, security, actor, now }: Pick<SplitAsked, 'id' | 'security' | 'actor' | 'now'>,
): Promise<Result<null, SplitError>> {
  const db = database(env.DB);
  if (!(await projected(env))) return err({ reason: 'outcome_unknown' });
  const { market, ...obstacles } = await splitObstacles(db, security);
  const missing = waitsOf({ market, ...obstacles });
  if (missing.length > 0) return err({ reason: 'not_ready', missing });
  const hash = sha256('merger', security);
  await stageSplit(db, { id, security, type: 'merger', hash, ratio: ALL_END, actor, createdAt: now });
  await announceEvent(db, { id, security });
  const event = await findRegisterEvent(db, id);
  if (event?.state !== 'announced') {
    const other = await findAnnounced(db, security);
    if (other?.type === 'merger') await releaseShares(env, other);
    return err({ reason: 'busy' });
  }
  const books = market === null ? [] : [market];
  const register = await registerTotals(db, id);
  const begun = await stepOf(env, event, { type: 'begin', ...ALL_END, register, books });
  switch (begun.type) {
    case 'done': {
      if (!(await projected(env))) return err({ reason: 'outcome_unknown' });
      const left = waitsOf(await splitObstacles(db, security));
      return left.length === 0 ? ok(null) : err({ reason: 'not_ready', missing: left });
    }
    case 'held':
      return err({ reason: 'not_ready', missing: ['shares_held'] });
    case 'register_differs':
      return err({ reason: 'not_ready', missing: ['register_differs'] });
    case 'no_register':
    case 'balance_too_large':
    case 'malformed':
      return err({ reason: begun.type });
    case 'under_way':
      return err({ reason: 'busy' });
    case 'over':
    case 'not_under_way':
    case 'not_next':
    case 'id_conflict':
    case 'outcome_unknown':
      return err({ reason: 'outcome_unknown' });
  }
}

/** Ends every share that is held so, part by part, then in the register. The same again goes on from where that stands. */
export async function endShares(env: LedgerEnv, id: string): Promise<Result<RegisterEventRow, SplitError>> {
  const db = database(env.DB);
  const event = await findRegisterEvent(db, id);
  if (event?.state === 'recorded') return ok(event);
  if (event?.state !== 'announced') throw new Error(`the shares of register event ${id} are not held`);
  // A ledger that has begun answers how far it is, and does not begin anew.
  const register = await registerTotals(db, id);
  const begun = await stepOf(env, event, { type: 'begin', ...ALL_END, register, books: [] });
  if (begun.type === 'over') return recordParts(env, event);
  return begun.type === 'done' ? moveParts(env, event, begun.part) : err({ reason: 'outcome_unknown' });
}

/** Of what is read of a merger, the attempt and the one before: a run that was lost may have begun one of them in the ledger after it was given up. */
export async function releaseAttempts(
  env: LedgerEnv,
  { id, attempt }: { readonly id: string; readonly attempt: number },
): Promise<void> {
  for (const each of [attempt, attempt - 1]) {
    const event = await findRegisterEvent(database(env.DB), mergerEventId({ id, attempt: each }));
    if (event !== null && event.state !== 'recorded') await releaseShares(env, event);
  }
}

/** Gives up an event that no attempt of a merger needs: the ledger lets shares move again, then the register. */
export async function releaseShares(env: LedgerEnv, event: RegisterEventRow): Promise<void> {
  const db = database(env.DB);
  const needed = await mergersUnderWay(db, event.security);
  if (needed.some((each) => mergerEventId(each) === event.id)) return;
  const given = await stepOf(env, event, { type: 'give_up' });
  if (given.type === 'done' || given.type === 'not_under_way') await refuseEvent(db, event, 'given_up');
}
