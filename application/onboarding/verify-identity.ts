import { uuidv7 } from 'uuidv7';
import { findAccount } from '../../data/accounts/accounts.ts';
import type { OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { type Database, database } from '../../data/database.ts';
import { listParties } from '../../data/onboarding/entities.ts';
import { endHeldByProvider } from '../../data/onboarding/held-approvals.ts';
import {
  decideByOperator,
  decideByProvider,
  findIdentity,
  type IdentityRow,
  listWaitingIdentities,
  noteIdentityApplied,
  noteIdentityAsked,
  returnToOperator,
} from '../../data/onboarding/identities.ts';
import { DAY_MS, MINUTE_MS } from '../../domain/calendar/durations.ts';
import { kycStatusOf, type OperatorDecision } from '../../domain/onboarding/identity-state.ts';
import {
  findingsAgainst,
  type IdentityFinding,
  isSanctioned,
  weighed,
} from '../../domain/onboarding/identity-verification.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { log } from '../../durable-objects/log/log.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { peopleBehind } from '../identity/clients/people-behind.ts';
import { postMail } from '../mail/post-mail.ts';
import { applyFacts } from '../operator/apply-facts.ts';
import { openIdentity, readDocumentBytes } from './identity.ts';
import { identityProviderOf } from './identity-provider-of.ts';

/** How long a provider may take before an operator looks. */
const ANSWER_WAIT_MS = 14 * DAY_MS;
/** Who acts when nobody does. */
export const EXPIRY_ACTOR = 'venue:expiry';
const ASKED_PER_RUN_MAX = 25;
const ASKED_AGAIN_MS = 4 * MINUTE_MS;

/** Every five minutes: providers are asked about what waits for them, and facts of accounts follow what was decided. */
export async function pollIdentities(env: Env, now = Date.now()): Promise<void> {
  const waiting = await listWaitingIdentities(database(env.DB), now - ASKED_AGAIN_MS, ASKED_PER_RUN_MAX);
  for (const { id } of waiting) await carryOnIdentity(env, id, now);
}

/** As far as an identity gets now; what fails is tried again by the next run. */
export async function carryOnIdentity(env: Env, id: string, now = Date.now()): Promise<void> {
  const db = database(env.DB);
  const row = await findIdentity(db, id);
  if (row === null || row.submission === null) return;
  await noteIdentityAsked(db, row.submission, now, null);
  if (!row.applied) {
    await applyIdentityDecision(env, id);
    return;
  }
  if (row.state !== 'SUBMITTED') return;
  const isLate = now >= (row.submittedAt ?? now) + ANSWER_WAIT_MS;
  const provider = identityProviderOf(env);
  if (isLate || provider === null || provider.name !== row.provider) {
    // Another provider is asked now, or none: a person decides.
    if (isLate || provider?.name !== row.provider)
      await leaveToOperator(env, row, isLate ? 'no_answer' : 'no_provider');
    return;
  }
  const { submission } = row;
  const opened = await openIdentity(env, row);
  const order = {
    id: submission,
    account: row.account,
    stated: opened,
    documents: opened.documents.map((document) => {
      const { id: documentId, kind, type } = document;
      return { id: documentId, kind, type, read: () => readDocumentBytes(env, document) };
    }),
  };
  const reference = row.reference === null ? await provider.request(order) : ok(row.reference);
  if (!reference.ok) return log('warn', 'an identity was not asked about', { identity: id, ...reference.error });
  if (row.reference === null) await noteIdentityAsked(db, submission, now, reference.value);
  const finding = await provider.status(order, reference.value);
  if (!finding.ok) return log('warn', 'a provider does not say what it has found', { identity: id, ...finding.error });
  await takeIdentityFinding(env, row, finding.value, now);
}

function leaveToOperator(env: Env, { submission, provider }: IdentityRow, reason: string): Promise<boolean> {
  const decision = {
    screening: null,
    expiresAt: null,
    reason,
    decidedBy: `provider:${provider ?? ''}`,
    changeId: '',
    parties: [],
  };
  const from = ['SUBMITTED'] as const;
  return decideByProvider(
    database(env.DB),
    { submission: submission ?? '', to: 'IN_REVIEW', from, ...decision, isHeldKept: true },
    Date.now(),
  );
}

/**
 * What a provider has found, first or later. What waits is decided by it; what is decided is never made milder: a refusal of later ends an approval, and nothing else changes. Of a renewal
 * whose approval of before counts, a match in lists of sanctions ends that at once; what else is found against it is for an operator, and the approval goes on until its own end. Which of
 * them it is, the statements ask for themselves.
 *
 * @returns false where the account's facts could not be changed now
 */
export async function takeIdentityFinding(
  env: Env,
  row: IdentityRow,
  told: IdentityFinding,
  now = Date.now(),
): Promise<boolean> {
  if (row.submission === null) return true;
  const db = database(env.DB);
  const parties = await partiesOf(db, row, row.submission);
  const finding = weighed(told, { now, needsPerson: row.needsPerson, parties });
  if (finding.type === 'pending') return true;
  const { sanctions, adverseMedia, checkedAt } = finding;
  const isListed = isSanctioned(finding, parties);
  const decision = {
    submission: row.submission,
    screening: { sanctions, adverseMedia, checkedAt },
    decidedBy: `provider:${row.provider ?? ''}`,
    changeId: uuidv7(),
    parties: finding.parties ?? [],
  };
  switch (finding.type) {
    case 'verified': {
      const { expiresAt } = finding;
      await decideByProvider(db, { ...decision, to: 'APPROVED', from: ['SUBMITTED'], expiresAt, reason: null }, now);
      break;
    }
    case 'review': {
      const looked = {
        ...decision,
        to: 'IN_REVIEW',
        from: ['SUBMITTED'],
        expiresAt: null,
        reason: finding.reason,
      } as const;
      const ending = { ...looked, from: ['SUBMITTED', 'IN_REVIEW'], of: 'renewal' } as const;
      const isEnded = isListed && (await decideByProvider(db, ending, now));
      if (!isEnded) await decideByProvider(db, { ...looked, isHeldKept: true }, now);
      break;
    }
    case 'refused': {
      const against = { ...decision, expiresAt: null, reason: finding.reason } as const;
      const from = ['SUBMITTED', 'IN_REVIEW', 'APPROVED', 'EXPIRED'] as const;
      const refused = { ...against, to: 'REFUSED', from } as const;
      if (isListed) await decideByProvider(db, refused, now);
      else {
        const looked = { ...against, to: 'IN_REVIEW', from: ['SUBMITTED'], isHeldKept: true } as const;
        const isRenewal = await decideByProvider(db, { ...looked, of: 'renewal' }, now);
        if (!isRenewal) await decideByProvider(db, { ...refused, of: 'first' }, now);
      }
    }
  }
  return applyIdentityDecision(env, row.id);
}

/** Ids of the parties of an entity at a handing in; of a person none. */
async function partiesOf(
  db: Database,
  { subject }: Pick<IdentityRow, 'subject'>,
  submission: string | null,
): Promise<readonly string[]> {
  if (subject === 'person' || submission === null) return [];
  return (await listParties(db, submission)).map(({ party }) => party);
}

/** What the provider of an approval of before has found of it since, while a renewal is decided on: a refusal, or a match in lists of sanctions, ends it. Of an entity, each of its parties counts. */
export async function takeFindingOfHeld(
  env: Env,
  row: IdentityRow,
  told: IdentityFinding,
  now = Date.now(),
): Promise<boolean> {
  const db = database(env.DB);
  const parties = await partiesOf(db, row, row.heldSubmission);
  // It is approved already: what is found against it alone counts.
  const finding = weighed(told, { now, needsPerson: false, parties });
  if (finding.type === 'pending' || finding.type === 'verified') return true;
  if (finding.type === 'review' && !isSanctioned(finding, parties)) return true;
  const { sanctions, adverseMedia, checkedAt, reason } = finding;
  const end = {
    submission: row.heldSubmission ?? '',
    isRefused: finding.type === 'refused',
    screening: { sanctions, adverseMedia, checkedAt: Math.min(checkedAt, now) },
    reason,
    decidedBy: `provider:${row.heldProvider ?? ''}`,
    changeId: uuidv7(),
    parties: findingsAgainst(finding),
  };
  await endHeldByProvider(db, end, now);
  return applyIdentityDecision(env, row.id);
}

/**
 * Makes the account's facts follow from what was decided last, by the path of an operator's change, and tells the person; where that was not done yet. False where it cannot be done
 * now.
 */
export async function applyIdentityDecision(env: Env, id: string): Promise<boolean> {
  const db = database(env.DB);
  const row = await findIdentity(db, id);
  if (row === null || row.applied || row.changeId === null) return true;
  const { account, userId, changeId, reason, decidedBy } = row;
  if (await isRefusedByVenue(env, row)) {
    await returnToOperator(db, row, Date.now());
    return true;
  }
  const action: OperatorAction = {
    id: changeId,
    actor: decidedBy ?? '',
    requestId: id,
    ...(reason === null ? {} : { reason }),
  };
  const applied = await applyFacts(env, account, () => factsOf(env, id), action);
  if (!applied.ok) {
    log('warn', 'the decision on an identity was not applied yet', { identity: id, code: applied.error.code });
    return false;
  }
  // Read once more: what was applied is told. Another decision meanwhile has a change of its own, and is told by that.
  const after = await findIdentity(db, id);
  if (after?.changeId !== changeId) return true;
  if (await isRefusedByVenue(env, after)) {
    await returnToOperator(db, after, Date.now());
    return true;
  }
  const facts = toldOf(after);
  // A provider's reason is for operators: it may tell of a list that the person must not be told of (31 CFR 1020.320(e)).
  const told = isProviders(after) ? { ...facts, reason: '' } : facts;
  await postMail(env, {
    id: `identity-${changeId}`,
    userId,
    to: null,
    kind: 'identity_decided',
    language: 'en',
    facts: told,
  });
  await noteIdentityApplied(db, id, changeId);
  return true;
}

function toldOf({ state, decidedBy, reason, expiresAt, heldUntil }: IdentityRow): Readonly<Record<string, string>> {
  const until = heldUntil ?? (state === 'APPROVED' ? expiresAt : null);
  const decision = decidedBy === EXPIRY_ACTOR ? 'expired' : state.toLowerCase();
  const facts = { decision, reason: reason ?? '' };
  return until === null ? facts : { ...facts, until: new Date(until).toISOString() };
}

const isProviders = ({ decidedBy }: IdentityRow): boolean => decidedBy?.startsWith('provider:') === true;

/** Whether a provider approves whom an operator has refused at the account: an operator decides on that. */
async function isRefusedByVenue(env: Env, row: IdentityRow): Promise<boolean> {
  if (!isProviders(row) || kycStatusOf(row.state) !== 'completed') return false;
  return (await findAccount(database(env.DB), row.account))?.kycStatus === 'rejected';
}

/** Read after the version that the change asserts: the last decision counts. No provider undoes an operator's refusal, and no end of a provider's word does. */
async function factsOf(env: Env, id: string) {
  const row = await findIdentity(database(env.DB), id);
  // While an approval of before counts, what was handed in anew says nothing yet.
  if (row === null || row.heldUntil !== null || (await isRefusedByVenue(env, row))) return {};
  const isEnd = row.state !== 'ASKED_BACK' || row.decidedBy === EXPIRY_ACTOR;
  const kycStatus = kycStatusOf(row.state) ?? 'pending';
  if (isEnd && kycStatus === 'pending' && (await findAccount(database(env.DB), row.account))?.kycStatus !== 'completed')
    return {};
  return { kycStatus };
}

interface OperatorsWord {
  readonly decision: OperatorDecision;
  /** The handing in that the operator has looked at. */
  readonly submission: string;
}

/** An operator decides what needs a person: on what they have looked at, and never on themselves, by no client of theirs either. */
export async function decideIdentity(
  env: Env,
  row: IdentityRow,
  { decision, submission }: OperatorsWord,
  action: OperatorAction,
): Promise<Result<IdentityRow, ApiError>> {
  const db = database(env.DB);
  if ((await peopleBehind(db, action)).has(row.userId))
    return err(apiError('CONFLICT', 'another operator decides on your identity', { reason: 'own_identity' }));
  if (row.submission !== submission)
    return err(apiError('CONFLICT', 'something else was handed in meanwhile', { reason: 'other_submission' }));
  if (!(await decideByOperator(db, row, decision, action, Date.now()))) {
    const after = (await findIdentity(db, row.id)) ?? row;
    return err(apiError('CONFLICT', 'the identity does not wait for this decision', { state: after.state }));
  }
  if (!(await applyIdentityDecision(env, row.id)))
    return err(apiError('SERVICE_UNAVAILABLE', 'the decision stands; the account follows it within minutes'));
  return ok((await findIdentity(db, row.id)) ?? row);
}
