import { env } from 'cloudflare:workers';
import { type Schema, Validator } from '@cfworker/json-schema';
import { uuidv7 } from 'uuidv7';
import { beforeAll, beforeEach, describe, expect, test } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { findEndpoint } from '../../../../data/webhooks/endpoints.ts';
import type { DeliveryState } from '../../../../domain/webhooks/delivery-state.ts';
import { eventsOfRole } from '../../../../domain/webhooks/webhook-event.ts';
import { webhookEndpointOf } from '../../../../durable-objects/webhook-endpoint/api.ts';
import { callWorker } from '../../fixtures/call-worker.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createPartner, type Partner } from '../../fixtures/partner-client.ts';
import { eventually } from '../../fixtures/patience.ts';
import { outsideReceiver, verified } from '../../fixtures/webhook-receiver.ts';

interface Webhook {
  readonly webhook_id: string;
  readonly secret: string;
  readonly url: string;
  readonly events: readonly string[];
  readonly status: string;
  readonly disabled_reason: string | null;
}

interface DeliveryBody {
  readonly delivery_id: string;
  readonly sequence: number;
  readonly status: string;
  readonly payload: string;
}

let db: Database;
let lister: Partner;
let agent: Partner;

beforeAll(async () => {
  db = await migrate();
});

// Partners of its own each: the limit of requests is a caller's.
beforeEach(async () => {
  lister = await createPartner(db, 'cross_lister');
  agent = await createPartner(db, 'transfer_agent');
});

async function register(partner: Partner, url: string, events = ['settlement.finalized']): Promise<Webhook> {
  const { status, body } = await partner.client.post<Webhook>('/v1/webhooks', { url, events });
  expect(status).toBe(201);
  return body;
}

async function enqueue({ webhook_id: id }: Webhook, ...eventIds: string[]): Promise<void> {
  const messages = eventIds.map((eventId) => ({
    eventId,
    type: 'settlement.finalized',
    payload: `{"of":"${eventId}"}`,
    line: '',
  }));
  await webhookEndpointOf(env, id).enqueue(messages);
}

async function deliveries(partner: Partner, { webhook_id: id }: Webhook, query = ''): Promise<DeliveryBody[]> {
  return (await partner.client.get<{ deliveries: DeliveryBody[] }>(`/v1/webhooks/${id}/deliveries${query}`)).body
    .deliveries;
}

/** Asks the object: polling over HTTP would use up the limit of the caller. */
async function untilStatus(
  partner: Partner,
  webhook: Webhook,
  state: DeliveryState,
  count: number,
): Promise<DeliveryBody[]> {
  const query = { state, eventId: null, before: null, limit: 100 };
  const all = async () => (await webhookEndpointOf(env, webhook.webhook_id).deliveries(query)).length === count || null;
  await eventually(all, () => `no ${count} deliveries are ${state}`);
  return deliveries(partner, webhook, `?status=${state}`);
}

