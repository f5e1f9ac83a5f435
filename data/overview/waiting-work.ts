import { type SQL, sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { notOf } from '../onboarding/identities.ts';
import { sqlBatch } from '../sql-batch.ts';
import { notAbout } from '../surveillance/about.ts';

/** So much of a queue is counted. */
const COUNTED_MAX = 1_000;

/** What waits for a person who runs the venue, in the order in which it weighs. */
export const WORK_QUEUES = [
  'approvals',
  'factor_recoveries',
  'transfer_requests',
  'approved_transfers',
  'surveillance_cases',
  'broker_breaks',
  'prime_events',
  'bridge_returns',
  'identities',
  'accreditations',
  'partners',
  'securities',
] as const;

export type WorkQueue = (typeof WORK_QUEUES)[number];

export interface Waiting {
  readonly count: number;
  /** More wait than were counted. */
  readonly isMore: boolean;
  /** Unix ms of the one that waits longest, of those that were counted; null where none waits. */
  readonly oldestAt: number | null;
}

/** A query of times, each by an index that has what waits and nothing else. */
function timesOf(now: number, viewers: readonly string[]): Readonly<Record<WorkQueue, SQL>> {
  return {
    approvals: sql`SELECT asked_at AS at FROM operator_approvals
                   WHERE state = 'asked' AND used_by IS NULL AND expires_at > CAST(${now} AS INTEGER) ORDER BY expires_at`,
    factor_recoveries: sql`SELECT asked_at AS at FROM factor_recoveries WHERE state = 'waiting' ORDER BY due_at`,
    transfer_requests: sql`SELECT created_at AS at FROM transfer_requests WHERE state = 'requested' ORDER BY id`,
    approved_transfers: sql`SELECT created_at AS at FROM transfer_requests WHERE state = 'approved' ORDER BY id`,
    surveillance_cases: sql`SELECT created_at AS at FROM surveillance_cases
                            WHERE state = 'open' AND ${notAbout(viewers)} ORDER BY id`,
    broker_breaks: sql`SELECT at FROM broker_breaks WHERE resolved_at IS NULL ORDER BY at`,
    prime_events: sql`SELECT received_at AS at FROM prime_events WHERE unclaimed IS NOT NULL`,
    bridge_returns: sql`SELECT updated_at AS at FROM bridge_transfers WHERE state = 'paid_by_other' ORDER BY updated_at`,
    identities: sql`SELECT updated_at AS at FROM identities WHERE state = 'IN_REVIEW' AND ${notOf(viewers)} ORDER BY id`,
    accreditations: sql`SELECT created_at AS at FROM accreditation_verifications WHERE state = 'IN_REVIEW' ORDER BY id`,
    partners: sql`SELECT created_at AS at FROM partner_organizations WHERE state = 'applied' ORDER BY organization`,
    securities: sql`SELECT created_at AS at FROM securities WHERE state = 'submitted' ORDER BY id`,
  };
}

/** How much waits in each queue for these people: a case about one of them, or what was found of them, is not counted. @param viewers user ids of whoever may be asking */
export async function countWaitingWork(
  db: Database,
  now: number,
  viewers: readonly string[],
): Promise<Readonly<Record<WorkQueue, Waiting>>> {
  const times = timesOf(now, viewers);
  const counted = await countTimes(
    db,
    WORK_QUEUES.map((queue) => times[queue]),
  );
  return Object.fromEntries(WORK_QUEUES.map((queue, index) => [queue, counted[index]])) as Record<WorkQueue, Waiting>;
}

/** What the venue has to tell others and has not told yet, and to whom it tells nothing any more. */
export interface WaitingDeliveries {
  /** Events that no webhook was made of yet. */
  readonly events: Waiting;
  /** Mails that are due. */
  readonly mails: Waiting;
  /** Endpoints that are switched off because they failed, not by whom they belong to. */
  readonly disabledEndpoints: Waiting;
}

export async function countWaitingDeliveries(db: Database, now: number): Promise<WaitingDeliveries> {
  const [events, mails, disabledEndpoints] = await countTimes(db, [
    sql`SELECT created_at AS at FROM domain_events WHERE dispatched_at IS NULL ORDER BY id`,
    sql`SELECT due_at AS at FROM mail_messages
        WHERE state IN ('queued', 'sending') AND due_at <= CAST(${now} AS INTEGER) ORDER BY due_at`,
    sql`SELECT disabled_at AS at FROM webhook_endpoints
        WHERE disabled_at IS NOT NULL AND disabled_reason <> 'owner' ORDER BY disabled_at`,
  ]);
  if (events === undefined || mails === undefined || disabledEndpoints === undefined)
    throw new Error('a count is missing');
  return { events, mails, disabledEndpoints };
}

/** Since when an event waits of which no webhook was made yet; null where none waits. Unix milliseconds. */
export async function oldestUntoldEvent(db: Database): Promise<{ readonly oldestAt: number | null }> {
  const [row] = await db.all<{ at: number }>(
    sql`SELECT created_at AS at FROM domain_events WHERE dispatched_at IS NULL ORDER BY id LIMIT 1`,
  );
  return { oldestAt: row?.at ?? null };
}

/** Transfers of the bridge that are under way, and places that change. */
export interface BridgeWork {
  readonly underWay: Waiting;
  /** Organizations whose places change after a notice, by when the first of them does. */
  readonly changingPlaces: readonly { readonly organization: string; readonly from: number }[];
}

const PLACES_SHOWN_MAX = 20;

/** Those of a transfer that goes on by itself. */
const UNDER_WAY = [
  'confirming',
  'attesting',
  'limit_check',
  'queued',
  'challenge',
  'co_signing',
  'signing',
  'broadcast',
  'refundable',
  'refund_signing',
  'refund_broadcast',
];

export async function readBridgeWork(db: Database, now: number): Promise<BridgeWork> {
  const states = JSON.stringify(UNDER_WAY);
  const [[underWay], [rows]] = await Promise.all([
    countTimes(db, [
      sql`SELECT updated_at AS at FROM bridge_transfers WHERE state IN (SELECT value FROM json_each(${states}))`,
    ]),
    sqlBatch<[{ organization: string; from: number }[]]>(db, [
      sql`SELECT organization, min(at) AS "from" FROM (
            SELECT organization, next_from AS at FROM bridge_organizations WHERE next_from > CAST(${now} AS INTEGER)
            UNION ALL SELECT organization, next_from FROM bridge_vaults WHERE next_from > CAST(${now} AS INTEGER))
          GROUP BY organization ORDER BY 2 LIMIT ${PLACES_SHOWN_MAX}`,
    ]),
  ]);
  if (underWay === undefined) throw new Error('a count is missing');
  return { underWay, changingPlaces: rows };
}

/** Markets of the broker that the last comparison could not read. */
export async function countUncompared(db: Database): Promise<Waiting> {
  const [failing] = await countTimes(db, [
    sql`SELECT failing_since AS at FROM broker_comparisons WHERE failing_since IS NOT NULL ORDER BY failing_since`,
  ]);
  if (failing === undefined) throw new Error('a count is missing');
  return failing;
}

async function countTimes(db: Database, queries: readonly SQL[]): Promise<readonly Waiting[]> {
  const rows = await sqlBatch<{ count: number; oldestAt: number | null }[][]>(
    db,
    queries.map((query) => sql`SELECT count(*) AS count, min(at) AS oldestAt FROM (${query} LIMIT ${COUNTED_MAX + 1})`),
  );
  return rows.map(([row]) => ({
    count: Math.min(row?.count ?? 0, COUNTED_MAX),
    isMore: (row?.count ?? 0) > COUNTED_MAX,
    oldestAt: row?.oldestAt ?? null,
  }));
}
