import { asc, inArray, isNull } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { signingKeys } from '../schema/identity.ts';

export type SigningKeyRow = typeof signingKeys.$inferSelect;

/** Signing keys of the embedded identity provider that verify still, oldest first. */
export async function listSigningKeys(db: Database): Promise<SigningKeyRow[]> {
  return db
    .select()
    .from(signingKeys)
    .where(isNull(signingKeys.retiredAt))
    .orderBy(asc(signingKeys.createdAt), asc(signingKeys.kid));
}

/** Stores a key and retires others, whole in one batch. */
export async function addSigningKey(db: Database, key: SigningKeyRow, retiring: readonly string[]): Promise<void> {
  await db.batch([
    db.insert(signingKeys).values(key),
    db
      .update(signingKeys)
      .set({ retiredAt: key.createdAt })
      .where(inArray(signingKeys.kid, [...retiring])),
  ]);
}
