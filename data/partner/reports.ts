import { type SQL, sql } from 'drizzle-orm';
import type { PaymentState } from '../../domain/corporate-actions/payment-state.ts';
import type { HolderKind } from '../../domain/register/register-event.ts';
import type { TransferState } from '../../domain/register/transfer-state.ts';
import type { Database } from '../database.ts';
import type { OrderStore } from '../orders/archive/order-store.ts';
import { sqlBatch } from '../sql-batch.ts';
import {
  type ArchivedPage,
  listArchivedPayments,
  namesOfPayees,
  type PaymentPlace,
} from './actions/archive/archived-payments.ts';
import type { SecuritiesOf } from './securities.ts';

/** Securities `s` of a reader: the lister's own, the agent's that it has accepted; of one of them, or of all. */
function readable({ organization, role }: SecuritiesOf, security: string | null): SQL {
  const isReader =
    role === 'cross_lister'
      ? sql`s.organization = ${organization}`
      : sql`s.transfer_agent = ${organization} AND s.agent_state = 'accepted'`;
  return security === null ? isReader : sql`s.id = ${security} AND ${isReader}`;
}

/** A holder in the register as of a place of it. */
export interface RegisteredHolderRow {
  readonly holder: string;
  readonly reference: string;
  readonly account: string | null;
  readonly name: string;
  readonly kind: HolderKind;
  readonly country: string | null;
  readonly shares: number;
  /** Numbers of certificates that lines of the holder name, the first CERTIFICATES_MAX, with blanks between; null for none. */
  readonly certificates: string | null;
  /** Whether they name more. */
  readonly hasMoreCertificates: number;
  /** Whether a line of theirs bears the legend. */
  readonly legend: number;
}

const CERTIFICATES_MAX = 20;

/** The last place of the register that had been recorded at a moment; 0 before the first. Null for now. */
export async function registerPlace(db: Database, security: string, asOf: number | null): Promise<number> {
  const until = asOf === null ? sql`TRUE` : sql`recorded_at <= ${asOf}`;
  const row = await db.get<{ sequence: number }>(sql`
    SELECT coalesce(max(sequence), 0) AS sequence FROM register_events
    WHERE security = ${security} AND state = 'recorded' AND ${until}`);
  return row?.sequence ?? 0;
}

/** What is outstanding as of a place of the register. */
export async function outstandingAt(db: Database, security: string, sequence: number): Promise<number> {
  const row = await db.get<{ shares: number }>(sql`
    SELECT coalesce(sum(c.shares), 0) AS shares FROM register_events e JOIN register_changes c ON c.event = e.id
    WHERE e.security = ${security} AND e.sequence <= CAST(${sequence} AS INTEGER)`);
  return row?.shares ?? 0;
}

/**
 * Holders as of a place of the register, by their reference: what is recorded while pages are read changes none of them. CROSS JOIN begins with the lines of
 * a holder; the planner would begin with all events of the security, once for each holder.
 */
export function listRegisterAt(
  db: Database,
  security: string,
  { sequence, after, limit }: { readonly sequence: number; readonly after: string; readonly limit: number },
): Promise<RegisteredHolderRow[]> {
  const lines = sql`
    register_changes c CROSS JOIN register_events e ON e.id = c.event
    WHERE c.holder = h.id AND e.security = ${security} AND e.sequence <= CAST(${sequence} AS INTEGER)`;
  return db.all<RegisteredHolderRow>(sql`
    SELECT h.id AS holder, h.reference, h.account, h.name, h.kind, h.country, h.shares,
      (SELECT group_concat(certificate, ' ') FROM (
        SELECT c.certificate FROM ${lines} AND c.certificate IS NOT NULL ORDER BY e.sequence LIMIT ${CERTIFICATES_MAX})) AS certificates,
      EXISTS (SELECT 1 FROM ${lines} AND c.certificate IS NOT NULL LIMIT 1 OFFSET ${CERTIFICATES_MAX}) AS hasMoreCertificates,
      EXISTS (SELECT 1 FROM ${lines} AND c.legend = 1) AS legend
    FROM (
      SELECT h.*, (SELECT coalesce(sum(c.shares), 0) FROM ${lines}) AS shares FROM register_holders h
      WHERE h.security = ${security} AND h.reference > ${after}) h
    WHERE h.shares > 0 ORDER BY h.reference LIMIT ${limit}`);
}

