import { createRoute } from '@hono/zod-openapi';
import { eventsDatabase } from '../../../data/events/database.ts';
import { openScopeKeys } from '../../../data/events/keys/r2-scope-keys.ts';
import { createEvent, eventScope } from '../../../data/events/sites/events.ts';
import { eventDatesOf } from '../../../domain/events/event-dates.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { principalOf, resourceIdOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { tenancyOf } from '../tenancy.ts';
import { bodyOf, jsonOf } from '../wire.ts';
import { EventRecord, EventRequest, eventView } from './event-schema.ts';

/** POST /events. */
export function createEventRoute(events: Profile): void {
  registerRoute(
    events,
    { access: { credential: 'bearer', permission: 'events:write' }, bucket: 'private', idempotent: true },
    createRoute({
      method: 'post',
      path: '/events',
      tags: ['events'],
      summary: 'Create an event',
      request: { body: bodyOf(EventRequest) },
      responses: { 201: jsonOf('The event.', EventRecord) },
    }),
    async (c) => {
      const { name, description, date, end_date: endDate = null } = c.req.valid('json');
      const dates = eventDatesOf(date, endDate);
      if (dates === null)
        return failure(c, apiError('VALIDATION_ERROR', 'end_date is before date', { field: 'end_date' }));
      const scoped = { id: resourceIdOf(c), tenant: tenancyOf(c).tenant };
      await openScopeKeys(c.env.EVENT_KEYS, c.env.EVENTS_MASTER_KEY).create(eventScope(scoped));
      const event = await createEvent(eventsDatabase(c.env.EVENTS_DB), {
        ...scoped,
        ...dates,
        name,
        description,
        dateGiven: date,
        endDateGiven: endDate,
        createdBy: principalOf(c).userId,
        createdAt: Date.now(),
      });
      return c.json(eventView(event), 201);
    },
  );
}
