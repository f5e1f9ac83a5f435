import { type SQL, sql } from 'drizzle-orm';
import { DAY_MS } from '../../domain/calendar/durations.ts';
import { rolesWithPower } from '../../domain/identity/powers.ts';
import { VENUE_OWNER } from '../../domain/identity/venue.ts';
import type { MailKind } from '../../domain/mail/mail-kinds.ts';
import { limitOfMail } from '../../domain/mail/mail-limits.ts';
import { receivedForDue, turnaroundDue } from '../../domain/partner/reports/turnaround.ts';
import type { Database } from '../database.ts';
import { firstId } from '../identity/sign-ins.ts';
import { hasRoomFor, isWanted } from './mail-messages.ts';

/** Something that stands in D1 and that somebody is to be told of. */
export interface ToldFact {
  /** Of the mail: it follows from the fact and its reader, so that it is posted once. */
  readonly mailId: string;
  readonly userId: string;
  /** As they stand in D1: times in milliseconds, amounts as scaled integers with their scale. */
  readonly facts: Readonly<Record<string, string | number | null>>;
}

interface Window {
  readonly now: number;
  /** What happened since then is told. */
  readonly since: number;
}

/** Selects `source`, `user_id` and `facts` of what happened. */
type Source = (window: Window) => SQL;

const DAYS_30_MS = 30 * DAY_MS;

/**
 * Kinds that are told from what stands in D1 already, by ids that begin with their time, or by an index of their own. Preferences begin with those who want them, who are few where they
 * are off by default.
 */
