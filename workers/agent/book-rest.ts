import type { Rest } from '../../protocol/agent/call-tool.ts';
import { nextCursorOf } from '../../protocol/next-cursor.ts';
import type { AppContext } from '../middleware/app-env.ts';
import { asMadeByAgent } from '../middleware/audience.ts';
import { clientAddressOf, inNameOf } from '../middleware/client-address.ts';
import type { Profile } from '../middleware/profile.ts';

/** A host that no profile has to itself, so that the path names the profile. The request never leaves this Worker. */
const IN_PROCESS = 'http://book.internal/book';

/** REST calls of profile B in this process, as the caller's access token under their API key: with every check of a call from outside. */
export function bookRest(c: AppContext, book: Profile, keyId: string): Rest {
  return async ({ method, path, body, idempotencyKey }) => {
    const request = new Request(`${IN_PROCESS}${path}`, {
      method,
      headers: {
        authorization: c.req.header('authorization') ?? '',
        'x-api-key': keyId,
        'x-request-id': c.get('requestId'),
        ...(body === null ? {} : { 'content-type': 'application/json' }),
        ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }),
      },
      body: body === null ? null : JSON.stringify(body),
    });
    const inner = asMadeByAgent(inNameOf(clientAddressOf(c), request));
    const response = await book.fetch(inner, c.env, c.executionCtx as ExecutionContext);
    return { status: response.status, body: await response.json(), next: nextCursorOf(response.headers.get('link')) };
  };
}
