import { createRoute, z } from '@hono/zod-openapi';
import { EVENT_PAYLOADS, jsonSchemaOf, WebhookTest } from '../../../protocol/partner/events.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { jsonOf } from '../../responses/wire.ts';
import { JSON_SCHEMA } from '../examples.ts';

const JsonSchema = z.record(z.string(), z.unknown()).openapi('JsonSchema', { example: JSON_SCHEMA });

/** GET /schemas/{event}.json: the JSON Schema of each payload, for anybody. */
export function getEventSchemaRoutes(partner: Profile): void {
  for (const [event, payload] of Object.entries({ ...EVENT_PAYLOADS, 'webhook.test': WebhookTest })) {
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
