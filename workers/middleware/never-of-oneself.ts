import { refuseOfOneself } from '../../application/operator/about-oneself.ts';
import { failure } from '../responses/failure.ts';
import { type AppContext, whoActs } from './app-env.ts';

/** Lets nobody make a call about themselves (`RouteOptions.neverOfOneself`). */
export function neverOfOneself(handler: (c: AppContext) => Promise<Response>): (c: AppContext) => Promise<Response> {
  return async (c) => {
    const body: unknown = c.req.valid('json' as never) ?? null;
    const call = { call: `${c.req.method} ${new URL(c.req.url).pathname}`, body: JSON.stringify(body) };
    const refused = await refuseOfOneself(c.env, call, whoActs(c));
    return refused === null ? handler(c) : failure(c, refused);
  };
}
