import { uuidv7 } from 'uuidv7';
import { database } from '../../data/database.ts';
import {
  claimIdempotencyKey,
  type IdempotencyKeyState,
  releaseIdempotencyKey,
  storeIdempotentAnswer,
} from '../../data/identity/idempotency-keys.ts';
import { apiError, failure } from './api-error.ts';
import { type AppContext, principalOf } from './app-env.ts';
import { sha256Hex } from './sha256-hex.ts';

type Handler = (c: AppContext) => Response | Promise<Response>;

const KEY = /^[\x21-\x7e]{1,128}$/;
/** How long a request waits for the first one with its key, before 409 CONFLICT. */
const WAIT_MS_MAX = 5_000;
const WAIT_STEP_MS = 50;

/**
 * Answers a repeated Idempotency-Key with the first answer, for 24 h and per account (DESIGN 14). The id of what the request creates is
 * stored before the handler runs, so a repetition after a crash carries the same one. A 5xx is not kept, nor an answer in
 * which the handler has left something open (`outcomeOpen`): the repetition runs again, under the same id.
 *
 * An answer that is not to be stored (it names people) is made again by the handler, which finds what it did under the same id.
 */
export function answeringOnce(handler: Handler, { stored }: { readonly stored: boolean }): Handler {
  return async (c) => {
    const key = c.req.header('idempotency-key');
    if (key === undefined) {
      c.set('resourceId', uuidv7());
      return handler(c);
    }
    if (!KEY.test(key))
      return failure(c, apiError('VALIDATION_ERROR', 'Idempotency-Key is 1 to 128 visible ASCII characters'));
    const principal = principalOf(c);
    const claim = { scope: principal.facts?.accountId ?? principal.userId, key };
    const state = await claimWaiting(c, { ...claim, requestHash: await requestHashOf(c) });
    switch (state.type) {
      case 'conflict':
        return failure(c, apiError('IDEMPOTENCY_CONFLICT', 'this Idempotency-Key was used with another request'));
      case 'in_flight':
        return failure(c, apiError('CONFLICT', 'a request with this Idempotency-Key is still running'));
      case 'answered':
        return new Response(state.body === '' ? null : state.body, {
          status: state.status,
          headers: { 'content-type': 'application/json', 'idempotent-replayed': 'true' },
        });
      case 'claimed':
        c.set('resourceId', state.resourceId);
        return runOnce(c, claim, { handler, stored });
    }
  };
}

async function runOnce(
  c: AppContext,
  claim: { scope: string; key: string },
  { handler, stored }: { handler: Handler; stored: boolean },
): Promise<Response> {
  const db = database(c.env.DB);
  try {
    const response = await handler(c);
    if (response.status >= 500 || c.get('outcomeOpen') === true || !stored) await releaseIdempotencyKey(db, claim);
    else await storeIdempotentAnswer(db, claim, { status: response.status, body: await response.clone().text() });
    return response;
  } catch (error) {
    await releaseIdempotencyKey(db, claim);
    throw error;
  }
}

async function claimWaiting(
  c: AppContext,
  claim: { scope: string; key: string; requestHash: string },
): Promise<IdempotencyKeyState> {
  const db = database(c.env.DB);
  const deadline = Date.now() + WAIT_MS_MAX;
  for (;;) {
    const state = await claimIdempotencyKey(db, { ...claim, resourceId: uuidv7(), now: Date.now() });
    if (state.type !== 'in_flight' || Date.now() >= deadline) return state;
    await scheduler.wait(WAIT_STEP_MS);
  }
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