const SOURCES = {
  key_created: ({ since }) => sql`
    SELECT s.id AS source, s.user_id, json_object('name', k.name, 'at', s.created_at) AS facts
    FROM sign_ins s JOIN api_keys k ON k.id = s.key_id WHERE s.id >= ${firstId(since)} AND s.type = 'key_made'`,
  // An entry that is counted by the hour begins with its hour.
  key_revoked: ({ since }) => sql`
    SELECT s.key_id AS source, s.user_id, json_object('name', k.name, 'at', s.last_at) AS facts
    FROM sign_ins s JOIN api_keys k ON k.id = s.key_id WHERE s.id >= ${firstId(since)} AND s.type = 'key_revoked'`,
  // An entry of its hour: pulled again within it, it is told once.
  kill_switch_pulled: ({ since }) => sql`
    SELECT s.id AS source, s.user_id, json_object('at', s.created_at) AS facts
    FROM sign_ins s WHERE s.id >= ${firstId(since)} AND s.type = 'kill_switch_pulled'`,
  withdrawal_asked: ({ since }) => sql`
    SELECT r.id AS source, a.user_id, json_object('amount', r.amount, 'scale', t.scale, 'symbol', t.symbol, 'id', r.id, 'at', r.created_at) AS facts
    FROM transfer_requests r JOIN accounts a ON a.id = r.account JOIN assets t ON t.id = r.asset
    WHERE r.id >= ${firstId(since)} AND r.type = 'withdrawal'`,
  withdrawal_done: ({ since }) => sql`
    SELECT w.id AS source, a.user_id, json_object('amount', w.amount, 'scale', t.scale, 'symbol', t.symbol, 'id', w.id, 'at', e.created_at) AS facts
    FROM domain_events e INDEXED BY domain_events_operator
    JOIN transfers w ON w.id = coalesce(json_extract(e.payload, '$.details.transferId'), json_extract(e.payload, '$.details.transferRequest'))
    JOIN accounts a ON a.id = w.account JOIN assets t ON t.id = w.asset
    WHERE e.id >= ${firstId(since)} AND e.type GLOB 'operator.*' AND e.type IN ('operator.withdrawal', 'operator.transfer_executed') AND w.type = 'withdrawal'`,
  accreditation_decided: ({ since }) => sql`
    SELECT r.id AS source, a.user_id, json_object('decision', 'verified', 'until', r.expires_at) AS facts
    FROM accreditation_records r JOIN accounts a ON a.id = r.account
    WHERE r.id >= ${firstId(since)} AND r.kind = 'third_party' AND r.verification IS NULL
    UNION ALL
    SELECT e.id, a.user_id, json_object('decision', 'revoked') FROM accreditation_ends e JOIN accounts a ON a.id = e.account
    WHERE e.id >= ${firstId(since)}`,
  // Of the record that lasts longest; what is not accredited any more is not told that it ends.
  accreditation_ends: ({ now }) => sql`
    SELECT r.id AS source, a.user_id, json_object('until', r.expires_at) AS facts
    FROM accreditation_records r JOIN accounts a ON a.id = r.account
    WHERE r.expires_at > ${now} AND r.expires_at <= ${now + DAYS_30_MS} AND r.ended_at IS NULL
      AND NOT EXISTS (SELECT 1 FROM accreditation_records o WHERE o.account = r.account AND o.ended_at IS NULL AND o.id <> r.id
                        AND (o.expires_at IS NULL OR o.expires_at > r.expires_at))`,
  // Of the handing in that was approved.
  identity_ends: ({ now }) => sql`
    SELECT i.submission AS source, i.user_id, json_object('until', i.expires_at) AS facts
    FROM identities i INDEXED BY identities_expires WHERE i.state = 'APPROVED' AND i.expires_at > ${now} AND i.expires_at <= ${now + DAYS_30_MS}`,
  endpoint_disabled: ({ since }) => sql`
    SELECT w.id || '.' || w.disabled_at AS source, u.id AS user_id, json_object('url', w.url, 'reason', w.disabled_reason) AS facts
    FROM webhook_endpoints w INDEXED BY webhook_endpoints_disabled CROSS JOIN users u ON u.owner = w.organization
    WHERE w.disabled_at >= ${since} AND w.disabled_reason NOT IN ('owner')
      AND EXISTS (SELECT 1 FROM json_each(u.roles) WHERE value IN ('cross_lister', 'transfer_agent', 'bridge_tenant'))`,
  approval_asked: ({ now, since }) => sql`
    SELECT p.id AS source, u.id AS user_id, json_object('action', p.call, 'by', b.name, 'until', p.expires_at) AS facts
    FROM operator_approvals p JOIN users b ON b.id = p.asked_by JOIN users u ON u.owner = b.owner
    WHERE p.expires_at > ${now} AND p.asked_at >= ${since} AND p.state = 'asked' AND ${isSecondPerson()}
      AND u.id NOT IN (SELECT value FROM json_each(p.people)) AND u.id <> p.asked_by`,
  allotment: ({ since }) => sql`
    SELECT l.id || '.' || o.position AS source, a.user_id,
           json_object('asset', t.symbol, 'quantity', o.allotted, 'quantity_scale', t.scale) AS facts
    FROM listing_events l INDEXED BY listing_events_updated CROSS JOIN listing_allotments o ON o.event = l.id JOIN accounts a ON a.id = o.account JOIN assets t ON t.id = l.asset
    WHERE l.updated_at >= ${since} AND o.outcome = 'converted' AND o.allotted > 0`,
  order_refused: ({ since }) => sql`
    SELECT f.id AS source, a.user_id, json_object('market', f.book, 'reason', f.code, 'order', f.order_id, 'at', f.at) AS facts
    FROM mail_preferences m JOIN accounts a ON a.user_id = m.user_id JOIN order_refusals f ON f.account = a.id
    WHERE m.kind = 'order_refused' AND m.is_on = 1 AND f.at >= ${since} AND f.count = 1`,
  order_filled: ({ since }) => sql`${filledSide('buy', since)} UNION ALL ${filledSide('sell', since)}`,
  market_halted: ({ now, since }) =>
    sql`${haltedMarkets(since)} UNION ALL ${haltedByBand({ now, since })} UNION ALL ${haltedVenue(since)}`,
  // To the lister, who names the account that pays; once for each reason to wait.
  action_waits: ({ since }) => sql`
    SELECT c.id || '.' || c.waiting AS source, u.id AS user_id, json_object('action', replace(c.type, '_', ' '), 'security', y.asset_name) AS facts
    FROM corporate_actions c INDEXED BY corporate_actions_open CROSS JOIN securities y ON y.id = c.security CROSS JOIN users u ON u.owner = y.organization
    WHERE c.tried_at >= ${since} AND c.state IN ('announced', 'recorded', 'funding', 'funded', 'reversing') AND c.waiting IN ('payment_account', 'insufficient_funds')
      AND EXISTS (SELECT 1 FROM json_each(u.roles) WHERE value = 'cross_lister')`,
  // Of a security those that are due at the same moment, in one mail.
  transfer_late: ({ now }) => {
    const last = receivedForDue(now + DAY_MS);
    return sql`
    SELECT t.security || '.' || ${String(last)} AS source, u.id AS user_id,
           json_object('transfer', min(t.id), 'security', y.asset_name, 'until', CAST(${turnaroundDue(last)} AS INTEGER)) AS facts
    FROM transfer_instructions t INDEXED BY transfer_instructions_waiting CROSS JOIN securities y ON y.id = t.security CROSS JOIN users u ON u.owner = t.agent
    WHERE t.created_at > ${receivedForDue(now)} AND t.created_at <= ${last} AND t.state IN ('pending', 'acknowledged')
      AND EXISTS (SELECT 1 FROM json_each(u.roles) WHERE value = 'transfer_agent')
    GROUP BY t.security, u.id`;
  },
} as const satisfies Partial<Readonly<Record<MailKind, Source>>>;

