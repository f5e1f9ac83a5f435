import { uuidv7 } from 'uuidv7';
import { type Database, database } from '../../../data/database.ts';
import type { TogetherItem } from '../../../data/partner/register/record-together.ts';
import { findAnnounced, knownCertificates } from '../../../data/partner/register/register-events.ts';
import { scalesOf } from '../../../data/partner/register/registered-security.ts';
import {
  completedFacts,
  endReversedTransfers,
  findTransferInstruction,
  giveUpRejections,
  handOverTransfers,
  instructTransfers,
  moveTransfer,
  recordTransfer,
  registeredShares,
  rejectingTransfers,
  shownUpTo,
  type TransferInstruction,
} from '../../../data/partner/register/transfer-instructions.ts';
import { followSettlements } from '../../../data/partner/settlements.ts';
import { fromScaled } from '../../../domain/money/scaled.ts';
import { rejectionId, tradeEventId } from '../../../domain/partner/trade-event-id.ts';
import {
  isTransferFinal,
  mayBeRejected,
  type TransferState,
  transferStateAfter,
} from '../../../domain/register/transfer-state.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { orderBookOf } from '../../../durable-objects/order-book/api.ts';
import { type WebhookDispatchEnv, wakeDispatch } from '../../../durable-objects/webhook-dispatch/api.ts';
import { adjustTrade, type TradeAdjustmentError } from '../../ledger/adjust-trade.ts';
import type { LedgerEnv } from '../../ledger/ledger-env.ts';
import { projected } from '../../ledger/projected.ts';
import { carryOnRegisters } from './change-register.ts';
import { recordCircle, reverseTransfers } from './reverse-transfers.ts';

/** Trades of one call. */
const TRANSFERS_PER_CALL = 500;
/** Calls of one run of the job; the next one goes on. */
const CALLS_PER_RUN = 20;

/**
 * Makes the instructions of trades that have settled since, and hands over what a former agent has left; of one agent or of all.
 *
 * @returns whether another call may find more
 */
export async function initiateTransfers(
  env: LedgerEnv & WebhookDispatchEnv,
  agent: string | null,
  now: number,
): Promise<boolean> {
  const db = database(env.DB);
  await giveUpRejections(db, TRANSFERS_PER_CALL);
  const handedOver = await handOverTransfers(db, agent, TRANSFERS_PER_CALL, now);
  const made = await instructTransfers(db, agent === null ? 'all' : { agent }, TRANSFERS_PER_CALL, now);
  if (made + handedOver > 0) await wakeDispatch(env, 'exchange');
  await endReversedTransfers(db, now);
  return made === TRANSFERS_PER_CALL;
}

export type TransferActError =
  | { readonly reason: 'transfer_not_found' }
  | { readonly reason: 'wrong_state'; readonly transfer: TransferInstruction }
  /** What was repeated was done with other terms. */
  | { readonly reason: 'done_otherwise'; readonly transfer: TransferInstruction }
  /** The seller is not registered with so many: the transfers by which they got them are not completed yet. */
  | { readonly reason: 'not_registered'; readonly required: number; readonly held: number }
  | { readonly reason: 'certificate_exists' }
  /** The time in which its agent may reject it is over. */
  | { readonly reason: 'rejection_overdue' }
  | { readonly reason: 'busy' }
  | TradeAdjustmentError;

type Acted = Result<TransferInstruction, TransferActError>;

interface Act {
  /** Organization of the agent. */
  readonly agent: string;
  readonly transfer: string;
  readonly actor: string;
  readonly now: number;
}

/** The agent takes the transfer on. */
export async function acknowledgeTransfer(
  env: LedgerEnv,
  act: Act,
  { recordDate, notes }: { readonly recordDate: string; readonly notes: string | null },
): Promise<Acted> {
  const db = database(env.DB);
  const { agent, transfer: id, actor, now } = act;
  const found = await findTransferInstruction(db, agent, id);
  if (found === null) return err({ reason: 'transfer_not_found' });
  if (transferStateAfter(found.state, 'acknowledge') !== null) {
    const stated = { recordDate, acknowledgedDate: recordDate, notes };
    const change = { state: 'acknowledged', ...stated, actor, acknowledgedAt: now } as const;
    await moveTransfer(db, id, 'pending', change, agent);
  }
  const transfer = await findTransferInstruction(db, agent, id);
  if (transfer === null) return err({ reason: 'transfer_not_found' });
  if (transfer.acknowledgedAt === null || !STANDS_ACKNOWLEDGED.has(transfer.state))
    return err({ reason: 'wrong_state', transfer });
  const isSame = (transfer.acknowledgedDate ?? transfer.recordDate) === recordDate && transfer.notes === notes;
  return isSame ? ok(transfer) : err({ reason: 'done_otherwise', transfer });
}

