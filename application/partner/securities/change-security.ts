import { findOperatorChange, type OperatorAction } from '../../../data/audit/trail/operator-events.ts';
import { findAssetBySymbol } from '../../../data/catalog/assets.ts';
import { database } from '../../../data/database.ts';
import { findPartnerOrganization, type PartnerOrganization } from '../../../data/partner/organizations.ts';
import {
  changeSecurity,
  findSecurity,
  findSecurityOf,
  insertSecurity,
  isSecurityOpen,
  type NewSecurity,
  type Security,
} from '../../../data/partner/securities.ts';
import { offeringFailure } from '../../../domain/assets/offering-failure.ts';
import { effectiveRestrictions } from '../../../domain/partner/effective-restrictions.ts';
import type { PendingSecurityChange, Restrictions, SecurityListing } from '../../../domain/partner/security.ts';
import {
  nextSecurityState,
  type SecurityAction,
  type SecurityActor,
  type SecurityStateFailure,
} from '../../../domain/partner/security-state.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { actionPart } from '../../operator/action-part.ts';
import { followSecurity } from './follow-security.ts';

/** Securities of one lister that are neither refused nor delisted. */
const OPEN_SECURITIES_MAX = 1_000;

/** A lister brings a security to the venue (P-SEC-01); once for its action, whose id it gets. */
export async function submitSecurity(
  env: Env,
  security: NewSecurity,
  action: OperatorAction,
): Promise<Result<Security, ApiError>> {
  const db = database(env.DB);
  const currency = await findAssetBySymbol(db, security.currency);
  if (currency?.category !== 'currency')
    return err(apiError('VALIDATION_ERROR', 'the venue has no such currency', { field: 'currency' }));
  const unfit = await agentFailure(env, security.transferAgent);
  if (unfit !== null) return err(unfit);
  const bounds = { openMax: OPEN_SECURITIES_MAX, now: Date.now() };
  if (!(await insertSecurity(db, security, bounds, action)))
    return err(apiError('CONFLICT', 'too many securities', { reason: 'too_many', limit: OPEN_SECURITIES_MAX }));
  const stored = await findSecurity(db, action.id);
  return stored === null ? err(noSuchSecurity()) : ok(stored);
}

export interface SecurityEdit {
  readonly restrictions?: Partial<Restrictions>;
  readonly lastValuationPrice?: number;
  readonly lastValuationDate?: string;
  /** Another agent is a proposal; null takes one back that is not accepted. */
  readonly transferAgent?: string | null;
}

/** The lister changes restrictions, valuation or agent of a security (P-SEC-04, P-XLR-14). */
export async function editSecurity(
  env: Env,
  lister: PartnerOrganization,
  { id, edit }: { readonly id: string; readonly edit: SecurityEdit },
  action: OperatorAction,
): Promise<Result<Security, ApiError>> {
  return change(env, { of: lister, id }, action, async (security) => {
    const failure = editFailure(security, edit) ?? (await agentFailure(env, edit.transferAgent ?? null));
    if (failure !== null) return err(failure);
    const { restrictions, transferAgent, ...valuation } = edit;
    const stated = { ...security.restrictions, ...restrictions };
    const agent =
      transferAgent === undefined || transferAgent === security.transferAgent
        ? {}
        : {
            transferAgent,
            agentState: transferAgent === null ? null : ('proposed' as const),
            agentReason: null,
            agentRestrictions: null,
          };
    const after = { ...security, restrictions: stated, ...agent };
    return ok({
      type: 'security.changed',
      change: { ...valuation, ...(restrictions === undefined ? {} : { restrictions: stated }), ...agent },
      step: isOtherLockup(security, after) ? 'lockup' : null,
      reason: 'restrictions',
    });
  });
}

function editFailure(security: Security, { transferAgent }: SecurityEdit): ApiError | null {
  if (isFinal(security)) return wrongState(security);
  if (transferAgent === undefined || transferAgent === security.transferAgent || security.agentState !== 'accepted')
    return null;
  const message = 'an agent that has accepted is replaced by an operator of the venue alone';
  return apiError('CONFLICT', message, { reason: 'agent_accepted' });
}

