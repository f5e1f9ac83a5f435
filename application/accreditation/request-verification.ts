import {
  type AccreditationVerification,
  addVerification,
  decideVerification,
  findVerification,
  listVerifications,
  listWaitingVerifications,
  noteAsked,
} from '../../data/accounts/accreditation-verifications.ts';
import type { OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { database } from '../../data/database.ts';
import type { EvidenceKind } from '../../domain/accreditation/evidence.ts';
import { ANSWER_WAIT_DAYS, type VerificationFinding, verifiedTerms } from '../../domain/accreditation/verification.ts';
import { DAY_MS, MINUTE_MS } from '../../domain/calendar/durations.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { log } from '../../durable-objects/log/log.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { recordVerification } from '../operator/accreditation.ts';
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
  const request: AccreditationVerification = {
    id,
    account,
    owner,
    evidenceKind,
    provider: provider.name,
    reference: null,
    state: 'REQUESTED',
    reason: null,
    actor,
    createdAt: now,
    askedAt: now,
    decidedAt: null,
    expiresAt: null,
    applied: false,
  };
  await addVerification(db, request);
  const added = await findVerification(db, id);
  if (added === null) return err(apiError('CONFLICT', 'a request is open already', { reason: 'open_request' }));
  await carryOn(env, added);
  return ok((await findVerification(db, id)) ?? added);
}

const ASKED_PER_RUN_MAX = 50;
const ASKED_AGAIN_MS = 4 * MINUTE_MS;

/** Every five minutes: providers are asked about open requests. */
export async function pollVerifications(env: Env, now = Date.now()): Promise<void> {
  const waiting = await listWaitingVerifications(database(env.DB), now - ASKED_AGAIN_MS, ASKED_PER_RUN_MAX);
  for (const request of waiting) await carryOn(env, request, now);
}

/** As far as a request gets now; what fails is tried again by the next run. */
async function carryOn(env: Env, request: AccreditationVerification, now = Date.now()): Promise<void> {
  const db = database(env.DB);
  const { id, createdAt } = request;
  if (now >= createdAt + ANSWER_WAIT_DAYS * DAY_MS)
    return decideVerification(db, id, { ...UNVERIFIED, state: 'EXPIRED', reason: 'no_answer', decidedAt: now });
  const provider = providerOf(env);
  await noteAsked(db, id, now, request.reference);
  if (provider === null || provider.name !== request.provider) return;
  const reference = request.reference === null ? await provider.request(request) : ok(request.reference);
  if (!reference.ok) return log('warn', 'a verification was not asked for', { verification: id, ...reference.error });
  if (request.reference === null) await noteAsked(db, id, now, reference.value);
  const finding = await provider.status(request, reference.value);
  if (!finding.ok)
    return log('warn', 'a provider does not say what it has found', { verification: id, ...finding.error });
  await takeFinding(env, request, finding.value, now);
}

const UNVERIFIED = { expiresAt: null, applied: true } as const;

/**
 * Decides a request by what its provider has found, once. The accreditation record has the request's id, so that it is made once, and the account counts as
 * verified before the request does: what a crash cuts short is asked about again.
 *
 * @returns false where the account's facts could not be changed now
 */
export async function takeFinding(
  env: Env,
  request: AccreditationVerification,
  finding: VerificationFinding,
  now = Date.now(),
): Promise<boolean> {
  const { id, account, evidenceKind, provider } = request;
  if (finding.type === 'pending' || request.state !== 'REQUESTED') return true;
  const db = database(env.DB);
  const terms = finding.type === 'refused' ? err(finding.reason) : verifiedTerms(finding, evidenceKind, now);
  if (!terms.ok) {
    await decideVerification(db, id, { ...UNVERIFIED, state: 'REFUSED', reason: terms.error, decidedAt: now });
    return true;
  }
  const action = { id, actor: `provider:${provider}`, requestId: id };
  const recorded = await recordVerification(env, account, { ...terms.value, evidenceKind }, action);
  if (!recorded.ok) {
    log('warn', 'a verification was not applied yet', { verification: id, code: recorded.error.code });
    return false;
  }
  const { expiresAt } = terms.value;
  await decideVerification(db, id, { state: 'VERIFIED', reason: null, expiresAt, decidedAt: now, applied: true });
  return true;
}
