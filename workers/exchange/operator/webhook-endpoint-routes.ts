import { createRoute, z } from '@hono/zod-openapi';
import {
  listDeliveriesOfAny,
  readDeliveryOfAny,
  replayDead,
  type WatchedEndpoint,
  watchEndpoint,
  watchEndpoints,
} from '../../../application/operator/webhook-endpoints.ts';
import { database } from '../../../data/database.ts';
import { listEveryEndpoint } from '../../../data/webhooks/endpoints.ts';
import { ATTEMPT_ERRORS, DISABLED_REASONS } from '../../../domain/webhooks/attempt.ts';
import { CIRCUITS } from '../../../domain/webhooks/breaker.ts';
import { DELIVERY_STATES } from '../../../domain/webhooks/delivery-state.ts';
import type { Delivery, DeliveryWithAttempts } from '../../../durable-objects/webhook-endpoint/api.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { pageOf, rowsToRead } from '../../responses/paging.ts';
import { wholeNumber, wholeNumberOr } from '../../responses/whole-number.ts';
import { bodyOf, isoTime, isoTimeOrNull } from '../../responses/wire.ts';
import { actionOf } from './action-of.ts';
import { OPERATOR_WRITE, ReasonBody, VENUE_READ } from './operator-route.ts';

/** Each endpoint of a page is an object that is asked. */
const ENDPOINTS_MAX = 50;
const DELIVERIES_MAX = 200;
const ORGANIZATION_LENGTH_MAX = 100;

const EndpointView = z
  .object({
    webhookId: z.uuid(),
    organization: z.string(),
    destination: z.string().openapi({
      description: 'Scheme and host. The rest of the address may be a secret of its owner.',
      example: 'https://hooks.northwind-ats.com',
    }),
    events: z.array(z.string()),
    description: z.string().nullable(),
    disabledReason: z.enum(DISABLED_REASONS).nullable().openapi({ description: 'Null while it is enabled.' }),
    disabledAt: z.iso.datetime().nullable(),
    createdAt: z.iso.datetime(),
    backlog: z
      .object({
        circuit: z.enum(CIRCUITS).openapi({
          description: '`open`: it failed five times in a row, and nothing is tried now; `half_open`: one message is.',
        }),
        waiting: z.int(),
        waitingBytes: z.int(),
        failingSince: z.iso.datetime().nullable(),
        nextTryAt: z.iso.datetime().nullable(),
      })
      .nullable()
      .openapi({ description: 'Null where it could not be read now.' }),
  })
  .openapi('OperatorWebhook');

const DELIVERY_FIELDS = {
  deliveryId: z.uuid(),
  sequence: z.int(),
  eventId: z.string(),
  eventType: z.string(),
  replayOf: z.uuid().nullable(),
  status: z.enum(DELIVERY_STATES),
  reason: z.enum([...DISABLED_REASONS, 'test_failed']).nullable(),
  tries: z.int(),
  createdAt: z.iso.datetime(),
  firstTriedAt: z.iso.datetime().nullable(),
  nextTryAt: z.iso.datetime().nullable(),
  endedAt: z.iso.datetime().nullable(),
  sentAgain: z
    .object({ deliveryId: z.uuid(), status: z.enum(['waiting', 'delivered']) })
    .nullable()
    .openapi({ description: 'Of a dead message: the latest delivery of the same event that waits or was taken.' }),
};

const DeliveryView = z.object(DELIVERY_FIELDS).openapi('OperatorDelivery');

const DeliveryDetailView = z
  .object({
    ...DELIVERY_FIELDS,
    attempts: z.array(
      z.object({
        at: z.iso.datetime(),
        durationMs: z.number(),
        status: z.int().nullable().openapi({ description: 'Of HTTP; null where there was no answer.' }),
        error: z.enum(ATTEMPT_ERRORS).nullable(),
      }),
    ),
  })
  .openapi('OperatorDeliveryDetail');

const webhookParam = z.object({ id: z.uuid().toLowerCase() });
const deliveryParams = z.object({ id: z.uuid().toLowerCase(), delivery: z.uuid().toLowerCase() });

/** Webhooks of every organization for those who run the venue: how they stand, what was given up, and sending that again. Bodies are their owners'. */
export function webhookEndpointRoutes(exchange: Profile): void {
  listRoute(exchange);
  getRoute(exchange);
  listDeliveriesRoute(exchange);
  getDeliveryRoute(exchange);
  replayRoute(exchange);
}

function listRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    VENUE_READ,
    createRoute({
      method: 'get',
      path: '/v1/operator/webhooks',
      tags: ['operator'],
      summary: 'Webhooks of every organization, newest first, with what waits at each',
      request: {
        query: z.object({
          organization: z.string().min(1).max(ORGANIZATION_LENGTH_MAX).optional(),
          status: z.enum(['enabled', 'disabled']).optional(),
          limit: wholeNumberOr(ENDPOINTS_MAX, 1, ENDPOINTS_MAX),
          cursor: z.uuid().toLowerCase().optional().openapi({ description: 'Id of the last one of the page before.' }),
        }),
      },
      responses: { 200: envelopeOf('The webhooks.', z.array(EndpointView)) },
    }),
    async (c) => {
      const { organization = null, status, limit, cursor = null } = c.req.valid('query');
      const isDisabled = status === undefined ? null : status === 'disabled';
      const filter = { organization, isDisabled, before: cursor, limit: rowsToRead(limit) };
      const page = pageOf(c, await listEveryEndpoint(database(c.env.DB), filter), limit, ({ id }) => id);
      return c.json(enveloped((await watchEndpoints(c.env, page)).map(endpointView)), 200);
    },
  );
}

function getRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    { ...VENUE_READ, errors: ['NOT_FOUND'] },
    createRoute({
      method: 'get',
      path: '/v1/operator/webhooks/{id}',
      tags: ['operator'],
      summary: 'A webhook of any organization, with what waits at it',
      request: { params: webhookParam },
      responses: { 200: envelopeOf('The webhook.', EndpointView) },
    }),
    async (c) => {
      const found = await watchEndpoint(c.env, c.req.valid('param').id);
      return found.ok ? c.json(enveloped(endpointView(found.value)), 200) : failure(c, found.error);
    },
  );
}

function listDeliveriesRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    { ...VENUE_READ, errors: ['NOT_FOUND'] },
    createRoute({
      method: 'get',
      path: '/v1/operator/webhooks/{id}/deliveries',
      tags: ['operator'],
      summary: 'What was sent to a webhook in the last 30 days, what waits, and what was given up',
      request: {
        params: webhookParam,
        query: z.object({
          status: z.enum(DELIVERY_STATES).optional(),
          limit: wholeNumberOr(DELIVERIES_MAX, 1, DELIVERIES_MAX),
          cursor: wholeNumber(1).optional().openapi({ description: 'Sequence of the last one of the page before.' }),
        }),
      },
      responses: { 200: envelopeOf('Latest first.', z.array(DeliveryView)) },
    }),
    async (c) => {
      const { status = null, limit, cursor = null } = c.req.valid('query');
      const query = { state: status, eventId: null, before: cursor, limit: rowsToRead(limit) };
      const found = await listDeliveriesOfAny(c.env, c.req.valid('param').id, query);
      if (!found.ok) return failure(c, found.error);
      const page = pageOf(c, found.value, limit, ({ sequence }) => String(sequence));
      return c.json(enveloped(page.map(deliveryView)), 200);
    },
  );
}

function getDeliveryRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    { ...VENUE_READ, errors: ['NOT_FOUND'] },
    createRoute({
      method: 'get',
      path: '/v1/operator/webhooks/{id}/deliveries/{delivery}',
      tags: ['operator'],
      summary: 'A message to a webhook and each try of it, without its body and what was answered',
      request: { params: deliveryParams },
      responses: { 200: envelopeOf('The message.', DeliveryDetailView) },
    }),
    async (c) => {
      const { id, delivery } = c.req.valid('param');
      const found = await readDeliveryOfAny(c.env, id, delivery);
      return found.ok ? c.json(enveloped(deliveryDetailView(found.value)), 200) : failure(c, found.error);
    },
  );
}

function replayRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_WRITE,
    createRoute({
      method: 'post',
      path: '/v1/operator/webhooks/{id}/deliveries/{delivery}/replay',
      tags: ['operator'],
      summary: 'Send a message again that was given up',
      description:
        'As a new delivery of the same event, to where its owner has it sent now. Of a webhook that is switched off, of a message that is not dead, and of one whose event waits or was taken as another delivery, it is CONFLICT.',
      request: { params: deliveryParams, body: bodyOf(ReasonBody) },
      responses: { 200: envelopeOf('The new delivery.', DeliveryDetailView) },
    }),
    async (c) => {
      const { id, delivery: deliveryId } = c.req.valid('param');
      const { reason } = c.req.valid('json');
      const replayed = await replayDead(c.env, { id, deliveryId, reason }, actionOf(c));
      return replayed.ok ? c.json(enveloped(deliveryDetailView(replayed.value)), 200) : failure(c, replayed.error);
    },
  );
}

function endpointView({ endpoint, backlog }: WatchedEndpoint): z.infer<typeof EndpointView> {
  const { id, organization, url, events, description, disabledReason, disabledAt, createdAt } = endpoint;
  return {
    webhookId: id,
    organization,
    destination: new URL(url).origin,
    events: [...events],
    description,
    disabledReason,
    disabledAt: isoTimeOrNull(disabledAt),
    createdAt: isoTime(createdAt),
    backlog: backlog && {
      ...backlog,
      failingSince: isoTimeOrNull(backlog.failingSince),
      nextTryAt: isoTimeOrNull(backlog.nextTryAt),
    },
  };
}

function deliveryView(delivery: Delivery): z.infer<typeof DeliveryView> {
  const { id, sequence, eventId, type, replayOf, state, reason, tries, sentAgain } = delivery;
  return {
    deliveryId: id,
    sequence,
    eventId,
    eventType: type,
    replayOf,
    status: state,
    reason,
    tries,
    createdAt: isoTime(delivery.createdAt),
    firstTriedAt: isoTimeOrNull(delivery.firstTriedAt),
    nextTryAt: isoTimeOrNull(delivery.nextTryAt),
    endedAt: isoTimeOrNull(delivery.endedAt),
    sentAgain: sentAgain && { deliveryId: sentAgain.id, status: sentAgain.state },
  };
}

function deliveryDetailView(delivery: DeliveryWithAttempts): z.infer<typeof DeliveryDetailView> {
  const attempts = delivery.attempts.map(({ at, durationMs, status, error }) => ({
    at: isoTime(at),
    durationMs,
    status,
    error,
  }));
  return { ...deliveryView(delivery), attempts };
}
