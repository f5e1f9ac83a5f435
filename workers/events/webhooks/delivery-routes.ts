import { createRoute, z } from '@hono/zod-openapi';
import {
  listDeliveries,
  readDelivery,
  replayDelivery,
  replayRange,
  sendTest,
  skipDelivery,
} from '../../../application/partner/webhooks/deliveries.ts';
import { DELIVERY_STATES } from '../../../domain/webhooks/delivery-state.ts';
import { TENANT_EVENTS } from '../../../domain/webhooks/webhook-event.ts';
import { resourceIdOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { moreOf, moreView } from '../../responses/link-next-page.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { DeliveryParams, deliveryDetailOnWire, deliveryOnWire, WebhookParams } from '../../responses/webhook-fields.ts';
import { wholeNumber } from '../../responses/whole-number.ts';
import { bodyOf, jsonOf } from '../../responses/wire.ts';
import { DeliveryDetail, DeliveryView, ownerOf, WEBHOOKS } from './webhook-schema.ts';

/** GET /v1/webhooks/{id}/deliveries */
export function listDeliveriesRoute(events: Profile): void {
  registerRoute(
    events,
    WEBHOOKS,
    createRoute({
      method: 'get',
      path: '/v1/webhooks/{id}/deliveries',
      tags: ['webhooks'],
      summary: 'What was sent to a webhook in the last 30 days, and what waits',
      request: {
        params: WebhookParams,
        query: z.object({
          status: z.enum(DELIVERY_STATES).optional(),
          event_id: z.string().min(1).max(64).optional(),
          limit: limitQuery,
          cursor: wholeNumber(1).optional(),
        }),
      },
      responses: { 200: jsonOf('Latest first.', z.object({ deliveries: z.array(DeliveryView), ...moreView })) },
    }),
    async (c) => {
      const { status = null, event_id: eventId = null, limit, cursor = null } = c.req.valid('query');
      const query = { state: status, eventId, before: cursor, limit: rowsToRead(limit) };
      const found = await listDeliveries(c.env, ownerOf(c), c.req.valid('param').id, query);
      if (!found.ok) return failure(c, found.error);
      const page = pageOf(c, found.value, limit, ({ sequence }) => String(sequence));
      return c.json({ deliveries: page.map(deliveryOnWire), ...moreOf(c) }, 200);
    },
  );
}

/** GET /v1/webhooks/{id}/deliveries/{delivery_id} */
export function getDeliveryRoute(events: Profile): void {
  registerRoute(
    events,
    WEBHOOKS,
    createRoute({
      method: 'get',
      path: '/v1/webhooks/{id}/deliveries/{delivery_id}',
      tags: ['webhooks'],
      summary: 'A delivery with its body and every try',
      request: { params: DeliveryParams },
      responses: { 200: jsonOf('The delivery.', DeliveryDetail) },
    }),
    async (c) => {
      const { id, delivery_id: deliveryId } = c.req.valid('param');
      const found = await readDelivery(c.env, ownerOf(c), id, deliveryId);
      return found.ok ? c.json(deliveryDetailOnWire(found.value), 200) : failure(c, found.error);
    },
  );
}

/** POST /v1/webhooks/{id}/deliveries/{delivery_id}/replay */
export function replayDeliveryRoute(events: Profile): void {
  registerRoute(
    events,
    { ...WEBHOOKS, idempotent: true, errors: ['CONFLICT'] },
    createRoute({
      method: 'post',
      path: '/v1/webhooks/{id}/deliveries/{delivery_id}/replay',
      tags: ['webhooks'],
      summary: 'Send a delivery again, under the same webhook-id, behind what waits',
      request: { params: DeliveryParams },
      responses: { 202: jsonOf('The new delivery.', DeliveryDetail) },
    }),
    async (c) => {
      const { id, delivery_id: deliveryId } = c.req.valid('param');
      const replayed = await replayDelivery(c.env, ownerOf(c), id, { deliveryId, as: resourceIdOf(c) });
      return replayed.ok ? c.json(deliveryDetailOnWire(replayed.value), 202) : failure(c, replayed.error);
    },
  );
}

/** POST /v1/webhooks/{id}/deliveries/{delivery_id}/skip */
export function skipDeliveryRoute(events: Profile): void {
  registerRoute(
    events,
    { ...WEBHOOKS, errors: ['CONFLICT'] },
    createRoute({
      method: 'post',
      path: '/v1/webhooks/{id}/deliveries/{delivery_id}/skip',
      tags: ['webhooks'],
      summary: 'Give up a delivery that waits, so that those behind it go on',
      request: { params: DeliveryParams },
      responses: { 200: jsonOf('The delivery.', DeliveryDetail) },
    }),
    async (c) => {
      const { id, delivery_id: deliveryId } = c.req.valid('param');
      const skipped = await skipDelivery(c.env, ownerOf(c), id, deliveryId);
      return skipped.ok ? c.json(deliveryDetailOnWire(skipped.value), 200) : failure(c, skipped.error);
    },
  );
}

const Range = z
  .strictObject({
    from: z.iso.datetime({ offset: true }),
    to: z.iso.datetime({ offset: true }),
    after_sequence: z.number().int().nonnegative().default(0).openapi({
      description: '`next_sequence` of the answer before, for the rest of the range.',
    }),
  })
  .refine(({ from, to }) => Date.parse(from) < Date.parse(to), 'from lies before to')
  .openapi('ReplayRange');

const Replayed = z
  .object({
    replayed: z.number().int(),
    next_sequence: z.number().int().nullable().openapi({ description: 'Null where the range is done.' }),
  })
  .openapi('Replayed');

/** POST /v1/webhooks/{id}/replay */
export function replayRangeRoute(events: Profile): void {
  registerRoute(
    events,
    { ...WEBHOOKS, idempotent: true, errors: ['CONFLICT'] },
    createRoute({
      method: 'post',
      path: '/v1/webhooks/{id}/replay',
      tags: ['webhooks'],
      summary: 'Send again what was first queued in a range of time, 1,000 messages a call',
      description: 'From `from` on, before `to`. What still waits is not queued twice.',
      request: { params: WebhookParams, body: bodyOf(Range) },
      responses: { 202: jsonOf('Queued.', Replayed) },
    }),
    async (c) => {
      const { from, to, after_sequence: after } = c.req.valid('json');
      const range = { from: Date.parse(from), to: Date.parse(to), after };
      const replayed = await replayRange(c.env, ownerOf(c), c.req.valid('param').id, range);
      if (!replayed.ok) return failure(c, replayed.error);
      return c.json({ replayed: replayed.value.replayed, next_sequence: replayed.value.next }, 202);
    },
  );
}

const Test = z
  .strictObject({
    event: z.enum(TENANT_EVENTS).optional().openapi({
      description: 'A sample of this event, of a room that does not exist; `webhook.test` without it.',
    }),
  })
  .openapi('WebhookTestBody');

/** POST /v1/webhooks/{id}/test */
export function testWebhookRoute(events: Profile): void {
  registerRoute(
    events,
    { ...WEBHOOKS, errors: ['CONFLICT'] },
    createRoute({
      method: 'post',
      path: '/v1/webhooks/{id}/test',
      tags: ['webhooks'],
      summary: 'Send a test at once, past what waits; disabled webhooks, too',
      description:
        'Tried once. The answer says what came of it. A test has the header `webhook-test: true`, and all ids in a sample begin with `00000000-0000-4000-8000-`.',
      request: { params: WebhookParams, body: { required: false, content: { 'application/json': { schema: Test } } } },
      responses: { 200: jsonOf('What came of it.', DeliveryDetail) },
    }),
    async (c) => {
      const { event = null } = c.req.valid('json');
      const tested = await sendTest(c.env, ownerOf(c), c.req.valid('param').id, event, Date.now());
      return tested.ok ? c.json(deliveryDetailOnWire(tested.value), 200) : failure(c, tested.error);
    },
  );
}
