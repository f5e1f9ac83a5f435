import { uuidv7 } from 'uuidv7';
import type { ZodError } from 'zod';
import { type PresentedCredential, verifyCredential } from '../../../application/identity/verify-credential.ts';
import { describeBug } from '../../../application/log/describe-bug.ts';
import { isD1Away } from '../../../application/log/is-d1-away.ts';
import { amendOrder } from '../../../application/order-entry/amend-order.ts';
import { armCancelAfter, armCancelOnDisconnect } from '../../../application/order-entry/cancel-after.ts';
import { cancelOrders } from '../../../application/order-entry/cancel-orders.ts';
import { marketScalesOf } from '../../../application/order-entry/market-scales-of.ts';
import type { OrderRequest } from '../../../application/order-entry/order-request.ts';
import { placeOrders, placeTogether } from '../../../application/order-entry/place-orders.ts';
import type { PlacementOutcome } from '../../../application/order-entry/placement.ts';
import type { Principal } from '../../../domain/identity/principal.ts';
import type { RateBucket } from '../../../domain/limits/rate-bucket.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import type { SwitchHolder } from '../../../durable-objects/cancel-switch/api.ts';
import type { GateAnswer } from '../../../durable-objects/gate/api.ts';
import { log } from '../../../durable-objects/log/log.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { issueDetails } from '../../../protocol/errors/issue-details.ts';
import type { HeldCredential, LaneAnswer, RequestLane } from '../../../protocol/order-entry/socket-message.ts';
import { gateUnavailable } from '../../responses/gate-unavailable.ts';
import { sizeOfBatch } from '../batch.ts';
import { batchOrderId } from '../batch-order-id.ts';
import { bookError } from '../book-error.ts';
import { cancelAll } from '../cancel-all.ts';
import { placedOrder } from '../order.ts';
import { orderChangeOf } from '../order-change.ts';
import { orderRequestOf } from '../order-request-body.ts';
import { OtherRequest, PlaceRequest } from './request-schemas.ts';
import { tooManyRequests } from './too-many-requests.ts';

/** The requests of one connection, in their order: single placements, or one request of another type. */
interface Lane extends RequestLane {
  readonly requests: readonly Request[];
}

type Request = Readonly<Record<string, unknown>> & { readonly type: string; readonly id: string | number };

type Answer = Result<object, ApiError>;

/**
 * Runs what connections have asked in one turn (docs/design/order-entry-socket.md#batches): each lane is authenticated and counted as a REST
 * call is, and single placements of all lanes go to their books together. Every request is answered, a bug with INTERNAL_ERROR.
 *
 * @param text a JSON array of lanes
 */
export async function runRequests(env: Env, text: string): Promise<LaneAnswer[]> {
  const lanes = JSON.parse(text) as Lane[];
  const admitted = await Promise.all(lanes.map((lane) => admitInTime(env, lane, lanes.length === 1)));
  const answers = lanes.every(isOfPlacements)
    ? await place(env, lanes, admitted)
    : await Promise.all(lanes.map((lane, at) => runOther(env, lane, admitted[at] as Admission)));
  return lanes.map(({ requests }, at) => ({
    texts: requests.map(({ id }, index) => answerText(id, (answers[at] as Answer[])[index] as Answer)),
    isRefused: (admitted[at] as Admission).isRefused,
    ...cancelsFor(requests, answers[at] as Answer[], admitted[at] as Admission),
  }));
}

function isOfPlacements({ requests }: Lane): boolean {
  return requests.every(({ type }) => type === 'place');
}

/** Who asks, and what of it is within the rate limit. */
interface Admission {
  readonly principal: Principal | null;
  /** By request, why it is not run; null for one that is. Without a principal the first is that of all. */
  readonly refusals: readonly (ApiError | null)[];
  readonly isRefused: boolean;
}

/** How long lanes that go together wait for the Gate of one among them. */
const ADMISSION_MS_MAX = 2_000;

const NOBODY: Admission = { principal: null, refusals: [], isRefused: false };

function asBug(error: unknown): Admission {
  return { ...NOBODY, refusals: [bugOf(error)] };
}

/** Of lanes that go together none waits longer for the Gate of another. */
async function admitInTime(env: Env, lane: Lane, alone: boolean): Promise<Admission> {
  const admission = admit(env, lane).catch(asBug);
  if (alone) return admission;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<Admission>((resolve) => {
    timer = setTimeout(() => resolve({ ...NOBODY, refusals: [gateUnavailable()] }), ADMISSION_MS_MAX);
  });
  return Promise.race([admission, late]).finally(() => clearTimeout(timer));
}

