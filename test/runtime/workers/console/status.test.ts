import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { beforeAll, describe, expect, test } from 'vitest';
import { forgetPublicStatus, readPublicStatus } from '../../../../application/status/read-public-status.ts';
import type { Database } from '../../../../data/database.ts';
import { findIncident, OPEN_INCIDENTS_MAX, updateIncident } from '../../../../data/status/incidents.ts';
import { VENUE_OWNER } from '../../../../domain/identity/venue.ts';
import { DEFAULT_RATE_LIMITS } from '../../../../domain/limits/rate-bucket.ts';
import { callWorker } from '../../fixtures/call-worker.ts';
import { signedInAtConsole } from '../../fixtures/console-browser.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader, type Trader } from '../../fixtures/create-trader.ts';
import { type Client, signedIn } from '../../fixtures/exchange-client.ts';
import { freshAddress } from '../../fixtures/fresh-address.ts';
import { migrate } from '../../fixtures/migrate.ts';

let db: Database;
let venueOperator: Trader;
let operator: Client;
let hosts = 0;

beforeAll(async () => {
  db = await migrate();
  await createPair(db, 'ACME');
  venueOperator = await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] });
  operator = await signedIn(venueOperator);
});

interface Told {
  readonly state: string;
  readonly parts: { readonly part: string; readonly state: string; readonly reason: string | null }[];
  readonly incidents: { readonly id: string; readonly state: string; readonly updates: { words: string }[] }[];
  readonly past_incidents: { readonly id: string; readonly updates: { words: string }[] }[];
}

/** As a stranger, at a host at which nobody has asked before: an edge keeps what it was told. */
async function told(): Promise<Told> {
  const address = `http://status-${hosts++}.example/console/v1/status`;
  const answer = await callWorker(new Request(address, { headers: { 'cf-connecting-ip': freshAddress() } }));
  expect(answer.status).toBe(200);
  return answer.json();
}

const reasonOf = ({ parts }: Told, part: string) => parts.find((one) => one.part === part)?.reason;

interface OneIncident {
  readonly data: { readonly id: string; readonly state: string };
}

const OPENING = { title: 'Bridge is slow', parts: ['bridge'], words: 'Transfers take up to an hour. Nothing is lost.' };
const open = (headers?: Record<string, string>, change: object = {}) =>
  operator.post<OneIncident>('/v1/operator/incidents', { ...OPENING, ...change }, headers);
const tell = (id: string, update: object, headers?: Record<string, string>) =>
  operator.post<OneIncident>(`/v1/operator/incidents/${id}/updates`, update, headers);

describe('the public status', () => {
  test('is told to a stranger, may be kept for 15 s by everybody, and has no more than states and words', async () => {
    const answer = await callWorker(new Request('http://localhost/console/v1/status'));
    expect(answer.headers.get('cache-control')).toBe('public, max-age=15');
    const status = (await answer.json()) as Told;
    expect(Object.keys(status).sort()).toEqual(['at', 'incidents', 'parts', 'past_incidents', 'state']);
    expect(status.parts.map(({ part }) => part)).toEqual([
      'trading',
      'market_data',
      'money',
      'sign_in',
      'partners',
      'bridge',
      'events',
    ]);
    for (const part of status.parts) expect(Object.keys(part).sort()).toEqual(['part', 'reason', 'state', 'words']);
  });

  test('reads the stores once for everybody who asks within ten seconds', async () => {
    forgetPublicStatus();
    const first = await readPublicStatus(env, 50_000);
    expect(await readPublicStatus(env, 59_999)).toBe(first);
    expect(await readPublicStatus(env, 60_000)).not.toBe(first);
  });

  test('says that all trading is halted, and that it goes on', async () => {
    expect((await operator.post('/v1/operator/venue/halt', { reason: 'a fire in room 12' })).status).toBe(200);
    forgetPublicStatus();
    const halted = await told();
    expect([halted.state, reasonOf(halted, 'trading'), reasonOf(halted, 'money')]).toEqual([
      'down',
      'trading_halted',
      null,
    ]);
    expect(JSON.stringify(halted)).not.toContain('room 12');
    await operator.post('/v1/operator/venue/resume', { reason: 'it is out' });
    forgetPublicStatus();
    expect(reasonOf(await told(), 'trading')).toBeNull();
  });
});

