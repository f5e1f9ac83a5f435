import { and, desc, eq, or, type SQL, sql } from 'drizzle-orm';
import {
  type FinalizedStatus,
  type SettlementFacts,
  type SettlementStatus,
  settlementStatusAfter,
} from '../../domain/partner/settlement-state.ts';
import { rejectionId, tradeEventId } from '../../domain/partner/trade-event-id.ts';
import type { TransferState } from '../../domain/register/transfer-state.ts';
import type { Database } from '../database.ts';
import { tradeAdjustments } from '../schema/orders.ts';
import { securities } from '../schema/partner.ts';
import { partnerSettlements } from '../schema/settlements.ts';
import { sqlBatch } from '../sql-batch.ts';
import { listed } from '../webhooks/subscriptions.ts';
import type { SecuritiesOf } from './securities.ts';
import { tellCorrections } from './settlement-corrections.ts';
import { tradesInTurn } from './trades-in-turn.ts';

export type Settlement = Readonly<typeof partnerSettlements.$inferSelect>;

type TradeAdjustmentRow = Readonly<typeof tradeAdjustments.$inferSelect>;

/** A settlement with what its security says of it. */
export interface ReadSettlement {
  readonly settlement: Settlement;
  /** ISO 4217 code of what is paid with. */
  readonly currencyCode: string;
  /** What was made of its trade since; null where it stands as it was executed. */
  readonly adjustment: TradeAdjustmentRow | null;
}

/** Trades that get their settlement, and settlements that change, in one call. */
const PER_CALL = 500;

export interface Followed {
  /** Whether there is something to tell. */
  readonly hasNews: boolean;
  /** Whether another call may find more. */
  readonly isFull: boolean;
}

/** The place of a security's last trade that has a settlement. */
const LAST_SETTLED = sql`
  coalesce((SELECT max(p.trade_sequence) FROM partner_settlements p WHERE p.security = s.id), 0)`;

/**
 * Makes the settlements of trades that are newer than the last one of their security, each security in turn, and lets statuses follow from transfers and
 * from what the ledger has taken back, each with its event, and tells of what it has corrected: of these trades, or of all. What crashes have left, and what is beyond `count`, a later call
 * for all finds.
 */
export async function followSettlements(
  db: Database,
  trades: readonly string[] | null,
  now: number,
  count = PER_CALL,
): Promise<Followed> {
  // Of these trades, only their own securities are looked at.
  const isBehind =
    trades === null ? sql`TRUE` : sql`s.market IN (SELECT book FROM trades WHERE id IN ${listed(trades)})`;
  const [made] = await sqlBatch(db, [
    sql`
      INSERT INTO partner_settlements (id, security, book, trade_sequence, buyer, seller, buy_order, sell_order, currency,
        quantity, price, notional, executed_at, status, created_at)
      SELECT t.id, s.id, t.book, t.sequence, t.buyer, t.seller, t.buy_order, t.sell_order, t.quote_asset,
        t.quantity, t.price, t.notional, t.executed_at, 'pending', ${now}
      FROM (${tradesInTurn(isBehind, LAST_SETTLED, count)}) d
        JOIN securities s ON s.id = d.security JOIN trades t ON t.id = d.trade
      WHERE true ON CONFLICT DO NOTHING RETURNING id`,
  ]);
  const found = await changeable(db, trades, count);
  const due = found.flatMap((row) => {
    const next = settlementStatusAfter(row.status, factsOf(row));
    return next === null ? [] : [changeOf(row, next)];
  });
  if (due.length > 0) await finalize(db, due, now);
  const corrected = await tellCorrections(db, trades, now, count);
  const isFull = due.length >= count || (made?.length ?? 0) >= count || corrected >= count;
  return { hasNews: due.length > 0 || corrected > 0, isFull };
}

interface Changeable {
  readonly id: string;
  readonly security: string;
  readonly status: SettlementStatus;
  readonly transfer: TransferState | null;
  readonly hasAgent: number;
  /** Of the bust; null where the trade stands. */
  readonly reason: string | null;
  readonly bust: string | null;
}

/** Open settlements whose transfer is not under way, and settled ones whose trade was taken back. */
function changeable(db: Database, trades: readonly string[] | null, count: number): Promise<Changeable[]> {
  const isMeant = trades === null ? sql`TRUE` : sql`p.id IN ${listed(trades)}`;
  const columns = sql`p.id, p.security, p.status, i.state AS transfer, coalesce(s.agent_state = 'accepted', 0) AS hasAgent, a.reason, a.id AS bust`;
  const joined = sql`JOIN securities s ON s.id = p.security LEFT JOIN transfer_instructions i ON i.id = p.id`;
  return db.all<Changeable>(sql`
    SELECT * FROM (
      SELECT ${columns} FROM partner_settlements p ${joined}
        LEFT JOIN trade_adjustments a ON a.trade_id = p.id AND a.type = 'bust'
      WHERE p.status IN ('pending', 'recorded') AND ${isMeant}
        AND (a.trade_id IS NOT NULL OR i.state = 'completed' OR (i.id IS NULL AND s.agent_state IS NOT 'accepted'))
      LIMIT ${count})
    UNION ALL SELECT * FROM (
      SELECT ${columns} FROM trade_adjustments a CROSS JOIN partner_settlements p ON p.id = a.trade_id ${joined}
      WHERE a.type = 'bust' AND p.status = 'SETTLED' AND ${isMeant} LIMIT ${count})`);
}