describe('POST /v1/webhooks', () => {
  test('registers an address for events, and shows a secret this once', async () => {
    const { url } = outsideReceiver();
    const { status, body } = await lister.client.post<Webhook>('/v1/webhooks', {
      url,
      events: ['settlement.finalized', 'trade.executed', 'trade.executed'],
      description: 'the desk',
    });
    expect(status).toBe(201);
    expect(body).toMatchObject({
      url,
      events: ['trade.executed', 'settlement.finalized'],
      description: 'the desk',
      status: 'enabled',
      disabled_reason: null,
    });
    expect(body.secret).toMatch(/^whsec_[A-Za-z0-9+/]{43}=$/);
    const shown = await lister.client.get(`/v1/webhooks/${body.webhook_id}`);
    expect(shown.body).toMatchObject({ webhook_id: body.webhook_id, waiting: 0, failing_since: null });
    expect(JSON.stringify(shown.body)).not.toContain('whsec_');
    expect(JSON.stringify((await lister.client.get('/v1/webhooks')).body)).not.toContain('whsec_');
    expect((await findEndpoint(db, body.webhook_id))?.secret).not.toContain(body.secret.slice(6));
  });

  test.each([
    ['cross_lister', 'transfer.initiated'],
    ['cross_lister', 'dividend.declared'],
    ['cross_lister', 'corporate_action.announced'],
    ['transfer_agent', 'trade.executed'],
    ['transfer_agent', 'settlement.recorded'],
  ])('refuses a %s the event %s', async (role, event) => {
    const { client } = role === 'cross_lister' ? lister : agent;
    const body = { url: outsideReceiver().url, events: ['settlement.finalized', event] };
    expect(await client.post('/v1/webhooks', body)).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', details: { field: 'events', outside: [event] } } },
    });
  });

  test('gives a tenant of the bridge the events of its transfers one by one, and nobody else', async () => {
    const tenant = await createPartner(db, 'bridge_tenant');
    const [event, another] = ['bridge.transfer.confirmed', 'bridge.transfer.refunded'];
    const { webhook_id: id, events } = await register(tenant, outsideReceiver().url, [event]);
    expect(events).toEqual([event]);
    const changed = await tenant.client.patch(`/v1/webhooks/${id}`, { events: [event, another] });
    expect(changed).toMatchObject({ status: 200, body: { events: [event, another] } });
    const refusal = (field: string) => ({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', details: { field } } },
    });
    for (const [{ client }, wrong] of [
      [tenant, 'trade.executed'],
      [lister, event],
      [agent, event],
    ] as const) {
      const body = { url: outsideReceiver().url, events: [wrong] };
      expect(await client.post('/v1/webhooks', body)).toMatchObject(refusal('events'));
    }
    const narrowed = { security_ids: [uuidv7()] };
    const body = { url: outsideReceiver().url, events: [event], ...narrowed };
    expect(await tenant.client.post('/v1/webhooks', body)).toMatchObject(refusal('security_ids'));
    expect(await tenant.client.patch(`/v1/webhooks/${id}`, narrowed)).toMatchObject(refusal('security_ids'));
    expect(await tenant.client.get('/v1/events?types=trade.executed')).toMatchObject(refusal('types'));
    expect((await tenant.client.get('/v1/securities')).status).toBe(403);
    expect((await tenant.client.post(`/v1/webhooks/${id}/test`, { event })).body).toMatchObject({
      status: 'delivered',
    });
  });

  test.each([{ events: [] }, { events: ['trade.cancelled'] }, { events: ['trade.executed'], secret: 'whsec_mine' }])(
    'refuses %j',
    async (wrong) => {
      const answer = await lister.client.post('/v1/webhooks', { url: outsideReceiver().url, ...wrong });
      expect(answer).toMatchObject({ status: 400, body: { error: { code: 'VALIDATION_ERROR' } } });
    },
  );

  test.each([
    ['not_https', 'http://hooks.northwind.com/'],
    ['address_literal', 'https://169.254.169.254/latest/meta-data'],
    ['address_literal', 'https://[::ffff:127.0.0.1]/'],
    ['has_credentials', 'https://user:secret@hooks.northwind.com/'],
    ['port_not_allowed', 'https://hooks.northwind.com:22/'],
    ['not_a_public_name', 'https://metadata.google.internal/'],
    ['not_public', 'https://a-10-1-2-3.northwind.com/'],
    ['not_public', 'https://a-127-0-0-1.northwind.com/'],
    ['not_public', 'https://six.northwind.com/'],
    ['not_resolved', 'https://nowhere.northwind.com/'],
  ])('refuses an address that is %s: %s', async (reason, url) => {
    expect(await lister.client.post('/v1/webhooks', { url, events: ['trade.executed'] })).toMatchObject({
      status: 400,
      body: { error: { code: 'VALIDATION_ERROR', details: { field: 'url', reason } } },
    });
  });

  test('takes a public name, and none that cannot be looked up now', async () => {
    const terms = { events: ['trade.executed'] };
    const url = 'https://a-93-184-216-34.northwind.com/';
    expect((await lister.client.post('/v1/webhooks', { url, ...terms })).status).toBe(201);
    const broken = { url: 'https://broken.northwind.com/', ...terms };
    expect((await lister.client.post('/v1/webhooks', broken)).status).toBe(503);
  });

  test('gives an organization ten', async () => {
    const partner = await createPartner(db, 'cross_lister');
    for (let count = 0; count < 10; count++) await register(partner, outsideReceiver().url);
    const one = { url: outsideReceiver().url, events: ['trade.executed'] };
    expect(await partner.client.post('/v1/webhooks', one)).toMatchObject({
      status: 409,
      body: { error: { code: 'CONFLICT', details: { max: 10 } } },
    });
    const { body } = await partner.client.get<{ webhooks: Webhook[] }>('/v1/webhooks');
    expect(body.webhooks).toHaveLength(10);
    await partner.client.delete(`/v1/webhooks/${body.webhooks[0]?.webhook_id}`);
    expect((await partner.client.post('/v1/webhooks', one)).status).toBe(201);
  });
});

