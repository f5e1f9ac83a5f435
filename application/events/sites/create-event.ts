import { eventsDatabase } from '../../../data/events/database.ts';
import { openScopeKeys } from '../../../data/events/keys/r2-scope-keys.ts';
import { createEvent as createEventRow, type EventRow, eventScope } from '../../../data/events/sites/events.ts';
import { eventDatesOf } from '../../../domain/events/event-dates.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { tooMany } from '../too-many.ts';

export interface EventToCreate {
  /** The same on every repetition. */
  readonly id: string;
  readonly tenant: string;
  readonly name: string;
  readonly description: string;
  /** ISO 8601, a day or a time, as it was given. */
  readonly date: string;
  readonly endDate: string | null;
  /** What its attendees have agreed to where they signed up; null where each registration says so. */
  readonly consentText: string | null;
  /** User id. */
  readonly createdBy: string;
}

/** Makes an event with a key of its own; once per id. */
export async function createEvent(env: Env, event: EventToCreate): Promise<Result<EventRow, ApiError>> {
  const { id, tenant, name, description, date, endDate, consentText, createdBy } = event;
  const dates = eventDatesOf(date, endDate);
  if (dates === null) return err(apiError('VALIDATION_ERROR', 'end_date is before date', { field: 'end_date' }));
  // Before the row: an event that has no key has lost it.
  const keys = openScopeKeys(env.EVENT_KEYS, env.EVENTS_MASTER_KEY);
  await keys.create(eventScope({ id, tenant }));
  const row = await createEventRow(eventsDatabase(env.EVENTS_DB), {
    id,
    tenant,
    ...dates,
    name,
    description,
    dateGiven: date,
    endDateGiven: endDate,
    createdBy,
    consentText,
    createdAt: Date.now(),
  });
  if (row !== null) return ok(row);
  await keys.destroy(eventScope({ id, tenant }));
  return err(tooMany('events_max'));
}
