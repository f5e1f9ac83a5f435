import { database } from '../../data/database.ts';
import { findGateSubjects } from '../../data/identity/gate-facts.ts';
import { keyGateName, userGateName } from '../../domain/identity/gate-name.ts';
import { askGate } from './ask-gate.ts';

/**
 * Makes the Gate read a user's facts again: call it after their user, account (KYC, accreditation, freeze) or a revocation changed in
 * D1. Resolves once no Gate object answers from what it knew before.
 */
export async function invalidateUser(env: Env, userId: string): Promise<void> {
  const { owner, keyIds } = await findGateSubjects(database(env.DB), userId);
  const names = keyIds.map(keyGateName);
  if (owner !== null) names.push(userGateName(owner, userId));
  await Promise.all(names.map((name) => invalidate(env, name)));
}

/** The same for one API key. */
export async function invalidateKey(env: Env, keyId: string): Promise<void> {
  await invalidate(env, keyGateName(keyId));
}

/** The same for the subject of a token, who may be a machine client without a user. */
export async function invalidateSubject(env: Env, owner: string, subject: string): Promise<void> {
  await invalidate(env, userGateName(owner, subject));
}

/** One that stays out of reach has lost its facts, or forgets them by age. */
async function invalidate(env: Env, name: string): Promise<void> {
  await askGate(env, name, (gate) => gate.invalidate());
}