/** Whether a user may give the second consent that another person asks for: who may run the venue, or manage the credentials of their people. */
function isSecondPerson(): SQL {
  const holds = (where: 'venue' | 'elsewhere') => {
    const roles = [...rolesWithPower('run_venue', where), ...rolesWithPower('manage_credentials', where)];
    return sql`EXISTS (SELECT 1 FROM json_each(u.roles) WHERE value IN ${roles})`;
  };
  return sql`iif(u.owner = ${VENUE_OWNER}, ${holds('venue')}, ${holds('elsewhere')})`;
}

/** Orders of an account that are looked at, the newest: a halt of the venue has cancelled those that were open. */
const ORDERS_LOOKED_AT = 100;

/** Whether a user who wants mail of halts has something at stake: holdings, open orders, or orders that were cancelled meanwhile. @param asset condition on `x.asset` */
function hasAtStake(asset: SQL, since: number): SQL {
  return sql`EXISTS (SELECT 1 FROM accounts a WHERE a.user_id = m.user_id AND (
    EXISTS (SELECT 1 FROM (SELECT asset_id AS asset FROM orders WHERE account = a.id AND open = 1 LIMIT ${ORDERS_LOOKED_AT}) x WHERE ${asset})
    OR EXISTS (SELECT 1 FROM (SELECT asset_id AS asset, cancelled_at FROM orders WHERE account = a.id AND open = 0 ORDER BY id DESC LIMIT ${ORDERS_LOOKED_AT}) x
                 WHERE x.cancelled_at >= ${since} AND ${asset})
    OR EXISTS (SELECT 1 FROM balances x WHERE x.account = a.id AND x.available + x.held > 0 AND ${asset})))`;
}

const WANTS_HALTS = sql`m.kind = 'market_halted' AND m.is_on = 1`;

/** By the change that has halted a market: others of its rules meanwhile are no other halt. */
function haltedMarkets(since: number): SQL {
  return sql`
    SELECT e.id AS source, m.user_id, json_object('market', k.symbol, 'reason', json_extract(e.payload, '$.details.reason'), 'at', e.created_at) AS facts
    FROM domain_events e INDEXED BY domain_events_operator JOIN markets k ON k.symbol = e.subject JOIN mail_preferences m ON ${WANTS_HALTS}
    WHERE e.id >= ${firstId(since)} AND e.type GLOB 'operator.*' AND e.type = 'operator.market_rules' AND k.status = 'halted'
      AND json_extract(e.payload, '$.after.status') = 'halted' AND json_extract(e.payload, '$.before.status') <> 'halted'
      AND ${hasAtStake(sql`x.asset = k.base_asset`, since)}`;
}

