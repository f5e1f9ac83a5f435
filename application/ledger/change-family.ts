import type { AccountRow } from '../../data/accounts/accounts.ts';
import { findAccounts } from '../../data/accounts/accounts.ts';
import {
  countFamily,
  type FamilyRelation,
  findFamilyBetween,
  findFamilyRelation,
  type RelatedUsers,
} from '../../data/accounts/family.ts';
import { findOperatorChange, type OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { type Database, database } from '../../data/database.ts';
import { FAMILY_MAX, type Relationship } from '../../domain/accreditation/family.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import type { DoorTransaction } from '../../durable-objects/ledger/api.ts';
import type { LedgerEnv } from './ledger-env.ts';
import { openBooks } from './open-books.ts';
import { operatorEvent } from './operator-event.ts';
import { projected } from './projected.ts';
import { transact } from './transact.ts';

/** Two accounts that an operator records as family. */
export interface FamilyToRecord {
  readonly account: string;
  readonly relative: string;
  /** What the relative is to the account. */
  readonly relationship: Relationship;
  readonly evidence: string;
  readonly action: OperatorAction;
  /** Unix milliseconds. */
  readonly now: number;
}

export type FamilyError =
  | { readonly reason: 'account_not_found' }
  | { readonly reason: 'already_family'; readonly relation: string }
  | { readonly reason: 'too_many'; readonly account: string; readonly familyMax: number }
  /** It may have been done: the same action finds out. */
  | { readonly reason: 'outcome_unknown' };

/** Writers that lost a race against another change of the same accounts try again. */
const TRIES_MAX = 5;

/** Records that two accounts are family, once per action. When this answers `ok`, D1 shows it. */
export async function recordFamily(
  env: LedgerEnv,
  { account, relative, relationship, evidence, action, now }: FamilyToRecord,
): Promise<Result<RelatedUsers, FamilyError>> {
  const db = database(env.DB);
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    if (!(await projected(env))) return err({ reason: 'outcome_unknown' });
    const made = await findFamilyRelation(db, action.id);
    if (made !== null) return ok(made);
    const versions = await versionsOf(db, account, relative);
    if (versions === null) return err({ reason: 'account_not_found' });
    const standing = await findFamilyBetween(db, account, relative);
    if (standing !== null) return err({ reason: 'already_family', relation: standing.id });
    for (const each of [account, relative])
      if ((await countFamily(db, each)) >= FAMILY_MAX)
        return err({ reason: 'too_many', account: each, familyMax: FAMILY_MAX });
    const outcome = await transact(env, {
      kind: 'family',
      id: action.id,
      relation: action.id,
      account,
      relative,
      ...versions,
      change: { type: 'recorded', relationship, evidence, by: action.actor },
      createdAt: now,
      event: operatorEvent({
        action,
        type: 'operator.family_recorded',
        subject: account,
        createdAt: now,
        details: { relative, relationship, evidence },
        change: { before: null, after: { relation: action.id } },
      }),
    });
    if (outcome.type === 'outcome_unknown') return err({ reason: 'outcome_unknown' });
  }
  throw new Error(`facts of accounts ${account} and ${relative} kept changing`);
}

/** A relation that an operator ends. */
export interface FamilyToEnd {
  readonly relation: FamilyRelation;
  readonly reason: string;
  readonly action: OperatorAction;
  /** Unix milliseconds. */
  readonly now: number;
}

export interface EndedFamily {
  readonly relation: RelatedUsers;
  /** Books that must cancel what the two accounts have open by their relation. */
  readonly cancelIn: readonly string[];
}

export type FamilyEndError = { readonly reason: 'ended_before' } | { readonly reason: 'outcome_unknown' };

/** Ends a relation, once. When this answers `ok`, D1 shows it. */
export async function endFamily(
  env: LedgerEnv,
  { relation: { id, account, relative }, reason, action, now }: FamilyToEnd,
): Promise<Result<EndedFamily, FamilyEndError>> {
  const db = database(env.DB);
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    if (!(await projected(env))) return err({ reason: 'outcome_unknown' });
    const relation = await findFamilyRelation(db, id);
    const versions = await versionsOf(db, account, relative);
    if (relation === null || versions === null) return err({ reason: 'outcome_unknown' });
    if (relation.endedAt !== null) return endedBefore(env, relation, action);
    const outcome = await transact(env, {
      kind: 'family',
      id: action.id,
      relation: id,
      account,
      relative,
      ...versions,
      change: { type: 'ended', reason, by: action.actor },
      createdAt: now,
      event: operatorEvent({
        action,
        type: 'operator.family_ended',
        subject: account,
        createdAt: now,
        details: { relative, reason },
        change: { before: { relation: id }, after: null },
      }),
    });
    if (outcome.type === 'outcome_unknown') return err({ reason: 'outcome_unknown' });
  }
  throw new Error(`facts of accounts ${account} and ${relative} kept changing`);
}

/** What an action has ended, and where orders may be open still; one that another action has ended is refused. */
async function endedBefore(
  env: LedgerEnv,
  relation: RelatedUsers,
  action: OperatorAction,
): Promise<Result<EndedFamily, FamilyEndError>> {
  const db = database(env.DB);
  const { account, relative } = relation;
  if ((await findOperatorChange(db, action, account)) === null) return err({ reason: 'ended_before' });
  // Who has become family again keeps what is open.
  if ((await findFamilyBetween(db, account, relative)) !== null) return ok({ relation, cancelIn: [] });
  const books = await Promise.all([openBooks(env, account), openBooks(env, relative)]);
  const [ofAccount, ofRelative] = books;
  if (ofAccount == null || ofRelative == null) return err({ reason: 'outcome_unknown' });
  return ok({ relation, cancelIn: [...new Set([...ofAccount, ...ofRelative])] });
}

type Versions = Pick<Extract<DoorTransaction, { kind: 'family' }>, 'expectedVersion' | 'expectedRelativeVersion'>;

/** Versions of the facts of both; null where one is no trading account. */
async function versionsOf(db: Database, account: string, relative: string): Promise<Versions | null> {
  const found = (await findAccounts(db, [account, relative])).filter(({ boundary }) => !boundary);
  const versionOf = (id: string) => found.find((row: AccountRow) => row.id === id)?.factsVersion;
  const [expectedVersion, expectedRelativeVersion] = [versionOf(account), versionOf(relative)];
  if (expectedVersion === undefined || expectedRelativeVersion === undefined) return null;
  return { expectedVersion, expectedRelativeVersion };
}