/** The lister, or the accepted transfer agent, states restrictions, each its own (P-TFR-13). */
export async function stateRestrictions(
  env: Env,
  partner: PartnerOrganization,
  { id, restrictions }: { readonly id: string; readonly restrictions: Partial<Restrictions> },
  action: OperatorAction,
): Promise<Result<Security, ApiError>> {
  if (partner.role === 'cross_lister') return editSecurity(env, partner, { id, edit: { restrictions } }, action);
  return change(env, { of: partner, id }, action, async (security) => {
    if (isFinal(security)) return err(wrongState(security));
    if (security.agentState !== 'accepted')
      return err(apiError('CONFLICT', 'accept to be its agent first', { reason: 'not_accepted' }));
    const agentRestrictions = { ...security.agentRestrictions, ...restrictions };
    return ok({
      type: 'security.agent_restrictions',
      change: { agentRestrictions },
      step: isOtherLockup(security, { ...security, agentRestrictions }) ? 'lockup' : null,
      reason: 'restrictions of the transfer agent',
    });
  });
}

/** The proposed transfer agent accepts or declines. */
export function answerProposal(
  env: Env,
  agent: PartnerOrganization,
  { id, accepted, reason }: { readonly id: string; readonly accepted: boolean; readonly reason: string | null },
  action: OperatorAction,
): Promise<Result<Security, ApiError>> {
  return change(env, { of: agent, id }, action, async (security) => {
    if (isFinal(security)) return err(wrongState(security));
    if (security.agentState !== 'proposed')
      return err(apiError('CONFLICT', 'the proposal was answered', { reason: 'already_answered' }));
    return ok({
      type: accepted ? 'security.agent_accepted' : 'security.agent_declined',
      change: { agentState: accepted ? 'accepted' : 'declined', agentReason: reason },
      step: null,
      reason: '',
    });
  });
}

/** An operator takes the transfer agent off a security, with what it has stated. */
export function releaseAgent(
  env: Env,
  { id, reason }: { readonly id: string; readonly reason: string },
  action: OperatorAction,
): Promise<Result<Security, ApiError>> {
  return change(env, { of: null, id }, action, async (security) => {
    if (security.transferAgent === null)
      return err(apiError('CONFLICT', 'the security has no agent', { reason: 'no_agent' }));
    const none = { transferAgent: null, agentState: null, agentReason: null, agentRestrictions: null };
    return ok({
      type: 'operator.security_agent_released',
      change: none,
      step: isOtherLockup(security, { ...security, ...none }) ? 'lockup' : null,
      reason,
    });
  });
}

/**
 * Refuses, halts, lifts or delists a security; its asset and its market follow. A halt of a lister's or an action's on what is stopped already counts as an
 * operator's, so that the lister's lift gives back no more than its own halt has taken.
 */
export function moveSecurity(
  env: Env,
  {
    id,
    of,
    verb,
    by = of === null ? 'operator' : 'lister',
    reason,
  }: {
    readonly id: string;
    /** The lister; null for an operator. */
    readonly of: PartnerOrganization | null;
    readonly verb: Exclude<SecurityAction, 'list'>;
    /** The lister or an operator, when left out. */
    readonly by?: SecurityActor;
    readonly reason: string;
  },
  action: OperatorAction,
): Promise<Result<Security, ApiError>> {
  return change(env, { of, id }, action, async (security) => {
    const next = nextSecurityState(security, verb, by);
    if (!next.ok) return err(stateError(next.error));
    const isHalt = verb === 'halt' && by !== 'operator' && security.market !== null;
    const whileOpen = isHalt && (await isSecurityOpen(database(env.DB), security));
    const standing = isHalt && !whileOpen ? { ...next.value, haltedBy: 'operator' as const } : next.value;
    return ok({
      whileOpen,
      type: by === 'operator' ? `operator.security_${PAST[verb]}` : `security.${PAST[verb]}`,
      change: {
        ...standing,
        reason: verb === 'lift' ? null : reason,
        ...(verb === 'delist' ? { delistedBy: by } : {}),
      },
      step: security.market === null ? null : 'state',
      reason,
    });
  });
}

/**
 * An operator stops the market or the asset of a security by itself: a halt that its lister has made becomes the operator's, which the lister
 * does not lift. Any other asset, and a security that is not halted, stays as it is.
 */
export async function takeOverHalt(
  env: Env,
  { asset, reason }: { readonly asset: string; readonly reason: string },
  action: OperatorAction,
): Promise<Result<null, ApiError>> {
  const security = await findSecurity(database(env.DB), asset);
  if (security === null) return ok(null);
  const followed = await followSecurity(env, asset);
  if (!followed.ok) return followed;
  const { state, haltedBy } = followed.value;
  if (state !== 'halted' || haltedBy === 'operator') return ok(null);
  const part = await actionPart(action, 'take over halt');
  const taken = await moveSecurity(env, { id: asset, of: null, verb: 'halt', reason }, part);
  return taken.ok ? ok(null) : taken;
}

const PAST = { refuse: 'refused', halt: 'halted', lift: 'lifted', delist: 'delisted' } as const;

