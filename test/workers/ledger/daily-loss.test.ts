import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { beforeAll, expect, it } from 'vitest';
import type { Database } from '../../../data/database.ts';
import { readDailyLoss } from '../../../data/portfolio-trading.ts';
import { createPair } from '../fixtures/create-pair.ts';
import { migrate } from '../fixtures/migrate.ts';

const DAY_MS = 86_400_000;
const HOUR_MS = 3_600_000;
/** A day long over, so that every time around it is in the past. */
const MONDAY = 20_000 * DAY_MS;

let db: Database;

beforeAll(async () => {
  db = await migrate();
  await createPair(db, 'OVN');
});

interface Fill {
  readonly account: string;
  readonly keyId: string;
  readonly side: 'buy' | 'sell';
  readonly quantity: number;
  readonly price: number;
  readonly at: number;
}

let sequence = 0;

/** A settled fill as the ledger has it; only what the daily loss reads. */
async function fill({ account, keyId, side, quantity, price, at }: Fill): Promise<void> {
  sequence++;
  const time = at.toString(16).padStart(12, '0');
  const id = `${time.slice(0, 8)}-${time.slice(8)}-7000-8000-${String(sequence).padStart(12, '0')}`;
  const orderId = uuidv7();
  const [buyOrder, sellOrder] = side === 'buy' ? [orderId, 'x'] : ['x', orderId];
  const [buyer, seller] = side === 'buy' ? [account, 'x'] : ['x', account];
  await env.DB.batch([
    env.DB.prepare(
      `INSERT INTO orders (id, account, owner, key_id, book, asset_id, open, status, side, type, time_in_force, quantity, reserve_asset, reserve, created_at, updated_at)
       VALUES (?, ?, 'o', ?, 'OVN-USD', 'ovn', 0, 'filled', ?, 'limit', 'GTC', ?, 'usd', 0, ?, ?)`,
    ).bind(orderId, account, keyId, side, quantity, at, at),
    env.DB.prepare(
      `INSERT INTO trades (id, book, sequence, asset_id, quote_asset, price, quantity, notional, taker_side, buy_order, sell_order, buyer, seller, buyer_fee, seller_fee, executed_at)
       VALUES (?, 'OVN-USD', ?, 'ovn', 'usd', ?, ?, ?, 'buy', ?, ?, ?, ?, 0, 0, ?)`,
    ).bind(id, sequence, price, quantity, price * quantity, buyOrder, sellOrder, buyer, seller, at),
  ]);
}

async function close(day: number, price: number): Promise<void> {
  await env.DB.prepare(
    `INSERT INTO bars (book, interval, bucket, open, high, low, close, volume, quote_volume, trades)
     VALUES ('OVN-USD', '1d', ?1, ?2, ?2, ?2, ?2, 1, 1, 1) ON CONFLICT DO UPDATE SET close = excluded.close`,
  )
    .bind(day, price)
    .run();
}

const lossAt = async (key: { account: string; keyId: string }, now: number) => (await readDailyLoss(db, key, now)).loss;

it('the daily loss of a key counts from 00:00 UTC, realized and unrealized, what it held overnight included', async () => {
  const key = { account: uuidv7(), keyId: uuidv7() };
  await fill({ ...key, side: 'buy', quantity: 10, price: 100, at: MONDAY + HOUR_MS });
  await close(MONDAY, 90);
  expect(await lossAt(key, MONDAY + 2 * HOUR_MS)).toBe(100);

  const tuesday = MONDAY + DAY_MS;
  expect(await lossAt(key, tuesday + 1), 'a new day starts from its own price').toBe(0);
  expect(await lossAt(key, tuesday + HOUR_MS)).toBe(0);
  await close(tuesday, 70);
  expect(await lossAt(key, tuesday + 2 * HOUR_MS), 'unrealized on what was held overnight').toBe(200);
  await fill({ ...key, side: 'sell', quantity: 10, price: 75, at: tuesday + 3 * HOUR_MS });
  expect(await lossAt(key, tuesday + 4 * HOUR_MS), 'realized from the price at 00:00').toBe(150);

  expect(await lossAt(key, tuesday + DAY_MS + HOUR_MS)).toBe(0);
  await close(tuesday + DAY_MS, 10);
  expect(await lossAt(key, tuesday + DAY_MS + 2 * HOUR_MS), 'nothing is held any more').toBe(0);
});

it('the daily loss of a key is its own: fills of other keys of the account are not in it', async () => {
  const key = { account: uuidv7(), keyId: uuidv7() };
  await close(MONDAY, 90);
  await fill({ ...key, keyId: uuidv7(), side: 'buy', quantity: 10, price: 100, at: MONDAY + HOUR_MS });
  expect(await lossAt(key, MONDAY + 2 * HOUR_MS)).toBe(0);
});
