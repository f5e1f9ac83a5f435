import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import type { Database } from '../../../../data/database.ts';
import { balanceOf, place, untilProjected } from '../../fixtures/book-commands.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { assertLedgerIsRight } from '../../fixtures/fault-run.ts';
import { giveHolding } from '../../fixtures/give-balance.ts';
import { migrate } from '../../fixtures/migrate.ts';

let db: Database;
beforeAll(async () => {
  db = await migrate();
});

describe('an order book settles what it matches', () => {
  it('moves cash, shares, lots and fees between buyer and seller in one batch', async () => {
    await createPair(db, 'ACME', { market: { makerFeeBps: 10, takerFeeBps: 20 } });
    const buyer = await createTrader(db, { cash: 1_000_00 });
    const seller = await createTrader(db);
    await giveHolding({
      accountId: seller.accountId,
      asset: 'acme',
      lots: [{ quantity: 10, cost: 500 }, { quantity: 5 }],
    });
    const book = env.ORDER_BOOK.getByName('ACME-USD');

    const [resting] = await book.submit([place(seller.accountId, 'sell', 12, 10_00)]);
    expect(resting).toMatchObject({ type: 'done', report: { status: 'open', remaining: 12 } });
    expect(await balanceOf(seller.accountId, 'acme')).toEqual({ available: 3, held: 12 });

    const [taking] = await book.submit([place(buyer.accountId, 'buy', 20, 11_00)]);
    expect(taking).toMatchObject({
      type: 'done',
      report: { status: 'partially_filled', filled: 12, filledNotional: 120_00 },
    });
    expect(await book.settled()).toBe(true);
    expect(await balanceOf(seller.accountId, 'acme')).toEqual({ available: 3, held: 0 });
    expect(await balanceOf(seller.accountId, 'usd')).toEqual({ available: 120_00 - 12, held: 0 });
    expect(await balanceOf(buyer.accountId, 'acme')).toEqual({ available: 12, held: 0 });
    const { available, held } = await balanceOf(buyer.accountId, 'usd');
    expect(available + held).toBe(1_000_00 - 120_00 - 24);
    expect(held).toBe(88_00 + 18);
    await untilProjected();
    const { results } = await env.DB.prepare(
      'SELECT account, quantity, reserved, cost FROM lots WHERE asset = ?1 ORDER BY acquired_at',
    )
      .bind('acme')
      .all();
    expect(results).toEqual([
      { account: seller.accountId, quantity: 3, reserved: 0, cost: 0 },
      { account: buyer.accountId, quantity: 12, reserved: 0, cost: 120_24 },
    ]);
    expect(await book.depth(10)).toMatchObject({ bids: [[11_00, 8]], asks: [] });
    expect(await book.ticker()).toMatchObject({ bid: 11_00, ask: null, last: 10_00 });
    await assertLedgerIsRight(db);
  });
});
