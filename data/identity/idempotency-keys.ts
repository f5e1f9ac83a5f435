import { and, eq, isNull, lt, sql } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { idempotencyKeys } from '../schema.ts';

/** DESIGN 14: the first answer is given again for 24 h. */
const KEPT_MS = 24 * 60 * 60_000;
/** A request that has not answered by then was lost with its isolate; a repetition takes its place, with its resource id. */
const LEASE_MS = 30_000;

export interface IdempotencyKeyName {
  readonly scope: string;
  readonly key: string;
}

export interface IdempotencyKeyClaim extends IdempotencyKeyName {
  /** SHA-256 of method, path and body, hexadecimal. */
  readonly requestHash: string;
  /** UUIDv7 for what the request creates, if it is the first with its key. */
  readonly resourceId: string;
  /** Unix milliseconds. */
  readonly now: number;
}

export type IdempotencyKeyState =
  /** This request runs; `resourceId` is the first one's. */
  | { readonly type: 'claimed'; readonly resourceId: string }
  | { readonly type: 'answered'; readonly status: number; readonly body: string }
  | { readonly type: 'in_flight' }
  /** Another request was sent under this key. */
  | { readonly type: 'conflict' };

/** Claims a key for a request, or says what became of the request that holds it. */
export async function claimIdempotencyKey(db: Database, claim: IdempotencyKeyClaim): Promise<IdempotencyKeyState> {
  const { now, ...row } = claim;
  const fresh = { ...row, responseStatus: null, responseBody: null, createdAt: now };
  const [[inserted], [held]] = await db.batch([
    db
      .insert(idempotencyKeys)
      .values(fresh)
      .onConflictDoUpdate({
        target: [idempotencyKeys.scope, idempotencyKeys.key],
        set: fresh,
        setWhere: lt(idempotencyKeys.createdAt, now - KEPT_MS),
      })
      .returning({ resourceId: idempotencyKeys.resourceId }),
    db.select().from(idempotencyKeys).where(named(claim)),
  ]);
  if (inserted !== undefined) return { type: 'claimed', resourceId: inserted.resourceId };
  if (held === undefined) return { type: 'in_flight' };
  if (held.requestHash !== claim.requestHash) return { type: 'conflict' };
  if (held.responseStatus !== null && held.responseBody !== null) {
    return { type: 'answered', status: held.responseStatus, body: held.responseBody };
  }
  const released = held.responseStatus !== null;
  if (!released && held.createdAt > now - LEASE_MS) return { type: 'in_flight' };
  return takeOver(db, claim, held);
}

async function takeOver(
  db: Database,
  claim: IdempotencyKeyClaim,
  held: typeof idempotencyKeys.$inferSelect,
): Promise<IdempotencyKeyState> {
  const [taken] = await db
    .update(idempotencyKeys)
    .set({ responseStatus: null, createdAt: claim.now })
    .where(
      and(
        named(claim),
        eq(idempotencyKeys.createdAt, held.createdAt),
        sql`${idempotencyKeys.responseStatus} is ${held.responseStatus}`,
      ),
    )
    .returning({ resourceId: idempotencyKeys.resourceId });
  return taken === undefined ? { type: 'in_flight' } : { type: 'claimed', resourceId: taken.resourceId };
}

/** Keeps the answer for those who repeat the request. */
export async function storeIdempotentAnswer(
  db: Database,
  name: IdempotencyKeyName,
  answer: { readonly status: number; readonly body: string },
): Promise<void> {
  await db.update(idempotencyKeys).set({ responseStatus: answer.status, responseBody: answer.body }).where(named(name));
}

/** Lets the next repetition run again at once, with the same resource id: a status without a body marks it. */
export async function releaseIdempotencyKey(db: Database, name: IdempotencyKeyName): Promise<void> {
  await db
    .update(idempotencyKeys)
    .set({ responseStatus: 500 })
    .where(and(named(name), isNull(idempotencyKeys.responseBody)));
}

function named({ scope, key }: IdempotencyKeyName) {
  return and(eq(idempotencyKeys.scope, scope), eq(idempotencyKeys.key, key));
}
