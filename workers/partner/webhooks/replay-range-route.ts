import { createRoute, z } from '@hono/zod-openapi';
import { replayRange } from '../../../application/partner/webhooks/deliveries.ts';
import { partnerOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { bodyOf, jsonOf } from '../../responses/wire.ts';
import { REPLAYED } from '../examples.ts';
import { WEBHOOK_ROUTE } from '../partner-route.ts';
import { WebhookParams } from './webhook-schema.ts';

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
  .openapi('Replayed', { example: REPLAYED });

/** POST /v1/webhooks/{id}/replay */
export function replayRangeRoute(partner: Profile): void {
  registerRoute(
    partner,
    { ...WEBHOOK_ROUTE, idempotent: true, errors: ['CONFLICT'] },
    createRoute({
      method: 'post',
      path: '/v1/webhooks/{id}/replay',
      tags: ['webhooks'],
      summary: 'Send again what was first queued in a range of time, 1,000 events a call',
      description: 'From `from` on, before `to`. What still waits is not queued twice.',
      request: { params: WebhookParams, body: bodyOf(Range) },
      responses: { 202: jsonOf('Queued.', Replayed) },
    }),
    async (c) => {
      const { from, to, after_sequence: after } = c.req.valid('json');
      const range = { from: Date.parse(from), to: Date.parse(to), after };
      const replayed = await replayRange(c.env, partnerOf(c), c.req.valid('param').id, range);
      if (!replayed.ok) return failure(c, replayed.error);
      return c.json({ replayed: replayed.value.replayed, next_sequence: replayed.value.next }, 202);
    },
  );
}
