import { type OperatorAction, recordOperatorAction } from '../../data/audit/trail/operator-events.ts';
import { database } from '../../data/database.ts';
import { type Endpoint, findEndpoint, listEveryEndpoint } from '../../data/webhooks/endpoints.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import {
  type DeliveriesQuery,
  type Delivery,
  type DeliveryWithAttempts,
  type EndpointBacklog,
  WAITING_WITH_REPLAYS_MAX,
  webhookEndpointOf,
} from '../../durable-objects/webhook-endpoint/api.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { askAgain } from '../objects/ask-again.ts';

type EndpointsEnv = Pick<Env, 'DB' | 'WEBHOOK_ENDPOINT'>;

/** An endpoint of any organization; `backlog` is null where its object does not answer now. */
export interface WatchedEndpoint {
  readonly endpoint: Endpoint;
  readonly backlog: EndpointBacklog | null;
}

/** Endpoints of every organization with what waits at each: as many objects are asked as are listed. */
export async function watchEndpoints(
  env: EndpointsEnv,
  filter: Parameters<typeof listEveryEndpoint>[1],
): Promise<WatchedEndpoint[]> {
  const endpoints = await listEveryEndpoint(database(env.DB), filter);
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
 * Sends a message again that was given up, to where its owner has it sent now: the operator is not shown it. Written down before it is done; under the same action it is
 * queued once.
 */
export async function replayDead(
  env: EndpointsEnv,
  { id, deliveryId, reason }: { readonly id: string; readonly deliveryId: string; readonly reason: string },
  action: OperatorAction,
): Promise<Result<DeliveryWithAttempts, ApiError>> {
  const db = database(env.DB);
  const endpoint = await findEndpoint(db, id);
  if (endpoint === null) return err(noSuchEndpoint());
  const dead = await askAgain(() => webhookEndpointOf(env, id).delivery(deliveryId));
  if (dead === null) return err(noSuchDelivery());
  if (dead.state !== 'dead') return err(apiError('CONFLICT', 'the delivery is not dead', { state: dead.state }));
  // What waits at one that is switched off is given up at once.
  if (endpoint.disabledReason !== null)
    return err(
      apiError('CONFLICT', 'the webhook is switched off: its owner switches it on', {
        reason: endpoint.disabledReason,
      }),
    );
  const { organization } = endpoint;
  await recordOperatorAction(db, {
    action,
    type: 'operator.delivery_replayed',
    subject: id,
    createdAt: Date.now(),
    details: { reason, organization, delivery: deliveryId, event: dead.eventId },
    before: null,
    after: { delivery: action.id },
  });
  const outcome = await askAgain(() => webhookEndpointOf(env, id).replay(deliveryId, action.id));
  if (outcome === 'not_found') return err(noSuchDelivery());
  if (outcome === 'full')
    return err(apiError('CONFLICT', 'as many messages wait at this webhook as may', { max: WAITING_WITH_REPLAYS_MAX }));
  return readDeliveryOfAny(env, id, action.id);
}

async function watched(env: EndpointsEnv, endpoint: Endpoint): Promise<WatchedEndpoint> {
  const backlog = await askAgain(() => webhookEndpointOf(env, endpoint.id).backlog()).catch(() => null);
  return { endpoint, backlog };
}

function noSuchEndpoint(): ApiError {
  return apiError('NOT_FOUND', 'webhook does not exist');
}

function noSuchDelivery(): ApiError {
  return apiError('NOT_FOUND', 'delivery does not exist');
}