describe('PATCH and DELETE /v1/webhooks/{id}', () => {
  test('another address receives what waits at once', async () => {
    const [sick, healthy] = [outsideReceiver(), outsideReceiver()];
    await sick.behaves({ kind: 'answer', status: 500 });
    const webhook = await register(lister, sick.url);
    await enqueue(webhook, 'e1', 'e2');
    await sick.receives(1);
    const path = `/v1/webhooks/${webhook.webhook_id}`;
    expect(await lister.client.patch(path, { url: healthy.url })).toMatchObject({ status: 200 });
    expect((await healthy.receives(2)).map(({ headers }) => headers['webhook-id'])).toEqual(['e1', 'e2']);
    expect(await lister.client.patch(path, { url: 'https://10.0.0.1/' })).toMatchObject({ status: 400 });
    expect(await lister.client.patch(path, { events: ['dividend.declared'] })).toMatchObject({ status: 400 });
  });

  test('a change of nothing is refused', async () => {
    const { webhook_id } = await register(lister, outsideReceiver().url);
    expect((await lister.client.patch(`/v1/webhooks/${webhook_id}`, {})).status).toBe(400);
    expect((await lister.client.patch(`/v1/webhooks/${webhook_id}`, { description: null })).status).toBe(200);
  });

  test('disabled it receives nothing; enabled again it does', async () => {
    const receiver = outsideReceiver();
    const webhook = await register(lister, receiver.url);
    const path = `/v1/webhooks/${webhook.webhook_id}`;
    expect((await lister.client.patch(path, { enabled: false })).body).toMatchObject({
      status: 'disabled',
      disabled_reason: 'owner',
    });
    await enqueue(webhook, 'e1');
    await untilStatus(lister, webhook, 'dead', 1);
    expect(await receiver.received()).toEqual([]);
    expect((await lister.client.patch(path, { enabled: true })).body).toMatchObject({ status: 'enabled' });
    await enqueue(webhook, 'e2');
    expect((await receiver.receives(1))[0]?.headers['webhook-id']).toBe('e2');
  });

  test('deleted it is gone', async () => {
    const webhook = await register(lister, outsideReceiver().url);
    const path = `/v1/webhooks/${webhook.webhook_id}`;
    expect((await lister.client.delete(path)).status).toBe(204);
    expect((await lister.client.get(path)).status).toBe(404);
    expect((await lister.client.delete(path)).status).toBe(404);
  });
});

describe('POST /v1/webhooks/{id}/rotate-secret', () => {
  test('for 24 hours both secrets sign, then the other alone', async () => {
    const receiver = outsideReceiver();
    const webhook = await register(lister, receiver.url);
    const rotated = await lister.client.post<{ secret: string }>(
      `/v1/webhooks/${webhook.webhook_id}/rotate-secret`,
      undefined,
    );
    expect(rotated.status).toBe(200);
    await enqueue(webhook, 'e1');
    const [both] = await receiver.receives(1);
    if (both === undefined) return;
    expect(both.headers['webhook-signature']?.split(' ')).toHaveLength(2);
    verified(webhook.secret, both);
    verified(rotated.body.secret, both);
    expect(() => verified(`whsec_${btoa('x'.repeat(32))}`, both)).toThrow(/signature/);
    expect(() => verified(webhook.secret, { ...both, body: '{"of":"e9"}' })).toThrow(/signature/);

    await env.DB.prepare(
      'UPDATE webhook_endpoints SET former_secret_ends_at = former_secret_ends_at - 86400000 WHERE id = ?1',
    )
      .bind(webhook.webhook_id)
      .run();
    await webhookEndpointOf(env, webhook.webhook_id).changed();
    await enqueue(webhook, 'e2');
    const [, one] = await receiver.receives(2);
    if (one === undefined) return;
    expect(one.headers['webhook-signature']?.split(' ')).toHaveLength(1);
    verified(rotated.body.secret, one);
  });

  test('R-09: each former secret signs until the time that was said, and no more are made than sign', async () => {
    const receiver = outsideReceiver();
    const webhook = await register(lister, receiver.url);
    const path = `/v1/webhooks/${webhook.webhook_id}/rotate-secret`;
    const secrets = [webhook.secret];
    for (let times = 0; times < 4; times++) {
      const rotated = await lister.client.post<{ secret: string }>(path, undefined);
      expect(rotated.status).toBe(200);
      secrets.push(rotated.body.secret);
    }
    const refused = await lister.client.post(path, undefined);
    expect(refused).toMatchObject({ status: 409, body: { error: { details: { reason: 'too_many_secrets' } } } });
    await enqueue(webhook, 'e1');
    const [all] = await receiver.receives(1);
    if (all === undefined) return;
    expect(all.headers['webhook-signature']?.split(' ')).toHaveLength(5);
    for (const secret of secrets) verified(secret, all);

    // The first two have ended; the others sign on.
    await env.DB.prepare(
      `UPDATE webhook_endpoints SET earlier_secrets = json_set(earlier_secrets, '$[0].endsAt', 1, '$[1].endsAt', 1) WHERE id = ?1`,
    )
      .bind(webhook.webhook_id)
      .run();
    await webhookEndpointOf(env, webhook.webhook_id).changed();
    await enqueue(webhook, 'e2');
    const [, later] = await receiver.receives(2);
    if (later === undefined) return;
    expect(later.headers['webhook-signature']?.split(' ')).toHaveLength(3);
    for (const secret of secrets.slice(2)) verified(secret, later);
    for (const secret of secrets.slice(0, 2)) expect(() => verified(secret, later)).toThrow(/signature/);
    expect((await lister.client.post(path, undefined)).status).toBe(200);
  });
});

