import { type SQL, sql } from 'drizzle-orm';
import { RELEASED } from '../../domain/ledger/settlement.ts';
import type { Database } from '../database.ts';
import { partnerOrders } from '../schema/investors.ts';

export type PartnerOrder = Readonly<typeof partnerOrders.$inferSelect>;

/** Writes down whose an order is; one under this id stays as it is. */
export async function addPartnerOrder(db: Database, order: PartnerOrder): Promise<void> {
  await db.insert(partnerOrders).values(order).onConflictDoNothing();
}

/**
 * Orders `o` that keys of investors' accounts have placed, and that nothing is written down of, as their partner's: their broker-dealer is the
 * partner itself.
 */
const KEY_ORDER = sql`
  o.id, i.organization, i.id AS investor, o.account, o.asset_id AS security, lower(o.time_in_force) AS timeInForce,
  p.firm_name AS brokerDealerFirmName, coalesce(p.crd_number, '') AS brokerDealerCrdNumber, o.created_at AS createdAt`;
const OF_INVESTOR = sql`
  JOIN accounts a ON a.id = o.account JOIN investors i ON i.id = a.user_id AND i.organization = o.owner
  JOIN partner_organizations p ON p.organization = i.organization`;
const IS_OF_KEY = sql`
  o.key_id IS NOT NULL AND o.code IS NOT ${RELEASED} AND NOT EXISTS (SELECT 1 FROM partner_orders w WHERE w.id = o.id)`;

const WRITTEN = sql`
  r.id, r.organization, r.investor, r.account, r.security, r.time_in_force AS timeInForce,
  r.broker_dealer_firm_name AS brokerDealerFirmName, r.broker_dealer_crd_number AS brokerDealerCrdNumber, r.created_at AS createdAt`;

/** Writes down whose those of these orders are that keys have placed, in the batch that takes them to the archive. */
export function writeDownKeyOrders(ids: string): SQL {
  return sql`
    INSERT INTO partner_orders (id, organization, investor, account, security, time_in_force,
      broker_dealer_firm_name, broker_dealer_crd_number, created_at)
    SELECT ${KEY_ORDER} FROM orders o ${OF_INVESTOR}
    WHERE o.id IN (SELECT value FROM json_each(${ids})) AND ${IS_OF_KEY} ON CONFLICT DO NOTHING`;
}

/** An order of the organization's, or null. */
export async function findPartnerOrder(db: Database, organization: string, id: string): Promise<PartnerOrder | null> {
  const [found] = await db.all<PartnerOrder>(sql`
    SELECT ${WRITTEN} FROM partner_orders r WHERE r.id = ${id} AND r.organization = ${organization}
    UNION ALL
    SELECT ${KEY_ORDER} FROM orders o ${OF_INVESTOR} WHERE o.id = ${id} AND i.organization = ${organization} AND ${IS_OF_KEY}`);
  return found ?? null;
}

export interface PartnerOrderQuery {
  readonly organization: string;
  readonly security: string | null;
  readonly investor: string | null;
  /** Id of the last order of the page before. */
  readonly before: string | null;
  readonly limit: number;
}

/** Orders of an organization, newest first: what it has placed, and what keys of its investors' accounts have. */
export function listPartnerOrders(
  db: Database,
  { organization, security, investor, before, limit }: PartnerOrderQuery,
): Promise<PartnerOrder[]> {
  const newest = sql`DESC LIMIT CAST(${limit} AS INTEGER)`;
  const when = (condition: SQL, value: string | null): SQL => (value === null ? sql`TRUE` : condition);
  return db.all<PartnerOrder>(sql`
    SELECT * FROM (
      SELECT ${WRITTEN} FROM partner_orders r
      WHERE r.organization = ${organization} AND ${when(sql`r.id < ${before}`, before)}
        AND ${when(sql`r.security = ${security}`, security)} AND ${when(sql`r.investor = ${investor}`, investor)}
      ORDER BY r.id ${newest})
    UNION ALL
    SELECT * FROM (
      SELECT ${KEY_ORDER}
      FROM (SELECT DISTINCT account FROM api_keys WHERE owner = ${organization}
              AND ${when(sql`user_id = ${investor}`, investor)}) k
        CROSS JOIN (SELECT 0 AS open UNION ALL SELECT 1) s
        CROSS JOIN orders o ON o.account = k.account AND o.open = s.open ${OF_INVESTOR}
      WHERE i.organization = ${organization} AND o.id IN (
        SELECT o.id FROM orders o WHERE o.account = k.account AND o.open = s.open AND ${when(sql`o.id < ${before}`, before)}
          AND ${when(sql`o.asset_id = ${security}`, security)} AND ${IS_OF_KEY} ORDER BY o.id ${newest})
      ORDER BY o.id ${newest})
    ORDER BY id ${newest}`);
}

/** Of orders whose trades were taken back, how many units of them, by order. An account has few such trades, which its index finds. */
export async function takenBackUnits(
  db: Database,
  orders: readonly Pick<PartnerOrder, 'id' | 'account'>[],
): Promise<ReadonlyMap<string, number>> {
  const asked = JSON.stringify(orders.map(({ id, account }) => [id, account]));
  const rows = await db.all<{ id: string; units: number }>(sql`
    SELECT id, sum(units) AS units FROM (
      SELECT j.value ->> 0 AS id, t.quantity AS units FROM json_each(${asked}) j
        CROSS JOIN trade_adjustments a ON a.buyer = j.value ->> 1 AND a.type = 'bust'
        CROSS JOIN trades t ON t.id = a.trade_id AND t.buy_order = j.value ->> 0
      UNION ALL
      SELECT j.value ->> 0, t.quantity FROM json_each(${asked}) j
        CROSS JOIN trade_adjustments a ON a.seller = j.value ->> 1 AND a.type = 'bust'
        CROSS JOIN trades t ON t.id = a.trade_id AND t.sell_order = j.value ->> 0)
    GROUP BY id`);
  return new Map(rows.map(({ id, units }) => [id, units]));
}
