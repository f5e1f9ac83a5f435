import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { sqlBatch } from '../sql-batch.ts';

/** What an examiner asks for, in the order in which entries of one moment come. */
export const REPORT_SECTIONS = [
  'verification',
  'trade',
  'restricted_lot',
  'refusal',
  'exempt_sale',
  'accreditation',
] as const;

type ReportSection = (typeof REPORT_SECTIONS)[number];

/** One line of the report. What a section does not have is null. */
export interface ReportRow {
  readonly section: ReportSection;
  readonly id: string;
  readonly at: number;
  readonly account: string;
  readonly userId: string | null;
  readonly owner: string;
  readonly asset: string | null;
  readonly orderId: string | null;
  readonly code: string | null;
  readonly rule: string | null;
  readonly count: number | null;
  /** JSON. */
  readonly details: string;
}

export interface ReportQuery {
  /** Whose entries, or of which asset: one of the two. */
  readonly of: { readonly account: string } | { readonly asset: string };
  /** Accounts of this organization alone; null for all. */
  readonly owner: string | null;
  readonly sections: readonly ReportSection[];
  readonly from: number | null;
  readonly to: number | null;
  /** The last row of the page before. */
  readonly before: { readonly at: number; readonly key: string } | null;
  readonly now: number;
  readonly limit: number;
}

/** Place of a row among those of its moment. */
export function reportKey({ section, id }: Pick<ReportRow, 'section' | 'id'>): string {
  return `${section}:${id}`;
}

/** Newest first, over all sections; in one batch, so that they show one moment. */
export async function readComplianceReport(db: Database, query: ReportQuery): Promise<ReportRow[]> {
  const results = await sqlBatch<ReportRow[][]>(
    db,
    query.sections.map((section) => pageOfSection(section, query)),
  );
  return results
    .flat()
    .toSorted((a, b) => b.at - a.at || (reportKey(a) < reportKey(b) ? 1 : -1))
    .slice(0, query.limit);
}

function pageOfSection(section: ReportSection, query: ReportQuery): SQL {
  const { owner, from, to, before, limit } = query;
  const conditions = [
    sql`true`,
    ...(owner === null ? [] : [sql`owner = ${owner}`]),
    ...(from === null ? [] : [sql`at >= ${from}`]),
    ...(to === null ? [] : [sql`at < ${to}`]),
    ...(before === null
      ? []
      : [sql`(at < ${before.at} OR (at = ${before.at} AND section || ':' || id < ${before.key}))`]),
  ];
  return sql`
    SELECT * FROM (${SELECTS[section](query)}) WHERE ${sql.join(conditions, sql` AND `)}
    ORDER BY at DESC, id DESC LIMIT ${limit}`;
}

/** Condition that a row is of the account or the asset that is asked for. */
function isOf({ of }: ReportQuery, account: SQL, asset: SQL): SQL {
  return 'account' in of ? sql`${account} = ${of.account}` : sql`${asset} = ${of.asset}`;
}

/** The same of what stands for a person: of an asset, its holders. */
function isOfHolder(of: ReportQuery['of'], account: SQL): SQL {
  return 'account' in of
    ? sql`${account} = ${of.account}`
    : sql`${account} IN (SELECT account FROM lots WHERE asset = ${of.asset} AND quantity > 0)`;
}