describe('an incident', () => {
  test('is told at once, goes on by updates, and is over when one says so; each act stands in the trail', async () => {
    const key = { 'idempotency-key': uuidv7() };
    const opened = await open(key);
    const { id } = opened.body.data;
    expect((await open(key)).body).toEqual(opened.body);
    const browser = await signedInAtConsole(venueOperator.phone);
    const bar = await browser.ask('GET /v1/session/incident');
    expect([bar.body, bar.headers.get('x-ratelimit-limit')]).toEqual([
      { incident: { id, title: OPENING.title } },
      String(DEFAULT_RATE_LIMITS.private.limit),
    ]);
    const during = await told();
    expect(during.incidents).toMatchObject([{ id, state: 'investigating', updates: [{ words: OPENING.words }] }]);
    expect([reasonOf(during, 'bridge'), JSON.stringify(during).includes(venueOperator.userId)]).toEqual([
      'incident',
      false,
    ]);

    const update = { 'idempotency-key': uuidv7() };
    const found = { state: 'identified', words: 'A chain is slow.' };
    await tell(id, found, update);
    expect((await tell(id, found, update)).body.data.state).toBe('identified');
    expect((await told()).incidents[0]?.updates.map(({ words }) => words)).toEqual(['A chain is slow.', OPENING.words]);

    expect((await tell(id, { state: 'resolved', words: 'All went through.' })).body.data.state).toBe('resolved');
    const after = await told();
    expect((await browser.ask('GET /v1/session/incident')).body).toEqual({ incident: null });
    expect(after.past_incidents.map(({ updates }) => updates.map(({ words }) => words))).toEqual([
      ['All went through.'],
    ]);
    expect([after.incidents, after.past_incidents.map((one) => one.id), reasonOf(after, 'bridge')]).toEqual([
      [],
      [id],
      'not_measured',
    ]);
    expect(await tell(id, { state: 'monitoring', words: 'Or not.' })).toMatchObject({
      status: 409,
      body: { error: { details: { state: 'resolved' } } },
    });
    const { body } = await operator.get<{ data: { type: string; actor: string }[] }>(
      `/v1/operator/audit-trail?subject=${id}`,
    );
    expect(body.data.map(({ type, actor }) => [type, actor === venueOperator.userId])).toEqual([
      ['operator.incident_resolved', true],
      ['operator.incident_updated', true],
      ['operator.incident_opened', true],
    ]);
  });

  test('keeps what another operator has changed of its parts', async () => {
    const { id } = (await open()).body.data;
    const before = await findIncident(db, id);
    if (before === null) throw new Error('it is open');
    await tell(id, { state: 'identified', words: 'Trading, too.', parts: ['bridge', 'trading'] });
    const update = { state: 'monitoring', words: 'As I read it.', parts: before.parts } as const;
    const action = { id: uuidv7(), actor: venueOperator.userId, requestId: 'late' };
    expect(await updateIncident(db, before, update, action, Date.now())).toBe(false);
    expect((await tell(id, { state: 'monitoring', words: 'Both are slow.' })).status).toBe(200);
    expect((await findIncident(db, id))?.parts).toEqual(['bridge', 'trading']);
    await tell(id, { state: 'resolved', words: 'Over.' });
  });

  test('an incident that has had all its updates can still be ended', async () => {
    const { body } = await open();
    const { id } = body.data;
    const row = env.DB.prepare(
      `INSERT INTO incident_updates (id, incident, state, words, at) VALUES (?1, ?2, 'monitoring', 'Still.', ?3)`,
    );
    await env.DB.batch(Array.from({ length: 49 }, (_, n) => row.bind(crypto.randomUUID(), id, n)));
    expect((await tell(id, { state: 'monitoring', words: 'Once more.' })).status).toBe(409);
    expect((await tell(id, { state: 'resolved', words: 'All of it works again.' })).status).toBe(200);
  });

  test('is written by who runs the venue alone, and read by its auditors', async () => {
    const trader = await signedIn(await createTrader(db));
    expect((await trader.post('/v1/operator/incidents', OPENING)).status).toBe(403);
    expect((await trader.get('/v1/operator/incidents')).status).toBe(403);
    const auditor = await signedIn(await createTrader(db, { owner: VENUE_OWNER, roles: ['auditor'] }));
    expect((await auditor.post('/v1/operator/incidents', OPENING)).status).toBe(403);
    expect((await auditor.get('/v1/operator/incidents')).status).toBe(200);
  });

  test('needs a title, known parts and words, is no resolved one at its opening, and no more are open than are shown', async () => {
    for (const change of [{ title: ' ' }, { parts: [] }, { parts: ['ledger'] }, { words: '' }, { state: 'resolved' }])
      expect((await open(undefined, change)).status).toBe(400);
    expect((await open(undefined, { parts: ['bridge', 'bridge'] })).status).toBe(400);
    expect((await tell(uuidv7(), { state: 'resolved', words: 'x' })).status).toBe(404);
    const ids: string[] = [];
    for (let n = 0; n < OPEN_INCIDENTS_MAX; n++) ids.push((await open()).body.data.id);
    expect(await open()).toMatchObject({ status: 409, body: { error: { details: { openMax: OPEN_INCIDENTS_MAX } } } });
    const { body } = await operator.get<{ data: { id: string }[] }>('/v1/operator/incidents?status=open&limit=3');
    expect(body.data.map(({ id }) => id)).toEqual(ids.reverse().slice(0, 3));
  });
});
