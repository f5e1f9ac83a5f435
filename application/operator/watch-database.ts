import { database } from '../../data/database.ts';
import {
  DATABASE_BYTES_MAX,
  DATABASE_BYTES_WARNED,
  noteDatabaseSize,
  REGISTERS_STOP_BYTES,
} from '../../data/jobs/database-size.ts';
import { log } from '../../durable-objects/log/log.ts';
import type { LedgerEnv } from '../ledger/ledger-env.ts';

/** Looks how large the database of the exchange is, tells when it fills, and stops registers from filling it before orders have to stop. */
export async function watchDatabase(
  { DB }: Pick<LedgerEnv, 'DB'>,
  now: number,
  note: typeof noteDatabaseSize = noteDatabaseSize,
): Promise<void> {
  const bytes = await note(database(DB), now);
  if (bytes < DATABASE_BYTES_WARNED) return;
  const facts = { bytes, bytes_max: DATABASE_BYTES_MAX, registers_stop_at: REGISTERS_STOP_BYTES };
  if (bytes < REGISTERS_STOP_BYTES) log('warn', 'the database fills', facts);
  else log('error', 'the database is nearly full: registers take no rows', facts);
}