/** A transfer as a log shows it; times are Unix ms. */
export interface LoggedTransfer {
  readonly id: string;
  readonly security: string;
  readonly assetName: string;
  readonly scale: number;
  readonly state: TransferState;
  readonly units: number;
  readonly seller: string;
  readonly sellerName: string | null;
  readonly buyer: string;
  readonly buyerName: string | null;
  readonly receivedAt: number;
  readonly acknowledgedAt: number | null;
  /** When it was recorded in the register; null where it was not. */
  readonly recordedAt: number | null;
  readonly endedAt: number | null;
  readonly recordDate: string | null;
  readonly certificate: string | null;
  readonly legend: number | null;
  readonly reason: string | null;
}

export interface TransferLogQuery {
  readonly security: string | null;
  /** Received from here on, and before there. */
  readonly from: number;
  readonly to: number;
  readonly after: { readonly at: number; readonly id: string } | null;
  readonly limit: number;
}

/** Transfers of a reader's securities in the order in which they were received. */
export function listTransferLog(
  db: Database,
  reader: SecuritiesOf,
  query: TransferLogQuery,
): Promise<LoggedTransfer[]> {
  const { security, from, to, after, limit } = query;
  const isBehind = after === null ? sql`TRUE` : sql`(i.created_at, i.id) > (CAST(${after.at} AS INTEGER), ${after.id})`;
  const nameOf = (account: SQL): SQL =>
    sql`(SELECT u.name FROM accounts a JOIN users u ON u.id = a.user_id WHERE a.id = ${account})`;
  return db.all<LoggedTransfer>(sql`
    SELECT i.id, i.security, s.asset_name AS assetName, a.scale, i.state, i.units, i.seller, ${nameOf(sql`i.seller`)} AS sellerName,
      i.buyer, ${nameOf(sql`i.buyer`)} AS buyerName, i.created_at AS receivedAt, i.acknowledged_at AS acknowledgedAt,
      (SELECT e.recorded_at FROM register_events e WHERE e.id = i.id AND e.state = 'recorded') AS recordedAt,
      i.ended_at AS endedAt, i.record_date AS recordDate, i.certificate, i.legend_applied AS legend, i.reason
    FROM securities s JOIN assets a ON a.id = s.id CROSS JOIN transfer_instructions i ON i.security = s.id
    WHERE ${readable(reader, security)} AND i.created_at >= CAST(${from} AS INTEGER) AND i.created_at < CAST(${to} AS INTEGER)
      AND ${isBehind}
    ORDER BY i.created_at, i.id LIMIT ${limit}`);
}

/** What one holder has come to of a dividend; times are Unix ms. */
export interface DividendRecord {
  readonly action: string;
  readonly security: string;
  readonly assetName: string;
  readonly actionState: string;
  readonly recordDate: string | null;
  readonly paymentDate: string;
  /** Scaled by AMOUNT_PER_SHARE_SCALE. */
  readonly amountPerShare: number;
  readonly currency: string;
  readonly shareScale: number;
  readonly cashScale: number;
  readonly payee: string;
  readonly name: string | null;
  readonly shares: number;
  readonly amount: number | null;
  readonly state: PaymentState;
  readonly paidAt: number | null;
  readonly returnedAt: number | null;
}

export interface DividendQuery {
  readonly security: string | null;
  /** First and last payment date, YYYY-MM-DD, as they were stated. */
  readonly from: string;
  readonly to: string;
  readonly after: { readonly action: string; readonly payee: string } | null;
  readonly limit: number;
}

export interface DividendRecordsPage {
  /** By action and payee; one more than the page shows, where there are so many. */
  readonly records: readonly DividendRecord[];
  /** What is behind this place has not been looked at; null when all has. A page may be short, and yet lead on. */
  readonly reached: PaymentPlace | null;
}

/**
 * Payments of dividends of a reader's securities, by action and payee. D1 is read first, as by `listPayments`.
 *
 * @throws OrderArchiveUnavailable
 */
