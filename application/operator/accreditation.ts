import { uuidv7 } from 'uuidv7';
import { findAccount } from '../../data/accounts/accounts.ts';
import {
  addAccreditationRecord,
  endAccreditationRecords,
  listAccountsWithExpiredVerification,
  listAccreditationRecords,
} from '../../data/accounts/accreditation-records.ts';
import type { OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { database } from '../../data/database.ts';
import { accreditationOf, verificationFailure } from '../../domain/accreditation/accreditation-record.ts';
import { ATTESTATION } from '../../domain/accreditation/attestation-text.ts';
import type { EvidenceKind } from '../../domain/accreditation/evidence.ts';
import { err, type Result } from '../../domain/result.ts';
import { log } from '../../durable-objects/log/log.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
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

/** What an account's accreditation rests on is written down first, then the facts that follow from it: a crash leaves a record to be applied. */
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
    ...NOT_ENDED,
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
  await addAccreditationRecord(database(env.DB), {
    ...NOT_ENDED,
    id: action.id,
    account,
    kind: 'self_attestation',
    verifier: null,
    evidence: null,
    evidenceKind: null,
    textVersion: ATTESTATION.version,
    text: ATTESTATION.text,
    at: now,
    expiresAt: null,
    actor: action.actor,
    createdAt: now,
  });
  return applyRecords(env, account, action);
}

/** Ends everything that an account's accreditation rests on. */
export async function endAccreditation(
  env: Env,
  account: string,
  reason: string,
  action: OperatorAction,
): Promise<Result<AppliedFacts, ApiError>> {
  if (!(await isTradingAccount(env, account))) return err(noSuchAccount());
  const ended = { endedAt: Date.now(), endedBy: action.actor, endedReason: reason };
  await endAccreditationRecords(database(env.DB), account, ended);
  return applyRecords(env, account, action);
}

const EXPIRED_PER_RUN_MAX = 100;

/**
 * Every five minutes: verifications that have expired end the accreditation that rests on them, with what that does to open orders. What is
 * left over waits for the next run.
 */
export async function expireVerifications(env: Env, now = Date.now()): Promise<void> {
  const accounts = await listAccountsWithExpiredVerification(database(env.DB), now, EXPIRED_PER_RUN_MAX);
  for (const account of accounts) {
    const id = uuidv7();
    const applied = await applyRecords(env, account, { id, actor: EXPIRY_ACTOR, requestId: id });
    if (!applied.ok) log('warn', 'an expired verification was not applied yet', { account, code: applied.error.code });
  }
}

/** Who acts when nobody does. */
const EXPIRY_ACTOR = 'venue:expiry';

const NOT_ENDED = { endedAt: null, endedBy: null, endedReason: null } as const;

/** Records that change while they are applied are applied again. */
const ROUNDS_MAX = 5;

async function applyRecords(
  env: Env,
  account: string,
  action: OperatorAction,
): Promise<Result<AppliedFacts, ApiError>> {
  const standing = async () => accreditationOf(await listAccreditationRecords(database(env.DB), account), Date.now());
  let facts = await standing();
  let applied = await applyFacts(env, account, facts, action);
  for (let round = 1; round < ROUNDS_MAX && applied.ok; round++) {
    const after = await standing();
    if (JSON.stringify(after) === JSON.stringify(facts)) break;
    facts = after;
    applied = await applyFacts(env, account, facts, { ...action, id: uuidv7() });
  }
  return applied;
}

async function isTradingAccount(env: Env, id: string): Promise<boolean> {
  const account = await findAccount(database(env.DB), id);
  return account !== null && !account.boundary;
}
