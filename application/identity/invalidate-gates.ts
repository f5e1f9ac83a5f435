import { database } from '../../data/database.ts';
import { findKeyHolder } from '../../data/identity/gate-facts.ts';
import { findUser } from '../../data/identity/users.ts';
import type { Watcher } from '../../durable-objects/gate/api.ts';
import { log } from '../../durable-objects/log/log.ts';
import { userGateName } from '../../protocol/object-names/gate-name.ts';
import { describeBug } from '../log/describe-bug.ts';
import { askGate } from './ask-gate.ts';

/**
 * Makes the Gate read a user's facts and keys again: call it after their user, account (KYC, accreditation, freeze) or a revocation changed in
 * D1. Resolves once the Gate does not answer from what it knew before, and feeds are closed that were opened on the strength of that.
 */
export async function invalidateUser(env: Env, userId: string): Promise<void> {
  const user = await findUser(database(env.DB), userId);
  if (user !== null) await invalidate(env, userGateName(user.owner, userId));
}

/** The same for one API key. Throws nothing: what was done to the key is answered, whoever cannot be told of it. */
export async function invalidateKey(env: Env, keyId: string): Promise<void> {
  try {
    const holder = await findKeyHolder(database(env.DB), keyId);
    if (holder !== null) await invalidate(env, userGateName(holder.owner, holder.userId));
  } catch (error) {
    log('error', 'a Gate was not told of a change', describeBug(error));
  }
}

/** The same for the subject of a token, who may be a machine client without a user. */
export async function invalidateSubject(env: Env, owner: string, subject: string): Promise<void> {
  await invalidate(env, userGateName(owner, subject));
}

/** A Gate that stays out of reach has lost its facts, or forgets them by age. */
async function invalidate(env: Env, name: string): Promise<void> {
  const watchers = await askGate(env, name, (gate) => gate.invalidate());
  await Promise.all((watchers ?? []).map((watcher) => tell(env, watcher, name)));
}

/** An object that cannot be told looks by itself at its next beat, within 20 s. */
async function tell(env: Env, { kind, name }: Watcher, gate: string): Promise<void> {
  try {
    await (kind === 'feed' ? env.FEED : env.ORDER_BOOK).getByName(name).credentialChanged(gate);
  } catch (error) {
    log('warn', 'feeds were not told of a change', describeBug(error));
  }
}
