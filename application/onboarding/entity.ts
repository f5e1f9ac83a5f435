import { uuidv7 } from 'uuidv7';
import { database } from '../../data/database.ts';
import { changeSubject, reopenApproval } from '../../data/onboarding/entities.ts';
import {
  type EntityFactName,
  type EntityFacts,
  type EntityStatement,
  isAnotherEntity,
  type PartiesProblem,
  type Party,
  type PartyProblems,
  problemOfEntity,
  problemOfParties,
  problemsOfParty,
  type StatedParty,
  tidiedOfEntity,
  tidiedParty,
  withParty,
} from '../../domain/onboarding/entity-facts.ts';
import type { FactProblem } from '../../domain/onboarding/identity-facts.ts';
import { type IdentitySubject, isOpenToPerson } from '../../domain/onboarding/identity-state.ts';
import { err, type Result } from '../../domain/result.ts';
import {
  type Attesting,
  countriesOf,
  type EntityIdentity,
  forgetDocuments,
  type Identity,
  type NotWritten,
  writeStated,
} from './identity.ts';
import { applyIdentityDecision } from './verify-identity.ts';

/**
 * Says whose account it is, the person's or an entity's, before it is handed in the first time. What was stated and shown goes: it was of another.
 *
 * @returns false where it is settled, or has changed meanwhile
 */
export async function chooseSubject(env: Env, { row }: Identity, subject: IdentitySubject): Promise<boolean> {
  if (row.subject === subject) return true;
  const taken = await changeSubject(database(env.DB), row, subject, Date.now());
  if (taken === null) return false;
  // What a crash leaves here was taken back, and is swept.
  await forgetDocuments(env, taken);
  return true;
}

/** What is changed of an entity; what is left out stays. */
export interface EntityChange {
  readonly facts?: Readonly<Partial<EntityFacts>>;
  readonly nobodyOwns?: boolean;
  /** All of them: who is left out is behind it no longer. */
  readonly parties?: readonly StatedParty[];
}

export type EntityRefusal =
  | { readonly reason: 'invalid'; readonly problems: Readonly<Partial<Record<EntityFactName, FactProblem>>> }
  /** `at` counts from 0, in the order of the change. */
  | { readonly reason: 'invalid_party'; readonly at: number; readonly problems: PartyProblems }
  | { readonly reason: 'invalid_parties'; readonly problem: PartiesProblem }
  | NotWritten;

/** Writes down what is stated of an entity; nothing of it where something is wrong. */
export async function stateEntity(
  env: Env,
  identity: EntityIdentity,
  change: EntityChange,
  attesting: readonly Attesting[],
): Promise<Result<null, EntityRefusal>> {
  const { parties, ...rest } = change;
  if (parties === undefined) return writeEntity(env, identity, rest, attesting);
  const named = parties.map((party) => ({ id: uuidv7(), ...tidiedParty(party) }));
  return writeEntity(env, identity, { ...rest, parties: named }, attesting);
}

/** One more party. Who was named before is stated anew, in their place; who owns contradicts that nobody does. */
export async function addParty(
  env: Env,
  identity: EntityIdentity,
  stated: StatedParty,
): Promise<Result<null, EntityRefusal>> {
  const party: Party = { id: uuidv7(), ...tidiedParty(stated) };
  const problems = problemsOfParty(party, termsOf(env));
  if (Object.keys(problems).length > 0) return err({ reason: 'invalid_party', at: 0, problems });
  const { parties, nobodyOwns } = identity.entity;
  const isOwner = party.roles.includes('owner');
  return writeEntity(env, identity, { parties: withParty(parties, party), nobodyOwns: nobodyOwns && !isOwner }, []);
}

export async function removeParty(
  env: Env,
  identity: EntityIdentity,
  id: string,
): Promise<Result<null, EntityRefusal>> {
  return writeEntity(env, identity, { parties: identity.entity.parties.filter((party) => party.id !== id) }, []);
}

interface WholeChange extends Omit<EntityChange, 'parties'> {
  readonly parties?: readonly Party[];
}

async function writeEntity(
  env: Env,
  { row, entity: before }: EntityIdentity,
  change: WholeChange,
  attesting: readonly Attesting[],
): Promise<Result<null, EntityRefusal>> {
  const terms = termsOf(env);
  if (!isOpenToPerson(row, terms.now) || row.shreddedAt !== null) return err({ reason: 'not_open' });
  const stated = Object.entries(change.facts ?? {}) as [EntityFactName, string][];
  const changed = Object.fromEntries(stated.map(([name, value]) => [name, tidiedOfEntity(name, value)]));
  const after: EntityStatement = {
    facts: { ...before.facts, ...changed },
    nobodyOwns: change.nobodyOwns ?? before.nobodyOwns,
    parties: change.parties ?? before.parties,
  };
  const problems: Partial<Record<EntityFactName, FactProblem>> = {};
  for (const [name] of stated) {
    const problem = problemOfEntity(name, after.facts, terms);
    if (problem !== null) problems[name] = problem;
  }
  if (Object.keys(problems).length > 0) return err({ reason: 'invalid', problems });
  const wrong = problemOfParties(after);
  if (wrong !== null) return err({ reason: 'invalid_parties', problem: wrong });
  for (const [at, party] of (change.parties ?? []).entries()) {
    const found = problemsOfParty(party, terms);
    // Who stands already may have to leave because their country has: that is seen when it is handed in.
    if (Object.keys(found).length > 0 && !before.parties.includes(party))
      return err({ reason: 'invalid_party', at, problems: found });
  }
  return writeStated(env, row, after, { attesting, isAnother: isAnotherEntity(before, after) });
}

function termsOf(env: Env) {
  return { served: countriesOf(env), now: Date.now() };
}

/**
 * Somebody has joined or left an entity that is approved, or something else of it is no longer so: it is stated anew, and until that is decided on the account places no orders. Whose
 * approval may be renewed states it anew by that, and the approval counts.
 *
 * @returns false where it is not approved, may be renewed, or is decided otherwise by now
 */
export async function reopenEntity(env: Env, { row }: EntityIdentity): Promise<boolean> {
  const end = { id: row.id, changeId: uuidv7(), decidedBy: row.userId };
  if (!(await reopenApproval(database(env.DB), end, Date.now()))) return false;
  await applyIdentityDecision(env, row.id);
  return true;
}
