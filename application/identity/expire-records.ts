import { database } from '../../data/database.ts';
import { deleteExpiredRecords } from '../../data/identity/expired-records.ts';

const ROUNDS_MAX = 100;

/** Every five minutes: deletes expired codes, tokens and revocations, of each table up to 500,000. What is left over waits for the next run. */
export async function expireRecords(env: Env): Promise<void> {
  const db = database(env.DB);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    if (!(await deleteExpiredRecords(db, Date.now()))) return;
  }
}