function factsOf({ reason, transfer, hasAgent }: Changeable): SettlementFacts {
  return { isTakenBack: reason !== null, transfer, hasAgent: hasAgent !== 0 };
}

interface Change {
  readonly id: string;
  readonly security: string;
  readonly from: SettlementStatus;
  readonly to: FinalizedStatus;
  readonly reason: string | null;
  readonly by: 'transfer_agent' | 'operator' | null;
  /** UUIDv7 of the event. */
  readonly event: string;
}

function changeOf({ id, security, status, reason, bust }: Changeable, to: FinalizedStatus): Change {
  // An operator may take a trade back while its agent rejects the transfer: the bust says who has.
  const isRejected = bust === rejectionId(id);
  const by = to === 'REVERSED' ? (isRejected ? 'transfer_agent' : 'operator') : null;
  const event = tradeEventId(id, `settlement.finalized:${to}`);
  return { id, security, from: status, to, reason: by === null ? null : reason, by, event };
}

/** Each change with its event, or nothing: the event's id follows from trade and status, so it is told once. */
async function finalize(db: Database, changes: readonly Change[], now: number): Promise<void> {
  const rows = sql`json_each(${JSON.stringify(changes)}) AS c`;
  await sqlBatch(db, [
    sql`
      UPDATE partner_settlements SET
        status = c.value ->> 'to',
        settled_at = CASE c.value ->> 'to' WHEN 'SETTLED' THEN ${now} ELSE settled_at END,
        reversed_at = CASE c.value ->> 'to' WHEN 'REVERSED' THEN ${now} END,
        reason = c.value ->> 'reason', reversed_by = c.value ->> 'by'
      FROM ${rows} WHERE partner_settlements.id = c.value ->> 'id' AND status = c.value ->> 'from'`,
    sql`
      INSERT INTO domain_events (id, type, subject, payload, created_at)
      SELECT c.value ->> 'event', 'settlement.finalized', p.security,
        json_object('trade_id', p.id, 'status', p.status, 'tx_hash', (SELECT r.tx FROM chain_records r WHERE r.id = p.id)), ${now}
      FROM ${rows} CROSS JOIN partner_settlements p ON p.id = c.value ->> 'id' AND p.status = c.value ->> 'to'
      WHERE true ON CONFLICT DO NOTHING`,
  ]);
}

export interface SettlementQuery {
  readonly security: string | null;
  readonly status: SettlementStatus | null;
  /** Executed at or after, and before; Unix ms. */
  readonly from: number | null;
  readonly to: number | null;
  /** Id of the last settlement of the page before. */
  readonly before: string | null;
  readonly limit: number;
}

/** Whose securities a reader sees: the lister's own, the agent's that it has accepted. */
function isReader({ organization, role }: SecuritiesOf): SQL {
  return role === 'cross_lister'
    ? sql`${securities.organization} = ${organization}`
    : sql`${securities.transferAgent} = ${organization} AND ${securities.agentState} = 'accepted'`;
}

const READ = { settlement: partnerSettlements, currencyCode: securities.currency, adjustment: tradeAdjustments };
const IS_ADJUSTED = eq(tradeAdjustments.tradeId, partnerSettlements.id);

/** Settlements of somebody's securities, newest first; each security is read by its index. */
export function listSettlements(
  db: Database,
  reader: SecuritiesOf,
  { security, status, from, to, before, limit }: SettlementQuery,
): Promise<ReadSettlement[]> {
  const isWanted = and(
    status === null ? undefined : sql`q.status = ${status}`,
    from === null ? undefined : sql`q.executed_at >= ${from}`,
    to === null ? undefined : sql`q.executed_at < ${to}`,
    before === null ? undefined : sql`q.id < ${before}`,
    sql`q.security = ${securities.id}`,
  );
  return db
    .select(READ)
    .from(securities)
    .innerJoin(
      partnerSettlements,
      sql`${partnerSettlements.id} IN (
        SELECT q.id FROM partner_settlements q WHERE ${isWanted} ORDER BY q.id DESC LIMIT ${limit})`,
    )
    .leftJoin(tradeAdjustments, IS_ADJUSTED)
    .where(and(isReader(reader), security === null ? undefined : eq(securities.id, security)))
    .orderBy(desc(partnerSettlements.id))
    .limit(limit);
}

/** Whose investor bought or sold: whom the order was placed for, of an order of no partner who has introduced the account's owner (`partiesOfTrades`). */
function isParty({ organization }: SecuritiesOf): SQL {
  const partnerOf = (order: SQL, account: SQL): SQL => sql`coalesce(
    (SELECT organization FROM partner_orders WHERE id = ${order}),
    (SELECT i.organization FROM accounts a JOIN investors i ON i.id = a.user_id WHERE a.id = ${account}))`;
  const { buyOrder, buyer, sellOrder, seller } = partnerSettlements;
  return sql`${organization} IN (${partnerOf(sql`${buyOrder}`, sql`${buyer}`)}, ${partnerOf(sql`${sellOrder}`, sql`${seller}`)})`;
}

/** A settlement of somebody's security, or of a trade that one of their investors is a party of, or null. */
export async function findSettlement(db: Database, reader: SecuritiesOf, id: string): Promise<ReadSettlement | null> {
  const row = await db
    .select(READ)
    .from(partnerSettlements)
    .innerJoin(securities, eq(securities.id, partnerSettlements.security))
    .leftJoin(tradeAdjustments, IS_ADJUSTED)
    .where(and(eq(partnerSettlements.id, id), or(isReader(reader), isParty(reader))))
    .get();
  return row ?? null;
}
