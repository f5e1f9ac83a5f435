import { uuidv7 } from 'uuidv7';
import { type Database, database } from '../../../data/database.ts';
import { beginMoving, findAction } from '../../../data/partner/actions/corporate-actions.ts';
import {
  announceEvent,
  findRegisterEvent,
  NOT_ANNOUNCED,
  type RegisterEventRow,
  recordEvent,
  refuseEvent,
} from '../../../data/partner/register/register-events.ts';
import {
  registerTotals,
  roundedUpBy,
  type SplitObstacles,
  splitObstacles,
  stageSplit,
  writeSplitLines,
} from '../../../data/partner/register/split-events.ts';
import { roundsTooMuch } from '../../../domain/corporate-actions/rounded-up.ts';
import { sha256 } from '../../../domain/ledger/journal-chain.ts';
import type { OutcomeOf } from '../../../domain/ledger/outcomes.ts';
import { isSplitRatio, type SplitRatio } from '../../../domain/ledger/split-units.ts';
import type { Split } from '../../../domain/ledger/transactions.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import type { LedgerEnv } from '../../ledger/ledger-env.ts';
import { projected } from '../../ledger/projected.ts';
import { type OutcomeUnknown, transact } from '../../ledger/transact.ts';
import { reconfigureBook } from '../../order-book/reconfigure-book.ts';

/** Parts of one run; the next one goes on. */
const PARTS_PER_RUN = 200;

/** What has to end before a split begins. */
type SplitWait =
  /** The market of the security is not halted. */
  | 'market_open'
  /** Orders are open, withdrawals requested, or trades not settled. */
  | 'shares_held'
  /** Instructions to the agent are not final, or a reversal waits. */
  | 'open_transfers'
  /** A holder is registered with something else than they have. */
  | 'register_differs'
  /** Of a corporate action: rounded up, holders would have too much more in all. */
  | 'fractions';

export interface SplitAsked extends SplitRatio {
  /** UUIDv7 of the register's event; the same on every repetition. */
  readonly id: string;
  readonly security: string;
  /** Of the corporate action that it belongs to: it moves nothing without the right of that. */
  readonly action?: string;
  /** User id. */
  readonly actor: string;
  /** Unix ms. */
  readonly now: number;
}

export type SplitError =
  /** Nothing has changed: the same again tries again. Once it has begun to move, `shares_held` alone, and it goes on by itself. */
  | { readonly reason: 'not_ready'; readonly missing: readonly SplitWait[] }
  /** Another event of the register is under way. */
  | { readonly reason: 'busy' }
  /** The ledger has no room for what takes the place of the shares: the same again tries again. */
  | { readonly reason: 'ledger_full' }
  /** It may have moved in part: the same again, or the job, goes on. */
  | { readonly reason: 'outcome_unknown' }
  /** The id stands for something else. */
  | { readonly reason: 'id_conflict' }
  /** Refused for good. */
  | { readonly reason: FinalRefusal };

type FinalRefusal = 'no_register' | 'balance_too_large' | 'malformed';

type SplitResult = Result<RegisterEventRow, SplitError>;

/**
 * Splits every holding of a security by a ratio, in the register and in the ledger, as one event of the register: staged, announced, moved in parts,
 * recorded. It waits until nothing is on its way. Each step may be repeated; a crash is carried on by the same call and by the job.
 */
export async function splitShares(env: LedgerEnv, asked: SplitAsked): Promise<SplitResult> {
  const { id, security, from, to, fractions, action, actor, now } = asked;
  if (!isSplitRatio(asked)) return err({ reason: 'malformed' });
  const db = database(env.DB);
  const hash = sha256('split', security, `${from}:${to}`, fractions);
  const before = await findRegisterEvent(db, id);
  if (before !== null && before.hash !== hash) return err({ reason: 'id_conflict' });
  if (before === null || before.state === 'staged' || before.refusal === NOT_ANNOUNCED) {
    if (!(await projected(env))) return err({ reason: 'outcome_unknown' });
    const missing = waitsOf(await splitObstacles(db, security));
    if (missing.length > 0) {
      await releaseSplit(env, { id, security });
      return err({ reason: 'not_ready', missing });
    }
    const ratio = { from, to, fractions, ...(action === undefined ? {} : { action }) };
    await stageSplit(db, { id, security, type: 'split', hash, ratio, actor, createdAt: now });
    await announceEvent(db, { id, security }, action === undefined ? {} : { action });
  }
  const event = await findRegisterEvent(db, id);
  return event === null ? err({ reason: 'outcome_unknown' }) : carryOnSplit(env, event);
}

