import { listChangingOrganizations } from '../../data/bridge/tenants.ts';
import { database } from '../../data/database.ts';
import { log } from '../../durable-objects/log/log.ts';
import { lookAtPlaces } from '../../durable-objects/signer/api.ts';

type PlacesEnv = Pick<Env, 'DB' | 'BRIDGE_SIGNER' | 'BRIDGE_SIGNERS'>;

/** Has signers in objects look at changes of places that wait for their time: for each, its notice begins when it has seen it. */
export async function lookAtChangedPlaces(env: PlacesEnv, now: number): Promise<void> {
  for (const organization of await listChangingOrganizations(database(env.DB), now)) await lookAt(env, organization);
}

/** Who does not answer looks with the next hourly run. */
export async function lookAt(env: PlacesEnv, organization: string): Promise<void> {
  const away = await lookAtPlaces(env, organization);
  if (away.length > 0) log('warn', 'signers have not looked at changed places', { organization, signers: away });
}
