import { type Database, database } from '../../database.ts';

/** Where orders stand: the newer ones in D1, final ones of long ago in the bucket ORDER_ARCHIVE. */
export interface OrderStore {
  readonly db: Database;
  readonly archive: R2Bucket;
}

export function orderStore(env: { readonly DB: D1Database; readonly ORDER_ARCHIVE: R2Bucket }): OrderStore {
  return { db: database(env.DB), archive: env.ORDER_ARCHIVE };
}
