import {
  createExecutionContext,
  createMessageBatch,
  getQueueResult,
  runDurableObjectAlarm,
  runInDurableObject,
} from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest';
import { database } from '../../../../data/database.ts';
import { NO_TOKEN } from '../../../../data/identity/bearer.ts';
import { changeEndpoint, deleteEndpoint, disableEndpoint, findEndpoint } from '../../../../data/webhooks/endpoints.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '../../../../domain/calendar/durations.ts';
import { errorOfStatus } from '../../../../domain/webhooks/attempt.ts';
import {
  WAITING_BYTES_MAX,
  WAITING_BYTES_WITH_REPLAYS_MAX,
  type WebhookMessage,
  webhookEndpointOf,
} from '../../../../durable-objects/webhook-endpoint/api.ts';
import { consumeWebhooks } from '../../../../workers/queues/consume-webhooks.ts';
import { endpointReads } from '../../fixtures/faulty-webhook-endpoint.ts';
import { hurry } from '../../fixtures/hurry.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { patience } from '../../fixtures/patience.ts';
import { stopClock } from '../../fixtures/stop-clock.ts';
import {
  createTestEndpoint,
  type OutsideReceiver,
  outsideReceiver,
  verified,
} from '../../fixtures/webhook-receiver.ts';

const db = database(env.DB);
beforeAll(migrate);
/** In the one line of their endpoint, unless another one is stated. */
const messages = (count: number, line: string | null = ''): WebhookMessage[] =>
  Array.from({ length: count }, (_, at) => {
    const eventId = uuidv7();
    return { eventId, type: 'trade.executed', payload: JSON.stringify({ at, text: 'déjà vu', eventId }), line };
  });

async function endpointAt(receiver: OutsideReceiver) {
  const { id, secret } = await createTestEndpoint(receiver.url);
  return { id, secret, object: () => webhookEndpointOf(env, id) };
}

/** As long as an answer is waited for (docs/design/webhooks.md). */
const ANSWER_WAIT_MS = 10_000;

const list = (endpoint: { object: () => ReturnType<typeof webhookEndpointOf> }) =>
  endpoint.object().deliveries({ state: null, eventId: null, before: null, limit: 100 });

/** Until what is asked of the log holds. */
async function until<T>(ask: () => Promise<T>, holds: (value: T) => boolean): Promise<T> {
  for (const isOver = patience(); ; ) {
    const value = await ask();
    if (holds(value)) return value;
    if (isOver()) throw new Error(`it does not come to that: ${JSON.stringify(value)}`);
    await new Promise((resolve) => setTimeout(resolve, 20));
  }
}

async function kill(id: string): Promise<void> {
  await runInDurableObject(env.WEBHOOK_ENDPOINT.getByName(id), async (_, state) => {
    await state.storage.sync();
    state.abort('killed by a test');
  }).catch(() => undefined);
}

/** The object believes that it is so much later, and what waits is looked at. */
async function later(id: string, ms: number): Promise<void> {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + ms });
  await runInDurableObject(env.WEBHOOK_ENDPOINT.getByName(id), (_, state) => state.storage.setAlarm(1));
}

/** What the object puts on the Queue goes there; null for the Queue. */
async function throughQueue(
  { id }: { readonly id: string },
  sendBatch: ((pointers: readonly unknown[]) => Promise<void>) | null,
): Promise<void> {
  await runInDurableObject(env.WEBHOOK_ENDPOINT.getByName(id), (instance) => {
    const WEBHOOKS = sendBatch === null ? env.WEBHOOKS : { sendBatch };
    Object.assign(instance, { env: { ...(instance as unknown as { env: Env }).env, WEBHOOKS } });
  });
}

/** One is given out, and this comes of it. @returns what is answered to that */
async function comesTo(
  { object }: { object: () => ReturnType<typeof webhookEndpointOf> },
  sequence: number,
  status: number,
) {
  const given = await object().take([sequence]);
  const [message] = given?.messages ?? [];
  if (given === null || message === undefined) throw new Error(`${sequence} is not given out`);
  const { generation } = given.terms;
  const attempt = { status, error: errorOfStatus(status), response: null, at: Date.now(), durationMs: 1 };
  const ended = [{ sequence, claim: message.claim, generation, attempt }];
  return { ended, told: await object().record(ended, { left: [], generation, goesOn: false }) };
}

/** What waits is as if its bodies were so long in all. */
async function waitingBytes(id: string, bytes: number): Promise<void> {
  await runInDurableObject(env.WEBHOOK_ENDPOINT.getByName(id), (_, { storage }) => {
    storage.sql.exec(`UPDATE deliveries SET bytes = 0 WHERE state = 'waiting'`);
    storage.sql.exec(
      `UPDATE deliveries SET bytes = ? WHERE sequence = (SELECT min(sequence) FROM deliveries WHERE state = 'waiting')`,
      bytes,
    );
  });
  await kill(id);
}

