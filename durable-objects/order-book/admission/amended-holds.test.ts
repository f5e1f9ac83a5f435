import { describe, expect, it } from 'vitest';
import { ATTRIBUTE } from '../../../domain/orders/eligibility.ts';
import { BookInMemory } from '../cycle/book-in-memory.fixtures.ts';
import type { AmendCommand } from '../rpc/commands.ts';
import { openOrdersIn } from '../rpc/open-orders-in.ts';

const SETTLE_MS = 1_000;
function book(): BookInMemory {
  const made = new BookInMemory();
  made.deposit('buyer', 'usd', 100_000_000);
  made.deposit('seller', 'acme', 1_000, 10);
  return made;
}
const amendTo = (made: BookInMemory, orderId: string, terms: Partial<AmendCommand>): AmendCommand => ({
  type: 'amend',
  amendmentId: made.id('amendment'),
  orderId,
  account: 'buyer',
  quantity: null,
  price: null,
  stopPrice: null,
  checkedOver: null,
  unfilledOnly: false,
  limitedKey: null,
  factsVersion: 1,
  rulesVersion: 1,
  ...terms,
});

describe('a book', () => {
  it('shows an account none of the open orders of another, though it names one', async () => {
    const made = book();
    const [mine, theirs] = [made.place('seller', 'sell', 1, 200), made.place('buyer', 'buy', 1, 100)];
    await made.submit(mine, theirs);
    const named = (account: string) =>
      openOrdersIn(made.state, account, { orderId: theirs.orderId, statuses: null, before: null, limit: 10 }).orders;
    expect(named('seller')).toEqual([]);
    expect(named('buyer')).toMatchObject([{ orderId: theirs.orderId, account: 'buyer' }]);
  });
  it('refuses an amendment to no more than what has filled or was taken from its order, under daily limits as without, and goes on', async () => {
    for (const limits of [{}, { keyId: 'key-1', daily: { notionalMax: 1_000_000, lossMax: 1_000 } }]) {
      const made = book();
      made.deposit('buyer', 'acme', 100, 10);
      const buy = made.place('buyer', 'buy', 30, 100, {}, limits);
      const own = made.place('buyer', 'sell', 20, 100, { selfTradePrevention: 'decrement' });
      await made.submit(buy, own);
      for (const quantity of [5, 20])
        expect(await made.submit(amendTo(made, buy.orderId, { quantity }))).toMatchObject([
          { type: 'refused', refusal: { reason: 'invalid_amendment', detail: 'quantity_not_above_filled' } },
        ]);
      expect(await made.submit(amendTo(made, buy.orderId, { quantity: 21 }))).toMatchObject([{ type: 'done' }]);
      expect(await made.flow.settled(SETTLE_MS)).toBe(true);
      expect(made.journal.haltReason).toBeNull();
      expect(made.ledger.balance('buyer', 'usd')).toMatchObject({ held: 101 });
      expect(made.ledger.violations()).toEqual([]);
    }
  });
  it('has an amendment hold what it adds of an allowance and a position limit, and no more than there is', async () => {
    const made = book();
    const [allowance, position] = ['allowance:reg_cf', 'position:key-1'];
    made.grant('buyer', allowance, 1_000);
    made.grant('buyer', position, 9);
    const buy = made.place('buyer', 'buy', 6, 100, {}, { allowanceAsset: allowance, positionAsset: position });
    await made.submit(buy);
    expect(await made.submit(amendTo(made, buy.orderId, { quantity: 8 }))).toMatchObject([
      { type: 'done', report: { quantity: 8 } },
    ]);
    await made.flow.settled(SETTLE_MS);
    expect(made.ledger.balance('buyer', allowance)).toMatchObject({ available: 200, held: 800 });
    expect(made.ledger.balance('buyer', position)).toMatchObject({ available: 1, held: 8 });
    expect(await made.submit(amendTo(made, buy.orderId, { price: 130 }))).toMatchObject([
      { refusal: { required: 240, available: 200 } },
    ]);
    expect(await made.submit(amendTo(made, buy.orderId, { quantity: 10 }))).toMatchObject([
      { refusal: { required: 2, available: 1 } },
    ]);
    expect(made.ledger.violations()).toEqual([]);
  });
  it('restricts a sell that an amendment lets grow over restricted lots: it meets only whom the exemption allows', async () => {
    const made = book();
    const restrictionEndsAt = made.now + 1_000_000;
    made.deposit('holder', 'acme', 5, 1, { acquiredAt: 1 });
    made.deposit('holder', 'acme', 5, 1, { acquiredAt: 2, restrictionEndsAt, offeringType: 'reg_cf' });
    const sell = made.place('holder', 'sell', 5, 100);
    expect(await made.submit(sell)).toMatchObject([{ report: { restricted: false } }]);
    expect(await made.submit({ ...amendTo(made, sell.orderId, { quantity: 10 }), account: 'holder' })).toMatchObject([
      { type: 'done', report: { quantity: 10, restricted: true } },
    ]);
    expect(made.state.engine.order(sell.orderId)?.requires).not.toBe(0);
    expect(await made.submit(made.place('buyer', 'buy', 10, 100))).toMatchObject([{ report: { filled: 0 } }]);
  });
  it('asks for what the lots ask for that a sell keeps, where an amendment takes stricter ones back', async () => {
    const made = book();
    const restrictionEndsAt = made.now + 1_000_000;
    made.deposit('holder', 'acme', 5, 1, { acquiredAt: 1, restrictionEndsAt, offeringType: 'reg_cf' });
    made.deposit('holder', 'acme', 5, 1, { acquiredAt: 2, restrictionEndsAt, offeringType: 'reg_d_506b' });
    const sell = made.place('holder', 'sell', 10, 100);
    const requires = () => made.state.engine.order(sell.orderId)?.requires;
    const accredited = ATTRIBUTE.verified_accredited | ATTRIBUTE.self_certified_accredited;
    await made.submit(sell);
    expect(requires()).toBe(accredited);
    const amended = await made.submit({ ...amendTo(made, sell.orderId, { quantity: 5 }), account: 'holder' });
    expect(amended).toMatchObject([{ type: 'done', report: { restricted: true } }]);
    expect(requires()).toBe(accredited | ATTRIBUTE.family);
  });
  it('frees a sell of a restriction that only the lots brought which an amendment takes back', async () => {
    const made = book();
    const restrictionEndsAt = made.now + 1_000_000;
    made.deposit('holder', 'acme', 5, 1, { acquiredAt: 1 });
    made.deposit('holder', 'acme', 5, 1, { acquiredAt: 2, restrictionEndsAt, offeringType: 'reg_cf' });
    const sell = made.place('holder', 'sell', 10, 100);
    const amend = (quantity: number) =>
      made.submit({ ...amendTo(made, sell.orderId, { quantity }), account: 'holder' });
    expect(await made.submit(sell)).toMatchObject([{ report: { restricted: true } }]);
    expect(await amend(6)).toMatchObject([{ type: 'done', report: { quantity: 6, restricted: true } }]);
    expect(await made.submit(made.place('buyer', 'buy', 2, 100))).toMatchObject([{ report: { filled: 0 } }]);
    // The buyer that it passed over before is there for it now.
    expect(await amend(5)).toMatchObject([{ type: 'done', report: { quantity: 5, restricted: false, filled: 2 } }]);
    expect(await made.submit(made.place('buyer', 'buy', 3, 100))).toMatchObject([{ report: { filled: 3 } }]);
    await made.flow.settled(SETTLE_MS);
    expect(made.ledger.violations()).toEqual([]);
    made.restart();
    expect(made.state.orders.has(sell.orderId)).toBe(false);
  });
});
