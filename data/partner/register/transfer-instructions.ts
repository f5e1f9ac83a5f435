import { and, asc, eq, gt, inArray, type SQL, sql } from 'drizzle-orm';
import { handedOverEventId, tradeEventId } from '../../../domain/partner/trade-event-id.ts';
import type { TransferState } from '../../../domain/register/transfer-state.ts';
import type { EventFacts } from '../../../protocol/partner/events.ts';
import type { Database } from '../../database.ts';
import { kindOfAccount } from '../../onboarding/kind-of-account.ts';
import { transferInstructions } from '../../schema/register.ts';
import { sqlBatch } from '../../sql-batch.ts';
import { partnerEvent } from '../../webhooks/partner-event.ts';
import { listed } from '../../webhooks/subscriptions.ts';
import { tradesInTurn } from '../trades-in-turn.ts';
import { recordStatements } from './register-events.ts';

export type TransferInstruction = Readonly<typeof transferInstructions.$inferSelect>;

/** A settled trade without an instruction. */
interface DueTransfer {
  /** Of the trade. */
  readonly id: string;
  readonly security: string;
  readonly agent: string;
  readonly tradeSequence: number;
  readonly buyer: string;
  readonly seller: string;
  readonly units: number;
}

/** The place of a security's last trade that has an instruction. */
const LAST_INSTRUCTED = sql`
  coalesce((SELECT max(i.trade_sequence) FROM transfer_instructions i WHERE i.security = s.id), 0)`;

/** Whose instructions are made: one agent's, those of the securities of some trades, or everybody's. */
export type TransfersOf = { readonly agent: string } | { readonly trades: readonly string[] } | 'all';

/**
 * Makes the instructions of trades that have settled since, with the events that go out.
 *
 * @returns how many trades had none
 */
export async function instructTransfers(db: Database, of: TransfersOf, count: number, now: number): Promise<number> {
  const due = await dueTransfers(db, of, count);
  const instructed = due.map((transfer) => ({ ...transfer, event: tradeEventId(transfer.id, 'transfer.initiated') }));
  if (due.length > 0) await insertTransfers(db, instructed, now);
  return due.length;
}

/** Trades of securities with an agent that are newer than the last instruction of their security, each security in turn. @internal */
export function dueTransfers(db: Database, of: TransfersOf, count: number): Promise<DueTransfer[]> {
  const isMeant = meant(of);
  return db.all<DueTransfer>(sql`
    SELECT t.id, s.id AS security, s.transfer_agent AS agent, t.sequence AS tradeSequence, t.buyer, t.seller, t.quantity AS units
    FROM (${tradesInTurn(sql`s.agent_state = 'accepted' AND ${isMeant}`, LAST_INSTRUCTED, count)}) d
      JOIN securities s ON s.id = d.security JOIN trades t ON t.id = d.trade
    ORDER BY s.id, t.sequence`);
}

function meant(of: TransfersOf): SQL {
  if (of === 'all') return sql`TRUE`;
  return 'agent' in of
    ? sql`s.transfer_agent = ${of.agent}`
    : sql`s.market IN (SELECT book FROM trades WHERE id IN ${listed(of.trades)})`;
}

/** Makes the instructions of these trades, each with the event that goes out; what is there already stays. One whose trade was taken back is `reversed` and told to nobody. */
async function insertTransfers(
  db: Database,
  transfers: readonly (DueTransfer & { readonly event: string })[],
  now: number,
): Promise<void> {
  const rows = JSON.stringify(transfers);
  const isTakenBack = sql`EXISTS (SELECT 1 FROM trade_adjustments a WHERE a.trade_id = value ->> 'id' AND a.type = 'bust')`;
  await sqlBatch(db, [
    sql`
      INSERT INTO transfer_instructions (id, security, agent, trade_sequence, buyer, seller, units, created_at, state, ended_at)
      SELECT value ->> 'id', value ->> 'security', value ->> 'agent', value ->> 'tradeSequence', value ->> 'buyer',
        value ->> 'seller', value ->> 'units', ${now}, CASE WHEN ${isTakenBack} THEN 'reversed' ELSE 'pending' END,
        CASE WHEN ${isTakenBack} THEN ${now} END
      FROM json_each(${rows}) WHERE true ON CONFLICT DO NOTHING`,
    sql`
      INSERT INTO domain_events (id, type, subject, payload, created_at)
      SELECT value ->> 'event', 'transfer.initiated', value ->> 'security',
        json_object('transfer_instruction_id', value ->> 'id', 'trade_id', value ->> 'id'), ${now}
      FROM json_each(${rows}) WHERE NOT ${isTakenBack} ON CONFLICT DO NOTHING`,
  ]);
}

