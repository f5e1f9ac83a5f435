import { eventsDatabase } from '../../../data/events/database.ts';
import {
  type DepartureState,
  findDeparture,
  requestDeparture,
  stopDeparture,
} from '../../../data/events/retention/retention-departures.ts';
import { DAY_MS } from '../../../domain/calendar/durations.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { log } from '../../../durable-objects/log/log.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { notFound } from '../not-found.ts';
import { retentionMsOf } from './retention.ts';

/** Long enough that people who work on weekdays see it, where events are retained for less. */
const LEAVE_WAIT_MS_MIN = 7 * DAY_MS;

/**
 * A tenant asks to leave. Its key is destroyed once it has waited as long as events are retained; until then everything goes on, and
 * anybody of the tenant who may change events, or the venue, stops it. Asked again it keeps its date.
 */
export async function requestLeave(
  env: Env,
  tenant: string,
  requestedBy: string,
): Promise<Result<DepartureState, ApiError>> {
  const db = eventsDatabase(env.EVENTS_DB);
  const now = Date.now();
  const leaveAt = now + Math.max(retentionMsOf(env), LEAVE_WAIT_MS_MIN);
  await requestDeparture(db, { tenant, requestedBy, now, leaveAt });
  const state = await findDeparture(db, tenant);
  if (state === null) throw new Error('a departure just asked for is not there');
  if (state.departure.leavingAt !== null)
    return err(apiError('CONFLICT', 'the tenant is being deleted; it can leave again once that is done'));
  if (state.departure.requestedAt === now)
    log('warn', 'a tenant asks to leave', {
      tenant,
      requested_by: requestedBy,
      leave_at: new Date(leaveAt).toISOString(),
    });
  return ok(state);
}

/** The departure that waits or is under way. */
export async function readLeave(env: Env, tenant: string): Promise<Result<DepartureState, ApiError>> {
  const state = await findDeparture(eventsDatabase(env.EVENTS_DB), tenant);
  const isOpen = state !== null && state.departure.stoppedAt === null && state.departure.finishedAt === null;
  return isOpen ? ok(state) : err(notFound('departure'));
}

/** Whether they have stopped the latest departure: a repetition whose first answer was lost has nothing left to do. */
export async function hasStopped(env: Env, tenant: string, who: string): Promise<boolean> {
  const state = await findDeparture(eventsDatabase(env.EVENTS_DB), tenant);
  return state !== null && state.departure.stoppedAt !== null && state.departure.stoppedBy === who;
}

/** Takes a departure back: nothing has changed, and nothing does. Whoever has done so may ask again. */
export async function stopLeave(env: Env, tenant: string, stoppedBy: string): Promise<Result<null, ApiError>> {
  const stopped = await stopDeparture(eventsDatabase(env.EVENTS_DB), { tenant, stoppedBy, now: Date.now() });
  if (stopped || (await hasStopped(env, tenant, stoppedBy))) return ok(null);
  const state = await readLeave(env, tenant);
  return state.ok ? err(apiError('CONFLICT', 'the key of the tenant is being destroyed')) : state;
}