/** How many messages are on the Queue or with a consumer. */
const carried =
  ({ id }: { readonly id: string }) =>
  () =>
    runInDurableObject(env.WEBHOOK_ENDPOINT.getByName(id), (instance) => instance.carried);

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('deliveries', () => {
  test('messages arrive in order, each signed over its bytes, with the id of its event and its sequence', async () => {
    const receiver = outsideReceiver();
    const endpoint = await endpointAt(receiver);
    const sent = messages(20);
    await endpoint.object().enqueue(sent.slice(0, 7));
    await endpoint.object().enqueue(sent.slice(7));
    const received = await receiver.receives(20);
    expect(received.map(({ headers }) => headers['webhook-id'])).toEqual(sent.map(({ eventId }) => eventId));
    expect(received.map(({ body }) => body)).toEqual(sent.map(({ payload }) => payload));
    expect(received.map(({ headers }) => Number(headers['webhook-sequence']))).toEqual(
      Array.from({ length: 20 }, (_, at) => at + 1),
    );
    for (const each of received) expect(verified(endpoint.secret, each)).toMatchObject({ text: 'déjà vu' });
    await until(
      () => list(endpoint),
      (log) => log.every(({ state, tries }) => state === 'delivered' && tries === 1),
    );
  });

  test('a message is taken into the queue once, however often it is sent to it', async () => {
    const receiver = outsideReceiver();
    const endpoint = await endpointAt(receiver);
    const sent = messages(3);
    await endpoint.object().enqueue(sent);
    await receiver.receives(3);
    await endpoint.object().enqueue(sent.map((message) => ({ ...message, payload: '{"another":"text"}' })));
    await endpoint.object().enqueue(messages(1));
    expect((await receiver.receives(4)).slice(0, 3).map(({ body }) => body)).toEqual(
      sent.map(({ payload }) => payload),
    );
    expect(await list(endpoint)).toHaveLength(4);
  });

  test('R-08: a receiver that limits is called again when it asks to be, and what is behind waits with it', async () => {
    const receiver = outsideReceiver();
    await receiver.behaves({ kind: 'answer', status: 429, headers: { 'retry-after': '40' }, times: 1 });
    stopClock();
    const endpoint = await endpointAt(receiver);
    await endpoint.object().enqueue(messages(2));
    await receiver.receives(1);
    const [head] = await until(
      async () => (await list(endpoint)).toReversed(),
      ([first]) => first?.tries === 1,
    );
    expect((head?.nextTryAt ?? 0) - (head?.firstTriedAt ?? 0)).toBeGreaterThanOrEqual(40_000);
    await later(endpoint.id, 41_000);
    expect(await receiver.receives(3)).toHaveLength(3);
  });

  test('R-08: what a receiver that limits has not been sent yet waits, too, where messages have no order', async () => {
    const receiver = outsideReceiver();
    await receiver.behaves({ kind: 'answer', status: 429, headers: { 'retry-after': '3600' }, times: 1 });
    stopClock();
    const endpoint = await endpointAt(receiver);
    await endpoint.object().enqueue(messages(1, null));
    await receiver.receives(1);
    const { nextTryAt } = await until(
      () => endpoint.object().backlog(),
      ({ circuit }) => circuit === 'open',
    );
    expect(nextTryAt ?? 0).toBeGreaterThanOrEqual(Date.now() + 3_600_000);
    await endpoint.object().enqueue(messages(5, null));
    await kill(endpoint.id);
    await later(endpoint.id, 3_590_000);
    expect(await endpoint.object().backlog()).toMatchObject({ waiting: 6, circuit: 'open' });
    expect(await receiver.received()).toHaveLength(1);
    await later(endpoint.id, 20_000);
    expect(await receiver.receives(7)).toHaveLength(7);
  });

  test('a receiver that answers 500 is tried again with the same bytes under the same id; those behind wait', async () => {
    const receiver = outsideReceiver();
    await receiver.behaves({ kind: 'answer', status: 500, body: 'x'.repeat(10_000), times: 1 });
    stopClock();
    const endpoint = await endpointAt(receiver);
    const sent = messages(3);
    await endpoint.object().enqueue(sent);
    await receiver.receives(1);
    const [head] = await until(
      async () => (await list(endpoint)).toReversed(),
      ([first]) => first?.tries === 1,
    );
    expect(head).toMatchObject({ state: 'waiting', eventId: sent[0]?.eventId });
    const wait_ms = (head?.nextTryAt ?? 0) - (head?.firstTriedAt ?? 0);
    expect(wait_ms).toBeGreaterThanOrEqual(3_900);
    expect(wait_ms).toBeLessThanOrEqual(7_000);
    expect(await receiver.received()).toHaveLength(1);
    const kept = await endpoint.object().delivery(head?.id ?? '');
    expect(kept?.attempts).toMatchObject([{ status: 500, error: 'status', response: 'x'.repeat(512) }]);

    await later(endpoint.id, 10_000);
    const received = await receiver.receives(4);
    expect(received.map(({ headers }) => headers['webhook-id'])).toEqual([
      sent[0]?.eventId,
      ...sent.map(({ eventId }) => eventId),
    ]);
    expect(received[1]?.body).toBe(received[0]?.body);
    expect(received[1]?.headers['webhook-sequence']).toBe('1');
    expect(received[1]?.headers['webhook-timestamp']).not.toBe(received[0]?.headers['webhook-timestamp']);
  });

  test.each([
    ['redirect', { status: 302, error: 'redirect' }],
    ['garbage', { status: null, error: 'unreachable' }],
    ['cut', { status: null, error: 'unreachable' }],
  ] as const)('a receiver with a %s has not taken the message', async (kind, told) => {
    const receiver = outsideReceiver();
    await receiver.behaves({ kind, times: 1 });
    const endpoint = await endpointAt(receiver);
    const [message] = messages(1);
    if (message === undefined) return;
    await endpoint.object().enqueue([message]);
    const [waiting] = await until(
      () => list(endpoint),
      ([first]) => first?.tries === 1,
    );
    expect((await endpoint.object().delivery(waiting?.id ?? ''))?.attempts).toMatchObject([told]);
    await later(endpoint.id, 10_000);
    expect((await receiver.receives(2))[1]?.headers['webhook-id']).toBe(message.eventId);
    const elsewhere = await fetch(`${env.WEBHOOK_RECEIVER}/hook/elsewhere`);
    expect(await elsewhere.json()).toEqual([]);
  });

  test('a receiver that hangs is left after ten seconds', async () => {
    const receiver = outsideReceiver();
    await receiver.behaves({ kind: 'hang', times: 1 });
    const endpoint = await endpointAt(receiver);
    hurry(ANSWER_WAIT_MS);
    await endpoint.object().enqueue(messages(1));
    const [waiting] = await until(
      () => list(endpoint),
      ([first]) => first?.tries === 1,
    );
    const { attempts } = (await endpoint.object().delivery(waiting?.id ?? '')) ?? {};
    expect(attempts).toMatchObject([{ status: null, error: 'timeout' }]);
  });

  test.each([
    ['none of its headers', {}, 'text/plain'],
    ['the id of another message', { 'webhook-id': uuidv7() }, 'text/plain'],
    ['a media type with parameters', { 'content-type': 'Text/HTML; charset=utf-8; secret=1' }, 'text/html'],
    ['no media type', { 'content-type': 'root:x:0:0 /root/key' }, ''],
  ])(
    'an answer that says %s is shown by its status and media type, since nothing proves whose it is',
    async (_, headers, shown) => {
      const receiver = outsideReceiver();
      await receiver.behaves({ kind: 'answer', status: 200, body: 'inside of a house', headers, times: 1 });
      const endpoint = await endpointAt(receiver);
      const told = { eventId: uuidv7(), type: 'webhook.test', payload: '{}' };
      expect(await endpoint.object().sendTest(told)).toMatchObject({
        state: 'delivered',
        attempts: [{ status: 200, error: null, response: shown }],
      });
    },
  );

  test('an answer counts by its status, though its body never ends', async () => {
    const receiver = outsideReceiver();
    await receiver.behaves({ kind: 'drip', status: 200, times: 1 });
    const endpoint = await endpointAt(receiver);
    await endpoint.object().enqueue(messages(2));
    await receiver.receives(2);
    const log = await until(
      () => list(endpoint),
      (all) => all.every(({ state }) => state === 'delivered'),
    );
    expect((await endpoint.object().delivery(log[1]?.id ?? ''))?.attempts[0]?.response).toBe('begun, never ended');
  });

  test('receivers that fail and hang delay nobody else', async () => {
    // Nobody is tried again, and nobody who hangs is left, while the clock stands.
    stopClock();
    hurry(ANSWER_WAIT_MS, HOUR_MS);
    const [sick, hanging, healthy] = [outsideReceiver(), outsideReceiver(), outsideReceiver()];
    await sick.behaves({ kind: 'answer', status: 503 });
    await hanging.behaves({ kind: 'hang' });
    const endpoints = await Promise.all([sick, hanging, healthy].map(endpointAt));
    const sent = messages(30);
    await Promise.all(endpoints.map((endpoint) => endpoint.object().enqueue(sent)));
    await healthy.receives(30);
    expect(await sick.received()).toHaveLength(1);
    expect(await hanging.received()).toHaveLength(1);
  });
});