/** A market that has halted itself because its price left its band, while it is halted. */
function haltedByBand({ now, since }: Window): SQL {
  return sql`
    SELECT k.symbol || '.' || k.halted_until, m.user_id, json_object('market', k.symbol, 'reason', 'price_band', 'until', k.halted_until)
    FROM markets k INDEXED BY markets_halted CROSS JOIN mail_preferences m ON ${WANTS_HALTS}
    WHERE k.halted_until > ${now} AND ${hasAtStake(sql`x.asset = k.base_asset`, since)}`;
}

/** Every market at once; not once that is lifted. */
function haltedVenue(since: number): SQL {
  return sql`
    SELECT e.id, m.user_id, json_object('reason', 'venue', 'at', e.created_at)
    FROM domain_events e INDEXED BY domain_events_operator JOIN mail_preferences m ON ${WANTS_HALTS}
    WHERE e.id >= ${firstId(since)} AND e.type GLOB 'operator.*' AND e.type = 'operator.venue_halt' AND json_extract(e.payload, '$.after.halted') = 1
      AND EXISTS (SELECT 1 FROM venue WHERE id = 1 AND halted = 1) AND ${hasAtStake(sql`EXISTS (SELECT 1 FROM markets WHERE base_asset = x.asset)`, since)}`;
}

/** Orders that a trade has filled to the end. */
function filledSide(side: 'buy' | 'sell', since: number): SQL {
  const [party, order, remaining] = sideColumns(side);
  return sql`
    SELECT t.id || '.' || ${side} AS source, a.user_id,
           json_object('side', ${side}, 'market', t.book, 'quantity', o.filled, 'quantity_scale', b.scale, 'order', o.id, 'at', t.executed_at) AS facts
    FROM mail_preferences m JOIN accounts a ON a.user_id = m.user_id JOIN trades t ON t.${party} = a.id
    JOIN orders o ON o.id = t.${order} JOIN assets b ON b.id = t.asset_id
    WHERE m.kind = 'order_filled' AND m.is_on = 1 AND t.id >= ${firstId(since)} AND t.${remaining} = 0`;
}

function sideColumns(side: 'buy' | 'sell'): readonly [party: SQL, order: SQL, remaining: SQL] {
  return side === 'buy'
    ? [sql.raw('buyer'), sql.raw('buy_order'), sql.raw('buy_remaining')]
    : [sql.raw('seller'), sql.raw('sell_order'), sql.raw('sell_remaining')];
}

/** Kinds that are told from D1. */
export type SourcedKind = keyof typeof SOURCES;

export const SOURCED_KINDS = Object.keys(SOURCES) as SourcedKind[];

/** The id of the mail that tells a reader of something. */
export function mailIdOf(kind: MailKind, source: string, userId: string): string {
  return `${kind}:${source}:${userId}`;
}

/** Of one reader in a run. */
const FACTS_OF_READER_MAX = 5;

/**
 * What is to be told and was not, the oldest first, to those who have an address, want such mail and have room for more. Of each reader come a few, so that nobody's facts keep back
 * those of others, and each that comes can be posted.
 */
export async function listToldFacts(
  db: Database,
  kind: SourcedKind,
  window: Window,
  limit: number,
): Promise<ToldFact[]> {
  const mailId = sql`${`${kind}:`} || s.source || ':' || u.id`;
  const rows = await db.all<Omit<ToldFact, 'facts'> & { facts: string }>(sql`
    SELECT mailId, userId, facts FROM (
      SELECT ${mailId} AS mailId, u.id AS userId, s.source, s.facts, row_number() OVER (PARTITION BY u.id ORDER BY s.source) AS place
      FROM (${SOURCES[kind](window)}) s CROSS JOIN users u ON u.id = s.user_id CROSS JOIN mail_addresses m ON m.user_id = u.id
      WHERE u.deactivated_at IS NULL AND ${isWanted(sql`u.id`, kind)}
        AND NOT EXISTS (SELECT 1 FROM mail_messages WHERE id = ${mailId})
    ) t
    WHERE place <= ${FACTS_OF_READER_MAX} AND ${hasRoomFor(sql`t.userId`, limitOfMail(kind), window.now)}
    ORDER BY source LIMIT ${limit}`);
  return rows.map(({ facts, ...row }) => ({ ...row, facts: JSON.parse(facts) }));
}