/**
 * The agent takes the transfer on and has recorded it already. A certificate that the register knows keeps it from both; whatever else keeps it from being completed leaves it
 * acknowledged, and the same request, or a completion, goes on from there.
 */
export async function acknowledgeCompleted(
  env: LedgerEnv,
  act: Act,
  stated: { readonly recordDate: string; readonly notes: string | null },
  terms: CompletionTerms,
): Promise<Acted & { readonly isAcknowledged: boolean }> {
  const db = database(env.DB);
  const found = await findTransferInstruction(db, act.agent, act.transfer);
  if (found?.state === 'pending' && (await knownCertificates(db, found, [terms.certificate])).length > 0)
    return { ...err({ reason: 'certificate_exists' }), isAcknowledged: false };
  const acknowledged = await acknowledgeTransfer(env, act, stated);
  if (!acknowledged.ok) return { ...acknowledged, isAcknowledged: false };
  return { ...(await completeTransfer(env, act, terms)), isAcknowledged: true };
}

/** What comes of an acknowledgment while its trade stands, and its agent has not decided otherwise: the same again is answered with it. */
const STANDS_ACKNOWLEDGED: ReadonlySet<TransferState> = new Set(['acknowledged', 'completed']);

/** The agent refuses the transfer: its trade is taken back, whole or not at all. */
export async function rejectTransfer(env: LedgerEnv, act: Act, reason: string): Promise<Acted> {
  const db = database(env.DB);
  const { agent, transfer: id, actor } = act;
  const found = await findTransferInstruction(db, agent, id);
  if (found === null) return err({ reason: 'transfer_not_found' });
  if (found.state === 'rejected')
    return found.reason === reason ? ok(found) : err({ reason: 'done_otherwise', transfer: found });
  if (transferStateAfter(found.state, 'reject') === null) return err({ reason: 'wrong_state', transfer: found });
  const { state } = found;
  // What was begun in time goes to its end.
  if (state !== 'rejecting' && !mayBeRejected(found.createdAt, act.now)) return err({ reason: 'rejection_overdue' });
  if (state !== 'rejecting') await moveTransfer(db, id, state, { state: 'rejecting', reason, actor }, agent);
  const rejecting = await findTransferInstruction(db, agent, id);
  if (rejecting?.state !== 'rejecting')
    return rejecting === null
      ? err({ reason: 'transfer_not_found' })
      : err({ reason: 'wrong_state', transfer: rejecting });
  return takeBack(env, rejecting, act.now);
}

async function takeBack(env: LedgerEnv, transfer: TransferInstruction, now: number): Promise<Acted> {
  const db = database(env.DB);
  const { id, agent, acknowledgedAt } = transfer;
  const reason = transfer.reason ?? '';
  const action = { id: rejectionId(id), actor: transfer.actor ?? '', requestId: id };
  const made = await adjustTrade(env, { tradeId: id, price: null, reason, action, now });
  if (!made.ok) {
    if (made.error.reason === 'outcome_unknown') return made;
    // Nothing has moved by this: the agent may decide anew, unless an operator has taken the trade back.
    const before = acknowledgedAt === null ? 'pending' : 'acknowledged';
    await moveTransfer(db, id, 'rejecting', { state: before, reason: null });
    await endReversedTransfers(db, now);
    return made;
  }
  await moveTransfer(db, id, 'rejecting', { state: 'rejected', endedAt: now });
  await tellSettlements(env, [id], now);
  const { trade, market, adjustment } = made.value;
  try {
    await orderBookOf(env, market.symbol).tellAdjustment({ trade, adjustment });
  } catch {
    // Fills and trades show it in any case.
  }
  const ended = await findTransferInstruction(db, agent, id);
  return ended === null ? err({ reason: 'transfer_not_found' }) : ok(ended);
}

export interface CompletionTerms {
  readonly recordDate: string;
  readonly certificate: string;
  readonly legendApplied: boolean;
  readonly capTableUpdatedAt: string;
}