describe('what waits for no other', () => {
  test('goes past one that fails, which comes again by itself', async () => {
    const receiver = outsideReceiver();
    await receiver.behaves({ kind: 'answer', status: 422, times: 1 });
    stopClock();
    const endpoint = await endpointAt(receiver);
    const sent = messages(6, null);
    await endpoint.object().enqueue(sent);
    await receiver.receives(6);
    const log = await until(
      () => list(endpoint),
      (all) => all.filter(({ state }) => state === 'delivered').length === 5 && all.every(({ tries }) => tries === 1),
    );
    const failed = log.find(({ state }) => state === 'waiting');
    expect((await endpoint.object().backlog()).failingSince).toBe(failed?.firstTriedAt);
    await later(endpoint.id, 10_000);
    const received = await receiver.receives(7);
    expect(received[6]?.headers['webhook-id']).toBe(failed?.eventId);
    expect(received[6]?.headers['webhook-sequence']).toBe(String(failed?.sequence));
  });

  test('is sent two at a time by one who carries it', async () => {
    const receiver = outsideReceiver();
    await receiver.behaves({ kind: 'answer', isHeld: true });
    const endpoint = await endpointAt(receiver);
    await endpoint.object().enqueue(messages(30, null));
    await receiver.receives(2);
    const healthy = outsideReceiver();
    const other = await endpointAt(healthy);
    await other.object().enqueue(messages(20, null));
    await healthy.receives(20);
    // The Queue may have brought them in several batches, each with a consumer of its own.
    expect((await receiver.received()).length).toBeLessThan(15);
    await receiver.behaves({ kind: 'answer' });
    await receiver.receives(30);
  });

  test('stops where its owner disables the endpoint, though it was given out', async () => {
    const receiver = outsideReceiver();
    await receiver.behaves({ kind: 'answer', isHeld: true });
    const endpoint = await endpointAt(receiver);
    await endpoint.object().enqueue(messages(30, null));
    await receiver.receives(1);
    const organization = (await findEndpoint(db, endpoint.id))?.organization ?? '';
    await changeEndpoint(db, { id: endpoint.id, organization }, { isEnabled: false }, Date.now(), NO_TOKEN);
    await endpoint.object().changed();
    // Whatever is sent next is noted at once, and heard of the change by then.
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1_000 });
    await receiver.behaves({ kind: 'answer' });
    await until(
      () => list(endpoint),
      (log) => log.every(({ state }) => state !== 'waiting'),
    );
    await until(carried(endpoint), (count) => count === 0);
    // Those of a consumer that has not heard of it yet; without a word to it all thirty are.
    expect((await receiver.received()).length).toBeLessThan(30);
  });

  test('is tried less and less where its receiver fails, one at a time, and all of it once one is taken', async () => {
    const receiver = outsideReceiver();
    await receiver.behaves({ kind: 'answer', status: 503 });
    stopClock();
    const endpoint = await endpointAt(receiver);
    await endpoint.object().enqueue(messages(30, null));
    const tried = async () => (await list(endpoint)).reduce((sum, { tries }) => sum + tries, 0);
    await until(tried, (tries) => tries >= 5);
    await until(carried(endpoint), (count) => count === 0);
    const first = await tried();
    expect(first).toBeLessThanOrEqual(10);
    expect((await endpoint.object().backlog()).waiting).toBe(30);
    // Half open: one, and it is the oldest.
    await later(endpoint.id, 20_000);
    await until(tried, (tries) => tries > first);
    await until(carried(endpoint), (count) => count === 0);
    expect(await tried()).toBe(first + 1);
    expect((await list(endpoint)).at(-1)?.tries).toBe(2);
    // It is remembered where the object is lost: the time of the next one has not come.
    await kill(endpoint.id);
    await later(endpoint.id, 20_000);
    await endpoint.object().backlog();
    await until(carried(endpoint), (count) => count === 0);
    expect(await tried()).toBe(first + 1);
    await receiver.behaves({ kind: 'answer' });
    // One is due now, and brings all the others, whatever they wait for.
    await later(endpoint.id, MINUTE_MS);
    await until(
      () => list(endpoint),
      (log) => log.every(({ state }) => state === 'delivered'),
    );
  });

  test('is tried by turns, the oldest and the newest, while others fail: a few that are rejected for good hold up none', async () => {
    const receiver = outsideReceiver();
    await receiver.behaves({ kind: 'answer', status: 400 });
    stopClock();
    const endpoint = await endpointAt(receiver);
    await endpoint.object().enqueue(messages(3, null));
    const failures = () =>
      runInDurableObject(env.WEBHOOK_ENDPOINT.getByName(endpoint.id), (_, { storage }) =>
        Number(storage.kv.get<{ failures: number }>('breaker')?.failures ?? 0),
      );
    const idle = () => until(carried(endpoint), (count) => count === 0);
    await until(failures, (count) => count === 3);
    await idle();
    await later(endpoint.id, 10_000);
    await until(failures, (count) => count === 5);
    await idle();
    // The oldest: its own wait is over, too.
    await later(endpoint.id, MINUTE_MS);
    await until(failures, (count) => count === 6);
    await idle();
    const before = (await receiver.received()).length;
    await receiver.behaves({ kind: 'answer' });
    const [good] = messages(1, null);
    if (good === undefined) return;
    await endpoint.object().enqueue([good]);
    await later(endpoint.id, MINUTE_MS);
    const received = await receiver.receives(before + 1);
    expect(received[before]?.headers['webhook-id']).toBe(good.eventId);
  });

  test('is given up alone after three days, where its receiver has taken others meanwhile', async () => {
    const receiver = outsideReceiver();
    await receiver.behaves({ kind: 'answer', status: 422, times: 1 });
    const endpoint = await endpointAt(receiver);
    await endpoint.object().enqueue(messages(1, null));
    await until(
      () => list(endpoint),
      ([first]) => first?.tries === 1,
    );
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1_000 });
    await endpoint.object().enqueue(messages(1, null));
    await until(
      () => list(endpoint),
      ([last]) => last?.state === 'delivered',
    );
    await receiver.behaves({ kind: 'answer', status: 422, times: 1 });
    await later(endpoint.id, 3 * DAY_MS + HOUR_MS);
    const log = await until(
      () => list(endpoint),
      (all) => all.at(-1)?.state === 'dead',
    );
    expect(log.map(({ state, reason }) => [state, reason])).toEqual([
      ['delivered', null],
      ['dead', 'failing'],
    ]);
    expect((await findEndpoint(db, endpoint.id))?.disabledReason).toBeNull();
  });

  test('is carried again after a minute where the Queue has lost it', async () => {
    const receiver = outsideReceiver();
    stopClock();
    const endpoint = await endpointAt(receiver);
    const lost: unknown[] = [];
    await throughQueue(endpoint, async (pointers) => void lost.push(...pointers));
    await endpoint.object().enqueue(messages(1, null));
    await until(
      async () => lost,
      (pointers) => pointers.length === 1,
    );
    await throughQueue(endpoint, null);
    await later(endpoint.id, 59_000);
    await endpoint.object().backlog();
    expect(await carried(endpoint)()).toBe(1);
    expect(await receiver.received()).toEqual([]);
    await later(endpoint.id, 3_000);
    await receiver.receives(1);
  });

  test('is given out once, to the first who asks', async () => {
    const receiver = outsideReceiver();
    await receiver.behaves({ kind: 'answer', isHeld: true });
    const endpoint = await endpointAt(receiver);
    await endpoint.object().enqueue(messages(1, null));
    await receiver.receives(1);
    const pointers = [1, 1].map((sequence, at) => ({
      ...{ id: String(at), timestamp: new Date(), attempts: 1 },
      body: { endpoint: endpoint.id, sequence },
    }));
    const ctx = createExecutionContext();
    await consumeWebhooks(createMessageBatch('webhooks', pointers), env, ctx);
    expect(await endpoint.object().take([1, 2, 77])).toBeNull();
    expect(await receiver.received()).toHaveLength(1);
    await receiver.behaves({ kind: 'answer' });
    // The Queue may bring one twice in a batch.
    await throughQueue(endpoint, async () => undefined);
    await endpoint.object().enqueue(messages(2, null));
    const given = await endpoint.object().take([2, 2, 3]);
    expect(given?.messages.map(({ sequence }) => sequence)).toEqual([2, 3]);
    const left = given?.messages.map(({ sequence, claim }) => ({ sequence, claim })) ?? [];
    await throughQueue(endpoint, null);
    await endpoint.object().record([], { left, generation: given?.terms.generation ?? 0, goesOn: false });
    await until(
      () => list(endpoint),
      (log) => log.every(({ state, tries }) => state === 'delivered' && tries === 1),
    );
  });
});