/**
 * Frees what the ledger holds still for a split that was given up: another run may have begun it there at that moment, and been lost. Nothing happens where it
 * holds nothing, or where the split is asked for again meanwhile.
 */
export async function releaseSplit(env: LedgerEnv, split: Pick<SplitAsked, 'id' | 'security'>): Promise<void> {
  const event = await findRegisterEvent(database(env.DB), split.id);
  if (event?.refusal === NOT_ANNOUNCED) await stepOf(env, event, { type: 'give_up' });
}

/** Goes on with a split from wherever it stands. */
export async function carryOnSplit(env: LedgerEnv, event: RegisterEventRow): Promise<SplitResult> {
  switch (event.state) {
    case 'staged':
      return err({ reason: 'busy' });
    case 'announced':
      return begin(env, event);
    case 'recorded':
      return ok(event);
    case 'refused':
      return err({ reason: event.refusal === NOT_ANNOUNCED ? 'busy' : (event.refusal as FinalRefusal) });
  }
}

/** From here on nothing else changes the register; once the ledger has begun, nothing else moves shares. What is found then decides. */
async function begin(env: LedgerEnv, event: RegisterEventRow): Promise<SplitResult> {
  const db = database(env.DB);
  const { id, security, ratio } = event;
  if (ratio === null) return refuse(env, event, 'malformed');
  const [{ market }, register] = [await splitObstacles(db, security), await registerTotals(db, id)];
  const books = market === null ? [] : [market];
  const begun = await stepOf(env, event, { type: 'begin', ...ratio, register, books });
  switch (begun.type) {
    case 'done': {
      if (begun.part > 0) return moveParts(env, event, begun.part);
      if (!(await projected(env))) return err({ reason: 'outcome_unknown' });
      const missing = waitsOf(await splitObstacles(db, security));
      if (missing.length > 0) return giveUp(env, event, missing);
      // Another run may have given it up meanwhile.
      if ((await findRegisterEvent(db, id))?.state !== 'announced') return giveUp(env, event, []);
      // A transfer or an import has spread parts of a unit among more holders since the action looked: from here on none does.
      if (ratio.action !== undefined && (await roundsUpTooMuch(db, security, ratio)))
        return giveUp(env, event, ['fractions']);
      if (!(await mayMove(db, ratio.action))) return giveUp(env, event, []);
      return moveParts(env, event, 0);
    }
    case 'over':
      return recordParts(env, event);
    case 'held':
      return giveUp(env, event, ['shares_held']);
    case 'register_differs':
      return giveUp(env, event, ['register_differs']);
    case 'no_register':
    case 'balance_too_large':
    case 'malformed':
      return refuse(env, event, begun.type);
    case 'under_way':
    case 'ledger_full':
      return giveUp(env, event, []);
    case 'not_under_way':
    case 'not_next':
    case 'id_conflict':
    case 'outcome_unknown':
      return err({ reason: 'outcome_unknown' });
  }
}

/** Whether rounding every holder up would give away too much, by what the register has. */
export async function roundsUpTooMuch(
  db: Database,
  security: string,
  { from, to }: Pick<SplitRatio, 'from' | 'to'>,
): Promise<boolean> {
  const ratio = { from, to };
  return roundsTooMuch(await roundedUpBy(db, security, ratio), ratio);
}

/** Of a split that no action has announced there is no right to lose. */
async function mayMove(db: Database, id: string | undefined): Promise<boolean> {
  if (id === undefined) return true;
  const action = await findAction(db, id);
  return action?.state === 'effective' && (await beginMoving(db, action, Date.now()));
}