describe('deliveries', () => {
  test('are listed latest first, page by page, with every try and the body', async () => {
    const receiver = outsideReceiver();
    const webhook = await register(lister, receiver.url);
    await enqueue(webhook, 'e1', 'e2', 'e3');
    await untilStatus(lister, webhook, 'delivered', 3);
    expect((await deliveries(lister, webhook)).map(({ sequence }) => sequence)).toEqual([3, 2, 1]);
    const path = `/v1/webhooks/${webhook.webhook_id}/deliveries`;
    const page = await lister.client.get<{ deliveries: DeliveryBody[] }>(`${path}?limit=2`);
    expect(page.headers.get('link')).toContain('cursor=2');
    const [last] = await deliveries(lister, webhook, '?limit=2&cursor=2');
    expect(last?.sequence).toBe(1);
    expect(await deliveries(lister, webhook, '?event_id=e2')).toHaveLength(1);
    expect((await lister.client.get(`${path}/${last?.delivery_id}`)).body).toMatchObject({
      event_id: 'e1',
      event_type: 'settlement.finalized',
      status: 'delivered',
      tries: 1,
      payload: '{"of":"e1"}',
      attempts: [{ status: 200, error: null, response: 'taken' }],
    });
  });

  test('are sent again one by one, and once for each Idempotency-Key', async () => {
    const receiver = outsideReceiver();
    const webhook = await register(lister, receiver.url);
    await enqueue(webhook, 'e1', 'e2');
    const [, first] = await untilStatus(lister, webhook, 'delivered', 2);
    const path = `/v1/webhooks/${webhook.webhook_id}/deliveries/${first?.delivery_id}/replay`;
    const key = { 'idempotency-key': 'replay-1' };
    const [one, two] = [
      await lister.client.post<DeliveryBody>(path, undefined, key),
      await lister.client.post<DeliveryBody>(path, undefined, key),
    ];
    expect(one).toMatchObject({ status: 202, body: { replay_of: first?.delivery_id, event_id: 'e1' } });
    expect(two.body.delivery_id).toBe(one.body.delivery_id);
    await untilStatus(lister, webhook, 'delivered', 3);
    expect((await receiver.received()).map(({ headers }) => headers['webhook-id'])).toEqual(['e1', 'e2', 'e1']);
  });

  test('of a range of time are sent again, each event once', async () => {
    const receiver = outsideReceiver();
    const webhook = await register(lister, receiver.url);
    await enqueue(webhook, 'e1', 'e2');
    await untilStatus(lister, webhook, 'delivered', 2);
    const path = `/v1/webhooks/${webhook.webhook_id}/replay`;
    const range = {
      from: new Date(Date.now() - 60_000).toISOString(),
      to: new Date(Date.now() + 60_000).toISOString(),
    };
    expect(await lister.client.post(path, range)).toMatchObject({
      status: 202,
      body: { replayed: 2, next_sequence: null },
    });
    await untilStatus(lister, webhook, 'delivered', 4);
    expect(await lister.client.post(path, range)).toMatchObject({ body: { replayed: 2 } });
    const before = { from: '2020-01-01T00:00:00Z', to: '2021-01-01T00:00:00Z' };
    expect(await lister.client.post(path, before)).toMatchObject({ status: 202, body: { replayed: 0 } });
    expect(await lister.client.post(path, { from: before.to, to: before.from })).toMatchObject({ status: 400 });
  });

  test('are not sent again to a webhook that is disabled, nor where they are tests: nothing is given up unsent', async () => {
    const receiver = outsideReceiver();
    const webhook = await register(lister, receiver.url);
    await enqueue(webhook, 'e1');
    const [first] = await untilStatus(lister, webhook, 'delivered', 1);
    const path = `/v1/webhooks/${webhook.webhook_id}`;
    const again = `${path}/deliveries/${first?.delivery_id}/replay`;
    const range = {
      from: new Date(Date.now() - 60_000).toISOString(),
      to: new Date(Date.now() + 60_000).toISOString(),
    };
    const key = { 'idempotency-key': 'before' };
    expect((await lister.client.post(again, undefined, key)).status).toBe(202);
    await untilStatus(lister, webhook, 'delivered', 2);
    expect((await lister.client.patch(path, { enabled: false })).status).toBe(200);
    const refused = { status: 409, body: { error: { details: { reason: 'disabled', disabled_reason: 'owner' } } } };
    expect(await lister.client.post(again, undefined)).toMatchObject(refused);
    expect(await lister.client.post(`${path}/replay`, range)).toMatchObject(refused);
    expect((await deliveries(lister, webhook)).length).toBe(2);
    expect(await lister.client.patch(path, { enabled: true })).toMatchObject({ status: 200 });
    const { body } = await lister.client.post<DeliveryBody>(`${path}/test`, undefined);
    expect(await lister.client.post(`${path}/deliveries/${body.delivery_id}/replay`, undefined)).toMatchObject({
      status: 409,
      body: { error: { details: { reason: 'test' } } },
    });
  });

  test('that block others can be skipped', async () => {
    const receiver = outsideReceiver();
    await receiver.behaves({ kind: 'answer', status: 400, times: 1 });
    const webhook = await register(lister, receiver.url);
    await enqueue(webhook, 'e1', 'e2');
    await receiver.receives(1);
    const blocking = (await deliveries(lister, webhook)).at(-1)?.delivery_id;
    const path = `/v1/webhooks/${webhook.webhook_id}/deliveries/${blocking}/skip`;
    expect(await lister.client.post(path, undefined)).toMatchObject({ status: 200, body: { status: 'skipped' } });
    expect(await lister.client.post(path, undefined)).toMatchObject({ status: 200, body: { status: 'skipped' } });
    const [done] = await untilStatus(lister, webhook, 'delivered', 1);
    expect(
      await lister.client.post(`/v1/webhooks/${webhook.webhook_id}/deliveries/${done?.delivery_id}/skip`, undefined),
    ).toMatchObject({ status: 409 });
  });
});

