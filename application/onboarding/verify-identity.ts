import { uuidv7 } from 'uuidv7';
import { findAccount } from '../../data/accounts/accounts.ts';
import { findReason, type OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { type Database, database } from '../../data/database.ts';
import { listParties } from '../../data/onboarding/entities.ts';
import {
  decideByOperator,
  findIdentity,
  type IdentityRow,
  listUnappliedIdentities,
  listWaitingIdentities,
  noteIdentityApplied,
  noteIdentityAsked,
  returnToOperator,
} from '../../data/onboarding/identities.ts';
import { isKnownWord, isOverruled, writeFinding } from '../../data/onboarding/identity-findings.ts';
import { DAY_MS, MINUTE_MS } from '../../domain/calendar/durations.ts';
import {
  FINDING_EFFECTS,
  type FindingEffect,
  type FindingKind,
  findingKindOf,
} from '../../domain/onboarding/finding-effects.ts';
import { kycStatusOf, type OperatorDecision, wordToPerson } from '../../domain/onboarding/identity-state.ts';
import {
  findingsAgainst,
  type IdentityFinding,
  matchesOf,
  type Screening,
  weighed,
} from '../../domain/onboarding/identity-verification.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { log } from '../../durable-objects/log/log.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { peopleBehind } from '../identity/clients/people-behind.ts';
import { invalidateUser } from '../identity/invalidate-gates.ts';
import { sha256Hex } from '../identity/sha256-hex.ts';
import { eachAlone } from '../log/each-alone.ts';
import { postMail } from '../mail/post-mail.ts';
import { applyFacts } from '../operator/apply-facts.ts';
import { openIdentity, readDocumentBytes } from './identity.ts';
import { identityProviderOf } from './identity-provider-of.ts';

/** How long a provider may take before an operator looks. */
const ANSWER_WAIT_MS = 14 * DAY_MS;
/** Who acts when nobody does. */
export const EXPIRY_ACTOR = 'venue:expiry';
/** Who ends an approval of before by what a provider has found, while an operator's word to the person stands. */
const FINDING_ACTOR = 'venue:finding';
const ASKED_PER_RUN_MAX = 25;
const APPLIED_PER_RUN_MAX = 50;
const ASKED_AGAIN_MS = 4 * MINUTE_MS;

/**
 * Every five minutes: facts of accounts follow what was decided, what takes something away before what gives; then providers are asked about what waits for them. Each has a share of
 * its own, and one that fails keeps back none of the others.
 *
 * @returns whether more accounts may have to follow: the next run begins at once
 */
export async function pollIdentities(env: Env, now = Date.now()): Promise<boolean> {
  const db = database(env.DB);
  const each = { idOf: ({ id }: { readonly id: string }) => id, failure: 'an identity was not carried on yet' };
  const carryOn = ({ id }: { readonly id: string }) => carryOnIdentity(env, id, now);
  const unapplied = await listUnappliedIdentities(db, now - ASKED_AGAIN_MS, APPLIED_PER_RUN_MAX);
  let applied = 0;
  await eachAlone(unapplied, each, async ({ id, submission }) => {
    await noteIdentityAsked(db, submission ?? '', now, null);
    if (await applyIdentityDecision(env, id)) applied++;
  });
  await eachAlone(await listWaitingIdentities(db, now - ASKED_AGAIN_MS, ASKED_PER_RUN_MAX), each, carryOn);
  return applied > 0 && unapplied.length === APPLIED_PER_RUN_MAX;
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
  await takeIdentityFinding(env, { id, submission }, finding.value, now);
}

function leaveToOperator(env: Env, row: IdentityRow, reason: string): Promise<boolean> {
  const nothing = { screening: null, isListed: false, expiresAt: null, parties: [], word: null };
  const decidedBy = `provider:${row.provider ?? ''}`;
  const found = { ...nothing, effect: 'look', reason, decidedBy, changeId: '' } as const;
  return writeFinding(database(env.DB), row, found, Date.now());
}

/** So often a finding is weighed anew where its identity changes meanwhile. */
const TAKEN_TRIES = 3;

/**
 * What a provider has found of a handing in, first or later (`FINDING_EFFECTS`): of the one that is decided on, of the one whose approval counts meanwhile, or of one of before. What stands
 * otherwise by the time of writing is read and weighed anew: nothing that was told is lost.
 *
 * @param submission of which the provider tells
 * @returns false where it could not be written down now, or the account's facts could not be changed
 */
export async function takeIdentityFinding(
  env: Env,
  { id, submission }: { readonly id: string; readonly submission: string },
  told: IdentityFinding,
  now = Date.now(),
): Promise<boolean> {
  const db = database(env.DB);
  for (let tries = 0; tries < TAKEN_TRIES; tries++) {
    const row = await findIdentity(db, id);
    if (row === null || row.submission === null) return true;
    const found = await foundOf(db, row, { submission, told }, now);
    if (found === null) return applyIdentityDecision(env, id);
    if (!(await writeFinding(db, row, found, now))) continue;
    // Nothing of the account's facts changes, but their end.
    if (found.effect === 'shorten') await invalidateUser(env, row.userId);
    if (found.isListed && row.state !== 'SUBMITTED')
      log('error', 'a match in lists of sanctions was told of somebody who was decided on', { identity: id });
    return applyIdentityDecision(env, id);
  }
  log('error', 'a finding was not written down yet', { identity: id });
  return false;
}

interface ToldOf {
  readonly submission: string;
  readonly told: IdentityFinding;
}

/** What a finding does to an identity that stands like this; null for nothing. */
async function foundOf(db: Database, row: IdentityRow, { submission, told }: ToldOf, now: number) {
  const ids = await partiesOf(db, row, submission);
  const isCurrent = submission === row.submission && submission !== row.heldSubmission;
  const isLater = !isCurrent || row.state !== 'SUBMITTED';
  const finding = weighed(told, { now, needsPerson: row.needsPerson, parties: ids, isLater });
  if (finding.type === 'pending') return null;
  const kind = findingKindOf(finding, ids);
  const effect = effectOf(row, submission, kind);
  if (effect === 'nothing') return null;
  const hash = await sha256Hex(JSON.stringify([submission, told]));
  // What an operator has looked at and let in, its repetition does not take back, whatever its kind.
  if (kind !== 'verified' && (await isOverruled(db, row, hash))) return null;
  const isOfStanding = submission === row.submission;
  // Its repetition adds nothing for the operator who is to decide.
  if (effect === 'note' && (isOfStanding || row.subject === 'person')) {
    const isSearched = row.sanctions !== 'unchecked' && row.adverseMedia !== 'unchecked';
    if (kind === 'verified' ? isSearched && ids.length === 0 : await isKnownWord(db, row, hash)) return null;
  }
  const provider = `provider:${(isCurrent ? row.provider : (row.heldProvider ?? row.provider)) ?? ''}`;
  const against = { submission: row.submission ?? '', findings: findingsAgainst(finding) };
  const { sanctions, adverseMedia, checkedAt } = finding;
  const details = { submission, kind, sanctions, adverseMedia, checkedAt, parties: finding.parties ?? [] };
  return {
    effect,
    screening: screeningOf(finding, isOfStanding, now),
    isListed: kind === 'listed' || kind === 'refused_listed',
    expiresAt: finding.type === 'verified' ? finding.expiresAt : null,
    reason: finding.type === 'verified' ? null : finding.reason,
    decidedBy: effect === 'end' ? FINDING_ACTOR : provider,
    changeId: uuidv7(),
    // What was found against a party at a handing in of before counts for the same party of what was handed in anew.
    parties: [{ submission, findings: finding.parties ?? [] }, ...(isOfStanding ? [] : [against])],
    word: kind === 'verified' ? null : { id: uuidv7(), hash, provider, details },
  };
}

/** What was found of the handing in that stands; of another one, a match in it. */
function screeningOf({ sanctions, adverseMedia, checkedAt }: Screening, isOfStanding: boolean, now: number) {
  const found = isOfStanding ? { sanctions, adverseMedia } : matchesOf({ sanctions, adverseMedia });
  const isTold = isOfStanding || found.sanctions === 'match' || found.adverseMedia === 'match';
  return { ...found, checkedAt: isTold ? Math.min(checkedAt, now) : null };
}

function effectOf(row: IdentityRow, submission: string, kind: FindingKind): FindingEffect {
  const effect = effectInState(row, submission, kind);
  // Nobody is let in of whom nothing is left.
  if (effect === 'approve' && row.shreddedAt !== null) return 'note';
  // An approval that the account does not follow yet is none that could count on meanwhile.
  return effect === 'doubt' && !row.applied ? 'suspend' : effect;
}

function effectInState(row: IdentityRow, submission: string, kind: FindingKind): FindingEffect {
  const counts = row.heldSubmission === null ? 'first' : 'renewal';
  if (submission === row.heldSubmission) return FINDING_EFFECTS.held[row.state][kind];
  if (submission === row.submission) return FINDING_EFFECTS[counts][row.state][kind];
  // Of a handing in of before, that whoever it was is listed is all that decides still; what else was found against them is kept.
  const isListed = kind === 'listed' || kind === 'refused_listed';
  if (isListed) return FINDING_EFFECTS[counts === 'first' ? 'first' : 'held'][row.state].listed;
  return kind === 'verified' ? 'nothing' : 'note';
}

/** Ids of the parties of an entity at a handing in; of a person none. */
async function partiesOf(
  db: Database,
  { subject }: Pick<IdentityRow, 'subject'>,
  submission: string,
): Promise<readonly string[]> {
  return subject === 'person' ? [] : (await listParties(db, submission)).map(({ party }) => party);
}

/**
 * Makes the account's facts follow from what was decided last, by the path of an operator's change, and tells the person; where that was not done yet. False where it cannot be done
 * now.
 */
export async function applyIdentityDecision(env: Env, id: string): Promise<boolean> {
  const db = database(env.DB);
  const row = await findIdentity(db, id);
  if (row === null || row.applied || row.changeId === null) return true;
  const { account, userId, changeId } = row;
  if (await isRefusedByVenue(env, row)) {
    await returnToOperator(db, row, Date.now());
    return true;
  }
  // A decision that takes something away counts from when it is written down, before the facts follow: no Gate goes on by what it knew.
  await invalidateUser(env, userId);
  const applied = await applyFacts(env, account, () => factsOf(env, id), await actionOf(db, row, changeId));
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
  await postMail(env, {
    id: `identity-${changeId}`,
    userId,
    to: null,
    kind: 'identity_decided',
    language: 'en',
    facts: toldOf(after),
  });
  await noteIdentityApplied(db, id, changeId);
  return true;
}

/** Why, as the trail of the account has it: what a provider has found, or what an operator has stated. An end has no reason but its time, or the word of its own that was told. */
async function actionOf(db: Database, row: IdentityRow, changeId: string): Promise<OperatorAction> {
  const { id, decidedBy } = row;
  const isEnd = ENDING_ACTORS.has(decidedBy ?? '');
  const reason = isEnd ? null : isProviders(row) ? row.reason : await findReason(db, { id: changeId, subject: id });
  return { id: changeId, actor: decidedBy ?? '', requestId: id, ...(reason === null ? {} : { reason }) };
}

/** What the person is mailed: what was decided, and of all reasons an operator's word to them alone. */
function toldOf(row: IdentityRow): Readonly<Record<string, string>> {
  const { state, decidedBy, expiresAt, heldUntil } = row;
  const until = heldUntil ?? (state === 'APPROVED' ? expiresAt : null);
  const isExpired = decidedBy === EXPIRY_ACTOR;
  const decision = isExpired ? 'expired' : state.toLowerCase();
  const facts = { decision, reason: (isExpired ? null : wordToPerson(row)) ?? '' };
  return until === null ? facts : { ...facts, until: new Date(until).toISOString() };
}

const ENDING_ACTORS: ReadonlySet<string> = new Set([EXPIRY_ACTOR, FINDING_ACTOR]);

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
  const isEnd = row.state !== 'ASKED_BACK' || ENDING_ACTORS.has(row.decidedBy ?? '') || isProviders(row);
  const kycStatus = kycStatusOf(row.state) ?? 'pending';
  if (isEnd && kycStatus === 'pending' && (await findAccount(database(env.DB), row.account))?.kycStatus !== 'completed')
    return {};
  return { kycStatus };
}