describe('a message of the Queue', () => {
  test('comes again where the object does not answer, and one that is malformed keeps no other', async () => {
    const bodies = [
      { endpoint: 'of nobody', sequence: 1 },
      { endpoint: uuidv7(), sequence: 1 },
    ];
    const pointers = bodies.map((body, at) => ({ id: String(at), timestamp: new Date(), attempts: 1, body }));
    const batch = createMessageBatch('webhooks', pointers);
    const take = () => Promise.reject(new Error('overloaded'));
    const ctx = createExecutionContext();
    const WEBHOOK_ENDPOINT = { getByName: () => ({ take }) } as unknown as Env['WEBHOOK_ENDPOINT'];
    await consumeWebhooks(batch, { ...env, WEBHOOK_ENDPOINT }, ctx);
    const { retryMessages } = await getQueueResult(batch, ctx);
    expect(retryMessages).toEqual([{ msgId: '1' }]);
  });
});

describe('what is said of tries', () => {
  test('a try that is told twice, since the answer was lost, counts once', async () => {
    const endpoint = await endpointAt(outsideReceiver());
    await throughQueue(endpoint, async () => undefined);
    await endpoint.object().enqueue(messages(1, null));
    const { ended } = await comesTo(endpoint, 1, 503);
    const rest = { left: [], generation: ended[0]?.generation ?? 0, goesOn: false };
    await endpoint.object().record(ended, rest);
    expect(await list(endpoint)).toMatchObject([{ state: 'waiting', tries: 1 }]);
  });

  test('what was tried often waits for its own time, where its receiver takes others again', async () => {
    const endpoint = await endpointAt(outsideReceiver());
    await throughQueue(endpoint, async () => undefined);
    await endpoint.object().enqueue(messages(2, null));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    for (let tries = 1; tries <= 5; tries++) {
      await comesTo(endpoint, 1, 422);
      vi.setSystemTime(Date.now() + (tries === 5 ? MINUTE_MS : 8 * HOUR_MS));
    }
    expect((await endpoint.object().backlog()).circuit).toBe('half_open');
    await comesTo(endpoint, 2, 200);
    const [taken, waiting] = await list(endpoint);
    expect([taken?.state, waiting?.state, waiting?.tries]).toEqual(['delivered', 'waiting', 5]);
    expect(waiting?.nextTryAt).toBeGreaterThan(Date.now());
  });

  test('a change of the endpoint closes its breaker: what waits is tried at once', async () => {
    const endpoint = await endpointAt(outsideReceiver());
    await throughQueue(endpoint, async () => undefined);
    await endpoint.object().enqueue(messages(6, null));
    stopClock();
    for (let sequence = 1; sequence <= 5; sequence++) await comesTo(endpoint, sequence, 503);
    expect(await endpoint.object().take([6])).toBeNull();
    await endpoint.object().changed();
    expect((await endpoint.object().backlog()).circuit).toBe('closed');
    expect((await endpoint.object().take([6]))?.messages).toHaveLength(1);
  });

  test('what is with a consumer when its receiver is gone is sent no more', async () => {
    const endpoint = await endpointAt(outsideReceiver());
    await throughQueue(endpoint, async () => undefined);
    await endpoint.object().enqueue(messages(3, null));
    expect((await endpoint.object().take([2, 3]))?.messages).toHaveLength(2);
    expect((await comesTo(endpoint, 1, 410)).told).toEqual({ mayGoOn: false, next: null });
  });
});

describe('a line of a security', () => {
  test('waits behind its own that fails, while other lines go on, each in order', async () => {
    const receiver = outsideReceiver();
    await receiver.behaves({ kind: 'answer', status: 422, times: 1 });
    stopClock();
    const endpoint = await endpointAt(receiver);
    const [blocked, free] = [messages(3, 'one'), messages(3, 'other')];
    await endpoint.object().enqueue(blocked.slice(0, 1));
    await until(
      () => list(endpoint),
      ([first]) => first?.tries === 1,
    );
    await endpoint.object().enqueue([...blocked.slice(1), ...free]);
    const idsOf = (sent: readonly WebhookMessage[]) => sent.map(({ eventId }) => eventId);
    const received = await receiver.receives(4);
    expect(received.map(({ headers }) => headers['webhook-id'])).toEqual(idsOf([...blocked.slice(0, 1), ...free]));
    await until(
      async () => (await list(endpoint)).filter(({ state }) => state === 'delivered'),
      (log) => log.length === 3,
    );
    await later(endpoint.id, 10_000);
    const all = await receiver.receives(7);
    expect(all.slice(4).map(({ headers }) => headers['webhook-id'])).toEqual(idsOf(blocked));
  });

  test('is given up whole after three days, and no other with it', async () => {
    const receiver = outsideReceiver();
    await receiver.behaves({ kind: 'answer', status: 422, times: 1 });
    const endpoint = await endpointAt(receiver);
    await endpoint.object().enqueue(messages(2, 'one'));
    await until(
      () => list(endpoint),
      (log) => log.at(-1)?.tries === 1,
    );
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 1_000 });
    await endpoint.object().enqueue(messages(1, 'other'));
    await until(
      () => list(endpoint),
      ([last]) => last?.state === 'delivered',
    );
    await receiver.behaves({ kind: 'answer', status: 422, times: 1 });
    await later(endpoint.id, 3 * DAY_MS + HOUR_MS);
    const log = await until(
      () => list(endpoint),
      (all) => all.at(-1)?.state === 'dead',
    );
    expect(log.map(({ state }) => state)).toEqual(['delivered', 'dead', 'dead']);
    expect((await endpoint.object().backlog()).waiting).toBe(0);
    expect((await findEndpoint(db, endpoint.id))?.disabledReason).toBeNull();
    await endpoint.object().enqueue(messages(1, 'one'));
    await until(
      () => list(endpoint),
      ([last]) => last?.state === 'delivered',
    );
  });
});

