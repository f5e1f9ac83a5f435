import { eventsDatabase } from '../../../data/events/database.ts';
import { judgeMovementsOf, nextUnjudged } from '../../../data/events/timeline/judge-movements.ts';

/** Rows of one event after which another one is looked at: the next run goes on. */
const ROWS_OF_AN_EVENT_MAX = 4_000_000;

/** Judges what nobody has asked for since it changed, so that whoever asks next does not wait for all of it. */
export async function judgeWaiting(env: Env): Promise<void> {
  const db = eventsDatabase(env.EVENTS_DB);
  const errors: unknown[] = [];
  for (let after = ''; ; ) {
    const eventId = await nextUnjudged(db, { after });
    if (eventId === null) break;
    // One that fails keeps back no other.
    await judgeMovementsOf(db, eventId, ROWS_OF_AN_EVENT_MAX).catch((error) => errors.push(error));
    after = eventId;
  }
  if (errors.length > 0) throw new AggregateError(errors, 'movements of some events were not judged');
}