interface OperatorsWord {
  readonly decision: OperatorDecision;
  /** The handing in that the operator has looked at, and the version of the identity: what was found since is another. */
  readonly submission: string;
  readonly version: number;
  /** What they write to the person; null for nothing. */
  readonly message: string | null;
}

/** An operator decides what needs a person: on what they have looked at, and never on themselves, by no client of theirs either. */
export async function decideIdentity(
  env: Env,
  row: IdentityRow,
  { decision, submission, version, message }: OperatorsWord,
  action: OperatorAction,
): Promise<Result<IdentityRow, ApiError>> {
  const db = database(env.DB);
  if ((await peopleBehind(db, action)).has(row.userId))
    return err(apiError('CONFLICT', 'another operator decides on your identity', { reason: 'own_identity' }));
  if (row.submission !== submission)
    return err(apiError('CONFLICT', 'something else was handed in meanwhile', { reason: 'other_submission' }));
  if (!(await decideByOperator(db, row, { decision, version, message }, action, Date.now()))) {
    const after = (await findIdentity(db, row.id)) ?? row;
    if (after.version !== version && after.state === row.state)
      return err(apiError('CONFLICT', 'something was found or stated meanwhile', { reason: 'other_findings' }));
    return err(apiError('CONFLICT', 'the identity does not wait for this decision', { state: after.state }));
  }
  if (!(await applyIdentityDecision(env, row.id)))
    return err(apiError('SERVICE_UNAVAILABLE', 'the decision stands; the account follows it within minutes'));
  return ok((await findIdentity(db, row.id)) ?? row);
}