/** The agent has recorded the transfer: the register says so from here on. */
export async function completeTransfer(env: LedgerEnv, act: Act, terms: CompletionTerms): Promise<Acted> {
  const db = database(env.DB);
  const { agent, transfer: id, actor, now } = act;
  const found = await findTransferInstruction(db, agent, id);
  if (found === null) return err({ reason: 'transfer_not_found' });
  if (!isTransferFinal(found.state) && transferStateAfter(found.state, 'complete') === null)
    return err({ reason: 'wrong_state', transfer: found });
  if (found.state === 'acknowledged') {
    // Read before the ledger is asked: a rebuild that begins after its answer shows less than this.
    const shown = await shownUpTo(db);
    if (shown === null || !(await projected(env))) return err({ reason: 'outcome_unknown' });
    await endReversedTransfers(db, now, id);
    // First, what trades that were taken back leave with others: a transfer would take it from a reversal that waits.
    await reverseTransfers(db, found.security, now);
    const event = tradeEventId(id, 'transfer.completed');
    const unitsOnWire = fromScaled(found.units, await scaleOf(db, found.security));
    await recordTransfer(db, found, { ...terms, actor, newHolder: uuidv7(), event, unitsOnWire, now }, shown);
    await tellSettlements(env, [id], now);
  }
  return completionOf(db, { agent, id }, terms);
}

export interface CompletionAsked extends CompletionTerms {
  readonly transfer: string;
}

/**
 * The agent has recorded transfers of one security that wait for each other: all of them or none, with the reversals that wait for them.
 *
 * @returns the first of them, completed; or what keeps one from it
 */
export async function completeTogether(
  env: LedgerEnv & WebhookDispatchEnv,
  { agent, actor, now }: Omit<Act, 'transfer'>,
  asked: readonly [CompletionAsked, ...CompletionAsked[]],
): Promise<Acted> {
  const db = database(env.DB);
  const found: TransferInstruction[] = [];
  for (const { transfer: id } of asked) {
    const transfer = await findTransferInstruction(db, agent, id);
    if (transfer === null) return err({ reason: 'transfer_not_found' });
    found.push(transfer);
  }
  const security = found[0]?.security ?? '';
  const terms = found.map((transfer, at) => ({ transfer, terms: asked[at] ?? asked[0] }));
  const otherwise = terms.find(
    (each) => each.transfer.state === 'completed' && !isCompletedBy(each.transfer, each.terms),
  );
  if (otherwise !== undefined) return err({ reason: 'done_otherwise', transfer: otherwise.transfer });
  // What is completed by these very terms waits for nobody, nor does anybody wait for it.
  const open = terms.filter(({ transfer }) => transfer.state !== 'completed');
  const isAsked = open.every(({ transfer }) => transfer.security === security && transfer.state === 'acknowledged');
  if (new Set(asked.map(({ certificate }) => certificate)).size < asked.length)
    return err({ reason: 'certificate_exists' });
  if (isAsked && open.length > 0) {
    const certificates = open.map((each) => each.terms.certificate);
    if ((await knownCertificates(db, { id: '', security }, certificates)).length > 0)
      return err({ reason: 'certificate_exists' });
    const shown = await shownUpTo(db);
    if (shown === null || !(await projected(env))) return err({ reason: 'outcome_unknown' });
    const scale = await scaleOf(db, security);
    const circle = open.map(({ transfer }) => transfer);
    const transfers = open.map((each) => togetherOf(each.transfer, each.terms, { actor, scale }));
    if (!(await recordCircle(db, security, { transfers, shown, now }))) return err(await shortageOf(db, circle));
    await tellSettlements(
      env,
      circle.map(({ id }) => id),
      now,
    );
  }
  for (const each of asked.toReversed()) {
    const completion = await completionOf(db, { agent, id: each.transfer }, each);
    if (!completion.ok || each === asked[0]) return completion;
  }
  return err({ reason: 'transfer_not_found' });
}

/** The seller who gives more by these transfers, and gets less, than they are registered with; the first one. */
async function shortageOf(db: Database, transfers: readonly TransferInstruction[]): Promise<TransferActError> {
  const [first] = transfers;
  for (const { security, seller } of transfers) {
    const held = await registeredShares(db, security, seller);
    const given = transfers.reduce(
      (sum, each) => sum + (each.seller === seller ? each.units : 0) - (each.buyer === seller ? each.units : 0),
      0,
    );
    if (given > held) return { reason: 'not_registered', required: given, held };
  }
  return { reason: 'not_registered', required: first?.units ?? 0, held: 0 };
}

