import { database } from '../../data/database.ts';
import { listAllDocuments, listUnstoredDocuments } from '../../data/onboarding/identities.ts';
import {
  claimForShredding,
  listDocumentsOutOfTime,
  recordIdentityShredded,
  takeIdentitiesToShred,
} from '../../data/onboarding/identity-retention.ts';
import { HOUR_MS } from '../../domain/calendar/durations.ts';
import { eachAlone, failFor } from '../log/each-alone.ts';
import { forgetDocuments, personKeysOf } from './identity.ts';

const PER_RUN_MAX = 50;

/**
 * Hourly: what the law no longer asks for goes (docs/design/onboarding.md#retention), and what a crash has left of uploads. Interrupted at any point it is repeated from the
 * beginning. One that fails keeps back none of the others.
 *
 * @throws AggregateError of those that failed, once all were tried
 */
export async function sweepIdentities(env: Env, now = Date.now()): Promise<void> {
  const db = database(env.DB);
  await forgetDocuments(env, await listUnstoredDocuments(db, now - HOUR_MS, PER_RUN_MAX));
  const outOfTime = await listDocumentsOutOfTime(db, now, PER_RUN_MAX);
  const unforgotten = await eachAlone(outOfTime, each('documents that are out of time did not go yet'), async (id) =>
    forgetDocuments(env, await listAllDocuments(db, id)),
  );
  const toShred = await takeIdentitiesToShred(db, now, PER_RUN_MAX);
  const unshredded = await eachAlone(
    toShred,
    each('an identity that is out of time was not shredded yet'),
    async (id) => {
      if (!(await claimForShredding(db, id, now))) return;
      // First of all the key, so that no copy anywhere can be read.
      await personKeysOf(env).destroy(id);
      await forgetDocuments(env, await listAllDocuments(db, id));
      await recordIdentityShredded(db, id);
    },
  );
  failFor('what is kept of some people no longer did not go', unforgotten, unshredded);
}

const each = (failure: string) => ({ idOf: (id: string) => id, failure });