describe('crashes', () => {
  test('what waits is delivered after the object was lost at any moment: all, in order, at least once', async () => {
    const receiver = outsideReceiver();
    await receiver.behaves({ kind: 'answer', delay_ms: 15 });
    const endpoint = await endpointAt(receiver);
    const sent = messages(40);
    for (let at = 0; at < 40; at += 10) {
      const part = sent.slice(at, at + 10);
      await endpoint.object().enqueue(part);
      await new Promise((resolve) => setTimeout(resolve, 40 + 13 * at));
      await kill(endpoint.id);
      // Whoever is not sure that it was taken sends it again.
      await until(
        () =>
          endpoint
            .object()
            .enqueue(part)
            .then(
              () => true,
              () => false,
            ),
        (isTaken) => isTaken,
      );
    }
    const log = await until(
      () => list(endpoint),
      (all) => all.length === 40 && all.every(({ state }) => state === 'delivered'),
    );
    expect(log).toHaveLength(40);
    const ids = (await receiver.received()).map(({ headers }) => headers['webhook-id']);
    expect(new Set(ids)).toEqual(new Set(sent.map(({ eventId }) => eventId)));
    // Repetitions are of the message that was under way, so that what comes first of each is in order.
    expect([...new Set(ids)]).toEqual(sent.map(({ eventId }) => eventId));
    expect(ids.length).toBeLessThanOrEqual(40 + 4);
  });
});

describe('an endpoint that is given up', () => {
  test('three days of failures disable it, what waits becomes dead letters, and a notice is left', async () => {
    const receiver = outsideReceiver();
    await receiver.behaves({ kind: 'answer', status: 500 });
    const endpoint = await endpointAt(receiver);
    await endpoint.object().enqueue(messages(3));
    await receiver.receives(1);
    await until(
      () => list(endpoint),
      (log) => log.at(-1)?.tries === 1,
    );
    await later(endpoint.id, 3 * DAY_MS - HOUR_MS);
    await receiver.receives(2);
    await until(
      () => list(endpoint),
      (log) => log.at(-1)?.tries === 2,
    );
    expect((await findEndpoint(db, endpoint.id))?.disabledReason).toBeNull();
    await later(endpoint.id, 7 * HOUR_MS);
    await until(
      () => findEndpoint(db, endpoint.id),
      (row) => row?.disabledReason === 'failing',
    );
    expect((await list(endpoint)).map(({ state, reason }) => `${state} ${reason}`)).toEqual(
      new Array(3).fill('dead failing'),
    );
    const notices = await env.DB.prepare(`SELECT type, payload FROM domain_events WHERE subject = ?1`)
      .bind(endpoint.id)
      .all<{ type: string; payload: string }>();
    expect(notices.results).toMatchObject([{ type: 'webhook.endpoint_disabled' }]);
    expect(JSON.parse(notices.results[0]?.payload ?? '')).toMatchObject({ reason: 'failing' });
    expect(await receiver.received()).toHaveLength(3);
  });

  test('410 disables it at once; enabled again, it sends what is replayed', async () => {
    const receiver = outsideReceiver();
    await receiver.behaves({ kind: 'answer', status: 410, times: 1 });
    const endpoint = await endpointAt(receiver);
    const sent = messages(3);
    await endpoint.object().enqueue(sent);
    await until(
      () => findEndpoint(db, endpoint.id),
      (row) => row?.disabledReason === 'gone',
    );
    const [missed] = messages(1);
    if (missed === undefined) return;
    await endpoint.object().enqueue([missed]);
    await until(
      () => list(endpoint),
      (log) => log.length === 4 && log.every(({ state }) => state === 'dead'),
    );
    expect(await receiver.received()).toHaveLength(1);

    const organization = (await findEndpoint(db, endpoint.id))?.organization ?? '';
    await changeEndpoint(db, { id: endpoint.id, organization }, { isEnabled: true }, Date.now(), NO_TOKEN);
    await endpoint.object().changed();
    // Its object tells of it once more where it was lost right after D1 knew: the owner has decided since.
    const notice = `SELECT id, created_at AS at FROM domain_events WHERE subject = ?1 AND type = 'webhook.endpoint_disabled'`;
    const { id: eventId, at } = (await env.DB.prepare(notice)
      .bind(endpoint.id)
      .first<{ id: string; at: number }>()) ?? {
      id: '',
      at: 0,
    };
    await disableEndpoint(db, endpoint.id, { eventId, reason: 'gone', at });
    expect((await findEndpoint(db, endpoint.id))?.disabledReason).toBeNull();
    const range = { from: 0, to: Date.now() + 1, after: 0 };
    expect(await endpoint.object().replayRange(range)).toEqual({ type: 'queued', replayed: 4, next: null });
    const received = await receiver.receives(5);
    expect(received.slice(1).map(({ headers }) => headers['webhook-id'])).toEqual(
      [...sent, missed].map(({ eventId }) => eventId),
    );
  });

  test('is so once as many bytes wait as may, and not before', async () => {
    const endpoint = await endpointAt(outsideReceiver());
    await throughQueue(endpoint, async () => undefined);
    await endpoint.object().enqueue(messages(1, null));
    const [another] = messages(1, null);
    if (another === undefined) return;
    const length = new TextEncoder().encode(another.payload).byteLength;
    await waitingBytes(endpoint.id, WAITING_BYTES_MAX - length);
    await throughQueue(endpoint, async () => undefined);
    await endpoint.object().enqueue([another]);
    expect(await endpoint.object().backlog()).toMatchObject({ waiting: 2, waitingBytes: WAITING_BYTES_MAX });
    await endpoint.object().enqueue(messages(1, null));
    expect((await list(endpoint)).map(({ state, reason }) => `${state} ${reason}`)).toEqual(
      new Array(3).fill('dead overflow'),
    );
    expect((await findEndpoint(db, endpoint.id))?.disabledReason).toBe('overflow');
  });

  test('is so for the reason that came first, and its notice is left once', async () => {
    const { id } = await createTestEndpoint(outsideReceiver().url);
    const at = Date.now();
    await disableEndpoint(db, id, { eventId: uuidv7(), reason: 'failing', at });
    await disableEndpoint(db, id, { eventId: uuidv7(), reason: 'overflow', at: at + 1 });
    const organization = (await findEndpoint(db, id))?.organization ?? '';
    await changeEndpoint(db, { id, organization }, { isEnabled: false }, at + 2, NO_TOKEN);
    expect(await findEndpoint(db, id)).toMatchObject({ disabledReason: 'failing', disabledAt: at });
    const notices = await env.DB.prepare('SELECT id FROM domain_events WHERE subject = ?1').bind(id).all();
    expect(notices.results).toHaveLength(1);
  });

  test('one that was deleted keeps nothing', async () => {
    const receiver = outsideReceiver();
    const endpoint = await endpointAt(receiver);
    await endpoint.object().enqueue(messages(2));
    await receiver.receives(2);
    await deleteEndpoint(db, endpoint.id);
    await endpoint.object().changed();
    await until(
      () => list(endpoint),
      (log) => log.length === 0,
    );
    await endpoint.object().enqueue(messages(1));
    await until(
      () => list(endpoint),
      (log) => log.length === 0,
    );
    expect(await receiver.received()).toHaveLength(2);
  });
});

