import { uuidv7 } from 'uuidv7';
import { err, ok, type Result } from '../../../domain/result.ts';
import type { DisabledReason } from '../../../domain/webhooks/attempt.ts';
import type { WebhookEvent } from '../../../domain/webhooks/webhook-event.ts';
import type { WebhookOwner } from '../../../domain/webhooks/webhook-owner.ts';
import {
  type DeliveriesQuery,
  type Delivery,
  type DeliveryWithAttempts,
  type EndpointBacklog,
  type RangeReplay,
  type ReplayRange,
  TEST_TYPE,
  WAITING_WITH_REPLAYS_MAX,
  type WebhookEndpointApi,
  webhookEndpointOf,
} from '../../../durable-objects/webhook-endpoint/api.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { SAMPLE_EVENTS } from '../../../protocol/partner/sample-events.ts';
import { askAgain } from '../../objects/ask-again.ts';
import { findOwnEndpoint } from './manage-endpoints.ts';
import { outsideRole } from './outside-role.ts';

type DeliveriesEnv = Pick<Env, 'DB' | 'WEBHOOK_ENDPOINT'>;

const TEST = {
  webhook_event: { version: '1.0.0' },
  message: 'A test that the owner of this endpoint asked for.',
};

export function readBacklog(
  env: DeliveriesEnv,
  owner: WebhookOwner,
  id: string,
): Promise<Result<EndpointBacklog, ApiError>> {
  return askOwn(env, owner, id, (endpoint) => endpoint.backlog());
}

export function listDeliveries(
  env: DeliveriesEnv,
  owner: WebhookOwner,
  id: string,
  query: DeliveriesQuery,
): Promise<Result<Delivery[], ApiError>> {
  return askOwn(env, owner, id, (endpoint) => endpoint.deliveries(query));
}

export async function readDelivery(
  env: DeliveriesEnv,
  owner: WebhookOwner,
  id: string,
  deliveryId: string,
): Promise<Result<DeliveryWithAttempts, ApiError>> {
  const found = await askOwn(env, owner, id, (endpoint) => endpoint.delivery(deliveryId));
  if (!found.ok) return found;
  return found.value === null ? err(noSuchDelivery()) : ok(found.value);
}

/** Sends a test at once, and answers what came of it. @param event of which a sample is sent; null for a test that is no event */
export async function sendTest(
  env: DeliveriesEnv,
  owner: WebhookOwner,
  id: string,
  event: WebhookEvent | null,
  now: number,
): Promise<Result<DeliveryWithAttempts, ApiError>> {
  const found = await findOwnEndpoint(env, owner, id);
  if (!found.ok) return found;
  const outside = event === null ? null : outsideRole(owner.role, [event], 'event');
  if (outside !== null) return err(outside);
  const eventId = uuidv7();
  const { webhook_event: head, ...rest } = event === null ? TEST : SAMPLE_EVENTS[event];
  const timestamp = new Date(now).toISOString();
  const payload = JSON.stringify({
    webhook_event: { event_id: eventId, event_type: event ?? TEST_TYPE, endpoint: found.value.url, timestamp, ...head },
    ...rest,
  });
  const tested = await webhookEndpointOf(env, id).sendTest({ eventId, type: TEST_TYPE, payload });
  return tested === null ? err(apiError('CONFLICT', 'a test is under way')) : ok(tested);
}

/**
 * Refused for a test, and while the webhook is disabled: what is queued there is given up at once.
 *
 * @param as id of the new delivery: repeated under it, nothing is queued again
 */
export async function replayDelivery(
  env: DeliveriesEnv,
  owner: WebhookOwner,
  id: string,
  { deliveryId, as }: { readonly deliveryId: string; readonly as: string },
): Promise<Result<DeliveryWithAttempts, ApiError>> {
  const found = await findOwnEndpoint(env, owner, id);
  if (!found.ok) return found;
  const read = (delivery: string) => askAgain(() => webhookEndpointOf(env, id).delivery(delivery));
  const done = await read(as);
  if (done !== null) return ok(done);
  const delivery = await read(deliveryId);
  if (delivery === null) return err(noSuchDelivery());
  if (delivery.type === TEST_TYPE)
    return err(apiError('CONFLICT', 'a test is not replayed: send another', { reason: 'test' }));
  if (found.value.disabledReason !== null) return err(disabled(found.value.disabledReason));
  const outcome = await askAgain(() => webhookEndpointOf(env, id).replay(deliveryId, as));
  if (outcome === 'not_found') return err(noSuchDelivery());
  return outcome === 'full' ? err(full()) : readDelivery(env, owner, id, as);
}

export async function replayRange(
  env: DeliveriesEnv,
  owner: WebhookOwner,
  id: string,
  range: ReplayRange,
): Promise<Result<RangeReplay, ApiError>> {
  const found = await findOwnEndpoint(env, owner, id);
  if (!found.ok) return found;
  if (found.value.disabledReason !== null) return err(disabled(found.value.disabledReason));
  // Not asked again where the answer was lost: that would queue the range twice.
  const replayed = await webhookEndpointOf(env, id).replayRange(range);
  return replayed.type === 'full' ? err(full()) : ok(replayed);
}

export async function skipDelivery(
  env: DeliveriesEnv,
  owner: WebhookOwner,
  id: string,
  deliveryId: string,
): Promise<Result<DeliveryWithAttempts, ApiError>> {
  const skipped = await askOwn(env, owner, id, (endpoint) => endpoint.skip(deliveryId));
  if (!skipped.ok) return skipped;
  if (skipped.value === null) return err(noSuchDelivery());
  const delivery = await readDelivery(env, owner, id, deliveryId);
  // Whoever repeats the call is answered as the first time.
  if (skipped.value || (delivery.ok && delivery.value.state === 'skipped')) return delivery;
  return err(apiError('CONFLICT', 'the delivery does not wait any more', { reason: 'not_waiting' }));
}

async function askOwn<T>(
  env: DeliveriesEnv,
  owner: WebhookOwner,
  id: string,
  ask: (endpoint: WebhookEndpointApi) => Promise<T>,
): Promise<Result<T, ApiError>> {
  const found = await findOwnEndpoint(env, owner, id);
  return found.ok ? ok(await askAgain(() => ask(webhookEndpointOf(env, id)))) : found;
}

function noSuchDelivery(): ApiError {
  return apiError('NOT_FOUND', 'delivery does not exist');
}

function disabled(disabledReason: DisabledReason): ApiError {
  const details = { reason: 'disabled', disabled_reason: disabledReason };
  return apiError('CONFLICT', 'the webhook is disabled: enable it with PATCH first', details);
}

function full(): ApiError {
  const details = { reason: 'too_many_waiting', max: WAITING_WITH_REPLAYS_MAX };
  return apiError('CONFLICT', 'as many messages wait at this webhook as may', details);
}
