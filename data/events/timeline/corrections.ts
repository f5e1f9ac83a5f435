import { and, asc, eq, gt, type SQL, sql } from 'drizzle-orm';
import type { CorrectionKind } from '../../../domain/events/correction-kind.ts';
import type { EventsDatabase } from '../database.ts';
import type { ScopeKey } from '../keys/scope-key.ts';
import { corrections } from '../schema.ts';
import { eventIsLive } from '../sites/events.ts';

/** What a correction changed, as it lies sealed; keys as on the wire. */
interface CorrectionChange {
  /** Null for a decision that says none. */
  readonly reason: string | null;
  /** Of a merge: whom it made disappear, and as whom they were registered. */
  readonly from?: { readonly attendee_id: string; readonly name: string; readonly email: string };
  /** Of a merge: how like the two were. Null where nothing could be compared. */
  readonly similarity?: number | null;
  readonly entry_id?: string;
  readonly review_id?: string;
  readonly attendee_id?: string | null;
}

/** Who corrects, why and what: one row of the audit trail. */
export interface NewCorrection {
  readonly id: string;
  readonly tenant: string;
  readonly eventId: string;
  readonly kind: CorrectionKind;
  readonly actor: string;
  readonly change: CorrectionChange;
  readonly now: number;
}

export interface Correction {
  readonly id: string;
  readonly kind: CorrectionKind;
  readonly actor: string;
  readonly createdAt: number;
  /** Null once the person that it names was erased. */
  readonly change: CorrectionChange | null;
}

/** Writes the row down where the event is there and `when` holds; what it changes asks `tookPlace` in the same batch. */
export async function correctionStatement(key: ScopeKey, correction: NewCorrection, when: SQL): Promise<SQL> {
  const { id, tenant, eventId, kind, actor, now } = correction;
  const sealed = (await sealChange(key, id, correction.change)).toString('hex');
  return sql`
    INSERT INTO corrections (id, tenant, event_id, kind, actor, sealed_change, created_at)
    SELECT ${id}, ${tenant}, ${eventId}, ${kind}, ${actor}, unhex(${sealed}), ${now}
    WHERE ${eventIsLive(tenant, eventId)} AND ${when}
    ON CONFLICT (id) DO NOTHING`;
}

/** Whether the row was written by this very attempt: one that is repeated finds the row of the attempt before, and changes nothing. */
export function tookPlace({ id, now }: NewCorrection): SQL {
  return sql`EXISTS (SELECT 1 FROM corrections WHERE id = ${id} AND created_at = ${now})`;
}

export async function correctionExists(db: EventsDatabase, id: string): Promise<boolean> {
  const rows = await db.select({ id: corrections.id }).from(corrections).where(eq(corrections.id, id));
  return rows.length > 0;
}

/** Of an event that the caller has found, the oldest first. */
export async function listCorrections(
  db: EventsDatabase,
  key: ScopeKey,
  { eventId, after, limit }: { eventId: string; after: string | null; limit: number },
): Promise<Correction[]> {
  const rows = await db
    .select()
    .from(corrections)
    .where(and(eq(corrections.eventId, eventId), after === null ? undefined : gt(corrections.id, after)))
    .orderBy(asc(corrections.id))
    .limit(limit);
  return Promise.all(
    rows.map(async ({ id, kind, actor, createdAt, sealedChange }) => ({
      id,
      kind,
      actor,
      createdAt,
      change: await openChange(key, id, sealedChange),
    })),
  );
}

/** Those of an event that name one of the attendees. */
export async function correctionsNaming(
  db: EventsDatabase,
  key: ScopeKey,
  eventId: string,
  attendeeIds: ReadonlySet<string>,
): Promise<Correction[]> {
  const all = await listCorrections(db, key, { eventId, after: null, limit: CORRECTIONS_MAX });
  return all.filter(({ change }) => change !== null && namesOneOf(change, attendeeIds));
}

/** More than the operators of one event make. */
const CORRECTIONS_MAX = 100_000;

async function sealChange(key: ScopeKey, id: string, change: CorrectionChange): Promise<Buffer> {
  return Buffer.from(await key.seal(new TextEncoder().encode(JSON.stringify(change)), ['correction', id]));
}

async function openChange(key: ScopeKey, id: string, sealed: Uint8Array): Promise<CorrectionChange | null> {
  const plain = await key.open(sealed, ['correction', id]);
  return plain === null ? null : (JSON.parse(new TextDecoder().decode(plain)) as CorrectionChange);
}

function namesOneOf(change: CorrectionChange, attendeeIds: ReadonlySet<string>): boolean {
  return [change.attendee_id, change.from?.attendee_id].some((id) => typeof id === 'string' && attendeeIds.has(id));
}
