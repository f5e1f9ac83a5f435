import { type SQL, sql } from 'drizzle-orm';
import type { OperatorAction } from '../audit/trail/operator-events.ts';
import type { Database } from '../database.ts';
import type { assets } from '../schema/catalog.ts';

/** An operator's change of an asset, as its entry of the audit trail tells it. */
export interface AssetChangeEvent {
  readonly asset: string;
  readonly action: OperatorAction;
  /** What was changed alone. */
  readonly before: Readonly<Partial<typeof assets.$inferSelect>>;
  readonly after: Readonly<Partial<typeof assets.$inferSelect>>;
}

/** Part of the batch that changes an asset: its markets are to follow, whatever becomes of the request. */
export function awaitsMarkets(
  { action, asset, now }: { readonly action: OperatorAction; readonly asset: string; readonly now: number },
  takesPlace: SQL,
): SQL {
  return sql`INSERT INTO pending_asset_changes (id, asset, tried_at) SELECT ${action.id}, ${asset}, ${now} WHERE ${takesPlace}
    ON CONFLICT DO NOTHING`;
}

/** The change that an action has made of an asset, or null. */
export async function findAssetChange(db: Database, actionId: string, asset: string): Promise<AssetChangeEvent | null> {
  const row = await db.get<EventRow | undefined>(sql`
    SELECT id, subject, payload FROM domain_events WHERE id = ${actionId} AND subject = ${asset}`);
  return row === undefined ? null : changeOf(row);
}

/** Changes of an asset whose markets may not have followed, oldest first. */
export async function listPendingChangesOf(db: Database, asset: string, limit: number): Promise<AssetChangeEvent[]> {
  const rows = await db.all<EventRow>(sql`
    SELECT e.id, e.subject, e.payload FROM pending_asset_changes p JOIN domain_events e ON e.id = p.id
    WHERE p.asset = ${asset} ORDER BY p.id LIMIT CAST(${limit} AS INTEGER)`);
  return rows.map(changeOf);
}

/**
 * The same of all assets, that were not gone on with since `before`: those that wait longest first. They count as gone on with at `now`, so that
 * one that does not come to an end holds up no other.
 */
export async function takePendingChanges(
  db: Database,
  { before, now, limit }: { readonly before: number; readonly now: number; readonly limit: number },
): Promise<AssetChangeEvent[]> {
  const rows = await db.all<{ id: string }>(sql`
    UPDATE pending_asset_changes SET tried_at = CAST(${now} AS INTEGER) WHERE id IN (
      SELECT id FROM pending_asset_changes WHERE tried_at < CAST(${before} AS INTEGER) ORDER BY tried_at, id
      LIMIT CAST(${limit} AS INTEGER))
    RETURNING id`);
  const ids = JSON.stringify(rows.map(({ id }) => id));
  const events = await db.all<EventRow>(sql`
    SELECT id, subject, payload FROM domain_events WHERE id IN (SELECT value FROM json_each(${ids})) ORDER BY id`);
  return events.map(changeOf);
}

/** The markets have followed. */
export async function endPendingChange(db: Database, actionId: string): Promise<void> {
  await db.run(sql`DELETE FROM pending_asset_changes WHERE id = ${actionId}`);
}

interface EventRow {
  readonly id: string;
  readonly subject: string;
  readonly payload: string;
}

function changeOf({ id, subject, payload }: EventRow): AssetChangeEvent {
  const { actor, credential, request_id: requestId, before, after } = JSON.parse(payload);
  return {
    asset: subject,
    action: { id, actor, requestId, ...(typeof credential === 'string' ? { credential } : {}) },
    before,
    after,
  };
}