export async function listDividendRecords(
  store: OrderStore,
  reader: SecuritiesOf,
  query: DividendQuery,
): Promise<DividendRecordsPage> {
  const { db } = store;
  const { security, from, to, after, limit } = query;
  const first = after?.action ?? '';
  const isBehind = after === null ? sql`TRUE` : sql`(p.action, p.payee) > (${after.action}, ${after.payee})`;
  const inRange = sql`${readable(reader, security)} AND c.type = 'dividend' AND c.id >= ${first}
    AND substr(c.due_date, 1, 10) >= ${from} AND substr(c.due_date, 1, 10) <= ${to}`;
  const dividends = sql`
    SELECT c.*, s.asset_name, a.scale AS share_scale FROM securities s JOIN assets a ON a.id = s.id
      CROSS JOIN corporate_actions c ON c.security = s.id
    WHERE ${inRange}`;
  const standing = await db.all<DividendRecord>(sql`
    SELECT ${OF_DIVIDEND},
      p.payee, coalesce(h.name, u.name) AS name, p.shares, p.amount, p.state, p.paid_at AS paidAt, p.returned_at AS returnedAt
    FROM (${dividends} ORDER BY c.id) c
    CROSS JOIN corporate_action_payments p ON p.action = c.id
    JOIN assets cash ON cash.id = c.terms ->> 'currencyAsset'
    LEFT JOIN register_holders h ON h.id = p.payee
    LEFT JOIN accounts o ON o.id = p.account LEFT JOIN users u ON u.id = o.user_id
    WHERE ${isBehind} ORDER BY p.action, p.payee LIMIT ${limit}`);
  const { payments, reached } = await listArchivedPayments(store, {
    where: sql`o.action IN (SELECT c.id FROM securities s CROSS JOIN corporate_actions c ON c.security = s.id WHERE ${inRange})`,
    state: null,
    after,
    limit,
  });
  const records = new Map(standing.map((record) => [placeText(record), record]));
  for (const record of await archivedRecords(db, payments)) records.set(placeText(record), record);
  const end = reached === null ? null : placeText(reached);
  const sorted = [...records]
    .filter(([place]) => end === null || place <= end)
    .sort(([a], [b]) => (a < b ? -1 : 1))
    .map(([, record]) => record);
  return { records: sorted.slice(0, limit), reached };
}

const OF_DIVIDEND = sql`
  c.id AS action, c.security, c.asset_name AS assetName, c.state AS actionState, c.record_date AS recordDate,
  c.due_date AS paymentDate, c.terms ->> 'amountPerShare' AS amountPerShare, c.terms ->> 'currency' AS currency,
  c.share_scale AS shareScale, cash.scale AS cashScale`;

type OfDividend = Omit<DividendRecord, 'payee' | 'name' | 'shares' | 'amount' | 'state' | 'paidAt' | 'returnedAt'>;

/** Actions are UUIDs, of one length, so that places are in the order of their texts. */
function placeText({ action, payee }: PaymentPlace): string {
  return `${action} ${payee}`;
}

async function archivedRecords(db: Database, payments: ArchivedPage['payments']): Promise<DividendRecord[]> {
  if (payments.length === 0) return [];
  const actions = JSON.stringify([...new Set(payments.map(({ action }) => action))]);
  const dividends = await db.all<OfDividend>(sql`
    SELECT ${OF_DIVIDEND}
    FROM (SELECT c.*, s.asset_name, a.scale AS share_scale FROM json_each(${actions}) v
      CROSS JOIN corporate_actions c ON c.id = v.value JOIN securities s ON s.id = c.security JOIN assets a ON a.id = s.id) c
    JOIN assets cash ON cash.id = c.terms ->> 'currencyAsset'`);
  const byAction = new Map(dividends.map((dividend) => [dividend.action, dividend]));
  const names = await namesOfPayees(db, payments);
  return payments.flatMap(({ action, payee, shares, amount, state, paidAt, returnedAt }) => {
    const dividend = byAction.get(action);
    if (dividend === undefined) return [];
    return { ...dividend, payee, name: names.get(payee)?.name ?? null, shares, amount, state, paidAt, returnedAt };
  });
}

/** An item for transfer that an agent has received. */
export interface ReceivedItemRow {
  readonly id: string;
  readonly receivedAt: number;
  readonly turnedAroundAt: number | null;
}

