import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import {
  readCollarQuote,
  readSourceBars,
  readSourceBook,
  readSourceCloses,
  readSourceQuotes,
} from '../../../application/market-data/source-prices.ts';
import { gateOf } from '../../../durable-objects/gate/api.ts';
import { sourceGateName } from '../../../protocol/object-names/gate-name.ts';
import { createPair } from '../fixtures/create-pair.ts';
import { anyone } from '../fixtures/exchange-client.ts';
import { migrate } from '../fixtures/migrate.ts';
import { skipTime } from '../fixtures/skip-time.ts';

/** Twelve calls a minute: three for quotes that are shown, two for charts, one for previews, one for closes, and what is left for collars. */
const AT_ALPACA = {
  ...env,
  BROKER: 'alpaca',
  ALPACA_DATA_URL: 'https://data.example',
  ALPACA_DATA_CALLS_PER_MINUTE: '12',
} as Env;

const HOUR_MS = 3_600_000;

let asked: string[];
let nextSymbol = 0;

beforeEach(() => {
  asked = [];
  vi.stubGlobal('fetch', async (url: URL) => {
    asked.push(url.pathname);
    return Response.json({ message: 'down' }, { status: 500 });
  });
});

afterEach(() => {
  vi.unstubAllGlobals();
  // The next test begins a minute later.
  skipTime(60_000);
});

const stock = () => ({ asset: { symbol: `S${nextSymbol++}` }, market: { route: 'broker' } as const });
const chart = (instrument = stock()) =>
  readSourceBars(AT_ALPACA, instrument, { interval: '1m', from_ms: Date.now() - HOUR_MS, to_ms: Date.now() });

describe('calls to a source that counts them', () => {
  test('for charts have their share of a minute; beyond, the source is not asked, and the reader is told when to come back', async () => {
    for (let at = 0; at < 2; at++) expect(await chart()).toEqual({ ok: true, value: null });
    const beyond = await chart();
    expect(beyond).toMatchObject({ ok: false });
    expect(beyond.ok ? 0 : beyond.error.retryAfter_ms).toBeGreaterThan(30_000);
    expect(asked).toHaveLength(2);
    skipTime(60_000);
    expect(await chart()).toEqual({ ok: true, value: null });
    expect(asked).toHaveLength(3);
  });

  test('for previews and closes of the past take nothing from charts', async () => {
    const closes = () => readSourceCloses(AT_ALPACA, stock(), Date.now());
    const preview = () => readSourceBook(AT_ALPACA, stock(), 'previews');
    for (let at = 0; at < 3; at++) expect(await closes()).toBeNull();
    expect(asked).toHaveLength(1);
    expect(await preview()).toEqual({ ok: true, value: null });
    expect(await preview()).toMatchObject({ ok: false });
    expect(asked).toHaveLength(2);
    expect(await chart()).toEqual({ ok: true, value: null });
    expect(asked).toHaveLength(3);
  });

  test('for the collars of orders are made however much was shown', async () => {
    for (let at = 0; at < 5; at++) await chart();
    for (let at = 0; at < 5; at++) await readSourceQuotes(AT_ALPACA, [stock()]);
    expect(asked).toHaveLength(5);
    for (let at = 0; at < 4; at++) await readCollarQuote(AT_ALPACA, stock());
    expect(asked).toHaveLength(9);
  });

  test('are one for a key that many ask for at the same time', async () => {
    const instrument = stock();
    await Promise.all([chart(instrument), chart(instrument), chart(instrument)]);
    await Promise.all([readCollarQuote(AT_ALPACA, instrument), readCollarQuote(AT_ALPACA, instrument)]);
    expect(asked).toHaveLength(2);
  });

  test('are counted by one object for all isolates, each kind by itself and each source by itself', async () => {
    const gate = gateOf(env, sourceGateName('prime'));
    const drawn = await Promise.all([1, 2, 3].map(() => gate.drawSourceCall('charts', 2)));
    expect(drawn).toEqual([null, null, expect.any(Number)]);
    expect(await gate.drawSourceCall('quotes', 2)).toBeNull();
    expect(await gateOf(env, sourceGateName('broker')).drawSourceCall('charts', 2)).toBeNull();
    expect(await gate.drawSourceCall('quotes', 0)).toEqual(expect.any(Number));
  });

  test('are none for what is shown where nobody can count them: what is known is shown', async () => {
    const uncounted = { ...AT_ALPACA, GATE: { getByName: () => ({}) } } as unknown as Env;
    expect(await readSourceQuotes(uncounted, [stock()])).toEqual([null]);
    expect(asked).toEqual([]);
  });
});

test('a chart and a book of which nothing is known are 503 with Retry-After once there is no room; the detail goes without bars', async () => {
  const db = await migrate();
  const of = { category: 'stocks', rail: 'public', executionRoute: 'broker' } as const;
  await createPair(db, 'COUNTED', { asset: of, market: { route: 'broker', referencePrice: 100_00 } });
  const { BROKER, ALPACA_DATA_URL, ALPACA_DATA_CALLS_PER_MINUTE } = AT_ALPACA;
  const before = { ...env };
  Object.assign(env, { BROKER, ALPACA_DATA_URL, ALPACA_DATA_CALLS_PER_MINUTE });
  try {
    const path = '/v1/assets/counted';
    const chartBy = (interval: string) => anyone().get(`${path}/chart?interval=${interval}`);
    for (const interval of ['1m', '5m'])
      expect(await chartBy(interval)).toMatchObject({ status: 200, body: { data: [], stale: true } });
    for (const answer of [await chartBy('1h'), await anyone().get(`${path}/book`)]) {
      expect(answer).toMatchObject({ status: 503, body: { error: { code: 'SERVICE_UNAVAILABLE' } } });
      expect(Number(answer.headers.get('retry-after'))).toBeGreaterThan(1);
    }
    expect(await anyone().get(path)).toMatchObject({
      status: 200,
      body: { data: { stale: true, marketData: { perDay: [] } } },
    });
  } finally {
    Object.assign(env, before);
  }
});
