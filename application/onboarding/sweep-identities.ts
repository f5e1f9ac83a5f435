import { database } from '../../data/database.ts';
import { listAllDocuments, listUnstoredDocuments } from '../../data/onboarding/identities.ts';
import {
  claimForShredding,
  listDocumentsOutOfTime,
  listIdentitiesToShred,
  recordIdentityShredded,
} from '../../data/onboarding/identity-retention.ts';
import { HOUR_MS } from '../../domain/calendar/durations.ts';
import { forgetDocuments, personKeysOf } from './identity.ts';

const PER_RUN_MAX = 50;

/**
 * Hourly: what the law no longer asks for goes (docs/design/onboarding.md#retention), and what a crash has left of uploads. Interrupted at any point it is repeated from the
 * beginning.
 */
export async function sweepIdentities(env: Env, now = Date.now()): Promise<void> {
  const db = database(env.DB);
  const unstored = await listUnstoredDocuments(db, now - HOUR_MS, PER_RUN_MAX);
  await forgetDocuments(env, unstored);
  for (const id of await listDocumentsOutOfTime(db, now, PER_RUN_MAX))
    await forgetDocuments(env, await listAllDocuments(db, id));
  for (const id of await listIdentitiesToShred(db, now, PER_RUN_MAX)) {
    if (!(await claimForShredding(db, id, now))) continue;
    // First of all the key, so that no copy anywhere can be read.
    await personKeysOf(env).destroy(id);
    await forgetDocuments(env, await listAllDocuments(db, id));
    await recordIdentityShredded(db, id);
  }
}
