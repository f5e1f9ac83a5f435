import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../../database.ts';
import { kindOfAccount } from '../../onboarding/kind-of-account.ts';
import { sqlBatch } from '../../sql-batch.ts';
import { WAITING } from './reversals.ts';

/** A transfer as its agent records it, or a reversal; `from` and `to` are accounts. */
export interface TogetherItem {
  /** Of the register's event: of a transfer its trade, of a reversal the bust. */
  readonly id: string;
  readonly trade: string;
  readonly type: 'transfer' | 'reversal';
  readonly from: string;
  readonly to: string;
  readonly units: number;
  readonly certificate: string | null;
  readonly legend: 0 | 1;
  /** Of a transfer, as the agent states them; else null. */
  readonly recordDate: string | null;
  readonly capTableUpdatedAt: string | null;
  readonly actor: string | null;
  readonly notes: string | null;
  /** The event that goes out of a transfer, and what it says; else null. */
  readonly told: { readonly id: string; readonly facts: object } | null;
}

export interface Together {
  readonly security: string;
  /** In the order in which they get their place in the register. */
  readonly items: readonly TogetherItem[];
  /** Of each account that is named: the id that it gets as a holder if it is none yet. */
  readonly holders: readonly { readonly account: string; readonly holder: string }[];
  /** Of this call alone. */
  readonly nonce: string;
  /** Nothing happens where D1 shows less of the ledger. */
  readonly shown: number;
  readonly now: number;
}

/**
 * Records transfers and reversals that wait for each other: all of them or nothing, each as its own event. Their lines change nothing by themselves but
 * those of the last one, which has what all of them come to for each holder: so nobody has less than nothing between two of them.
 * Nothing happens while another event of the security is under way, where one of them is not as it was read, or where somebody would have less than nothing.
 */
export async function recordTogether(db: Database, together: Together): Promise<void> {
  const { security, items, holders, nonce, now } = together;
  const last = items.at(-1)?.id ?? '';
  const rows = sql`json_each(${JSON.stringify(items)}) v`;
  const isStaged = sql`EXISTS (SELECT 1 FROM register_events WHERE id = ${last} AND state = 'staged' AND hash = ${nonce})`;
  const isRecorded = sql`EXISTS (SELECT 1 FROM register_events WHERE id = ${last} AND state = 'recorded' AND hash = ${nonce})`;
  const ours = sql`(SELECT id FROM register_events WHERE security = ${security} AND hash = ${nonce})`;
  const holderOf = (account: SQL): SQL =>
    sql`(SELECT id FROM register_holders WHERE security = ${security} AND account = ${account})`;
  const net = sql`
    SELECT account, sum(change) AS change FROM (
      SELECT value ->> 'from' AS account, -(value ->> 'units') AS change FROM ${rows}
      UNION ALL SELECT value ->> 'to', value ->> 'units' FROM ${rows})
    GROUP BY account HAVING sum(change) <> 0`;
  await sqlBatch(db, [
    sql`
      INSERT INTO register_events (id, security, type, state, hash, record_date, notes, actor, created_at)
      SELECT value ->> 'id', ${security}, value ->> 'type', 'staged', ${nonce}, value ->> 'recordDate', value ->> 'notes',
        coalesce(value ->> 'actor', (SELECT payload ->> 'actor' FROM domain_events WHERE id = value ->> 'id'), value ->> 'id'), ${now}
      FROM ${rows} WHERE ${canBe(together, rows, net)}`,
    sql`
      INSERT INTO register_holders (id, security, account, reference, kind, kind_stated, name, created_at)
      SELECT j.value ->> 'holder', ${security}, a.id, 'account:' || a.id, ${kindOfAccount(sql`a.user_id`)}, 0, coalesce(u.name, a.id), ${now}
      FROM json_each(${JSON.stringify(holders)}) j CROSS JOIN accounts a ON a.id = j.value ->> 'account'
        LEFT JOIN users u ON u.id = a.user_id
      WHERE ${isStaged} ON CONFLICT DO NOTHING`,
    sql`
      INSERT INTO register_changes (event, line, security, holder, shares, certificate, legend)
      SELECT value ->> 'id', l.column1, ${security}, ${holderOf(sql`iif(l.column1 = 0, value ->> 'from', value ->> 'to')`)}, 0,
        iif(l.column1 = 0, NULL, value ->> 'certificate'), iif(l.column1 = 0, 0, value ->> 'legend')
      FROM ${rows} CROSS JOIN (VALUES (0), (1)) l WHERE ${isStaged}`,
    sql`
      INSERT INTO register_changes (event, line, security, holder, shares)
      SELECT ${last}, 1 + row_number() OVER (ORDER BY n.change, n.account), ${security}, ${holderOf(sql`n.account`)}, n.change
      FROM (${net}) n WHERE ${isStaged}`,
    sql`
      INSERT INTO register_holdings (security, holder, shares)
      SELECT DISTINCT security, holder, 0 FROM register_changes WHERE event IN ${ours} AND ${isStaged} ON CONFLICT DO NOTHING`,
    sql`
      UPDATE register_holdings SET shares = register_holdings.shares + c.change
      FROM (SELECT holder, sum(shares) AS change FROM register_changes WHERE event = ${last} GROUP BY holder) c
      WHERE register_holdings.security = ${security} AND register_holdings.holder = c.holder AND ${isStaged}`,
    sql`
      UPDATE register_events SET state = 'recorded', sequence = b.sequence + v.key + 1, recorded_at = max(${now}, b.recordedAt)
      FROM (SELECT coalesce(max(sequence), 0) AS sequence, coalesce(max(recorded_at), 0) AS recordedAt
        FROM register_events WHERE security = ${security}) b CROSS JOIN ${rows}
      WHERE register_events.id = v.value ->> 'id' AND state = 'staged' AND hash = ${nonce}`,
    sql`
      INSERT INTO domain_events (id, type, subject, payload, created_at)
      SELECT value -> 'told' ->> 'id', 'transfer.completed', ${security}, json(value -> 'told' -> 'facts'), CAST(${now} AS INTEGER)
      FROM ${rows} WHERE value ->> 'type' = 'transfer' AND ${isRecorded} ON CONFLICT DO NOTHING`,
    sql`
      UPDATE transfer_instructions SET state = iif(v.value ->> 'type' = 'transfer', 'completed', 'reversed'), ended_at = ${now},
        record_date = coalesce(v.value ->> 'recordDate', record_date), certificate = coalesce(v.value ->> 'certificate', certificate),
        legend_applied = iif(v.value ->> 'type' = 'transfer', v.value ->> 'legend', legend_applied),
        cap_table_updated_at = coalesce(v.value ->> 'capTableUpdatedAt', cap_table_updated_at),
        actor = coalesce(v.value ->> 'actor', transfer_instructions.actor)
      FROM ${rows} WHERE transfer_instructions.id = v.value ->> 'trade' AND state IN ('acknowledged', 'completed') AND ${isRecorded}`,
  ]);
}

