import { uuidv7 } from 'uuidv7';
import { askIdempotencyKeys } from '../../application/identity/ask-idempotency-keys.ts';
import { sha256Hex } from '../../application/identity/sha256-hex.ts';
import type { IdempotencyKeyHolder } from '../../durable-objects/idempotency-keys/api.ts';
import { apiError } from '../../protocol/errors/api-error.ts';
import { failure } from '../responses/failure.ts';
import { type AppContext, principalOf } from './app-env.ts';
import { KEY, KEY_LENGTH_MAX } from './idempotency-key.ts';
import type { ProfileDescription } from './registered-route.ts';

/** Seconds: the first request is over, or its lease, by itself. */
const IN_FLIGHT_RETRY_AFTER_S = '1';

type Handler = (c: AppContext) => Response | Promise<Response>;

interface Once {
  readonly stored: boolean;
  readonly keysOf: ProfileDescription['keysOf'];
}

/**
 * Answers a repeated Idempotency-Key with the first answer, for 24 h and per account (docs/design/identity.md#idempotency-keys). The id
 * of what the request creates is stored before the handler runs, so a repetition after a crash carries the same one. A 5xx is not kept,
 * nor an answer in which the handler has left something open (`outcomeOpen`): the repetition runs again, under the same id.
 *
 * An answer that is not to be stored (it names people) is made again by the handler, which finds what it did under the same id.
 */
export function answeringOnce(handler: Handler, { stored, keysOf }: Once): Handler {
  return async (c) => {
    const key = c.req.header('idempotency-key');
    if (key === undefined) {
      c.set('resourceId', uuidv7());
      return handler(c);
    }
    if (!KEY.test(key))
      return failure(
        c,
        apiError('VALIDATION_ERROR', `Idempotency-Key is 1 to ${KEY_LENGTH_MAX} visible ASCII characters`),
      );
    const principal = principalOf(c);
    const account = principal.facts?.accountId ?? principal.userId;
    const besides = keysOf?.(c) ?? null;
    const scope = besides === null ? account : `${account}\n${besides}`;
    const claimId = uuidv7();
    const claim = { key, requestHash: await requestHashOf(c), claimId };
    const state = await askIdempotencyKeys(c.env, scope, (keys) => keys.claim(claim));
    switch (state?.type) {
      case undefined:
      case 'full':
        return failure(c, apiError('SERVICE_UNAVAILABLE', 'no Idempotency-Key can be kept now: repeat the request'));
      case 'conflict':
        return failure(c, apiError('IDEMPOTENCY_CONFLICT', 'this Idempotency-Key was used with another request'));
      case 'in_flight':
        c.header('retry-after', IN_FLIGHT_RETRY_AFTER_S);
        return failure(
          c,
          apiError('CONFLICT', 'a request with this Idempotency-Key is still running', { reason: 'in_flight' }),
        );
      case 'answered':
        return new Response(state.body === '' ? null : state.body, {
          status: state.status,
          headers: { 'content-type': 'application/json', 'idempotent-replayed': 'true' },
        });
      case 'claimed': {
        const { resourceId } = state;
        c.set('resourceId', resourceId);
        c.set('isRepetition', resourceId !== claimId);
        return runOnce(c, { scope, holder: { key, claimId, resourceId }, handler, stored });
      }
    }
  };
}

interface Run {
  readonly scope: string;
  readonly holder: IdempotencyKeyHolder;
  readonly handler: Handler;
  readonly stored: boolean;
}

async function runOnce(c: AppContext, { scope, holder, handler, stored }: Run): Promise<Response> {
  // Should it fail, the lease ends by itself.
  const release = () => askIdempotencyKeys(c.env, scope, (keys) => keys.release(holder).then(() => true));
  let response: Response;
  try {
    response = await handler(c);
  } catch (error) {
    await release();
    throw error;
  }
  if (response.status >= 500 || c.get('outcomeOpen') === true || !stored) {
    await release();
    return response;
  }
  const answer = { status: response.status, body: await response.clone().text() };
  const kept = await askIdempotencyKeys(c.env, scope, (keys) => keys.answer(holder, answer).then(() => true));
  if (kept !== null) return response;
  return failure(c, apiError('SERVICE_UNAVAILABLE', 'the answer could not be kept: repeat the request'));
}

async function requestHashOf(c: AppContext): Promise<string> {
  const { pathname, search } = new URL(c.req.url);
  return sha256Hex(`${c.req.method}\n${pathname}${search}\n${await bodyOf(c)}`);
}

/** Of a multipart body its parts: the boundary between them is another one each time that a client builds it. */
async function bodyOf(c: AppContext): Promise<string> {
  if (c.req.header('content-type')?.startsWith('multipart/form-data') !== true) return c.req.text();
  const parts = await Promise.all(
    [...(await c.req.formData())].map(async ([name, value]) => [
      name,
      typeof value === 'string' ? value : await sha256Hex(await value.arrayBuffer()),
    ]),
  );
  return JSON.stringify(parts);
}
