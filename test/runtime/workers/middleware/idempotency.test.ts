import { createExecutionContext, runInDurableObject, waitOnExecutionContext } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { createRoute, z } from '@hono/zod-openapi';
import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { HOUR_MS } from '../../../../domain/calendar/durations.ts';
import {
  type IdempotencyKeysApi,
  idempotencyKeysOf,
  WAIT_MS_MAX,
} from '../../../../durable-objects/idempotency-keys/api.ts';
import { apiError } from '../../../../protocol/errors/api-error.ts';
import { principalOf, resourceIdOf } from '../../../../workers/middleware/app-env.ts';
import { createProfile, registerRoute } from '../../../../workers/middleware/profile.ts';
import { failure } from '../../../../workers/responses/failure.ts';
import { createTestKey, type TestKey } from '../../fixtures/api-key.ts';
import { createTrader, type Trader } from '../../fixtures/create-trader.ts';
import { hurry } from '../../fixtures/hurry.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { stopClock } from '../../fixtures/stop-clock.ts';

/** A profile with one route that creates things, and fails as it is told to. */
const things = createProfile({ name: 'book', title: 'Things', fieldNames: 'snake_case', description: 'For this test' });
/** Ids under which it ran, and those under which it came to the end. */
const begun: string[] = [];
const created: string[] = [];
let gate: Promise<void> = Promise.resolve();

registerRoute(
  things,
  { access: { credential: 'key', scope: 'trade' }, bucket: 'private', idempotent: true },
  createRoute({
    method: 'post',
    path: '/v1/things',
    request: { body: { required: true, content: { 'application/json': { schema: z.object({ what: z.string() }) } } } },
    responses: {
      201: {
        description: 'ok',
        content: { 'application/json': { schema: z.object({ id: z.string(), by: z.string() }) } },
      },
    },
  }),
  async (c) => {
    const id = resourceIdOf(c);
    begun.push(id);
    await gate;
    created.push(id);
    const { what } = c.req.valid('json');
    if (what === 'unavailable') return failure(c, apiError('SERVICE_UNAVAILABLE', 'later'));
    if (what === 'bug') throw new Error('a bug');
    if (what === 'refused') return failure(c, apiError('INSUFFICIENT_BALANCE', 'no'));
    c.set('outcomeOpen', what === 'open');
    return c.json({ id, by: principalOf(c).userId }, 201);
  },
);

let db: Database;
let trader: Trader;
let key: TestKey;

beforeAll(async () => {
  db = await migrate();
});