/** Items of an agent in the order in which they were received; those that an operator took back before they were recorded are none. */
export function listReceivedItems(
  db: Database,
  agent: string,
  { from, to, after, limit }: Omit<TransferLogQuery, 'security'>,
): Promise<ReceivedItemRow[]> {
  const isBehind = after === null ? sql`TRUE` : sql`(i.created_at, i.id) > (CAST(${after.at} AS INTEGER), ${after.id})`;
  return db.all<ReceivedItemRow>(sql`
    SELECT id, receivedAt, CASE WHEN recordedAt IS NULL AND state = 'rejected' THEN endedAt ELSE recordedAt END AS turnedAroundAt
    FROM (
      SELECT i.id, i.state, i.created_at AS receivedAt, i.ended_at AS endedAt,
        (SELECT e.recorded_at FROM register_events e WHERE e.id = i.id AND e.state = 'recorded') AS recordedAt
      FROM transfer_instructions i
      WHERE i.agent = ${agent} AND i.created_at >= CAST(${from} AS INTEGER) AND i.created_at < CAST(${to} AS INTEGER) AND ${isBehind}
        AND NOT (i.state = 'reversed'
          AND NOT EXISTS (SELECT 1 FROM register_events e WHERE e.id = i.id AND e.state = 'recorded'))
      ORDER BY i.created_at, i.id LIMIT ${limit})
    ORDER BY receivedAt, id`);
}

/** Holders of an agent's securities, by the class of the security. */
export interface ClassCount {
  readonly securityClass: string;
  readonly securities: number;
  readonly holders: number;
}

/** Of the securities whose register the agent keeps, as their registers were at a moment. */
export function countHolders(db: Database, agent: string, at: number): Promise<ClassCount[]> {
  return db.all<ClassCount>(sql`
    SELECT s.security_class AS securityClass, count(*) AS securities, sum((
      SELECT count(*) FROM (
        SELECT c.holder FROM register_events e JOIN register_changes c ON c.event = e.id
        WHERE e.security = s.id AND e.state = 'recorded' AND e.recorded_at <= CAST(${at} AS INTEGER)
        GROUP BY c.holder HAVING sum(c.shares) > 0))) AS holders
    FROM securities s
    WHERE s.transfer_agent = ${agent} AND s.agent_state = 'accepted' AND s.state IN ('listed', 'halted', 'delisted')
    GROUP BY s.security_class ORDER BY s.security_class`);
}

interface DividendTotals {
  readonly currency: string;
  readonly scale: number;
  readonly paid: number;
}

export interface DividendsPaid {
  /** Securities, each once, in however many currencies it has paid. */
  readonly issues: number;
  readonly totals: readonly DividendTotals[];
}

/** What dividends that the agent has announced have paid in a time; what was taken back within it was not paid. */
export async function dividendsPaid(db: Database, agent: string, from: number, to: number): Promise<DividendsPaid> {
  const ofAgent = sql`c.agent = ${agent} AND c.type = 'dividend'`;
  // A year's payments may stand in D1, in the archive, or in both while one moves: one statement sees each once.
  const paid = sql`(
    SELECT c.security, c.terms ->> 'currencyAsset' AS asset, p.amount
    FROM corporate_actions c JOIN corporate_action_payments p ON p.action = c.id
    WHERE ${ofAgent} AND p.amount > 0
      AND p.paid_at >= CAST(${from} AS INTEGER) AND p.paid_at < CAST(${to} AS INTEGER)
      AND (p.state IN ('paid', 'not_returned') OR p.state = 'returned' AND p.returned_at >= CAST(${to} AS INTEGER))
    UNION ALL
    SELECT c.security, c.terms ->> 'currencyAsset', m.value ->> 2
    FROM corporate_actions c JOIN archived_payments o ON o.action = c.id JOIN json_each(o.paid) m
    WHERE ${ofAgent} AND m.value ->> 0 >= CAST(${from} AS INTEGER) AND m.value ->> 0 < CAST(${to} AS INTEGER)
      AND (m.value ->> 1 IS NULL OR m.value ->> 1 >= CAST(${to} AS INTEGER)))`;
  const [issues, totals] = await sqlBatch<[{ issues: number }[], DividendTotals[]]>(db, [
    sql`SELECT count(DISTINCT d.security) AS issues FROM ${paid} d`,
    sql`
      SELECT cash.symbol AS currency, cash.scale, sum(d.amount) AS paid
      FROM ${paid} d JOIN assets cash ON cash.id = d.asset
      GROUP BY cash.id ORDER BY cash.symbol`,
  ]);
  return { issues: issues[0]?.issues ?? 0, totals };
}
