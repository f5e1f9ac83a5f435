import { afterEach, beforeAll, beforeEach, describe, expect, it, vi } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { createKeyHolder } from '../../fixtures/book-client.ts';
import { call, codeOf } from '../../fixtures/call.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { freshAddress } from '../../fixtures/fresh-address.ts';
import { lookUps } from '../../fixtures/look-ups.ts';
import { migrate } from '../../fixtures/migrate.ts';

let db: Database;
let symbol: string;

beforeAll(async () => {
  db = await migrate();
  await createCurrency(db);
  symbol = (await createPair(db, 'NAMED')).symbol;
});

beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'], now: Date.now() });
});

afterEach(() => {
  vi.useRealTimers();
  vi.restoreAllMocks();
});

describe('An unknown symbol', () => {
  it('that is too long for one is looked up by nobody and takes no room', async () => {
    const long = 'X'.repeat(201);
    const looked = lookUps();
    expect(codeOf(await call(`GET /book/v1/ticker/${long}`))).toBe('INVALID_SYMBOL');
    expect(codeOf(await call(`GET /book/v1/orderbook/${'Y'.repeat(8_000)}`))).toBe('INVALID_SYMBOL');
    expect(codeOf(await call(`GET /exchange/v1/assets/${long}`))).toBe('ASSET_NOT_FOUND');
    expect(looked()).toBe(0);
  });

  it('is looked up once a second, and never for a caller beyond their limit', async () => {
    const address = freshAddress();
    const looked = lookUps();
    for (let at = 0; at < 6; at++) await call('GET /book/v1/ticker/NONE-USD', { address });
    expect(looked()).toBe(1);
    const answers = await Promise.all(
      Array.from({ length: 120 }, (_, at) => call(`GET /book/v1/ticker/NONE${at}-USD`, { address })),
    );
    expect(answers.filter(({ status }) => status === 429)).toHaveLength(26);
    expect(looked()).toBe(1 + 94);
  });

  it('of which somebody has asked for hundreds makes no known one be looked up', async () => {
    const { client } = await createKeyHolder(db);
    expect((await client.get(`/v1/ticker/${symbol}`)).status).toBe(200);
    for (let at = 0; at < 300; at += 50)
      await Promise.all(Array.from({ length: 50 }, (_, of) => client.get(`/v1/ticker/NOBODY${at + of}-USD`)));
    await client.get(`/v1/ticker/${symbol}`);
    const looked = lookUps();
    expect((await client.get(`/v1/ticker/${symbol}`)).status).toBe(200);
    expect(looked()).toBe(0);
  });
});
