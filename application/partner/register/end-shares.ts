import { database } from '../../../data/database.ts';
import type { CorporateAction } from '../../../data/partner/actions/corporate-actions.ts';
import { mergersUnderWay } from '../../../data/partner/actions/merger-actions.ts';
import {
  announceEvent,
  findAnnounced,
  findRegisterEvent,
  type RegisterEventRow,
  refuseEvent,
} from '../../../data/partner/register/register-events.ts';
import { registerTotals, splitObstacles, stageSplit } from '../../../data/partner/register/split-events.ts';
import type { StockTerms } from '../../../domain/corporate-actions/corporate-action.ts';
import { sha256 } from '../../../domain/ledger/journal-chain.ts';
import { ALL_END } from '../../../domain/ledger/split-units.ts';
import type { Conversion } from '../../../domain/ledger/transactions.ts';
import { tradeEventId } from '../../../domain/partner/trade-event-id.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import type { LedgerEnv } from '../../ledger/ledger-env.ts';
import { projected } from '../../ledger/projected.ts';
import { announceConversion, conversionEventId, conversionOf, recordConversion } from './convert-shares.ts';
import { moveParts, recordParts, type SplitError, stepOf, waitsOf } from './split-shares.ts';

/** The register's event of one attempt of a merger. What was given up is not begun again: the next attempt has another event. */
export function mergerEventId({ id, attempt }: { readonly id: string; readonly attempt: number }): string {
  return tradeEventId(id, `merger.${attempt}`);
}

/**
 * Keeps every share of a security where it is, in the ledger and the register, once nothing of it is on its way: the event is announced, that of the register of
 * what takes their place, too, and the ledger has begun. The same again finds it as it stands.
 */
export async function holdShares(
  env: LedgerEnv,
  action: Pick<CorporateAction, 'id' | 'attempt' | 'security' | 'actor'>,
  stock: StockTerms | null,
  now: number,
): Promise<Result<null, SplitError>> {
  const db = database(env.DB);
  const { security, actor } = action;
  const id = mergerEventId(action);
  if (!(await projected(env))) return err({ reason: 'outcome_unknown' });
  const { market, ...obstacles } = await splitObstacles(db, security);
  const missing = waitsOf({ market, ...obstacles });
  if (missing.length > 0) return err({ reason: 'not_ready', missing });
  const hash = sha256('merger', security);
  await stageSplit(db, { id, security, type: 'merger', hash, ratio: ALL_END, actor, createdAt: now });
  await announceEvent(db, { id, security }, { action: action.id });
  const event = await findRegisterEvent(db, id);
  if (event?.state !== 'announced') {
    const other = await findAnnounced(db, security);
    if (other !== null) await releaseEvent(env, other);
    return err({ reason: 'busy' });
  }
  if (stock !== null && !(await announceConversion(env, action, stock, { of: id, now }))) {
    const other = await findAnnounced(db, stock.survivor);
    if (other !== null) await releaseEvent(env, other);
    return err({ reason: 'busy' });
  }
  const books = market === null ? [] : [market];
  const register = await registerTotals(db, id);
  const into = await partIntoOf(env, security, stock);
  const begun = await stepOf(env, event, { type: 'begin', ...ALL_END, ...into, register, books });
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
    case 'ledger_full':
      return err({ reason: 'ledger_full' });
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

async function partIntoOf(
  env: LedgerEnv,
  security: string,
  stock: StockTerms | null,
): Promise<{ readonly into?: Conversion }> {
  return stock === null ? {} : { into: await conversionOf(env, security, stock) };
}

/**
 * Ends every share that is held so, part by part, then in the register; what takes their place the ledger gives with each part, and the register of the surviving
 * security behind. The same again goes on from where that stands.
 */
export async function endShares(
  env: LedgerEnv,
  action: Pick<CorporateAction, 'id' | 'attempt' | 'security'>,
  stock: StockTerms | null,
): Promise<Result<null, SplitError>> {
  const ended = await endInRegister(env, action, stock);
  if (!ended.ok) return ended;
  if (stock !== null) await recordConversion(env, conversionEventId(action));
  return ok(null);
}

async function endInRegister(
  env: LedgerEnv,
  action: Pick<CorporateAction, 'id' | 'attempt' | 'security'>,
  stock: StockTerms | null,
): Promise<Result<RegisterEventRow, SplitError>> {
  const db = database(env.DB);
  const id = mergerEventId(action);
  const event = await findRegisterEvent(db, id);
  if (event?.state === 'recorded') return ok(event);
  if (event?.state !== 'announced') throw new Error(`the shares of register event ${id} are not held`);
  // A ledger that has begun answers how far it is, and does not begin anew.
  const register = await registerTotals(db, id);
  const into = await partIntoOf(env, event.security, stock);
  const begun = await stepOf(env, event, { type: 'begin', ...ALL_END, ...into, register, books: [] });
  if (begun.type === 'over') return recordParts(env, event);
  return begun.type === 'done' ? moveParts(env, event, begun.part) : err({ reason: 'outcome_unknown' });
}

/** Of what is read of a merger, the attempt and the one before: a run that was lost may have begun one of them in the ledger after it was given up. */
export async function releaseAttempts(
  env: LedgerEnv,
  { id, attempt }: { readonly id: string; readonly attempt: number },
): Promise<void> {
  for (const each of [attempt, attempt - 1])
    for (const eventId of [mergerEventId({ id, attempt: each }), conversionEventId({ id, attempt: each })]) {
      const event = await findRegisterEvent(database(env.DB), eventId);
      if (event !== null && event.state !== 'recorded') await releaseEvent(env, event);
    }
}

/** Gives up what is left of the two registers' events of a merger that no attempt of it needs; nothing of any other event. */
export async function releaseEvent(env: LedgerEnv, event: RegisterEventRow): Promise<void> {
  if (event.type === 'merger') await releaseShares(env, event);
  if (event.type === 'conversion') await releaseConversion(env, event);
}

/** It is needed as long as the event of the shares that would have ended, which comes first: the ledger lets go by that one. */
async function releaseConversion(env: LedgerEnv, event: RegisterEventRow): Promise<void> {
  const db = database(env.DB);
  const { of = '' } = event.ratio ?? {};
  const ended = await findRegisterEvent(db, of);
  if (ended !== null && ended.state !== 'refused') await releaseShares(env, ended);
  if ((await findRegisterEvent(db, of))?.state === 'refused') await refuseEvent(db, event, 'given_up');
}

/** Gives up the event of shares that no attempt of a merger needs: the ledger lets shares move again, then the register. */
async function releaseShares(env: LedgerEnv, event: RegisterEventRow): Promise<void> {
  const db = database(env.DB);
  const needed = await mergersUnderWay(db, event.security);
  if (event.state === 'recorded' || needed.some((each) => mergerEventId(each) === event.id)) return;
  const given = await stepOf(env, event, { type: 'give_up' });
  if (given.type === 'done' || given.type === 'not_under_way') await refuseEvent(db, event, 'given_up');
}