describe('what its owner does', () => {
  test('changes the URL while a try is under way: what waits goes there at once', async () => {
    const old = outsideReceiver();
    await old.behaves({ kind: 'answer', status: 410, isHeld: true });
    const endpoint = await endpointAt(old);
    const sent = messages(2);
    await endpoint.object().enqueue(sent);
    await old.receives(1);
    const corrected = outsideReceiver();
    const organization = (await findEndpoint(db, endpoint.id))?.organization ?? '';
    await changeEndpoint(db, { id: endpoint.id, organization }, { url: corrected.url }, Date.now(), NO_TOKEN);
    await endpoint.object().changed();
    // The object that is lost remembers that it has changed.
    await kill(endpoint.id);
    await old.behaves({ kind: 'answer', status: 410 });
    const received = await corrected.receives(2);
    expect(received.map(({ headers }) => headers['webhook-id'])).toEqual(sent.map(({ eventId }) => eventId));
    expect((await findEndpoint(db, endpoint.id))?.disabledReason).toBeNull();
    expect(await old.received()).toHaveLength(1);
  });

  test('a try that ends after its object was lost leaves the message with whoever was given it since', async () => {
    const receiver = outsideReceiver();
    await receiver.behaves({ kind: 'answer', isHeld: true });
    const endpoint = await endpointAt(receiver);
    await throughQueue(endpoint, async () => undefined);
    await endpoint.object().enqueue(messages(1, null));
    const first = await endpoint.object().take([1]);
    await kill(endpoint.id);
    await throughQueue(endpoint, async () => undefined);
    const second = await endpoint.object().take([1]);
    const [earlier, current] = [first, second].map((given) => given?.messages[0]?.claim ?? '');
    const attempt = { status: 503, error: 'status', response: null, at: Date.now(), durationMs: 1 } as const;
    const generation = first?.terms.generation ?? 0;
    const rest = { left: [], generation, goesOn: false };
    await endpoint.object().record([{ sequence: 1, claim: earlier ?? '', generation: generation - 1, attempt }], rest);
    expect((await list(endpoint))[0], 'the try is noted').toMatchObject({ state: 'waiting', tries: 1 });
    expect(await endpoint.object().take([1]), 'it is with the second one').toBeNull();
    await endpoint.object().record([], { ...rest, left: [{ sequence: 1, claim: current ?? '' }] });
    expect((await endpoint.object().take([1]))?.messages).toHaveLength(1);
  });

  test('a late 429 of the address of before leaves the present one as it is', async () => {
    const receiver = outsideReceiver();
    await receiver.behaves({ kind: 'answer', isHeld: true });
    const endpoint = await endpointAt(receiver);
    await throughQueue(endpoint, async () => undefined);
    await endpoint.object().enqueue(messages(1, null));
    const organization = (await findEndpoint(db, endpoint.id))?.organization ?? '';
    const given = await endpoint.object().take([1]);
    const { generation = 0 } = given?.terms ?? {};
    await changeEndpoint(db, { id: endpoint.id, organization }, { url: outsideReceiver().url }, Date.now(), NO_TOKEN);
    await endpoint.object().changed();
    const retryAt = Date.now() + 86_400_000;
    const busy = { status: 429, error: 'status', response: null, at: Date.now(), durationMs: 1, retryAt } as const;
    const ended = { sequence: 1, claim: given?.messages[0]?.claim ?? '', attempt: busy };
    const rest = { left: [], generation, goesOn: false };
    await endpoint.object().record([{ ...ended, generation }], rest);
    expect(await endpoint.object().backlog()).toMatchObject({ circuit: 'closed' });
    const again = await endpoint.object().take([1]);
    const current = { ...ended, claim: again?.messages[0]?.claim ?? ended.claim, generation: generation + 1 };
    await endpoint.object().record([{ ...current, attempt: { ...busy, at: busy.at + 1 } }], rest);
    expect(await endpoint.object().backlog()).toMatchObject({ circuit: 'open' });
  });

  test('enables it while its row is being read: what waits is not given up', async () => {
    const receiver = outsideReceiver();
    const endpoint = await endpointAt(receiver);
    const terms = { id: endpoint.id, organization: (await findEndpoint(db, endpoint.id))?.organization ?? '' };
    await changeEndpoint(db, terms, { isEnabled: false }, Date.now(), NO_TOKEN);
    let release = () => {};
    endpointReads.set(endpoint.id, new Promise((resolve) => (release = resolve)));
    await endpoint.object().enqueue(messages(2));
    await new Promise((resolve) => setTimeout(resolve, 500));
    await changeEndpoint(db, terms, { isEnabled: true }, Date.now(), NO_TOKEN);
    await endpoint.object().changed();
    release();
    await receiver.receives(2);
  });

  test('skips a message that blocks those behind it', async () => {
    const receiver = outsideReceiver();
    await receiver.behaves({ kind: 'answer', status: 422, times: 1 });
    const endpoint = await endpointAt(receiver);
    const sent = messages(2);
    await endpoint.object().enqueue(sent);
    const log = await until(
      () => list(endpoint),
      (all) => all.at(-1)?.tries === 1,
    );
    const blocking = log.at(-1)?.id ?? '';
    expect(await endpoint.object().skip(blocking)).toBe(true);
    expect((await receiver.receives(2))[1]?.headers['webhook-id']).toBe(sent[1]?.eventId);
    expect(await endpoint.object().skip(blocking)).toBe(false);
    expect(await endpoint.object().skip(uuidv7())).toBeNull();
    expect((await endpoint.object().delivery(blocking))?.state).toBe('skipped');
  });

  test('skips a message during its last try, and the endpoint is not disabled for it', async () => {
    const receiver = outsideReceiver();
    await receiver.behaves({ kind: 'answer', status: 422 });
    const endpoint = await endpointAt(receiver);
    const sent = messages(2);
    await endpoint.object().enqueue(sent);
    const log = await until(
      () => list(endpoint),
      (all) => all.at(-1)?.tries === 1,
    );
    await receiver.behaves({ kind: 'answer', status: 422, isHeld: true });
    await later(endpoint.id, 3 * DAY_MS + HOUR_MS);
    await receiver.receives(2);
    expect(await endpoint.object().skip(log.at(-1)?.id ?? '')).toBe(true);
    await receiver.behaves({ kind: 'answer' });
    expect((await receiver.receives(3))[2]?.headers['webhook-id']).toBe(sent[1]?.eventId);
    expect((await findEndpoint(db, endpoint.id))?.disabledReason).toBeNull();
    await until(
      async () => (await list(endpoint)).map(({ state }) => state),
      (states) => String(states) === 'delivered,skipped',
    );
  });

  test('skips a message that was read ahead and not sent yet', async () => {
    const receiver = outsideReceiver();
    await receiver.behaves({ kind: 'answer', isHeld: true });
    const endpoint = await endpointAt(receiver);
    const sent = messages(3);
    await endpoint.object().enqueue(sent);
    await receiver.receives(1);
    const [, second] = (await list(endpoint)).toReversed();
    expect(await endpoint.object().skip(second?.id ?? '')).toBe(true);
    await receiver.behaves({ kind: 'answer' });
    const received = await receiver.receives(2);
    expect(received.map(({ headers }) => headers['webhook-id'])).toEqual([sent[0]?.eventId, sent[2]?.eventId]);
    await until(
      async () => (await list(endpoint)).map(({ state }) => state),
      (states) => !states.includes('waiting'),
    );
    expect((await list(endpoint)).map(({ state }) => state)).toEqual(['delivered', 'skipped', 'delivered']);
  });

  test('what is under way while the object is lost is delivered, and what was noted is not sent again', async () => {
    const receiver = outsideReceiver();
    const endpoint = await endpointAt(receiver);
    const sent = messages(4);
    await endpoint.object().enqueue(sent.slice(0, 2));
    await receiver.receives(2);
    await until(
      () => list(endpoint),
      (log) => log.every(({ state }) => state === 'delivered'),
    );
    await receiver.behaves({ kind: 'answer', isHeld: true });
    await endpoint.object().enqueue(sent.slice(2));
    await receiver.receives(3);
    await kill(endpoint.id);
    await receiver.behaves({ kind: 'answer' });
    await webhookEndpointOf(env, endpoint.id).backlog();
    await until(
      () => list(endpoint),
      (log) => log.length === 4 && log.every(({ state }) => state === 'delivered'),
    );
    const received = await receiver.received();
    const ids = received.map(({ headers }) => sent.findIndex(({ eventId }) => eventId === headers['webhook-id']));
    expect(ids.slice(0, 2)).toEqual([0, 1]);
    expect([...new Set(ids)]).toEqual([0, 1, 2, 3]);
    expect(ids.filter((id) => id < 2)).toHaveLength(2);
  });

  test('replays a delivery under the same id with the same bytes, once for each new id', async () => {
    const receiver = outsideReceiver();
    const endpoint = await endpointAt(receiver);
    await endpoint.object().enqueue(messages(1));
    const [first] = await receiver.receives(1);
    const [delivery] = await until(
      () => list(endpoint),
      ([each]) => each?.state === 'delivered',
    );
    const again = uuidv7();
    expect(await endpoint.object().replay(delivery?.id ?? '', again)).toBe('queued');
    expect(await endpoint.object().replay(delivery?.id ?? '', again)).toBe('queued');
    expect(await endpoint.object().replay(uuidv7(), uuidv7())).toBe('not_found');
    const [, second] = await receiver.receives(2);
    expect(second?.body).toBe(first?.body);
    expect(second?.headers['webhook-id']).toBe(first?.headers['webhook-id']);
    expect(await list(endpoint)).toMatchObject([{ id: again, replayOf: delivery?.id, sequence: 2 }, {}]);
  });

  test('replays what was given up while its event neither waits nor was taken otherwise', async () => {
    const receiver = outsideReceiver();
    await receiver.behaves({ kind: 'answer', status: 410, times: 1 });
    const endpoint = await endpointAt(receiver);
    await endpoint.object().enqueue(messages(1));
    const [dead] = await until(
      () => list(endpoint),
      ([each]) => each?.state === 'dead',
    );
    const id = dead?.id ?? '';
    const [again, other] = [uuidv7(), uuidv7()];
    expect(await endpoint.object().replayDead(uuidv7(), uuidv7())).toBe('not_found');
    const row = await until(
      () => findEndpoint(db, endpoint.id),
      (each) => each?.disabledReason === 'gone',
    );
    const owned = { id: endpoint.id, organization: row?.organization ?? '' };
    await changeEndpoint(db, owned, { isEnabled: true }, Date.now(), NO_TOKEN);
    await endpoint.object().changed();
    expect(await endpoint.object().replayDead(id, again)).toBe('queued');
    expect(await endpoint.object().replayDead(id, again)).toBe('queued');
    expect(await endpoint.object().replayDead(id, other)).toBe('not_dead');
    const log = await until(
      () => list(endpoint),
      ([each]) => each?.state === 'delivered',
    );
    expect(log).toMatchObject([
      { id: again, sentAgain: null },
      { id, sentAgain: { id: again, state: 'delivered' } },
    ]);
    expect(await endpoint.object().replayDead(id, other)).toBe('not_dead');
    expect(await endpoint.object().replayDead(again, other)).toBe('not_dead');
  });

  test('replays until the queue takes no more, which leaves room for what happens then', async () => {
    const receiver = outsideReceiver();
    await receiver.behaves({ kind: 'answer', status: 410, times: 1 });
    const endpoint = await endpointAt(receiver);
    const large = messages(20).map((message) => ({ ...message, payload: JSON.stringify('x'.repeat(1_500_000)) }));
    for (let at = 0; at < large.length; at += 5) await endpoint.object().enqueue(large.slice(at, at + 5));
    await until(
      () => list(endpoint),
      (log) => log.length === 20 && log.every(({ state }) => state === 'dead'),
    );
    await receiver.behaves({ kind: 'answer', status: 500 });
    const organization = (await findEndpoint(db, endpoint.id))?.organization ?? '';
    await changeEndpoint(db, { id: endpoint.id, organization }, { isEnabled: true }, Date.now(), NO_TOKEN);
    await endpoint.object().changed();
    const range = { from: 0, to: Date.now() + 1, after: 0 };
    let pages = 0;
    while (pages < 10 && (await endpoint.object().replayRange(range)).type === 'queued') pages += 1;
    expect(pages).toBe(1);
    await endpoint.object().enqueue(messages(1));
    expect((await list(endpoint))[0]).toMatchObject({ state: 'waiting' });
  });

  test('replays none of what waits, and one alone only while there is room for it', async () => {
    const endpoint = await endpointAt(outsideReceiver());
    await throughQueue(endpoint, async () => undefined);
    await endpoint.object().enqueue(messages(2, null));
    await comesTo(endpoint, 1, 200);
    const range = { from: 0, to: Date.now() + 1, after: 0 };
    expect(await endpoint.object().replayRange({ ...range, after: 1 })).toMatchObject({ replayed: 0 });
    await waitingBytes(endpoint.id, WAITING_BYTES_WITH_REPLAYS_MAX);
    await throughQueue(endpoint, async () => undefined);
    const taken = (await list(endpoint)).at(-1)?.id ?? '';
    expect(await endpoint.object().replay(taken, uuidv7())).toBe('full');
    expect(await endpoint.object().replayRange(range)).toMatchObject({ type: 'full', replayed: 0 });
    await endpoint.object().enqueue(messages(1, null));
    expect((await endpoint.object().backlog()).waiting).toBe(2);
  });

  test('sends one test at a time', async () => {
    const receiver = outsideReceiver();
    await receiver.behaves({ kind: 'answer', isHeld: true });
    const endpoint = await endpointAt(receiver);
    const told = () => ({ eventId: uuidv7(), type: 'webhook.test', payload: '{}' });
    const first = endpoint.object().sendTest(told());
    await receiver.receives(1);
    expect(await endpoint.object().sendTest(told())).toBeNull();
    await receiver.behaves({ kind: 'answer' });
    expect(await first).toMatchObject({ state: 'delivered' });
    expect(await endpoint.object().sendTest(told())).toMatchObject({ state: 'delivered' });
  });

  test('sends a test at once, past what waits', async () => {
    const receiver = outsideReceiver();
    await receiver.behaves({ kind: 'answer', status: 500, times: 1 });
    const endpoint = await endpointAt(receiver);
    await endpoint.object().enqueue(messages(1));
    await receiver.receives(1);
    const told = { eventId: uuidv7(), type: 'webhook.test', payload: '{}' };
    expect(await endpoint.object().sendTest(told)).toMatchObject({
      state: 'delivered',
      tries: 1,
      attempts: [{ status: 200, response: 'taken' }],
    });
    const [, tested] = await receiver.receives(2);
    expect(tested?.headers['webhook-id']).toBe(told.eventId);
    expect(tested?.headers['webhook-sequence']).toBeUndefined();
  });
});

