import { and, count, desc, eq, gte, lt, sql } from 'drizzle-orm';
import type { BridgeEvent } from '../../domain/bridge/told-changes.ts';
import type { TransferState } from '../../domain/bridge/transfer.ts';
import type { TransferTerms } from '../../domain/bridge/transfer-terms.ts';
import { firstIdOf } from '../../domain/ids/created-at-of.ts';
import type { BridgeFacts } from '../../protocol/partner/bridge-events.ts';
import type { Database } from '../database.ts';
import { bridgeTransfers } from '../schema/bridge.ts';
import { sqlBatch } from '../sql-batch.ts';

export type ShownTransfer = Readonly<typeof bridgeTransfers.$inferSelect>;

/** What a list of transfers is narrowed to; null for all of them. */
export interface TransferFilter {
  readonly state: TransferState | null;
  /** Symbol. */
  readonly asset: string | null;
  /** That is one of the sides. */
  readonly account: string | null;
}

export interface TransferPage {
  readonly transfers: readonly ShownTransfer[];
  /** The id that the next page begins behind; null on the last one. */
  readonly next: string | null;
}

/** Rows that one page looks through, where more than one filter is stated. */
const LOOKED_THROUGH_MAX = 2_000;
/** Each of these has an index. The first one that is stated leads: an account has few transfers, and so has a state that is no end. */
const FILTERS = ['account', 'state', 'asset'] as const;

/** An event that the organization of a transfer is told of. */
export interface TransferEventRow {
  /** UUIDv7; the same on every retry, so that it is told once. */
  readonly id: string;
  readonly type: BridgeEvent;
  readonly facts: BridgeFacts;
  readonly createdAt: number;
}

/**
 * Writes where a transfer stands, unless something newer stands there, and in the same batch what its organization is told of it, in this order, each once. Whoever has written events
 * wakes the dispatcher (durable-objects/webhook-dispatch/api.ts).
 */
export async function showTransfer(
  db: Database,
  shown: Omit<ShownTransfer, 'asset' | 'account'> & { readonly terms: TransferTerms },
  events: readonly TransferEventRow[] = [],
): Promise<void> {
  const { id, organization, hostname, commitment, state, changes, updatedAt, terms } = shown;
  await sqlBatch(db, [
    sql`INSERT INTO bridge_transfers (id, organization, hostname, commitment, state, changes, updated_at, terms)
        VALUES (${id}, ${organization}, ${hostname}, ${commitment}, ${state}, CAST(${changes} AS INTEGER), CAST(${updatedAt} AS INTEGER), ${JSON.stringify(terms)})
        ON CONFLICT (id) DO UPDATE SET state = excluded.state, changes = excluded.changes, updated_at = excluded.updated_at, terms = excluded.terms
        WHERE bridge_transfers.changes <= excluded.changes`,
    ...events.map(
      (event) => sql`
        INSERT INTO domain_events (id, type, subject, payload, created_at)
        SELECT ${event.id}, ${event.type}, organization, ${JSON.stringify(event.facts)}, CAST(${event.createdAt} AS INTEGER)
        FROM bridge_transfers WHERE id = ${id} ON CONFLICT DO NOTHING`,
    ),
  ]);
}

/** One of the organization's transfers; another's is not there. */
export async function findShownTransfer(db: Database, organization: string, id: string): Promise<ShownTransfer | null> {
  const isOwn = and(eq(bridgeTransfers.id, id), eq(bridgeTransfers.organization, organization));
  return (await db.select().from(bridgeTransfers).where(isOwn).get()) ?? null;
}

/** Transfers of an organization, newest first. A page may be short and yet lead on, where more than one filter is stated. */
export async function listShownTransfers(
  db: Database,
  organization: string,
  {
    filter,
    before,
    limit,
  }: { readonly filter: TransferFilter; readonly before: string | null; readonly limit: number },
): Promise<TransferPage> {
  const [leading, ...others] = FILTERS.filter((column) => filter[column] !== null);
  const inRange = and(
    eq(bridgeTransfers.organization, organization),
    before === null ? undefined : lt(bridgeTransfers.id, before),
    leading && eq(bridgeTransfers[leading], sql`${filter[leading]}`),
  );
  const lookedThrough = others.length === 0 ? limit + 1 : LOOKED_THROUGH_MAX;
  const newest = desc(bridgeTransfers.id);
  const range = db.select().from(bridgeTransfers).where(inRange).orderBy(newest).limit(lookedThrough).as('range');
  const isWanted = and(...others.map((column) => eq(range[column], sql`${filter[column]}`)));
  const [found, [lastLookedAt, further]] = await db.batch([
    db
      .select()
      .from(range)
      .where(isWanted)
      .orderBy(desc(range.id))
      .limit(limit + 1),
    db
      .select({ id: bridgeTransfers.id })
      .from(bridgeTransfers)
      .where(inRange)
      .orderBy(newest)
      .limit(2)
      .offset(lookedThrough - 1),
  ]);
  const transfers = found.slice(0, limit);
  const end = found.length > limit ? transfers.at(-1) : further && lastLookedAt;
  return { transfers, next: end?.id ?? null };
}

/** Transfers of all organizations that others than their payers have paid in for, newest first: as far as D1 shows. */
export function listPaidByOthers(
  db: Database,
  { before, limit }: { readonly before: string | null; readonly limit: number },
): Promise<readonly ShownTransfer[]> {
  const isOne = and(
    eq(bridgeTransfers.state, 'paid_by_other'),
    before === null ? undefined : lt(bridgeTransfers.id, before),
  );
  return db.select().from(bridgeTransfers).where(isOne).orderBy(desc(bridgeTransfers.id)).limit(limit).all();
}

/** How many of an organization's transfers wait for funds, of those that were begun since: as far as D1 shows, and no more than `most`. */
export async function countAwaiting(
  db: Database,
  { organization, since, most }: { readonly organization: string; readonly since: number; readonly most: number },
): Promise<number> {
  const waits = and(
    eq(bridgeTransfers.organization, organization),
    gte(bridgeTransfers.id, firstIdOf(since)),
    eq(bridgeTransfers.state, 'awaiting_funds'),
  );
  const waiting = db.select({ id: bridgeTransfers.id }).from(bridgeTransfers).where(waits).limit(most).as('waiting');
  return (await db.select({ count: count() }).from(waiting).get())?.count ?? 0;
}

/** Whether an organization has begun a transfer, as far as D1 shows. */
export async function hasTransfers(db: Database, organization: string): Promise<boolean> {
  const isOwn = eq(bridgeTransfers.organization, organization);
  return (await db.select({ id: bridgeTransfers.id }).from(bridgeTransfers).where(isOwn).limit(1).get()) !== undefined;
}
