import { describe, expect, it } from 'vitest';
import type { VersionedRate } from '../../../domain/money/dollar-rate.ts';
import type { PlaceCommand } from '../rpc/commands.ts';
import { BookInMemory } from './book-in-memory.fixtures.ts';

const SETTLE_MS = 1_000;
const ALLOWANCE = 'allowance:reg_cf';
/** Two dollars for three units of what the book quotes in. */
const RATE: VersionedRate = { version: 1, numerator: 2, denominator: 3 };

/** A book that quotes in something that a rate is stated for, and a buyer with an allowance. */
function book(market: ConstructorParameters<typeof BookInMemory>[2] = {}): BookInMemory {
  const made = new BookInMemory(true, {}, market);
  state(made, RATE);
  made.deposit('buyer', 'usd', 100_000_000);
  made.deposit('seller', 'acme', 1_000);
  made.grant('buyer', ALLOWANCE, 1_000);
  return made;
}

function state({ ledger, now }: BookInMemory, { version, numerator, denominator }: VersionedRate): void {
  const terms = { asset: 'usd', expectedVersion: version - 1, numerator, denominator, createdAt: now, event: null };
  const { outcome } = ledger.apply({ kind: 'rate', id: `rate ${version}`, ...terms }, { time: now, backlogged: false });
  expect(outcome).toEqual({ type: 'done', version });
}

const limited = (
  made: BookInMemory,
  quantity: number,
  price: number,
  rate: VersionedRate | null = RATE,
): PlaceCommand => made.place('buyer', 'buy', quantity, price, {}, { allowanceAsset: ALLOWANCE, rate });

const allowance = ({ ledger }: BookInMemory) => ledger.balance('buyer', ALLOWANCE);

function right(made: BookInMemory): void {
  expect(made.ledger.violations()).toEqual([]);
  expect(made.ledger.balance('boundary:limits', ALLOWANCE).available).toBe(
    -allowance(made).available - allowance(made).held,
  );
}

describe('an allowance in dollars, on a market that quotes in something else', () => {
  it('is held rounded up, and drawn on rounded down: what was held covers each fill', async () => {
    const made = book();
    const buy = limited(made, 10, 100);
    await made.submit(buy);
    expect(allowance(made)).toMatchObject({ available: 333, held: 667 });
    for (const [sold, held, available] of [
      [1, 600, 334],
      [2, 467, 334],
      [3, 267, 334],
    ] as const) {
      await made.submit(made.place('seller', 'sell', sold, 100));
      await made.flow.settled(SETTLE_MS);
      expect(allowance(made)).toMatchObject({ held, available });
      right(made);
    }
    await made.submit({ type: 'cancel', orderId: buy.orderId, account: 'buyer' });
    await made.flow.settled(SETTLE_MS);
    expect(allowance(made)).toMatchObject({ available: 601, held: 0 });
    right(made);
  });

  it('says with each trade what that has drawn', async () => {
    const made = book();
    await made.submit(limited(made, 10, 100), made.place('seller', 'sell', 1, 100));
    const plain = made.place('buyer', 'buy', 1, 100);
    await made.submit(plain, made.place('seller', 'sell', 10, 100));
    const trades = made.journal.outbox.flatMap(({ chunk }) => chunk.trades);
    await made.flow.settled(SETTLE_MS);
    expect(trades.map(({ quantity, allowance: drawn }) => [quantity, drawn])).toEqual([
      [9, 600],
      [1, undefined],
    ]);
  });

  it('goes by the rate of its admission whatever is stated since: in fills, amendments, and after a restart', async () => {
    const made = book();
    const buy = limited(made, 10, 50);
    await made.submit(buy);
    state(made, { version: 2, numerator: 100, denominator: 1 });
    const amend = { type: 'amend', orderId: buy.orderId, account: 'buyer', price: null, stopPrice: null } as const;
    const rest = { checkedOver: null, unfilledOnly: false, limitedKey: null, factsVersion: 1, rulesVersion: 1 };
    expect(await made.submit({ ...amend, ...rest, amendmentId: made.id('amendment'), quantity: 20 })).toMatchObject([
      { type: 'done' },
    ]);
    await made.flow.settled(SETTLE_MS);
    expect(allowance(made)).toMatchObject({ available: 333, held: 667 });
    made.restart();
    made.takeOver();
    await made.submit(made.place('seller', 'sell', 20, 50));
    await made.flow.settled(SETTLE_MS);
    expect(allowance(made)).toMatchObject({ available: 334, held: 0 });
    right(made);
  });

  it('is drawn on by an execution at a broker as by a fill', async () => {
    const made = book({ route: 'broker' });
    const { orderId, ...buy } = limited(made, 10, 100);
    await made.submit({ orderId, ...buy });
    const execution = {
      type: 'execution',
      id: 'event',
      orderId,
      executionId: 'one',
      fillsOrder: false,
      venue: 'V',
      at: 1,
    } as const;
    const reports = [{ type: 'taken', orderId } as const, { ...execution, price: 100, quantity: 1 }];
    made.flow.record([{ type: 'hand_over', orderIds: [orderId] }]);
    made.flow.record([{ type: 'broker_reports', reports, cursor: null }]);
    await made.flow.settled(SETTLE_MS);
    expect(made.journal.chunks.flatMap(({ trades }) => trades)).toMatchObject([{ quantity: 1, allowance: 66 }]);
    expect(allowance(made)).toMatchObject({ available: 334, held: 600 });
    right(made);
  });

  it('is refused as stale where the order was checked by another rate, or by none', async () => {
    const made = book();
    for (const rate of [{ ...RATE, version: 2 }, null])
      expect(await made.submit(limited(made, 1, 100, rate))).toMatchObject([{ refusal: { reason: 'stale' } }]);
    expect(await made.submit(limited(made, 16, 100))).toMatchObject([
      { refusal: { reason: 'investment_limit_exceeded', required: 1_067, available: 1_000 } },
    ]);
    expect(allowance(made)).toMatchObject({ available: 1_000, held: 0 });
  });
});