function togetherOf(
  { id, seller, buyer, units, notes }: TransferInstruction,
  { recordDate, certificate, legendApplied, capTableUpdatedAt }: CompletionTerms,
  { actor, scale }: { readonly actor: string; readonly scale: number },
): TogetherItem {
  const stated = { certificate, recordDate, capTableUpdatedAt, legendApplied };
  const facts = completedFacts(id, { ...stated, unitsOnWire: fromScaled(units, scale) });
  const told = { id: tradeEventId(id, 'transfer.completed'), facts };
  const legend = legendApplied ? 1 : 0;
  const terms = { certificate, recordDate, capTableUpdatedAt, legend, actor, notes, told } as const;
  return { id, trade: id, type: 'transfer', from: seller, to: buyer, units, ...terms };
}

async function scaleOf(db: Database, security: string): Promise<number> {
  return (await scalesOf(db, [security])).get(security) ?? 0;
}

/** Whether it is recorded by these very terms. */
function isCompletedBy(transfer: TransferInstruction, terms: CompletionTerms): boolean {
  return (
    transfer.certificate === terms.certificate &&
    transfer.recordDate === terms.recordDate &&
    transfer.legendApplied === terms.legendApplied &&
    transfer.capTableUpdatedAt === terms.capTableUpdatedAt
  );
}

/** What has become of a completion. */
async function completionOf(
  db: Database,
  { agent, id }: { readonly agent: string; readonly id: string },
  terms: CompletionTerms,
): Promise<Acted> {
  const transfer = await findTransferInstruction(db, agent, id);
  if (transfer === null) return err({ reason: 'transfer_not_found' });
  if (transfer.state === 'completed')
    return isCompletedBy(transfer, terms) ? ok(transfer) : err({ reason: 'done_otherwise', transfer });
  if (transfer.state !== 'acknowledged') return err({ reason: 'wrong_state', transfer });
  if ((await findAnnounced(db, transfer.security)) !== null) return err({ reason: 'busy' });
  const held = await registeredShares(db, transfer.security, transfer.seller);
  if (held < transfer.units) return err({ reason: 'not_registered', required: transfer.units, held });
  const isKnown = (await knownCertificates(db, transfer, [terms.certificate])).length > 0;
  return err({ reason: isKnown ? 'certificate_exists' : 'outcome_unknown' });
}

const REJECTIONS_PER_RUN = 50;

/**
 * What is due every five minutes: instructions of new trades, and what crashes have left.
 *
 * @throws AggregateError of what failed, once all was tried
 */
export async function carryOnTransfers(env: LedgerEnv): Promise<void> {
  const now = Date.now();
  const failures: unknown[] = [];
  const attempt = async (part: () => Promise<unknown>): Promise<void> => {
    try {
      await part();
    } catch (error) {
      failures.push(error);
    }
  };
  await attempt(async () => {
    for (let call = 0; call < CALLS_PER_RUN; call++) if (!(await initiateTransfers(env, null, now))) break;
  });
  await attempt(() => giveUpRejections(database(env.DB), REJECTIONS_PER_RUN));
  const rejecting = await rejectingTransfers(database(env.DB), REJECTIONS_PER_RUN);
  for (const transfer of rejecting) await attempt(() => takeBack(env, transfer, now));
  await attempt(() => carryOnRegisters(env, now));
  await attempt(() => reverseTransfers(database(env.DB), null, now));
  await attempt(async () => {
    for (let call = 0; call < CALLS_PER_RUN; call++) if (!(await tellSettlements(env, null, now))) break;
  });
  if (failures.length > 0) throw new AggregateError(failures, 'transfers and registers failed');
}

/**
 * Settlements follow from transfers; the dispatcher is woken for what there is to tell.
 *
 * @returns whether another call may find more
 */
async function tellSettlements(
  env: LedgerEnv & WebhookDispatchEnv,
  trades: readonly string[] | null,
  now: number,
): Promise<boolean> {
  const { hasNews, isFull } = await followSettlements(database(env.DB), trades, now);
  if (hasNews) await wakeDispatch(env, 'exchange');
  return isFull;
}