/**
 * Rejections of agents that keep the register no longer are given up, unless their trades are taken back already: who keeps it next decides anew. One whose
 * trade is taken back at this moment is `reversed` once that is seen.
 */
export async function giveUpRejections(db: Database, count: number): Promise<void> {
  await sqlBatch(db, [
    sql`
      UPDATE transfer_instructions SET state = CASE WHEN acknowledged_at IS NULL THEN 'pending' ELSE 'acknowledged' END, reason = NULL
      WHERE state = 'rejecting' AND id IN (
        SELECT i.id FROM transfer_instructions i JOIN securities s ON s.id = i.security
        WHERE i.state = 'rejecting' AND (s.transfer_agent IS NOT i.agent OR s.agent_state IS NOT 'accepted')
          AND NOT EXISTS (SELECT 1 FROM trade_adjustments a WHERE a.trade_id = i.id AND a.type = 'bust')
        LIMIT CAST(${count} AS INTEGER))`,
  ]);
}

/**
 * Open instructions that were another agent's become those of the agent that has accepted their security since, which is told of each; of one agent, or of all.
 *
 * @returns how many there were
 */
export async function handOverTransfers(
  db: Database,
  agent: string | null,
  count: number,
  now: number,
): Promise<number> {
  const toAgent = agent === null ? sql`TRUE` : sql`s.transfer_agent = ${agent}`;
  const found = await db.all<{ readonly id: string; readonly security: string; readonly agent: string }>(sql`
    SELECT i.id, s.id AS security, s.transfer_agent AS agent
    FROM securities s CROSS JOIN transfer_instructions i ON i.security = s.id
      AND i.state IN ('pending', 'acknowledged') AND i.agent <> s.transfer_agent
    WHERE s.agent_state = 'accepted' AND ${toAgent} LIMIT ${count}`);
  if (found.length === 0) return 0;
  const rows = JSON.stringify(found.map((each) => ({ ...each, event: handedOverEventId(each.id, each.agent) })));
  const stands = sql`
    FROM json_each(${rows}) JOIN securities s ON s.id = value ->> 'security' AND s.transfer_agent = value ->> 'agent' AND s.agent_state = 'accepted'
      JOIN transfer_instructions i ON i.id = value ->> 'id' AND i.agent <> s.transfer_agent AND i.state IN ('pending', 'acknowledged')`;
  await sqlBatch(db, [
    sql`
      INSERT INTO domain_events (id, type, subject, payload, created_at)
      SELECT value ->> 'event', 'transfer.initiated', s.id, json_object('transfer_instruction_id', i.id, 'trade_id', i.id), ${now}
      ${stands} WHERE true ON CONFLICT DO NOTHING`,
    sql`
      UPDATE transfer_instructions SET agent = (SELECT transfer_agent FROM securities s WHERE s.id = security)
      WHERE id IN (SELECT i.id ${stands})`,
  ]);
  return found.length;
}

/** Instructions whose trade was taken back before they were recorded have nothing left to record: all of them, or one. */
export async function endReversedTransfers(db: Database, now: number, id: string | null = null): Promise<void> {
  const isMeant = id === null ? sql`TRUE` : sql`id = ${id}`;
  await sqlBatch(db, [
    sql`
      UPDATE transfer_instructions SET state = 'reversed', ended_at = ${now}
      WHERE state IN ('pending', 'acknowledged') AND ${isMeant}
        AND EXISTS (SELECT 1 FROM trade_adjustments a WHERE a.trade_id = transfer_instructions.id AND a.type = 'bust')`,
  ]);
}

/** The agent has the instruction, and its security has the agent: one that was released keeps nothing of it. */
function isAgentNow(agent: string): SQL {
  return sql`${transferInstructions.agent} = ${agent} AND ${transferInstructions.security} IN (
    SELECT id FROM securities WHERE transfer_agent = ${agent} AND agent_state = 'accepted')`;
}

