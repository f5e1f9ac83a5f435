import { createRoute } from '@hono/zod-openapi';
import { createEvent } from '../../../application/events/sites/create-event.ts';
import { principalOf, resourceIdOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { bodyOf, jsonOf } from '../../responses/wire.ts';
import { tenancyOf } from '../tenancy.ts';
import { EventRecord, EventRequest, eventView } from './event-schema.ts';

/** POST /events. */
export function createEventRoute(events: Profile): void {
  registerRoute(
    events,
    {
      access: { credential: 'bearer', permission: 'events:write' },
      bucket: 'private',
      idempotent: true,
      errors: ['CONFLICT'],
    },
    createRoute({
      method: 'post',
      path: '/events',
      tags: ['events'],
      summary: 'Create an event',
      request: { body: bodyOf(EventRequest) },
      responses: { 201: jsonOf('The event.', EventRecord) },
    }),
    async (c) => {
      const {
        name,
        description,
        date,
        end_date: endDate = null,
        consent_text: consentText = null,
      } = c.req.valid('json');
      const scoped = { id: resourceIdOf(c), tenant: tenancyOf(c).tenant, createdBy: principalOf(c).userId };
      const event = await createEvent(c.env, { ...scoped, name, description, date, endDate, consentText });
      return event.ok ? c.json(eventView(event.value), 201) : failure(c, event.error);
    },
  );
}