/** As of one that is recorded by itself, for each; of what holders have for all together. */
function canBe({ security, items, shown }: Together, rows: SQL, net: SQL): SQL {
  const certificates = JSON.stringify(items.flatMap(({ certificate }) => certificate ?? []));
  return sql`
    NOT EXISTS (SELECT 1 FROM register_events WHERE security = ${security} AND state = 'announced')
    AND NOT EXISTS (SELECT 1 FROM register_events WHERE id IN (SELECT value ->> 'id' FROM ${rows}))
    AND (SELECT total(seq) >= ${shown} AND total(emptying) = 0 FROM projections)
    AND NOT EXISTS (
      SELECT 1 FROM register_changes WHERE security = ${security} AND certificate IN (SELECT value FROM json_each(${certificates})))
    AND NOT EXISTS (
      SELECT 1 FROM ${rows} WHERE value ->> 'type' = 'transfer' AND NOT EXISTS (
        SELECT 1 FROM transfer_instructions i JOIN trades t ON t.id = i.id
          JOIN securities s ON s.id = i.security AND s.transfer_agent = i.agent AND s.agent_state = 'accepted'
        WHERE i.id = value ->> 'trade' AND i.security = ${security} AND i.state = 'acknowledged'
          AND NOT EXISTS (SELECT 1 FROM trade_adjustments WHERE trade_id = i.id AND type = 'bust')))
    AND NOT EXISTS (
      SELECT 1 FROM ${rows} WHERE value ->> 'type' = 'reversal' AND NOT EXISTS (
        SELECT 1 FROM ${WAITING} WHERE i.id = value ->> 'trade' AND a.id = value ->> 'id' AND i.security = ${security}))
    AND NOT EXISTS (
      SELECT 1 FROM (${net}) n LEFT JOIN register_holders h ON h.security = ${security} AND h.account = n.account
        LEFT JOIN register_holdings r ON r.security = h.security AND r.holder = h.id
      WHERE coalesce(r.shares, 0) + n.change < 0)`;
}