export function listTransfers(
  db: Database,
  agent: string,
  query: {
    readonly states: readonly TransferState[];
    readonly security: string | null;
    readonly after: string | null;
    readonly limit: number;
  },
): Promise<TransferInstruction[]> {
  const { states, security, after, limit } = query;
  return db
    .select()
    .from(transferInstructions)
    .where(
      and(
        isAgentNow(agent),
        inArray(transferInstructions.state, [...states]),
        security === null ? undefined : eq(transferInstructions.security, security),
        after === null ? undefined : gt(transferInstructions.id, after),
      ),
    )
    .orderBy(asc(transferInstructions.id))
    .limit(limit);
}

export async function findTransferInstruction(
  db: Database,
  agent: string,
  id: string,
): Promise<TransferInstruction | null> {
  const row = await db
    .select()
    .from(transferInstructions)
    .where(and(isAgentNow(agent), eq(transferInstructions.id, id)))
    .get();
  return row ?? null;
}

/** Those whose rejection a crash has left, while their agent is not suspended; chance decides which come first, so none that does not end keeps back another. */
export function rejectingTransfers(db: Database, count: number): Promise<TransferInstruction[]> {
  return db
    .select()
    .from(transferInstructions)
    .where(
      and(
        eq(transferInstructions.state, 'rejecting'),
        sql`NOT EXISTS (SELECT 1 FROM partner_organizations p WHERE p.organization = ${transferInstructions.agent} AND p.state = 'suspended')`,
      ),
    )
    .orderBy(sql`random()`)
    .limit(count);
}

/** Changes an instruction that is in this state; false where it is in another, or where `by` is not its agent any more. */
export async function moveTransfer(
  db: Database,
  id: string,
  from: TransferState,
  change: Partial<Omit<TransferInstruction, 'id'>>,
  by: string | null = null,
): Promise<boolean> {
  const rows = await db
    .update(transferInstructions)
    .set(change)
    .where(
      and(
        eq(transferInstructions.id, id),
        eq(transferInstructions.state, from),
        by === null ? undefined : isAgentNow(by),
      ),
    )
    .returning({ id: transferInstructions.id });
  return rows.length > 0;
}

export interface Completion {
  readonly recordDate: string;
  readonly certificate: string;
  readonly legendApplied: boolean;
  readonly capTableUpdatedAt: string;
  readonly actor: string;
  /** UUIDv7 of the buyer as a holder, if they are none yet. */
  readonly newHolder: string;
  /** UUIDv7 of the event that goes out. */
  readonly event: string;
  /** As partners are told it. */
  readonly unitsOnWire: number;
  readonly now: number;
}

/** What partners are told of a completed transfer. */
export function completedFacts(
  id: string,
  {
    recordDate,
    certificate,
    legendApplied,
    capTableUpdatedAt,
    unitsOnWire,
  }: Pick<Completion, 'recordDate' | 'certificate' | 'legendApplied' | 'capTableUpdatedAt' | 'unitsOnWire'>,
): EventFacts<'transfer.completed'> {
  return {
    transfer_instruction_id: id,
    trade_id: id,
    units: unitsOnWire,
    status: 'completed',
    record_date: recordDate,
    new_certificate_number: certificate,
    legend_applied: legendApplied,
    cap_table_updated_at: new Date(capTableUpdatedAt).toISOString(),
  };
}

/** How far D1 shows what the ledger has done; null while it is being emptied. */
export async function shownUpTo(db: Database): Promise<number | null> {
  const row = await db.get<{ seq: number; emptying: number }>(
    sql`SELECT total(seq) AS seq, total(emptying) AS emptying FROM projections`,
  );
  return row === undefined || row.emptying > 0 ? null : row.seq;
}

/**
 * Records an acknowledged transfer: the register's event, what both have, the instruction and the event that goes out, all of it or nothing. Nothing
 * happens while another event of the security is under way, where the agent was released, where the seller is not registered with so many, where the trade was taken back, or where D1
 * shows less of the ledger than up to `shown`: a rebuild that has begun meanwhile takes trades away, and what was taken back comes after its trade.
 */
