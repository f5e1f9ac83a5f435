import { eq } from 'drizzle-orm';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { assets } from '../../../../data/schema/catalog.ts';
import { exchange } from '../../../../workers/exchange/app.ts';
import { callWorker } from '../../fixtures/call-worker.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { anyone, type Client } from '../../fixtures/exchange-client.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { eventually } from '../../fixtures/patience.ts';
import { tradingClient } from '../../fixtures/trading-client.ts';

const BASE = 'http://localhost/exchange';

let db: Database;
let visitor: Client;
let symbol: string;
let listings = 0;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  db = await migrate();
  symbol = `EDGE${String.fromCharCode(65 + listings++)}`;
  await createPair(db, symbol, { asset: { name: 'First name', category: 'privates', rail: 'private' } });
  visitor = anyone();
});

afterEach(() => {
  vi.useRealTimers();
});

const id = () => symbol.toLowerCase();
const later = (ms: number) => vi.setSystemTime(Date.now() + ms);
const rename = (name: string) => db.update(assets).set({ name }).where(eq(assets.id, id()));
const kept = (path: string) => caches.default.match(`${BASE}${path}`);
/** Waits for what is written behind the answer; the clock stands still meanwhile. */
async function isKept(path: string): Promise<void> {
  await eventually(
    () => kept(path),
    () => `${path} is not kept`,
  );
}

interface AssetList {
  readonly data: readonly { readonly symbol: string; readonly name: string }[];
}
const names = async (query: string, client = visitor) =>
  (await client.get<AssetList>(`/v1/assets${query}`)).body.data.map(({ name }) => name);

test('an answer is given again while it is current, and an operator’s change is seen after that', async () => {
  const query = `?search=${id()}`;
  expect(await names(query)).toEqual(['First name']);
  await isKept(`/v1/assets${query}`);
  await rename('Second name');
  later(2_900);
  expect(await names(query)).toEqual(['First name']);
  later(100);
  expect(await names(query)).toEqual(['Second name']);
});

test('the same question is one answer: order of parameters and defaults do not count', async () => {
  expect(await names(`?search=${id()}&category=privates`)).toEqual(['First name']);
  await isKept(`/v1/assets?category=privates&search=${id()}`);
  await rename('Second name');
  expect(await names(`?category=privates&search=${id()}`)).toEqual(['First name']);
  expect(await names(`?search=${id()}`)).toEqual(['Second name']);
  await visitor.get(`/v1/assets/${id()}/book`);
  await isKept(`/v1/assets/${id()}/book?depth=50`);
});

test('a request with unknown parameters is refused, whatever is kept, and leaves nothing for others', async () => {
  await createPair(db, `${symbol}2`, { asset: { name: 'First name', category: 'privates', rail: 'private' } });
  const query = `search=${id()}&limit=1`;
  expect((await visitor.get(`/v1/assets?${query}&junk=1`)).status).toBe(400);
  const after = await visitor.get(`/v1/assets?${query}`);
  expect(after.headers.get('link')).not.toContain('junk');
  await isKept(`/v1/assets?limit=1&search=${id()}`);
  expect((await visitor.get(`/v1/assets?${query}`)).headers.get('link')).toBe(after.headers.get('link'));
  expect((await visitor.get(`/v1/assets?${query}&junk=1`)).status).toBe(400);
});

test.each([
  ['/v1/navigation', 3_600],
  ['/v1/assets?search=:id', 3],
  ['/v1/assets/:id', 3],
  ['/v1/assets/:id/quote', 1],
  ['/v1/assets/:id/book?depth=50', 1],
  ['/v1/assets/:id/chart?interval=1m&range=1d', 5],
  ['/v1/assets/:id/chart?interval=5m', 5],
  ['/v1/assets/:id/chart?interval=1d&range=5y', 15],
])('%s is current for %i s', async (pattern, seconds) => {
  const path = pattern.replace(':id', id());
  const first = await visitor.get(path);
  expect(first).toMatchObject({ status: 200 });
  expect(first.headers.get('cache-control')).toBe(`public, max-age=${seconds}`);
  expect(first.headers.get('age')).toBe('0');
  await isKept(path);
  later(seconds * 1_000 - 1);
  const again = await visitor.get(path);
  expect(again.body).toEqual(first.body);
  expect(again.headers.get('age')).toBe(String(seconds - 1));
  later(1);
  expect((await visitor.get(path)).headers.get('age')).toBe('0');
});