beforeEach(async () => {
  trader = await createTrader(db);
  key = await createTestKey(trader);
  begun.length = 0;
  created.length = 0;
  gate = Promise.resolve();
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

async function post(idempotencyKey: string | null, what = 'thing', as: TestKey = key, bindings: Env = env) {
  const ctx = createExecutionContext();
  const headers = new Headers({ ...as.headers, 'content-type': 'application/json' });
  if (idempotencyKey !== null) headers.set('idempotency-key', idempotencyKey);
  const request = new Request('http://localhost/book/v1/things', {
    method: 'POST',
    headers,
    body: JSON.stringify({ what }),
  });
  const response = await things.fetch(request, bindings, ctx);
  await waitOnExecutionContext(ctx);
  const body = await response.json<{ id?: string; error?: { code: string } }>();
  return {
    status: response.status,
    body,
    replayed: response.headers.get('idempotent-replayed'),
    headers: response.headers,
  };
}

/** Kills the object that keeps the trader's keys, once it has written what it has. */
async function kill(): Promise<void> {
  const stub = env.IDEMPOTENCY_KEYS.getByName(trader.accountId);
  await runInDurableObject(stub, (_, { storage }) => storage.sync());
  await runInDurableObject(stub, (_, state) => state.abort('killed by a test')).catch(() => undefined);
}

type Call = keyof IdempotencyKeysApi;

/** The real objects, on a wire that a test listens to, or that it cuts before a call or before its answer. */
function onWire({ asked, answered }: { asked?: (call: Call) => void; answered?: (call: Call) => void }): Env {
  const getByName = (name: string): IdempotencyKeysApi => {
    const stub = idempotencyKeysOf(env, name);
    const carry = async <T>(call: Call, ask: () => Promise<T>): Promise<T> => {
      asked?.(call);
      const answer = await ask();
      answered?.(call);
      return answer;
    };
    return {
      claim: (claim) => carry('claim', () => stub.claim(claim)),
      answer: (holder, answer) => carry('answer', () => stub.answer(holder, answer)),
      release: (holder) => carry('release', () => stub.release(holder)),
    };
  };
  return { ...env, IDEMPOTENCY_KEYS: { getByName } as unknown as Env['IDEMPOTENCY_KEYS'] };
}

function lose(): never {
  throw new Error('network connection lost');
}

describe('Idempotency-Key', () => {
  it('gives the first answer again, status included, without running again', async () => {
    const first = await post('k1');
    const second = await post('k1');
    expect(first.status).toBe(201);
    expect([second.status, second.body, second.replayed]).toEqual([201, first.body, 'true']);
    expect(second.headers.get('x-ratelimit-remaining')).not.toBeNull();
    expect(created).toEqual([first.body.id]);
  });

  it('gives a refusal again too', async () => {
    const [first, second] = [await post('k1', 'refused'), await post('k1', 'refused')];
    expect([first.status, second.status, second.body]).toEqual([400, 400, first.body]);
    expect(created).toHaveLength(1);
  });

  it('with another body is 422 IDEMPOTENCY_CONFLICT', async () => {
    await post('k1', 'thing');
    const other = await post('k1', 'another thing');
    expect([other.status, other.body.error?.code]).toEqual([422, 'IDEMPOTENCY_CONFLICT']);
  });

  it('belongs to an account: another may use the same', async () => {
    const other = await createTestKey(await createTrader(db));
    const [mine, theirs] = [await post('k1'), await post('k1', 'thing', other)];
    expect(theirs.status).toBe(201);
    expect(theirs.body).not.toEqual(mine.body);
  });

  it('runs a request sent many times at once a single time, and answers all alike', async () => {
    const answers = await Promise.all(Array.from({ length: 10 }, () => post('k1')));
    expect(new Set(answers.map((answer) => JSON.stringify([answer.status, answer.body])))).toHaveLength(1);
    expect(created).toHaveLength(1);
  });

  it('is 409 CONFLICT while the first request still runs after the wait', async () => {
    let open = () => {};
    gate = new Promise((resolve) => {
      open = resolve;
    });
    const first = post('k1');
    await vi.waitFor(() => expect(begun).toHaveLength(1));
    stopClock();
    hurry(WAIT_MS_MAX);
    const second = await post('k1');
    expect([second.status, second.body.error?.code]).toEqual([409, 'CONFLICT']);
    open();
    expect((await first).status).toBe(201);
    expect(created).toHaveLength(1);
  });

  it.each([
    ['unavailable', 503],
    ['bug', 500],
  ])('keeps no 5xx (%s): the same request runs again, under the same id', async (what, status) => {
    const [first, second] = [await post('k1', what), await post('k1', what)];
    expect([first.status, second.status]).toEqual([status, status]);
    expect(created).toHaveLength(2);
    expect(created[1]).toBe(created[0]);
  });

  it('keeps no answer that leaves something open: the same request runs again, under the same id', async () => {
    const [first, second] = [await post('k1', 'open'), await post('k1', 'open')];
    expect([first.status, second.status, second.replayed]).toEqual([201, 201, null]);
    expect(created).toEqual([first.body.id, first.body.id]);
  });

  it('is taken over, with its id, from a request that was lost with its isolate', async () => {
    let lost: () => void = () => {};
    gate = new Promise((_, reject) => {
      lost = () => reject(new Error('lost'));
    });
    const first = post('k1');
    await vi.waitFor(() => expect(begun).toHaveLength(1));
    gate = Promise.resolve();
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31_000 });
    const second = await post('k1');
    expect([second.status, second.body.id]).toEqual([201, begun[0]]);
    lost();
    await first;
  });

  it('waits for the first request in the object that keeps the key, which is asked once', async () => {
    let open = () => {};
    gate = new Promise((resolve) => {
      open = resolve;
    });
    const first = post('k1');
    await vi.waitFor(() => expect(begun).toHaveLength(1));
    const asked: string[] = [];
    stopClock();
    hurry(WAIT_MS_MAX, HOUR_MS);
    const second = post('k1', 'thing', key, onWire({ asked: (call) => asked.push(call) }));
    await vi.waitFor(() => expect(asked).toEqual(['claim']));
    await scheduler.wait(200);
    open();
    expect((await second).body).toEqual((await first).body);
    expect(asked).toEqual(['claim']);
  });

  it('carries the same id when its object is killed while the request runs, and the answer is kept', async () => {
    let open = () => {};
    gate = new Promise((resolve) => {
      open = resolve;
    });
    const first = post('k1');
    await vi.waitFor(() => expect(begun).toHaveLength(1));
    await kill();
    expect((await post('k1', 'another thing')).status).toBe(422);
    open();
    const { status, body } = await first;
    await kill();
    const second = await post('k1');
    expect([status, second.status, second.body, second.replayed]).toEqual([201, 201, body, 'true']);
    expect(begun).toEqual([body.id]);
  });

  it('is 503 while its object is out of reach, and nothing runs', async () => {
    const answer = await post('k1', 'thing', key, onWire({ asked: lose }));
    expect([answer.status, answer.body.error?.code]).toEqual([503, 'SERVICE_UNAVAILABLE']);
    expect(begun).toEqual([]);
  });

  it('holds when the object is lost after each first call: the request runs once', async () => {
    const lost = new Set<Call>();
    const answered = (call: Call) => {
      if (lost.has(call)) return;
      lost.add(call);
      lose();
    };
    const first = await post('k1', 'thing', key, onWire({ answered }));
    const second = await post('k1');
    expect([first.status, second.body, second.replayed, [...lost]]).toEqual([
      201,
      first.body,
      'true',
      ['claim', 'answer'],
    ]);
    expect(begun).toHaveLength(1);
  });

  it('is not answered before the answer is kept: the repetition runs again, under the same id', async () => {
    const first = await post('k1', 'thing', key, onWire({ asked: (call) => call === 'answer' && lose() }));
    expect([first.status, first.headers.get('retry-after')]).toEqual([503, '1']);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 31_000 });
    expect((await post('k1')).status).toBe(201);
    expect(created).toEqual([begun[0], begun[0]]);
  });

  it('is forgotten after 24 h', async () => {
    const first = await post('k1');
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 24 * 3_600_000 + 1_000 });
    const later = await post('k1', 'another thing');
    expect(later.status).toBe(201);
    expect(later.body.id).not.toBe(first.body.id);
  });

  it('that is malformed is 400 VALIDATION_ERROR', async () => {
    for (const malformed of ['', 'with space', 'x'.repeat(129)]) {
      const answer = await post(malformed);
      expect([answer.status, answer.body.error?.code]).toEqual([400, 'VALIDATION_ERROR']);
    }
  });

  it('may be left out: each request creates', async () => {
    const [first, second] = [await post(null), await post(null)];
    expect([first.status, second.status]).toEqual([201, 201]);
    expect(second.body.id).not.toBe(first.body.id);
  });
});