/**
 * Gives up a split that its action may not carry on.
 *
 * @returns whether nothing of it has moved, nor will
 */
export async function giveUpSplit(env: LedgerEnv, split: Pick<SplitAsked, 'id' | 'security'>): Promise<boolean> {
  const db = database(env.DB);
  const event = await findRegisterEvent(db, split.id);
  if (event?.state === 'staged') await refuseEvent(db, event, NOT_ANNOUNCED);
  if (event?.state === 'announced') await giveUp(env, event, []);
  const left = await findRegisterEvent(db, split.id);
  if (left?.refusal === NOT_ANNOUNCED) await releaseSplit(env, split);
  return left === null || left.state === 'refused';
}

/** The parts behind those that are done, then the register. */
export async function moveParts(env: LedgerEnv, event: RegisterEventRow, done: number): Promise<SplitResult> {
  for (let part = done + 1; part <= done + PARTS_PER_RUN; part++) {
    const moved = await stepOf(env, event, { type: 'part', part });
    // A part that another run has moved is not this one's turn: the next one is.
    if (moved.type === 'not_next' && moved.part >= part) continue;
    if (moved.type === 'over' || (moved.type === 'done' && moved.isOver)) return recordParts(env, event);
    if (moved.type === 'held') return err({ reason: 'not_ready', missing: ['shares_held'] });
    if (moved.type === 'ledger_full') return err({ reason: 'ledger_full' });
    if (moved.type !== 'done') return err({ reason: 'outcome_unknown' });
  }
  return err({ reason: 'outcome_unknown' });
}

export async function recordParts(env: LedgerEnv, event: RegisterEventRow): Promise<SplitResult> {
  const db = database(env.DB);
  await writeSplitLines(db, event.id);
  await recordEvent(db, event, Date.now());
  const recorded = await findRegisterEvent(db, event.id);
  if (recorded?.state !== 'recorded') return err({ reason: 'outcome_unknown' });
  const { market } = await splitObstacles(db, event.security);
  // A book that is not reached reads the split when the market is opened.
  if (market !== null) await reconfigureBook(env, market);
  return ok(recorded);
}

/** Both the ledger and the register are free again; where a part has moved meanwhile, it goes on instead. */
async function giveUp(env: LedgerEnv, event: RegisterEventRow, missing: readonly SplitWait[]): Promise<SplitResult> {
  const given = await stepOf(env, event, { type: 'give_up' });
  if (given.type === 'not_next') return moveParts(env, event, given.part);
  if (given.type === 'over') return recordParts(env, event);
  if (given.type !== 'done' && given.type !== 'not_under_way') return err({ reason: 'outcome_unknown' });
  await refuseEvent(database(env.DB), event, NOT_ANNOUNCED);
  return missing.length === 0 ? err({ reason: 'busy' }) : err({ reason: 'not_ready', missing });
}

async function refuse(env: LedgerEnv, event: RegisterEventRow, reason: FinalRefusal): Promise<SplitResult> {
  await refuseEvent(database(env.DB), event, reason);
  return err({ reason });
}

/** How far the ledger is decides, so each step has an id of its own. */
export function stepOf(
  env: LedgerEnv,
  { id, security }: RegisterEventRow,
  asked: Split['step'],
): Promise<OutcomeOf['split'] | OutcomeUnknown> {
  const split = { kind: 'split', id: uuidv7(), split: id, asset: security, step: asked } as const;
  return transact(env, { ...split, createdAt: Date.now() });
}

export function waitsOf({ status, held, transfers, unregistered }: SplitObstacles): SplitWait[] {
  const waits: (SplitWait | null)[] = [
    status === 'open' ? 'market_open' : null,
    held > 0 ? 'shares_held' : null,
    transfers > 0 ? 'open_transfers' : null,
    unregistered > 0 ? 'register_differs' : null,
  ];
  return waits.filter((wait) => wait !== null);
}
