import { uuidv7 } from 'uuidv7';
import { findAccountHolders } from '../../data/accounts/account-holders.ts';
import { database } from '../../data/database.ts';
import { submit } from '../../data/onboarding/identities.ts';
import { isActedForBy } from '../../domain/onboarding/entity-facts.ts';
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
  const handingIn = { submission, provider, ...(await behind(env, identity)) };
  if (!(await submit(db, row, handingIn, now))) return err('changed');
  await carryOnIdentity(env, row.id);
  return ok(null);
}

/** Who is behind an entity, and whether somebody else acts for it than signs in: then an operator decides. */
async function behind(env: Env, identity: Identity) {
  if (identity.subject === 'person') return { parties: [], needsPerson: false };
  const { account } = identity.row;
  const holder = (await findAccountHolders(database(env.DB), [account])).get(account);
  return {
    parties: identity.entity.parties.map(({ id }) => id),
    needsPerson: !isActedForBy(identity.entity, holder?.name ?? ''),
  };
}
