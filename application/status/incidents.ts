import type { OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { database } from '../../data/database.ts';
import {
  findIncident,
  INCIDENT_UPDATES_MAX,
  type Incident,
  type NewIncident,
  OPEN_INCIDENTS_MAX,
  openIncident,
  updateIncident,
} from '../../data/status/incidents.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import type { IncidentState, StatusPart } from '../../domain/status/parts.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { outcomeUnknown } from '../operator/outcome-unknown.ts';
import { forgetPublicStatus } from './read-public-status.ts';

type IncidentsEnv = Pick<Env, 'DB'>;

/** An operator tells the public of a disturbance. */
export async function openNewIncident(
  env: IncidentsEnv,
  incident: NewIncident,
  action: OperatorAction,
): Promise<Result<Incident, ApiError>> {
  const db = database(env.DB);
  const isOpened = await openIncident(db, incident, action, Date.now());
  if (!isOpened)
    return err(
      apiError('CONFLICT', 'as many incidents are open as may be: resolve one first', { openMax: OPEN_INCIDENTS_MAX }),
    );
  return shown(env, action.id);
}

export interface Telling {
  readonly state: IncidentState;
  readonly words: string;
  /** Left out, as before. */
  readonly parts?: readonly StatusPart[] | undefined;
}

/** They tell more of it, or that it is over. */
export async function tellOfIncident(
  env: IncidentsEnv,
  id: string,
  { state, words, parts }: Telling,
  action: OperatorAction,
): Promise<Result<Incident, ApiError>> {
  const db = database(env.DB);
  const before = await findIncident(db, id);
  if (before === null) return err(apiError('NOT_FOUND', 'incident does not exist'));
  const update = { state, words, parts: parts ?? before.parts };
  if (await updateIncident(db, before, update, action, Date.now())) return shown(env, id);
  return err(notTold(before, await findIncident(db, id)));
}

function notTold(before: Incident, now: Incident | null): ApiError {
  if (now?.resolvedAt !== null)
    return apiError('CONFLICT', 'the incident is resolved: open another', { state: 'resolved' });
  if (now.updatedAt !== before.updatedAt)
    return apiError('CONFLICT', 'another operator has told of it meanwhile: read it and tell again', {
      state: now.state,
    });
  return apiError('CONFLICT', 'as much was told of it as may be: resolve it and open another', {
    updatesMax: INCIDENT_UPDATES_MAX,
  });
}

async function shown(env: IncidentsEnv, id: string): Promise<Result<Incident, ApiError>> {
  forgetPublicStatus();
  const incident = await findIncident(database(env.DB), id);
  return incident === null ? err(outcomeUnknown()) : ok(incident);
}