/** Of single placements as many as the limit has room for, as if they had come one by one. */
async function admit(env: Env, lane: Lane): Promise<Admission> {
  const { requests } = lane;
  const drawn = await draw(env, lane, requests.length === 1 ? costOf(requests[0]) : requests.length);
  if (!drawn.ok) return { ...NOBODY, refusals: [drawn.error], isRefused: drawn.error.code === 'UNAUTHORIZED' };
  const { principal, beyond } = drawn.value;
  const fit = requests.length - (beyond?.count ?? 0);
  const refusals = requests.map((_, at) => (beyond === null || at < fit ? null : tooManyRequests(beyond.retryAfter)));
  return { principal, refusals, isRefused: false };
}

/** What a request draws, as the REST call of its name does. */
function costOf(request: Request | undefined): number {
  const field = request?.type === 'cancel_batch' ? 'order_ids' : 'orders';
  return Math.max(1, sizeOfBatch(request, field));
}

function bucketOf(request: Request | undefined): RateBucket {
  switch (request?.type) {
    case 'place':
    case 'place_batch':
      return 'orders';
    case 'cancel':
    case 'cancel_batch':
    case 'cancel_all':
    case 'cancel_after':
    case 'cancel_on_disconnect':
      return 'cancels';
    default:
      return 'private';
  }
}

async function draw(
  env: Env,
  { credential, clientAddress, requests }: Lane,
  cost: number,
): Promise<Result<Extract<GateAnswer, { type: 'admitted' }>, ApiError>> {
  const drawing = { bucket: bucketOf(requests[0]), cost, clientAddress, isDivisible: requests.length > 1 };
  const verified = await verifyCredential<never>(env, {
    credential: presented(credential),
    clientAddress,
    takesKey: true,
    terms: async () => ok({ draw: drawing, signed: null }),
  });
  if (verified.type === 'limited') return err(tooManyRequests(verified.retryAfter));
  if (verified.type !== 'answered') return err(gateUnavailable());
  const { answer } = verified;
  switch (answer.type) {
    case 'refused':
      return err(apiError('UNAUTHORIZED', 'missing or invalid authentication'));
    case 'limited':
      return err(tooManyRequests(answer.retryAfter));
    case 'admitted':
      return answer.principal.scopes.includes('trade')
        ? ok(answer)
        : err(apiError('FORBIDDEN', 'the key lacks the scope', { scope: 'trade' }));
  }
}

function presented(credential: HeldCredential): PresentedCredential {
  if (credential.type === 'token') return { ...credential, type: 'bearer', tenantToken: null };
  const { keyId, session } = credential;
  return { type: 'key', keyId, proof: { type: 'session', token: session } };
}

/** One placement of a lane that may be run. */
interface Understood {
  readonly index: number;
  readonly request: OrderRequest;
}

async function place(env: Env, lanes: readonly Lane[], admitted: readonly Admission[]): Promise<Answer[][]> {
  const understood: Understood[][] = [];
  const answers = lanes.map(({ requests }, at): Answer[] => {
    const { principal, refusals } = admitted[at] as Admission;
    const toPlace: Understood[] = [];
    understood.push(toPlace);
    return requests.map((request, index) => {
      const refusal = principal === null ? (refusals[index] ?? refusals[0]) : refusals[index];
      if (refusal != null) return err(refusal);
      const read = readPlacement(request);
      if (!read.ok) return read;
      toPlace.push({ index, request: read.value });
      return UNANSWERED;
    });
  });
  const groups = lanes.flatMap((_, at) => {
    const { principal } = admitted[at] as Admission;
    const orders = understood[at] as Understood[];
    return principal === null || orders.length === 0 ? [] : [{ at, principal, requests: orders.map(requestOf) }];
  });
  try {
    const outcomes = await placeTogether(env, groups);
    for (const [group, { at }] of groups.entries())
      for (const [order, { index, request }] of (understood[at] as Understood[]).entries())
        (answers[at] as Answer[])[index] = placementAnswer(request, outcomes[group]?.[order]);
  } catch (error) {
    log('error', 'bug', { ...describeBug(error) });
    for (const { at } of groups)
      for (const { index, request } of understood[at] as Understood[])
        (answers[at] as Answer[])[index] = err(bookError({ reason: 'outcome_unknown' }, request.orderId));
  }
  return answers;
}

const NO_ANSWER = apiError('INTERNAL_ERROR', 'internal error');
const UNANSWERED: Answer = err(NO_ANSWER);

function requestOf({ request }: Understood): OrderRequest {
  return request;
}

function readPlacement(request: Request): Result<OrderRequest, ApiError> {
  const parsed = PlaceRequest.safeParse(request);
  return parsed.success ? orderRequestOf(parsed.data.order, uuidv7()) : err(malformed(parsed.error));
}

function placementAnswer(request: OrderRequest, outcome: PlacementOutcome | undefined): Answer {
  if (outcome === undefined) return UNANSWERED;
  if (!outcome.ok) return err(bookError(outcome.error.failure, outcome.error.orderId));
  return ok(placedOrder(outcome.value, request.clientOrderId));
}