test('what is kept belongs to no request: each has its own id, and draws on its own rate limit', async () => {
  const path = `/v1/assets/${id()}`;
  const first = await visitor.get(path);
  await isKept(path);
  const again = await visitor.get(path);
  const remaining = ({ headers }: { headers: Headers }) => Number(headers.get('x-ratelimit-remaining'));
  expect(remaining(again)).toBe(remaining(first) - 1);
  expect(again.headers.get('x-request-id')).not.toBe(first.headers.get('x-request-id'));
  const names = [...((await kept(path))?.headers.keys() ?? [])];
  expect(names.filter((name) => name.startsWith('x-rate') || name === 'x-request-id')).toEqual([]);
});

test('If-None-Match with the tag of the answer is 304 without a body', async () => {
  const path = `${BASE}/v1/assets/${id()}`;
  const headers = { 'cf-connecting-ip': '10.9.8.7' };
  const etag = (await callWorker(path, { headers })).headers.get('etag') ?? '';
  for (const tag of [etag, `W/${etag}`, `"other", ${etag}`, '*']) {
    const answer = await callWorker(path, { headers: { ...headers, 'if-none-match': tag } });
    expect(answer.status).toBe(304);
    expect(answer.headers.get('etag')).toBe(etag);
    expect(await answer.text()).toBe('');
  }
  expect((await callWorker(path, { headers: { ...headers, 'if-none-match': '"other"' } })).status).toBe(200);
});

test('errors are not kept', async () => {
  for (const path of ['/v1/assets/nowhere', `/v1/assets/${id()}/chart?range=2d`, `/v1/assets/${id()}/book?depth=0`]) {
    const answer = await visitor.get(path);
    expect(answer.status).toBeGreaterThanOrEqual(400);
    expect(answer.headers.get('cache-control')).toBe('no-store');
    expect(await kept(path)).toBeUndefined();
  }
});

describe('an offering under 506(b)', () => {
  const conceal = () => db.update(assets).set({ accreditationType: '506b' }).where(eq(assets.id, id()));
  const paths = () => [`/v1/assets/${id()}`, `/v1/assets/${id()}/quote`, `/v1/assets/${id()}/chart`];

  test('is shown to those who may see it in answers of their own, which are kept nowhere', async () => {
    await conceal();
    const certified = await tradingClient(db, { accreditationStatus: 'completed', accreditationType: '506b' });
    for (const path of [...paths(), `/v1/assets?search=${id()}`]) {
      const answer = await certified.get(path);
      expect(answer).toMatchObject({ status: 200 });
      expect(answer.headers.get('cache-control')).toBe('no-store');
      expect(await kept(path)).toBeUndefined();
    }
    expect(await names(`?search=${id()}`)).toEqual([]);
    for (const path of paths()) expect((await visitor.get(path)).status).toBe(404);
  });

  test('is missing in what others are given, and that is not given to those who may see it', async () => {
    await conceal();
    const certified = await tradingClient(db, { accreditationStatus: 'completed', accreditationType: '506b' });
    expect(await names(`?search=${id()}`)).toEqual([]);
    await isKept(`/v1/assets?search=${id()}`);
    expect(await names(`?search=${id()}`, certified)).toEqual(['First name']);
    expect(await names(`?search=${id()}`)).toEqual([]);
  });
});

test('no route that asks who is calling keeps answers', () => {
  const keeping = exchange.routes.filter(({ edge }) => edge !== undefined);
  expect(keeping.length).toBeGreaterThan(5);
  for (const { access, method } of keeping) expect([access.credential, method]).toEqual(['public', 'get']);
});
