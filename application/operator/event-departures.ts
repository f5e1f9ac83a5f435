import { type OperatorAction, recordOperatorAction } from '../../data/audit/trail/operator-events.ts';
import { database } from '../../data/database.ts';
import { eventsDatabase } from '../../data/events/database.ts';
import { type Departure, listOpenDepartures } from '../../data/events/retention/retention-departures.ts';
import { ok, type Result } from '../../domain/result.ts';
import type { ApiError } from '../../protocol/errors/api-error.ts';
import { hasStopped, readLeave, stopLeave } from '../events/retention/leave-service.ts';

/** More tenants than leave at once. */
const DEPARTURES_MAX = 1_000;

/** Tenants of the events service that leave: the earliest first. */
export async function listEventDepartures(env: Env): Promise<readonly Departure[]> {
  return listOpenDepartures(eventsDatabase(env.EVENTS_DB), DEPARTURES_MAX);
}

/** Stops a departure; once, however often the same operator asks. The trail is in another database, so it is written first: a crash leaves an entry too many. */
export async function stopEventDeparture(
  env: Env,
  { tenant, reason }: { readonly tenant: string; readonly reason: string },
  action: OperatorAction,
): Promise<Result<null, ApiError>> {
  const state = await readLeave(env, tenant);
  if (!state.ok) return (await hasStopped(env, tenant, action.actor)) ? ok(null) : state;
  const { requestedBy, leaveAt } = state.value.departure;
  await recordOperatorAction(database(env.DB), {
    action,
    type: 'operator.event_departure_stopped',
    subject: tenant,
    createdAt: Date.now(),
    details: { reason },
    before: { requested_by: requestedBy, leave_at: new Date(leaveAt).toISOString() },
    after: null,
  });
  return stopLeave(env, tenant, action.actor);
}