async function runOther(
  env: Env,
  { requests, connectionId }: Lane,
  { principal, refusals }: Admission,
): Promise<Answer[]> {
  const [refusal] = refusals;
  if (principal === null || refusal != null) return [err(refusal ?? NO_ANSWER)];
  const parsed = OtherRequest.safeParse(requests[0]);
  if (!parsed.success) return [err(malformed(parsed.error))];
  try {
    return [await runRequest(env, principal, connectionId, parsed.data)];
  } catch (error) {
    return [err(bugOf(error))];
  }
}

async function runRequest(
  env: Env,
  principal: Principal,
  connectionId: string,
  request: OtherRequest,
): Promise<Answer> {
  const context = { env, principal };
  switch (request.type) {
    case 'place_batch': {
      const first = uuidv7();
      const asked = request.orders.map((body, index) => orderRequestOf(body, batchOrderId(first, index)));
      const outcomes = (
        await placeOrders(
          context,
          asked.flatMap((one) => (one.ok ? one.value : [])),
        )
      ).values();
      const answers = asked.map((one) => (one.ok ? placementAnswer(one.value, outcomes.next().value) : one));
      return ok({ results: answers.map((answer) => (answer.ok ? { order: answer.value } : { error: answer.error })) });
    }
    case 'amend': {
      const { order_id: orderId, size = null, price = null, stop_price: stopPrice = null } = request;
      const outcome = await amendOrder(context, { orderId, quantity: size, price, stopPrice, unfilledOnly: false });
      if (!outcome.ok) return err(bookError(outcome.error));
      const { report, market, terms } = outcome.value;
      return ok(orderChangeOf(report, market, terms));
    }
    case 'cancel': {
      const [answer] = await cancel(context, [request.order_id], request.symbol ?? null);
      return answer ?? UNANSWERED;
    }
    case 'cancel_batch': {
      const answers = await cancel(context, request.order_ids, null);
      return ok({ results: answers.map((answer) => (answer.ok ? { order: answer.value } : { error: answer.error })) });
    }
    case 'cancel_all':
      return cancelAll(context, { symbol: request.symbol ?? null, side: request.side ?? null });
    case 'cancel_after': {
      const holder = holderOf(principal);
      const armed = holder === null ? err(NO_ACCOUNT) : await armCancelAfter(env, holder, request.timeout_ms);
      return armed.ok ? ok({ cancel_at: armed.value }) : armed;
    }
    case 'cancel_on_disconnect': {
      const holder = holderOf(principal);
      if (holder === null) return err(NO_ACCOUNT);
      const armed = await armCancelOnDisconnect(env, holder, connectionId, request.enabled);
      return armed.ok ? ok({ enabled: request.enabled }) : armed;
    }
  }
}

const NO_ACCOUNT = apiError('FORBIDDEN', 'there is no trading account to this credential');

/** Whose orders a switch of this caller cancels: those of its key, or of its account. */
function holderOf({ facts, keyId }: Principal): SwitchHolder | null {
  return facts === null ? null : { account: facts.accountId, keyId };
}

/** What an answer changes about the end of its connection. */
function cancelsFor([request]: readonly Request[], [answer]: readonly Answer[], { principal }: Admission) {
  if (request?.type !== 'cancel_on_disconnect' || answer?.ok !== true || principal === null) return {};
  return { cancelsFor: request.enabled === true ? holderOf(principal) : null };
}

async function cancel(
  context: { readonly env: Env; readonly principal: Principal },
  orderIds: readonly string[],
  symbol: string | null,
): Promise<Answer[]> {
  const outcomes = await cancelOrders(context, orderIds, symbol);
  return Promise.all(
    outcomes.map(async (outcome): Promise<Answer> => {
      if (!outcome.ok) return err(bookError(outcome.error));
      const { report, symbol: market, terms } = outcome.value;
      return ok(orderChangeOf(report, await marketScalesOf(context.env, market), terms));
    }),
  );
}

function malformed({ issues }: ZodError): ApiError {
  return apiError('VALIDATION_ERROR', 'the request is malformed', issueDetails(issues));
}

function bugOf(error: unknown): ApiError {
  log('error', 'bug', { ...describeBug(error) });
  return isD1Away(error)
    ? apiError('SERVICE_UNAVAILABLE', 'the database does not answer; please repeat', {
        reason: 'read_model_unavailable',
      })
    : apiError('INTERNAL_ERROR', 'internal error');
}

function answerText(id: string | number, answer: Answer): string {
  if (answer.ok) return JSON.stringify({ type: 'result', id, result: answer.value });
  const { code, message, details } = answer.error;
  return JSON.stringify({ type: 'error', id, error: { code, message, details } });
}
