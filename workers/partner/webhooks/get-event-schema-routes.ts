import { createRoute, z } from '@hono/zod-openapi';
import { PARTNER_EVENTS } from '../../../domain/webhooks/webhook-event.ts';
import { EVENT_PAYLOADS, jsonSchemaOf, WebhookTest } from '../../../protocol/partner/events.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { jsonOf } from '../../responses/wire.ts';
import { JSON_SCHEMA } from '../examples.ts';

const JsonSchema = z.record(z.string(), z.unknown()).openapi('JsonSchema', { example: JSON_SCHEMA });

/** GET /schemas/{event}.json: the JSON Schema of each payload, for anybody. */
export function getEventSchemaRoutes(partner: Profile): void {
  const payloads = PARTNER_EVENTS.map((event) => [event, EVENT_PAYLOADS[event]] as const);
  for (const [event, payload] of [...payloads, ['webhook.test', WebhookTest] as const]) {
    const schema = jsonSchemaOf(payload);
    registerRoute(
      partner,
      { access: { credential: 'public' }, bucket: 'public' },
      createRoute({
        method: 'get',
        path: `/schemas/${event}.json`,
        tags: ['webhooks'],
        summary: `JSON Schema of ${event}`,
        responses: { 200: jsonOf('JSON Schema 2020-12.', JsonSchema) },
      }),
      (c) => c.json(schema, 200),
    );
  }
}