describe('the log', () => {
  test('keeps what has ended for thirty days, and what waits as long as it does', async () => {
    const endpoint = await endpointAt(outsideReceiver());
    await throughQueue(endpoint, async () => undefined);
    await endpoint.object().enqueue(messages(2, null));
    await comesTo(endpoint, 1, 200);
    const [, ended] = await list(endpoint);
    const object = env.WEBHOOK_ENDPOINT.getByName(endpoint.id);
    vi.useFakeTimers({ toFake: ['Date'], now: (ended?.createdAt ?? 0) + 30 * DAY_MS });
    expect(await runDurableObjectAlarm(object)).toBe(true);
    expect(await list(endpoint)).toHaveLength(2);
    vi.setSystemTime(Date.now() + 1_000);
    expect(await runDurableObjectAlarm(object)).toBe(true);
    expect(await list(endpoint)).toMatchObject([{ sequence: 2, state: 'waiting' }]);
    expect(await endpoint.object().delivery(ended?.id ?? '')).toBeNull();
    const { tries } = await runInDurableObject(object, (_, { storage }) =>
      storage.sql.exec<{ tries: number }>('SELECT count(*) AS tries FROM attempts').one(),
    );
    expect(tries).toBe(0);
  });

  test('says when an event was first taken, and of those that were not taken nothing', async () => {
    const endpoint = await endpointAt(outsideReceiver());
    await throughQueue(endpoint, async () => undefined);
    const [taken, refused] = messages(2, null);
    if (taken === undefined || refused === undefined) return;
    await endpoint.object().enqueue([taken, refused]);
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    await comesTo(endpoint, 1, 200);
    await comesTo(endpoint, 2, 422);
    const [dead, first] = await list(endpoint);
    await endpoint.object().skip(dead?.id ?? '');
    vi.setSystemTime(Date.now() + MINUTE_MS);
    await endpoint.object().replay(first?.id ?? '', uuidv7());
    await comesTo(endpoint, 3, 200);
    expect(await endpoint.object().deliveredAt([taken.eventId, refused.eventId, uuidv7()])).toEqual(
      new Map([[taken.eventId, first?.endedAt]]),
    );
  });
});