/** An operator lists a security: its asset, its market, then itself. A crash between is carried on. */
export async function listSecurity(
  env: Env,
  { id, listing, reason }: { readonly id: string; readonly listing: SecurityListing; readonly reason: string },
  action: OperatorAction,
): Promise<Result<Security, ApiError>> {
  const unfit = offeringFailure({ category: 'privates', ...listing });
  if (unfit !== null) {
    const message = `the offering is refused: ${unfit.reason.replaceAll('_', ' ')}`;
    return err(apiError('VALIDATION_ERROR', message, { field: 'accreditationType', ...unfit }));
  }
  const taken = await findAssetBySymbol(database(env.DB), listing.symbol);
  if (taken !== null && taken.id !== id) return err(apiError('CONFLICT', 'the symbol is taken', { field: 'symbol' }));
  return change(env, { of: null, id }, action, async (security) => {
    const next = nextSecurityState(security, 'list', 'operator');
    if (!next.ok) return err(stateError(next.error));
    return ok({ type: 'operator.security_listing', change: {}, step: 'listing', listing, reason });
  });
}

interface Wanted {
  /** Of its event. */
  readonly type: string;
  readonly change: Parameters<typeof changeSecurity>[2]['change'];
  /** What its asset and market are to follow; null for nothing. */
  readonly step: PendingSecurityChange['step'] | null;
  readonly listing?: SecurityListing;
  readonly whileOpen?: boolean;
  readonly reason: string;
}

const TRIES_MAX = 5;

/**
 * Changes a security once for its action, after what was under way has come to its end, and has its asset and market follow. Asked again for the same
 * action it goes on from where that stands.
 */
async function change(
  env: Env,
  { of, id }: { readonly of: PartnerOrganization | null; readonly id: string },
  action: OperatorAction,
  decide: (security: Security) => Promise<Result<Wanted, ApiError>>,
): Promise<Result<Security, ApiError>> {
  const db = database(env.DB);
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const seen = await (of === null ? findSecurity(db, id) : findSecurityOf(db, of, id));
    if (seen === null) return err(noSuchSecurity());
    const followed = await followSecurity(env, id);
    if (!followed.ok) return followed;
    if ((await findOperatorChange(db, action, id)) !== null) return followed;
    const security = followed.value;
    const wanted = await decide(security);
    if (!wanted.ok) return wanted;
    const { type, step, listing = null, whileOpen = false, reason } = wanted.value;
    const { id: actionId, actor, requestId } = action;
    const pending = step === null ? {} : { pending: { id: actionId, actor, requestId, reason, step, listing } };
    const changed = await changeSecurity(
      db,
      security,
      {
        change: { ...wanted.value.change, ...pending },
        type,
        details: reason === '' ? {} : { reason },
        whileOpen,
        now: Date.now(),
      },
      action,
    );
    if (changed) return followSecurity(env, id);
  }
  return err(apiError('CONFLICT', 'the security keeps changing: read it again'));
}

/** An agent is proposed by the id of an organization that is an active transfer agent. */
async function agentFailure(env: Env, id: string | null): Promise<ApiError | null> {
  if (id === null) return null;
  const agent = await findPartnerOrganization(database(env.DB), id);
  if (agent?.role === 'transfer_agent' && agent.state === 'active') return null;
  return apiError('VALIDATION_ERROR', 'no active transfer agent has this id', { field: 'transfer_agent_id' });
}

function isOtherLockup(before: Security, after: Security): boolean {
  const dateOf = ({ restrictions, agentRestrictions }: Security) =>
    effectiveRestrictions(restrictions, agentRestrictions).lockUpExpiryDate;
  return before.market !== null && dateOf(before) !== dateOf(after);
}

function isFinal({ state }: Security): boolean {
  return state === 'refused' || state === 'delisted';
}

function wrongState({ state }: Security): ApiError {
  return stateError({ reason: 'wrong_state', from: state });
}

function stateError(failure: SecurityStateFailure): ApiError {
  switch (failure.reason) {
    case 'wrong_state':
      return apiError('CONFLICT', `a security that is ${failure.from} does not become that`, { ...failure });
    case 'operators_alone':
      return apiError('FORBIDDEN', 'operators of the venue do that', { ...failure });
    case 'halted_by_action':
      return apiError('CONFLICT', 'a corporate action has halted it, and lifts that when it is completed', {
        ...failure,
      });
    case 'halted_by_operator':
      return apiError('CONFLICT', 'an operator of the venue has halted it, and lifts that', { ...failure });
  }
}

function noSuchSecurity(): ApiError {
  return apiError('NOT_FOUND', 'security does not exist');
}
