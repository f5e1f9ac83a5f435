import { listChangingOrganizations } from '../../data/bridge/tenants.ts';
import { database } from '../../data/database.ts';
import { SEEN_BEFORE_MS } from '../../domain/bridge/places/kept-versions.ts';
import { PLACE_NOTICE_MS } from '../../domain/bridge/places/notice.ts';
import { HOUR_MS } from '../../domain/calendar/durations.ts';
import { log } from '../../durable-objects/log/log.ts';
import { lookAtPlaces } from '../../durable-objects/signer/api.ts';

/** Organizations whose signers look in one run: others have their turn in the next. */
const LOOKED_AT_MAX = 50;

type PlacesEnv = Pick<Env, 'DB' | 'BRIDGE_SIGNER' | 'BRIDGE_SIGNERS'>;

/**
 * Has signers in objects look at places that were stated of late, or are to change: for each its notice begins when it has seen it. What was taken back is looked at, too, or it would count for
 * those that have not heard of that.
 */
export async function lookAtChangedPlaces(env: PlacesEnv, now: number): Promise<void> {
  const since = now - PLACE_NOTICE_MS - SEEN_BEFORE_MS;
  const of = { since, turn: Math.floor(now / HOUR_MS), limit: LOOKED_AT_MAX };
  const organizations = await listChangingOrganizations(database(env.DB), of);
  await Promise.all(organizations.map((organization) => lookAt(env, organization)));
}

/** Who does not answer, or does not take what is stated, looks again with the next hourly run. */
export async function lookAt(env: PlacesEnv, organization: string): Promise<void> {
  const refusals = await lookAtPlaces(env, organization);
  if (refusals.length > 0)
    log('warn', 'signers have not taken the places that were stated', { organization, refusals });
}
