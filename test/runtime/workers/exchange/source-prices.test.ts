import { env } from 'cloudflare:workers';
import { afterEach, beforeEach, expect, test, vi } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import type { SandboxFaults } from '../../../../domain/sandbox-broker/faults.ts';
import { sandboxBrokerOf } from '../../../../durable-objects/sandbox-broker/api.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { anyone, type Client } from '../../fixtures/exchange-client.ts';
import { migrate } from '../../fixtures/migrate.ts';

interface ShownQuote {
  readonly last: number;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly change: number;
  readonly prevClose: number;
  readonly timestamp: string;
  readonly stale: boolean;
}

interface ShownBook {
  readonly bids: readonly { readonly price: number; readonly size: number }[];
  readonly asks: readonly { readonly price: number; readonly size: number }[];
  readonly timestamp: string;
  readonly stale: boolean;
}

const AWAY_MS = 60_000;

let db: Database;
let visitor: Client;
let symbol: string;
let stocks = 0;

beforeEach(async () => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
  db = await migrate();
  symbol = `STOCK${String.fromCharCode(65 + stocks++)}`;
  await createPair(db, symbol, {
    asset: { category: 'stocks', rail: 'public', executionRoute: 'broker' },
    market: { route: 'broker', referencePrice: 1_00 },
  });
  visitor = anyone();
});

afterEach(() => {
  vi.useRealTimers();
});

const later = (ms: number) => vi.setSystemTime(Date.now() + ms);
const quote = async () => (await visitor.get<ShownQuote>(`/v1/assets/${symbol.toLowerCase()}/quote`)).body;
const book = async (query = '') =>
  (await visitor.get<ShownBook>(`/v1/assets/${symbol.toLowerCase()}/book${query}`)).body;

async function sendAway(): Promise<void> {
  const none = { seed: 1, reject_pm: 0, lateRequest_ms_max: 0, duplicate_pm: 0, delay_pm: 0, delay_ms_max: 0 };
  const faults: SandboxFaults = {
    ...none,
    drop_pm: 0,
    recovery_ms: 0,
    lostAnswer_pm: 0,
    awayUntil_ms: Date.now() + AWAY_MS,
  };
  expect(await sandboxBrokerOf(env, symbol).setFaults(faults)).toBe(true);
}

test('a stock that executes at the broker has the broker’s quote, not the reference price', async () => {
  const shown = await quote();
  expect(shown).toMatchObject({ assetId: symbol.toLowerCase(), stale: false, timestamp: new Date().toISOString() });
  expect(shown.last).toBeGreaterThan(4);
  expect(shown.low).toBeLessThanOrEqual(Math.min(shown.open, shown.last));
  expect(shown.high).toBeGreaterThanOrEqual(Math.max(shown.open, shown.last));
  expect(shown.change).toBeCloseTo(shown.last - shown.prevClose, 9);
});

test('its book is what the venues display together, best first, as deep as is asked for', async () => {
  const shown = await book();
  const [bid, ask] = [shown.bids[0]?.price ?? 0, shown.asks[0]?.price ?? 0];
  expect(shown.stale).toBe(false);
  expect(bid).toBeGreaterThan(0);
  expect(bid).toBeLessThan(ask);
  expect(shown.bids.map(({ price }) => price)).toEqual(shown.bids.map(({ price }) => price).sort((a, b) => b - a));
  expect((await book('?depth=3')).asks).toEqual(shown.asks.slice(0, 3));
  const { last } = await quote();
  expect(last).toBeGreaterThanOrEqual(bid - 1);
  expect(last).toBeLessThanOrEqual(ask + 1);
});

test('while the broker is away the last quote and book are shown, marked stale and with their own time', async () => {
  const [before, shown] = [await quote(), await book()];
  await sendAway();
  later(5_000);
  expect(await quote()).toEqual({ ...before, stale: true });
  expect(await book()).toEqual({ ...shown, stale: true });
  later(AWAY_MS);
  expect(await quote()).toMatchObject({ stale: false, timestamp: new Date().toISOString() });
  expect(await book()).toMatchObject({ stale: false });
});

test('of a broker that has never answered there is the reference price, marked stale, and no book', async () => {
  await sendAway();
  expect(await quote()).toMatchObject({ last: 1, prevClose: 1, volume: 0, stale: true });
  expect(await book()).toMatchObject({ bids: [], asks: [], stale: true });
});
