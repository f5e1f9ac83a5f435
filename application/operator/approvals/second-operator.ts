import type { OperatorAction } from '../../../data/audit/trail/operator-events.ts';
import { database } from '../../../data/database.ts';
import {
  type ApprovalRow,
  askForApproval,
  asksForTwoOperators,
  claimApproval,
  decideApproval,
  findApproval,
} from '../../../data/identity/approvals.ts';
import { DAY_MS } from '../../../domain/calendar/durations.ts';
import { decisionFailure } from '../../../domain/identity/approval.ts';
import { VENUE_OWNER } from '../../../domain/identity/venue.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { log } from '../../../durable-objects/log/log.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { peopleBehind } from '../../identity/clients/people-behind.ts';
import { sha256Hex } from '../../identity/sha256-hex.ts';
import { namedBy, namesOfWhoActs } from '../about-oneself.ts';

/** How long a call waits for a second operator, and for being made once it is approved: the next working hours of somebody. */
const APPROVAL_MS_MAX = DAY_MS;
/** Calls of one operator that wait or were approved: a day's work by hand. */
const OPEN_PER_OPERATOR_MAX = 100;

/** A call of an operator that moves money or gives rights. */
export interface WeightyCall {
  /** Method and path. */
  readonly call: string;
  /** As it was validated. */
  readonly body: unknown;
  /** The approval that it is made under, where one was named. */
  readonly approval: string | null;
  /** Takes two operators, whatever the venue asks for. */
  readonly always?: boolean;
}

/** Whether the venue asks for a second operator: by its deployment, or because an operator has set it so. */
async function needsSecond(env: Env): Promise<boolean> {
  return env.OPERATOR_APPROVALS !== 'off' || asksForTwoOperators(database(env.DB), VENUE_OWNER);
}

/**
 * Lets a weighty call through, or has it wait for a second operator. Each is an alert in the log, whatever becomes of it.
 *
 * @returns why it is not made now, or null
 */
export async function weighCall(
  env: Env,
  { call, body, approval, always = false }: WeightyCall,
  action: OperatorAction,
): Promise<ApiError | null> {
  const alert = (outcome: string) => alertOperators(outcome, call, action, approval);
  if (!always && !(await needsSecond(env))) {
    alert('made');
    return null;
  }
  const db = database(env.DB);
  const now = Date.now();
  const text = JSON.stringify(body);
  const hash = await sha256Hex(`${call}\n${text}`);
  // The call that asked, sent again under its key, would be taken for what it has done already.
  if (approval === action.id) return needsAnotherKey(approval);
  if (approval !== null) {
    const claim = { id: approval, hash, askedBy: action.actor, action, now };
    const isApproved = await claimApproval(db, claim);
    alert(isApproved ? 'made' : 'refused');
    const message = 'no approval of this call: it is another one, used, out of date, or not approved yet';
    return isApproved ? null : apiError('CONFLICT', message, { reason: 'not_approved', approval });
  }
  const people = [...(await peopleBehind(db, action))];
  const times = { askedAt: now, expiresAt: now + APPROVAL_MS_MAX };
  const asked = { call, hash, body: text, askedBy: action.actor, people, ...times };
  if (!(await askForApproval(db, asked, OPEN_PER_OPERATOR_MAX, action))) {
    alert('refused');
    return apiError('CONFLICT', 'too many calls of yours wait for another operator', { limit: OPEN_PER_OPERATOR_MAX });
  }
  alert('asked');
  return needsAnotherKey(action.id);
}

function needsAnotherKey(approval: string): ApiError {
  const message =
    'another operator approves this; then repeat it with the header X-Operator-Approval and another Idempotency-Key';
  return apiError('CONFLICT', message, { reason: 'approval_required', approval });
}

/** A line of its own for whoever watches the log: what, who, by what, and whether it was made. */
function alertOperators(outcome: string, call: string, action: OperatorAction, approval: string | null): void {
  const { actor, credential = null, requestId, id } = action;
  log('warn', 'operator_alert', { outcome, call, actor, credential, request_id: requestId, action: id, approval });
}

export interface Decision {
  readonly id: string;
  readonly state: 'approved' | 'rejected';
  readonly reason: string;
  /** Whether it came by a token of client credentials. */
  readonly byMachine: boolean;
}

/**
 * A second operator decides; never whoever asked, by whatever client they come, nor whom the call is about. A machine may ask and reject, and approves
 * nothing: whose it is cannot be told from whoever else has its secret.
 */
export async function decideOnCall(
  env: Env,
  { id, state, reason, byMachine }: Decision,
  action: OperatorAction,
): Promise<Result<ApprovalRow, ApiError>> {
  const db = database(env.DB);
  const found = await findApproval(db, id);
  if (found === null) return err(apiError('NOT_FOUND', 'no such call waits'));
  const isDoneHere = found.state === state && found.decidedBy === action.actor;
  const now = Date.now();
  const deciders = isDoneHere ? new Set<string>() : await namesOfWhoActs(db, action);
  const behind = isDoneHere ? [] : await namedBy(env, found);
  if (behind === null)
    return err(apiError('SERVICE_UNAVAILABLE', 'the venue does not show everything yet; decide again'));
  const failure = isDoneHere ? null : decisionFailure(found, state, { deciders, behind }, now);
  if (failure !== null) return err(apiError('CONFLICT', FAILURES[failure], { reason: failure }));
  if (byMachine && state === 'approved') return err(apiError('CONFLICT', FAILURES.machine, { reason: 'machine' }));
  if (!isDoneHere && !(await decideApproval(db, { id, from: found.state, state, reason, now }, action)))
    return err(apiError('CONFLICT', FAILURES.decided, { reason: 'decided' }));
  alertOperators(state, found.call, action, id);
  return ok((await findApproval(db, id)) ?? found);
}

const FAILURES = {
  expired: 'the call waits no longer: it is made again',
  decided: 'somebody has decided on it before',
  same_person: 'another person decides than whoever asked',
  machine: 'a person approves, by a token that they signed in for',
  about_you: 'another person decides than whom it is about',
} as const;
