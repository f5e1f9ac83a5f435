import { expireRecords } from './expire-records.ts';
import { shredExpired } from './shred-expired.ts';
import { sweepEvents } from './sweep-events.ts';

/**
 * What is due every hour. Each part runs to its end, whatever becomes of the others.
 *
 * @throws AggregateError of what failed
 */
export async function runHourly(env: Env): Promise<void> {
  const results = await Promise.allSettled([expireRecords(env), shredExpired(env), sweepEvents(env)]);
  const failures = results.flatMap((result) => (result.status === 'rejected' ? [result.reason as unknown] : []));
  if (failures.length > 0) throw new AggregateError(failures, 'scheduled work failed');
}