const SELECTS: Readonly<Record<ReportSection, (query: ReportQuery) => SQL>> = {
  accreditation: ({ of }) => sql`
    SELECT 'accreditation' AS section, r.id, r.created_at AS at, r.account, a.user_id AS userId, a.owner, NULL AS asset,
           NULL AS orderId, NULL AS code, NULL AS rule, NULL AS count,
           json_object('kind', r.kind, 'evidenceKind', r.evidence_kind, 'verifier', r.verifier, 'evidence', r.evidence,
                       'textVersion', r.text_version, 'text', r.text, 'at', r.at, 'expiresAt', r.expires_at,
                       'recordedBy', r.actor, 'verification', coalesce(r.verification, v.id), 'endedAt', r.ended_at, 'endedBy', r.ended_by, 'endedReason', r.ended_reason) AS details
    FROM accreditation_records r JOIN accounts a ON a.id = r.account LEFT JOIN accreditation_verifications v ON v.id = r.id
    WHERE ${isOfHolder(of, sql`r.account`)}`,

  verification: ({ of }) => sql`
    SELECT 'verification' AS section, v.id, v.created_at AS at, v.account, a.user_id AS userId, v.owner, NULL AS asset, NULL AS orderId,
           NULL AS code, NULL AS rule, NULL AS count,
           json_object('state', v.state, 'evidenceKind', v.evidence_kind, 'provider', v.provider, 'reference', v.reference,
                       'reason', v.reason, 'requestedBy', v.actor, 'allowedAt', v.allowed_at, 'decidedAt', v.decided_at, 'expiresAt', v.expires_at,
                       'endedAt', v.ended_at, 'endedBy', v.ended_by) AS details
    FROM accreditation_verifications v JOIN accounts a ON a.id = v.account
    WHERE ${isOfHolder(of, sql`v.account`)}`,

  refusal: (query) => sql`
    SELECT 'refusal' AS section, f.id, f.at, f.account, f.user_id AS userId, f.owner, f.asset, f.order_id AS orderId, f.code, f.rule, f.count,
           json_object('action', f.action, 'keyId', f.key_id, 'market', f.book, 'saw', json(f.facts)) AS details
    FROM order_refusals f WHERE ${isOf(query, sql`f.account`, sql`f.asset`)}`,

  restricted_lot: (query) => sql`
    SELECT 'restricted_lot' AS section, l.id, l.acquired_at AS at, l.account, a.user_id AS userId, a.owner, l.asset, NULL AS orderId,
           NULL AS code, NULL AS rule, NULL AS count,
           json_object('quantity', l.quantity, 'scale', s.scale, 'reserved', l.reserved, 'restrictionEndsAt', l.restriction_ends_at,
                       'offeringType', l.offering_type, 'regulation', s.regulation) AS details
    FROM lots l JOIN accounts a ON a.id = l.account JOIN assets s ON s.id = l.asset
    WHERE l.restriction_ends_at > ${query.now} AND l.quantity > 0 AND ${isOf(query, sql`l.account`, sql`l.asset`)}`,

  exempt_sale: (query) => sql`
    SELECT 'exempt_sale' AS section, r.lot AS id, r.at, t.seller AS account, a.user_id AS userId, a.owner, r.asset,
           t.sell_order AS orderId, NULL AS code, NULL AS rule, NULL AS count,
           json_object('trade', t.id, 'market', t.book, 'quantity', r.quantity, 'scale', s.scale,
                       'restrictionEndsAt', r.restriction_ends_at, 'offeringType', r.offering_type, 'regulation', s.regulation,
                       'buyer', CASE WHEN ${query.owner === null ? sql`true` : sql`b.owner = ${query.owner}`} THEN r.buyer END,
                       'buyerIsUsPerson', b.us_person,
                       'buyerWas', (SELECT json_group_array(DISTINCT c.kind) FROM accreditation_records c
                                    WHERE c.account = r.buyer AND c.created_at <= r.at
                                      AND (c.expires_at IS NULL OR c.expires_at > r.at)
                                      AND (c.ended_at IS NULL OR c.ended_at > r.at)),
                       'areFamily', EXISTS (SELECT 1 FROM family_relations f
                                            WHERE ((f.account = r.buyer AND f.relative = t.seller)
                                                OR (f.relative = r.buyer AND f.account = t.seller))
                                              AND f.created_at <= r.at AND (f.ended_at IS NULL OR f.ended_at > r.at))) AS details
    FROM trades t JOIN restricted_sales r ON r.buy_order = t.buy_order AND r.trade = t.id JOIN assets s ON s.id = r.asset
      JOIN accounts a ON a.id = t.seller JOIN accounts b ON b.id = r.buyer
    WHERE ${isOf(query, sql`t.seller`, sql`r.asset`)}`,

  trade: (query) => sql`
    ${sideOf(query, 'buy')} UNION ALL ${sideOf(query, 'sell')}`,
};

/** Trades of securities that not everybody may have at any time, as one side sees them. */
function sideOf(query: ReportQuery, side: 'buy' | 'sell'): SQL {
  const isBuy = side === 'buy';
  const account = isBuy ? sql`t.buyer` : sql`t.seller`;
  const orderId = isBuy ? sql`t.buy_order` : sql`t.sell_order`;
  const isAsked =
    'account' in query.of
      ? sql`${account} = ${query.of.account}`
      : sql`t.book IN (SELECT symbol FROM markets WHERE base_asset = ${query.of.asset})`;
  return sql`
    SELECT 'trade' AS section, t.id || ${`.${side}`} AS id, t.executed_at AS at, ${account} AS account, a.user_id AS userId, a.owner,
           t.asset_id AS asset, ${orderId} AS orderId, NULL AS code, NULL AS rule, NULL AS count,
           json_object('trade', t.id, 'side', ${side}, 'market', t.book, 'quantity', t.quantity, 'scale', s.scale, 'price', t.price,
                       'priceScale', m.price_scale, 'regulation', s.regulation, 'adjusted', d.type) AS details
    FROM trades t JOIN accounts a ON a.id = ${account} JOIN assets s ON s.id = t.asset_id JOIN markets m ON m.symbol = t.book
      LEFT JOIN trade_adjustments d ON d.trade_id = t.id
    WHERE ${isAsked} AND a.boundary = 0
      AND (s.accreditation_type IS NOT NULL OR s.regulation IN ('reg_d_506c', 'reg_d_506b', 'reg_cf', 'reg_s'))`;
}
