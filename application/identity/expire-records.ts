import { database } from '../../data/database.ts';
import { deleteExpiredRecords } from '../../data/identity/expired-records.ts';
import { countWrongCodes } from '../../data/identity/sign-ins.ts';
import { WRONG_CODES_ALARM } from '../../domain/identity/sign-in-entry.ts';
import { log } from '../../durable-objects/log/log.ts';

/** Guessing at many phones is seen in none of them: their wrong codes together are. */
async function watchWrongCodes(env: Env, now: number): Promise<void> {
  const wrong = await countWrongCodes(database(env.DB), now);
  if (wrong >= WRONG_CODES_ALARM) log('error', 'many wrong one-time codes within an hour', { wrong });
}

const RUNS_EVERY_MS = 5 * 60_000;

const ROUNDS_MAX = 100;

/** Every five minutes: tells of wrong codes, and deletes expired codes, tokens and revocations, of each table up to 500,000. What is left over waits for the next run. */
export async function expireRecords(env: Env): Promise<void> {
  const db = database(env.DB);
  // Of an hour that has just ended, too.
  await watchWrongCodes(env, Date.now() - RUNS_EVERY_MS);
  for (let round = 0; round < ROUNDS_MAX; round++) {
    if (!(await deleteExpiredRecords(db, Date.now()))) return;
  }
}