describe('where it sends', () => {
  test('a name is looked up again after a minute: what it leads to may have changed', async () => {
    const { id } = await createTestEndpoint('https://hooks.northwind.com/', { ordering: 'none' });
    const object = () => webhookEndpointOf(env, id);
    let address = '93.184.216.34';
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (url) => {
      const isOfIPv4 = String(url).includes('type=A&') || String(url).endsWith('type=A');
      return Response.json({ Status: 0, Answer: isOfIPv4 ? [{ type: 1, data: address }] : [] });
    });
    await throughQueue({ id }, async () => undefined);
    await object().enqueue(messages(3, null));
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
    expect((await object().take([1]))?.messages).toHaveLength(1);
    address = '10.0.0.1';
    vi.setSystemTime(Date.now() + 59_000);
    expect((await object().take([2]))?.messages).toHaveLength(1);
    vi.setSystemTime(Date.now() + 1_000);
    expect(await object().take([3])).toBeNull();
    const [last] = await object().deliveries({ state: null, eventId: null, before: null, limit: 1 });
    expect((await object().delivery(last?.id ?? ''))?.attempts).toMatchObject([{ status: null, error: 'not_public' }]);
  });

  test('while the resolver does not answer a message waits, and that is no try of its receiver', async () => {
    const { id } = await createTestEndpoint('https://broken.northwind.com/');
    const object = () => webhookEndpointOf(env, id);
    await object().enqueue(messages(1));
    const warned = () => runInDurableObject(env.WEBHOOK_ENDPOINT.getByName(id), (_, { storage }) => storage.getAlarm());
    // Its alarm has rung, and rings again five seconds later.
    await until(warned, (at) => at !== null && at > Date.now() + 1_000);
    const [waiting] = await object().deliveries({ state: null, eventId: null, before: null, limit: 10 });
    expect(waiting).toMatchObject({ state: 'waiting', tries: 0, firstTriedAt: null });
    expect(await object().sendTest({ eventId: uuidv7(), type: 'webhook.test', payload: '{}' })).toMatchObject({
      state: 'dead',
      attempts: [{ status: null, error: 'not_resolved' }],
    });
  });

  test.each([
    ['https://a-10-0-0-1.northwind.com/', 'not_public'],
    ['https://a-169-254-169-254.northwind.com/', 'not_public'],
    ['https://six.northwind.com/', 'not_public'],
    ['https://nowhere.northwind.com/', 'not_resolved'],
    ['https://failing.northwind.com/', 'not_resolved'],
    ['http://10.0.0.1/', 'not_allowed'],
  ])('never to %s: %s', async (url, error) => {
    const { id } = await createTestEndpoint(url);
    await webhookEndpointOf(env, id).enqueue(messages(1));
    const [waiting] = await until(
      () => webhookEndpointOf(env, id).deliveries({ state: null, eventId: null, before: null, limit: 10 }),
      ([first]) => first?.tries === 1,
    );
    expect((await webhookEndpointOf(env, id).delivery(waiting?.id ?? ''))?.attempts).toMatchObject([
      { status: null, error },
    ]);
  });
});