describe('POST /v1/webhooks/{id}/test', () => {
  test('sends a test at once and says what came of it, as its schema publishes it', async () => {
    const receiver = outsideReceiver();
    const webhook = await register(agent, receiver.url);
    const path = `/v1/webhooks/${webhook.webhook_id}/test`;
    expect(await agent.client.post(path, undefined)).toMatchObject({ status: 200, body: { status: 'delivered' } });
    const [test] = await receiver.receives(1);
    if (test === undefined) return;
    expect(verified(webhook.secret, test)).toMatchObject({ webhook_event: { event_type: 'webhook.test' } });
    const schema: Schema = await (await callWorker('http://localhost/partner/schemas/webhook.test.json')).json();
    expect(new Validator(schema, '2020-12', false).validate(JSON.parse(test.body)).valid).toBe(true);

    await receiver.behaves({ kind: 'redirect' });
    expect(await agent.client.post(path, undefined)).toMatchObject({
      status: 200,
      body: { status: 'dead', reason: 'test_failed', attempts: [{ status: 302, error: 'redirect' }] },
    });
  });

  test('sends a sample of each event of its role, which is told by a header and comes with no range again', async () => {
    const receiver = outsideReceiver();
    const webhook = await register(agent, receiver.url);
    const path = `/v1/webhooks/${webhook.webhook_id}`;
    const events = eventsOfRole('transfer_agent');
    for (const event of events)
      expect(await agent.client.post(`${path}/test`, { event })).toMatchObject({ body: { status: 'delivered' } });
    const sent = await receiver.receives(events.length);
    const types = sent.map(
      (each) => (verified(webhook.secret, each).webhook_event as { event_type: string }).event_type,
    );
    expect(types).toEqual(events);
    expect(sent.map(({ headers }) => headers['webhook-test'])).toEqual(events.map(() => 'true'));
    for (const { body } of sent) expect(body).toContain('00000000-0000-4000-8000-');
    const range = { from: '2026-01-01T00:00:00.000Z', to: new Date(Date.now() + 1_000).toISOString() };
    expect((await agent.client.post<{ replayed: number }>(`${path}/replay`, range)).body.replayed).toBe(0);
    expect(await agent.client.post(`${path}/test`, { event: 'trade.executed' })).toMatchObject({
      status: 400,
      body: { error: { details: { field: 'event', outside: ['trade.executed'] } } },
    });
  });
});

