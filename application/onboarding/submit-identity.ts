import { uuidv7 } from 'uuidv7';
import { database } from '../../data/database.ts';
import { submit } from '../../data/onboarding/identities.ts';
import { isOpenToPerson } from '../../domain/onboarding/identity-state.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { type Identity, isComplete, missingOf } from './identity.ts';
import { identityProviderOf } from './identity-provider-of.ts';
import { carryOnIdentity } from './verify-identity.ts';

type SubmitRefusal = 'incomplete' | 'not_open' | 'changed';

/** Hands in what is stated and shown, and asks the provider. What a crash cuts short goes on by itself. */
export async function submitIdentity(env: Env, identity: Identity): Promise<Result<null, SubmitRefusal>> {
  const { row } = identity;
  const now = Date.now();
  if (!isOpenToPerson(row, now) || row.shreddedAt !== null) return err('not_open');
  if (!isComplete(missingOf(env, identity))) return err('incomplete');
  const db = database(env.DB);
  const submission = uuidv7();
  const provider = identityProviderOf(env)?.name ?? null;
  if (!(await submit(db, row, { submission, provider }, now))) return err('changed');
  await carryOnIdentity(env, row.id);
  return ok(null);
}