export async function recordTransfer(
  db: Database,
  transfer: TransferInstruction,
  completion: Completion,
  shown: number,
): Promise<void> {
  const { id, security, agent, buyer, seller, units } = transfer;
  const { recordDate, certificate, legendApplied, capTableUpdatedAt, actor, newHolder, event, now } = completion;
  const legend = legendApplied ? 1 : 0;
  const isAnnounced = sql`EXISTS (SELECT 1 FROM register_events WHERE id = ${id} AND state = 'announced')`;
  const isRecorded = sql`EXISTS (SELECT 1 FROM register_events WHERE id = ${id} AND state = 'recorded')`;
  const holderOf = (account: string): SQL =>
    sql`(SELECT id FROM register_holders WHERE security = ${security} AND account = ${account})`;
  await sqlBatch(db, [
    sql`
      INSERT INTO register_events (id, security, type, state, hash, record_date, notes, actor, created_at)
      SELECT ${id}, ${security}, 'transfer', 'announced', '', ${recordDate}, ${transfer.notes}, ${actor}, ${now}
      WHERE EXISTS (SELECT 1 FROM transfer_instructions WHERE id = ${id} AND state = 'acknowledged')
        AND EXISTS (
          SELECT 1 FROM securities WHERE id = ${security} AND transfer_agent = ${agent} AND agent_state = 'accepted')
        AND (SELECT total(seq) >= ${shown} AND total(emptying) = 0 FROM projections)
        AND EXISTS (SELECT 1 FROM trades WHERE id = ${id})
        AND NOT EXISTS (SELECT 1 FROM trade_adjustments WHERE trade_id = ${id} AND type = 'bust')
        AND NOT EXISTS (SELECT 1 FROM register_events WHERE security = ${security} AND state = 'announced')
        AND NOT EXISTS (SELECT 1 FROM register_changes WHERE security = ${security} AND certificate = ${certificate})
        AND ${units} <= coalesce(
          (SELECT shares FROM register_holdings WHERE security = ${security} AND holder = ${holderOf(seller)}), 0)
      ON CONFLICT DO NOTHING`,
    sql`
      INSERT INTO register_holders (id, security, account, reference, kind, kind_stated, name, created_at)
      SELECT ${newHolder}, ${security}, a.id, 'account:' || a.id, ${kindOfAccount(sql`a.user_id`)}, 0, coalesce(u.name, a.id), ${now}
      FROM accounts a LEFT JOIN users u ON u.id = a.user_id WHERE a.id = ${buyer} AND ${isAnnounced} ON CONFLICT DO NOTHING`,
    sql`
      INSERT INTO register_changes (event, line, security, holder, shares, acquired_at, certificate, legend)
      SELECT ${id}, l.column1, ${security}, CASE l.column1 WHEN 0 THEN ${holderOf(seller)} ELSE ${holderOf(buyer)} END,
        CASE l.column1 WHEN 0 THEN -t.quantity ELSE t.quantity END, t.executed_at,
        CASE l.column1 WHEN 0 THEN NULL ELSE ${certificate} END, CASE l.column1 WHEN 0 THEN 0 ELSE ${legend} END
      FROM (VALUES (0), (1)) l CROSS JOIN trades t WHERE t.id = ${id} AND ${isAnnounced}
      ON CONFLICT (event, line) DO NOTHING`,
    ...recordStatements(transfer, now),
    partnerEvent({
      id: event,
      type: 'transfer.completed',
      securityId: security,
      facts: completedFacts(id, completion),
      createdAt: now,
      when: sql`${isRecorded} AND EXISTS (SELECT 1 FROM transfer_instructions WHERE id = ${id} AND state = 'acknowledged')`,
    }),
    sql`
      UPDATE transfer_instructions SET state = 'completed', record_date = ${recordDate}, certificate = ${certificate},
        legend_applied = ${legend}, cap_table_updated_at = ${capTableUpdatedAt}, actor = ${actor}, ended_at = ${now}
      WHERE id = ${id} AND state = 'acknowledged' AND ${isRecorded}`,
  ]);
}

/** What an account is registered with. */
export async function registeredShares(db: Database, security: string, account: string): Promise<number> {
  const row = await db.get<{ shares: number }>(sql`
    SELECT r.shares FROM register_holders h JOIN register_holdings r ON r.security = h.security AND r.holder = h.id
    WHERE h.security = ${security} AND h.account = ${account}`);
  return row?.shares ?? 0;
}

/** When the trade of an instruction was executed, Unix ms; null where D1 does not show it. */
export async function tradedAt(db: Database, id: string): Promise<number | null> {
  const row = await db.get<{ at: number }>(sql`SELECT executed_at AS at FROM trades WHERE id = ${id}`);
  return row?.at ?? null;
}