describe('what an owner states of a webhook', () => {
  const LISTER_EVENTS = ['trade.executed', 'settlement.finalized'];

  test('is ordering none unless another one is stated, and it does not change', async () => {
    const { url } = outsideReceiver();
    const { body } = await lister.client.post<Webhook>('/v1/webhooks', { url, events: LISTER_EVENTS });
    expect(body).toMatchObject({ ordering: 'none', security_ids: null, header_names: [] });
    for (const ordering of ['security', 'endpoint'])
      expect((await lister.client.post('/v1/webhooks', { url, events: LISTER_EVENTS, ordering })).body).toMatchObject({
        ordering,
      });
    const other = await lister.client.post('/v1/webhooks', { url, events: LISTER_EVENTS, ordering: 'random' });
    expect(other.status).toBe(400);
    const changed = await lister.client.patch(`/v1/webhooks/${body.webhook_id}`, { ordering: 'endpoint' });
    expect(changed.status).toBe(400);
  });

  test('are headers of its own, shown by their names alone, which each message has', async () => {
    const receiver = outsideReceiver();
    const headers = { Authorization: 'Bearer of-the-gateway', 'x-tenant': 'a b' };
    const terms = { url: receiver.url, events: LISTER_EVENTS, headers };
    const { status, body } = await lister.client.post<Webhook>('/v1/webhooks', terms);
    expect([status, body]).toMatchObject([201, { header_names: ['authorization', 'x-tenant'] }]);
    const path = `/v1/webhooks/${body.webhook_id}`;
    expect(JSON.stringify((await lister.client.get(path)).body)).not.toContain('of-the-gateway');
    expect(JSON.stringify(await findEndpoint(db, body.webhook_id))).not.toContain('of-the-gateway');
    await lister.client.post(`${path}/test`, undefined);
    await enqueue(body, uuidv7());
    for (const { headers: sent } of await receiver.receives(2))
      expect(sent).toMatchObject({ authorization: 'Bearer of-the-gateway', 'x-tenant': 'a b' });
    expect((await lister.client.patch(path, { headers: { 'x-other': '1' } })).body).toMatchObject({
      header_names: ['x-other'],
    });
    await enqueue(body, uuidv7());
    const [, , third] = await receiver.receives(3);
    expect([third?.headers['x-other'], third?.headers.authorization]).toEqual(['1', undefined]);
    // Another host does not read what was meant for this one.
    const other = new URL(receiver.url);
    other.port = '8443';
    expect((await lister.client.patch(path, { url: other.href })).body).toMatchObject({ header_names: [] });
    const stated = { url: receiver.url, headers: { 'x-other': '2' } };
    expect((await lister.client.patch(path, stated)).body).toMatchObject({ header_names: ['x-other'] });
    expect((await lister.client.patch(path, { url: receiver.url })).body).toMatchObject({ header_names: ['x-other'] });
    expect((await lister.client.patch(path, { headers: {} })).body).toMatchObject({ header_names: [] });
  });

  test.each([
    { 'Webhook-Id': 'mine' },
    { 'content-length': '3' },
    { 'x key': '1' },
    { 'x-key': 'a\r\nb: c' },
    { 'x-key': '' },
    Object.fromEntries(Array.from({ length: 11 }, (_, at) => [`x-${at}`, '1'])),
    { 'x-key': 1 },
  ])('are no headers such as %j', async (headers) => {
    const { url } = outsideReceiver();
    const { status, body } = await lister.client.post('/v1/webhooks', { url, events: LISTER_EVENTS, headers });
    expect([status, body]).toMatchObject([400, { error: { code: 'VALIDATION_ERROR' } }]);
  });
});
