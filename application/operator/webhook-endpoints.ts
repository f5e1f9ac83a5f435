import {
  findOperatorChange,
  type OperatorAction,
  recordOperatorAction,
} from '../../data/audit/trail/operator-events.ts';
import { database } from '../../data/database.ts';
import { type Endpoint, findEndpoint } from '../../data/webhooks/endpoints.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import {
  type DeadReplayOutcome,
  type DeliveriesQuery,
  type Delivery,
  type DeliveryWithAttempts,
  type EndpointBacklog,
  WAITING_WITH_REPLAYS_MAX,
  webhookEndpointOf,
} from '../../durable-objects/webhook-endpoint/api.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { derivedId } from '../identity/derived-id.ts';
import { askAgain } from '../objects/ask-again.ts';
import { withinTime } from '../objects/within-time.ts';

type EndpointsEnv = Pick<Env, 'DB' | 'WEBHOOK_ENDPOINT'>;

/** An endpoint of any organization; `backlog` is null where its object does not answer now. */
export interface WatchedEndpoint {
  readonly endpoint: Endpoint;
  readonly backlog: EndpointBacklog | null;
}

/** So long a page of endpoints waits for what their objects say. */
const BACKLOG_WAIT_MS = 3_000;

/** What waits at each of a page of endpoints: as many objects are asked as are shown. */
export function watchEndpoints(env: EndpointsEnv, endpoints: readonly Endpoint[]): Promise<WatchedEndpoint[]> {
  return Promise.all(endpoints.map((endpoint) => watched(env, endpoint)));
}

export async function watchEndpoint(env: EndpointsEnv, id: string): Promise<Result<WatchedEndpoint, ApiError>> {
  const endpoint = await findEndpoint(database(env.DB), id);
  return endpoint === null ? err(noSuchEndpoint()) : ok(await watched(env, endpoint));
}

export async function listDeliveriesOfAny(
  env: EndpointsEnv,
  id: string,
  query: DeliveriesQuery,
): Promise<Result<Delivery[], ApiError>> {
  if ((await findEndpoint(database(env.DB), id)) === null) return err(noSuchEndpoint());
  return ok(await askAgain(() => webhookEndpointOf(env, id).deliveries(query)));
}

export async function readDeliveryOfAny(
  env: EndpointsEnv,
  id: string,
  deliveryId: string,
): Promise<Result<DeliveryWithAttempts, ApiError>> {
  if ((await findEndpoint(database(env.DB), id)) === null) return err(noSuchEndpoint());
  const found = await askAgain(() => webhookEndpointOf(env, id).delivery(deliveryId));
  return found === null ? err(noSuchDelivery()) : ok(found);
}

/**
 * Sends a message again that was given up, to where its owner has it sent now: the operator is not shown it. That it was ordered is written down
 * before it is done, and that it failed after. Under the same action it is queued once, and answered as the first time.
 */
export async function replayDead(
  env: EndpointsEnv,
  { id, deliveryId, reason }: { readonly id: string; readonly deliveryId: string; readonly reason: string },
  action: OperatorAction,
): Promise<Result<DeliveryWithAttempts, ApiError>> {
  const db = database(env.DB);
  const endpoint = await findEndpoint(db, id);
  if (endpoint === null) return err(noSuchEndpoint());
  const read = (delivery: string) => askAgain(() => webhookEndpointOf(env, id).delivery(delivery));
  const done = await read(action.id);
  if (done?.replayOf === deliveryId) return ok(done);
  const failedId = await derivedId(action.id, 'replay failed');
  const failed = await findOperatorChange<ApiError>(db, { ...action, id: failedId }, id);
  if (failed !== null) return err(failed.after);
  const dead = await read(deliveryId);
  const refused = dead === null ? noSuchDelivery() : (whyNot(dead) ?? whyNowhere(endpoint));
  if (refused !== null) return err(refused);
  const { organization } = endpoint;
  const details = { reason, organization, delivery: deliveryId, event: dead?.eventId };
  const order = { type: 'operator.delivery_replay_ordered', subject: id, details, before: null };
  await recordOperatorAction(db, { action, ...order, createdAt: Date.now(), after: { delivery: action.id } });
  const outcome = await askAgain(() => webhookEndpointOf(env, id).replayDead(deliveryId, action.id));
  if (outcome === 'queued') return readDeliveryOfAny(env, id, action.id);
  const failure = await failureOf(outcome, read(deliveryId));
  await recordOperatorAction(db, {
    ...order,
    action: { ...action, id: failedId },
    type: 'operator.delivery_replay_failed',
    createdAt: Date.now(),
    after: failure,
  });
  return err(failure);
}

async function failureOf(
  outcome: Exclude<DeadReplayOutcome, 'queued'>,
  found: Promise<Delivery | null>,
): Promise<ApiError> {
  if (outcome === 'full')
    return apiError('CONFLICT', 'as many messages wait at this webhook as may', { max: WAITING_WITH_REPLAYS_MAX });
  const delivery = outcome === 'not_dead' ? await found : null;
  if (delivery === null) return noSuchDelivery();
  return whyNot(delivery) ?? apiError('CONFLICT', 'the delivery has changed meanwhile: read it again');
}

/** Why a delivery is not sent again; null for one that was given up and is. */
function whyNot({ state, sentAgain }: Delivery): ApiError | null {
  if (state !== 'dead') return apiError('CONFLICT', 'the delivery is not dead', { state });
  if (sentAgain === null) return null;
  return apiError('CONFLICT', 'the message was sent again', { delivery: sentAgain.id, state: sentAgain.state });
}

/** What waits at one that is switched off is given up at once. */
function whyNowhere({ disabledReason }: Endpoint): ApiError | null {
  if (disabledReason === null) return null;
  return apiError('CONFLICT', 'the webhook is switched off: its owner switches it on', { reason: disabledReason });
}

async function watched(env: EndpointsEnv, endpoint: Endpoint): Promise<WatchedEndpoint> {
  const backlog = askAgain(() => webhookEndpointOf(env, endpoint.id).backlog());
  return { endpoint, backlog: await withinTime(BACKLOG_WAIT_MS, backlog) };
}

function noSuchEndpoint(): ApiError {
  return apiError('NOT_FOUND', 'webhook does not exist');
}

function noSuchDelivery(): ApiError {
  return apiError('NOT_FOUND', 'delivery does not exist');
}
