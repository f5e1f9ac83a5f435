import { uuidv7 } from 'uuidv7';
import { findAccount } from '../../data/accounts/accounts.ts';
import {
  endAccreditationOf,
  findStandingEnd,
  listEndsToApply,
  noteEndApplied,
} from '../../data/accounts/accreditation-ends.ts';
import {
  addAccreditationRecord,
  addAttestation,
  listAccountsWithExpiredVerification,
  listAccreditationRecords,
} from '../../data/accounts/accreditation-records.ts';
import type { OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { database } from '../../data/database.ts';
import { accreditationOf, verificationFailure } from '../../domain/accreditation/accreditation-record.ts';
import { ATTESTATION } from '../../domain/accreditation/attestation-text.ts';
import type { EvidenceKind } from '../../domain/accreditation/evidence.ts';
import { MINUTE_MS } from '../../domain/calendar/durations.ts';
import { err, type Result } from '../../domain/result.ts';
import { log } from '../../durable-objects/log/log.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { eachAlone, failFor } from '../log/each-alone.ts';
import { type AppliedFacts, applyFacts } from './apply-facts.ts';
import { noSuchAccount } from './not-found.ts';

/** A verification by a third party, 17 CFR 230.506(c)(2)(ii). */
export interface Verification {
  readonly verifier: string;
  /** Where the evidence is kept. */
  readonly evidence: string;
  /** What it is; null where nobody says. */
  readonly evidenceKind: EvidenceKind | null;
  /** Unix milliseconds. */
  readonly verifiedAt: number;
  readonly expiresAt: number;
}

/**
 * An operator records a verification. What an account's accreditation rests on is written down first, then the facts that follow from it: a crash leaves a
 * record to be applied.
 */
export async function recordVerification(
  env: Env,
  account: string,
  verification: Verification,
  action: OperatorAction,
): Promise<Result<AppliedFacts, ApiError>> {
  const now = Date.now();
  const failure = verificationFailure(verification, now);
  if (failure !== null) return err(apiError('VALIDATION_ERROR', 'the verification does not do', { reason: failure }));
  const db = database(env.DB);
  if (!(await isTradingAccount(env, account))) return err(noSuchAccount());
  const { verifier, evidence, evidenceKind, verifiedAt, expiresAt } = verification;
  await addAccreditationRecord(db, {
    endedAt: null,
    endedBy: null,
    endedReason: null,
    verification: null,
    id: action.id,
    account,
    kind: 'third_party',
    verifier,
    evidence,
    evidenceKind,
    textVersion: null,
    text: null,
    at: verifiedAt,
    expiresAt,
    actor: action.actor,
    createdAt: now,
  });
  return applyRecords(env, account, action);
}

/**
 * The person's own statement under 506(b), with the text that was stated.
 *
 * @param version of the text that the person has read
 */
export async function attestAccreditation(
  env: Env,
  account: string,
  version: string,
  action: OperatorAction,
): Promise<Result<AppliedFacts, ApiError>> {
  if (version !== ATTESTATION.version)
    return err(apiError('CONFLICT', 'the text has another version by now', { version: ATTESTATION.version }));
  const now = Date.now();
  const { version: textVersion, text } = ATTESTATION;
  const stated = { id: action.id, account, textVersion, text, at: now, actor: action.actor, createdAt: now };
  if (!(await addAttestation(database(env.DB), stated))) return err(endedByOperator());
  return applyRecords(env, account, action);
}

/**
 * Ends everything that an account's accreditation rests on. Its person does not regain it by asking again: that waits for an operator
 * (docs/design/compliance.md#an-end-by-an-operator).
 */
export async function endAccreditation(
  env: Env,
  account: string,
  reason: string,
  action: OperatorAction,
): Promise<Result<AppliedFacts, ApiError>> {
  if (!(await isTradingAccount(env, account))) return err(noSuchAccount());
  const { id, actor } = action;
  await endAccreditationOf(database(env.DB), { id, account, reason, actor, createdAt: Date.now() });
  return applyEnd(env, account, { ...action, reason });
}

async function applyEnd(env: Env, account: string, action: OperatorAction): Promise<Result<AppliedFacts, ApiError>> {
  const applied = await applyRecords(env, account, action);
  if (applied.ok) await noteEndApplied(database(env.DB), action.id);
  return applied;
}

const ENDS_PER_RUN_MAX = 50;
/** Whoever ends one is about to apply it. */
const UNDER_WAY_MS = MINUTE_MS;

/**
 * Every five minutes: ends whose facts a crash has left as they were. One that fails keeps back none of the others.
 *
 * @throws AggregateError of those that failed, once all were tried
 */
export async function applyEnds(env: Env, now = Date.now()): Promise<void> {
  const ends = await listEndsToApply(database(env.DB), now - UNDER_WAY_MS, ENDS_PER_RUN_MAX);
  const failure = 'an end of accreditation was not applied';
  const each = { idOf: (end: (typeof ends)[number]) => end.id, failure };
  const failed = await eachAlone(ends, each, async ({ id, account, actor, reason }) => {
    const applied = await applyEnd(env, account, { id, actor, requestId: id, reason });
    if (!applied.ok) log('warn', 'an end of accreditation was not applied yet', { account, code: applied.error.code });
  });
  failFor(failure, failed);
}

/** Since when, and why, an operator's word is what the account needs; null where it is not. */
export async function standingEnd(
  env: Env,
  account: string,
): Promise<{ readonly at: number; readonly reason: string } | null> {
  const end = await findStandingEnd(database(env.DB), account);
  return end === null ? null : { at: end.createdAt, reason: end.reason };
}

function endedByOperator(): ApiError {
  const message = 'an operator has ended the accreditation; ask for a verification, which an operator looks at first';
  return apiError('FORBIDDEN', message, { reason: 'ended_by_operator' });
}

const EXPIRED_PER_RUN_MAX = 100;

/**
 * Every five minutes: verifications that have expired end the accreditation that rests on them, with what that does to open orders. What is
 * left over waits for the next run. One that fails keeps back none of the others.
 *
 * @throws AggregateError of those that failed, once all were tried
 */
export async function expireVerifications(env: Env, now = Date.now()): Promise<void> {
  const accounts = await listAccountsWithExpiredVerification(database(env.DB), now, EXPIRED_PER_RUN_MAX);
  const failure = 'an expired verification was not applied';
  const failed = await eachAlone(accounts, { idOf: (account) => account, failure }, async (account) => {
    const id = uuidv7();
    const applied = await applyRecords(env, account, { id, actor: EXPIRY_ACTOR, requestId: id });
    if (!applied.ok) log('warn', 'an expired verification was not applied yet', { account, code: applied.error.code });
  });
  failFor(failure, failed);
}

/** Who acts when nobody does. */
const EXPIRY_ACTOR = 'venue:expiry';

/**
 * Makes the account's facts follow from its records. They are read after the version that the change asserts, and it is written even where it changes nothing:
 * so whoever has read records from before another's change fails by the version, and the last one to write has seen all of them.
 */
export function applyRecords(
  env: Env,
  account: string,
  action: OperatorAction,
): Promise<Result<AppliedFacts, ApiError>> {
  const facts = async () => accreditationOf(await listAccreditationRecords(database(env.DB), account), Date.now());
  return applyFacts(env, account, facts, action);
}

async function isTradingAccount(env: Env, id: string): Promise<boolean> {
  const account = await findAccount(database(env.DB), id);
  return account !== null && !account.boundary;
}
