import {
  type AccreditationVerification,
  addVerification,
  expireRequest,
  findVerification,
  listVerifications,
  listWaitingVerifications,
  noteAsked,
  noteVerificationApplied,
  type ReviewDecision,
  reviewVerification,
} from '../../data/accounts/accreditation-verifications.ts';
import {
  type DecidedState,
  grantVerification,
  refuseVerification,
  shortenVerification,
  takeBackVerification,
} from '../../data/accounts/decide-verification.ts';
import type { OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { database } from '../../data/database.ts';
import type { EvidenceKind } from '../../domain/accreditation/evidence.ts';
import {
  ANSWER_WAIT_DAYS,
  endOfFinding,
  type VerificationFinding,
  verifiedTerms,
} from '../../domain/accreditation/verification.ts';
import { DAY_MS, MINUTE_MS } from '../../domain/calendar/durations.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { log } from '../../durable-objects/log/log.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { eachAlone, failFor } from '../log/each-alone.ts';
import { decisionMail } from '../mail/accreditation-mail.ts';
import { applyRecords } from '../operator/accreditation.ts';
import { providerOf } from './provider-of.ts';

/** Requests of one account within the time that a provider may take. */
const REQUESTS_MAX = 10;

interface Asking {
  readonly account: string;
  readonly owner: string;
  readonly evidenceKind: EvidenceKind;
}

/**
 * A person asks for a verification by a third party (docs/design/compliance.md#verification-by-a-third-party). The request is written down before its provider is
 * asked, and asked about again by itself: what a crash cuts short goes on.
 */
export async function requestVerification(
  env: Env,
  { account, owner, evidenceKind }: Asking,
  action: OperatorAction,
): Promise<Result<AccreditationVerification, ApiError>> {
  const provider = providerOf(env);
  if (provider === null)
    return err(apiError('SERVICE_UNAVAILABLE', 'nobody verifies accreditation here', { reason: 'no_provider' }));
  const db = database(env.DB);
  const now = Date.now();
  const before = await listVerifications(db, account, now - ANSWER_WAIT_DAYS * DAY_MS);
  if (before.length >= REQUESTS_MAX && before.every(({ id }) => id !== action.id))
    return err(
      apiError('CONFLICT', 'too many requests for a verification', { reason: 'too_many', limit: REQUESTS_MAX }),
    );
  const { id, actor } = action;
  await addVerification(db, { id, account, owner, evidenceKind, provider: provider.name, actor, createdAt: now });
  const added = await findVerification(db, id);
  if (added === null) return err(apiError('CONFLICT', 'a request is open already', { reason: 'open_request' }));
  await carryOn(env, added);
  return ok((await findVerification(db, id)) ?? added);
}

const ASKED_PER_RUN_MAX = 50;
const ASKED_AGAIN_MS = 4 * MINUTE_MS;

/**
 * Every five minutes: providers are asked about open requests, and facts of accounts follow what was decided. One that fails keeps back none of the others.
 *
 * @throws AggregateError of those that failed, once all were tried
 */
export async function pollVerifications(env: Env, now = Date.now()): Promise<void> {
  const waiting = await listWaitingVerifications(database(env.DB), now - ASKED_AGAIN_MS, ASKED_PER_RUN_MAX);
  const failure = 'a verification was not carried on';
  const each = { idOf: ({ id }: AccreditationVerification) => id, failure };
  failFor(failure, await eachAlone(waiting, each, (request) => carryOn(env, request, now)));
}

/** An operator looks at a request that waits for it; its provider is asked from then on (docs/design/compliance.md#an-end-by-an-operator). */
export async function reviewRequest(
  env: Env,
  id: string,
  decision: ReviewDecision['decision'],
  action: OperatorAction,
): Promise<Result<AccreditationVerification, ApiError>> {
  const db = database(env.DB);
  const request = await findVerification(db, id);
  if (request === null) return err(apiError('NOT_FOUND', 'request does not exist'));
  const isDone = await reviewVerification(db, request, { id, decision, action, now: Date.now() });
  const after = (await findVerification(db, id)) ?? request;
  if (!isDone) return err(apiError('CONFLICT', 'the request does not wait for an operator', { state: after.state }));
  if (after.state === 'REQUESTED') await carryOn(env, after);
  return ok((await findVerification(db, id)) ?? after);
}

/** As far as a request gets now; what fails is tried again by the next run. */
async function carryOn(env: Env, request: AccreditationVerification, now = Date.now()): Promise<void> {
  const db = database(env.DB);
  const { id, createdAt, allowedAt, state, reference: known } = request;
  if (state === 'IN_REVIEW') return;
  await noteAsked(db, id, now, known);
  if (state !== 'REQUESTED') {
    await applyDecision(env, id);
    return;
  }
  if (now >= (allowedAt ?? createdAt) + ANSWER_WAIT_DAYS * DAY_MS) return expireRequest(db, id, now);
  const provider = providerOf(env);
  if (provider === null || provider.name !== request.provider) return;
  const reference = known === null ? await provider.request(request) : ok(known);
  if (!reference.ok) return log('warn', 'a verification was not asked for', { verification: id, ...reference.error });
  if (known === null) await noteAsked(db, id, now, reference.value);
  const finding = await provider.status(request, reference.value);
  if (!finding.ok)
    return log('warn', 'a provider does not say what it has found', { verification: id, ...finding.error });
  await takeFinding(env, request, finding.value, now);
}

/**
 * What a provider has found, first or later (docs/design/compliance.md#findings). A request that waits is decided by it; an accreditation that stands is ended or
 * shortened by it and never made longer. Which of the two it is, each statement asks for itself: of findings at the same moment the stricter one is left.
 *
 * @returns false where the account's facts could not be changed now
 */
export async function takeFinding(
  env: Env,
  request: AccreditationVerification,
  finding: VerificationFinding,
  now = Date.now(),
): Promise<boolean> {
  const db = database(env.DB);
  const { id, account, evidenceKind } = request;
  const told = (state: DecidedState, reason: string | null, until: number | null) =>
    decisionMail(env, { id, account, state, reason, until, now });
  switch (finding.type) {
    case 'pending':
      return true;
    case 'refused':
      await takeBackVerification(db, request, finding.reason, now, [
        ...(await told('REFUSED', finding.reason, null)),
        ...(await told('REVOKED', finding.reason, null)),
      ]);
      break;
    case 'verified': {
      const terms = verifiedTerms(finding, evidenceKind, now);
      if (terms.ok)
        await grantVerification(db, request, terms.value, now, await told('VERIFIED', null, terms.value.expiresAt));
      else await refuseVerification(db, id, terms.error, now, await told('REFUSED', terms.error, null));
      // Only now: a finding that was granted meanwhile may have a later end.
      const end = endOfFinding(finding, evidenceKind);
      await shortenVerification(db, request, { ...finding, expiresAt: end }, now);
    }
  }
  return applyDecision(env, id);
}

/** Makes the account's facts follow from what was decided last, where they do not yet. False where that cannot be done now. */
async function applyDecision(env: Env, id: string): Promise<boolean> {
  const db = database(env.DB);
  const request = await findVerification(db, id);
  if (request === null || request.applied || request.changeId === null) return true;
  const { account, provider, changeId, reason } = request;
  const action = { id: changeId, actor: `provider:${provider}`, requestId: id, ...(reason === null ? {} : { reason }) };
  const applied = await applyRecords(env, account, action);
  if (applied.ok) await noteVerificationApplied(db, id, changeId);
  else log('warn', 'a verification was not applied yet', { verification: id, code: applied.error.code });
  return applied.ok;
}
