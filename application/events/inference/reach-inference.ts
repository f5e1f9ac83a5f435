import { getRandom } from '@cloudflare/containers';
import { SECRET_HEADER } from '../../../protocol/inference/wire.ts';
import type { EventsCaller } from '../events-caller.ts';

/** `max_instances` of wrangler.toml. */
const CONTAINERS = 4;

export type Reach = (path: string, init: RequestInit) => Promise<Response>;

/** Sends requests to the address INFERENCE_URL, or, where that is empty, to one of the containers behind the binding. */
export function reachInference(env: Env, { requestId, organization, tenant }: EventsCaller): Reach {
  const headers = {
    [SECRET_HEADER]: env.INFERENCE_SECRET,
    'x-request-id': requestId,
    'x-org-id': encodeURI(organization),
    'x-tenant-id': encodeURI(tenant),
  };
  return async (path, init) => {
    if (env.INFERENCE_URL !== '') return fetch(new URL(path, env.INFERENCE_URL), { ...init, headers });
    const container = await getRandom(env.INFERENCE, CONTAINERS);
    return container.fetch(new Request(new URL(path, 'http://inference'), { ...init, headers }));
  };
}
