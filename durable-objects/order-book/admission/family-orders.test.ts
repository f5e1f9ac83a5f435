import { beforeEach, describe, expect, it } from 'vitest';
import { ATTRIBUTE } from '../../../domain/orders/eligibility.ts';
import { BookInMemory } from '../cycle/book-in-memory.fixtures.ts';
import type { AmendCommand, PlaceCommand } from '../rpc/commands.ts';

const SETTLE_MS = 1_000;

let made: BookInMemory;
beforeEach(() => {
  made = new BookInMemory();
  made.deposit('brother', 'usd', 100_000);
  made.deposit('stranger', 'usd', 100_000);
  made.deposit('sister', 'acme', 5, 1, { acquiredAt: 1 });
  const restrictionEndsAt = made.now + 1_000_000;
  made.deposit('sister', 'acme', 10, 1, { acquiredAt: 2, restrictionEndsAt, offeringType: 'reg_cf' });
});

const sell = (quantity: number, family: readonly string[] | null = ['brother']): PlaceCommand =>
  made.place('sister', 'sell', quantity, 100, {}, { family });
const buy = (account: string, quantity: number): PlaceCommand => made.place(account, 'buy', quantity, 100);
const amend = (orderId: string, terms: Partial<AmendCommand>): AmendCommand => ({
  type: 'amend',
  amendmentId: made.id('amendment'),
  orderId,
  account: 'sister',
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
const filled = async (command: PlaceCommand): Promise<number> => {
  const [result] = await made.submit(command);
  return result?.type === 'done' ? result.report.filled : -1;
};
const familyOf = ({ orderId }: PlaceCommand) => made.state.engine.order(orderId)?.family ?? null;

describe('a sell of restricted Reg CF lots', () => {
  it('trades with family and nobody else, also by a book that has replayed its journal', async () => {
    const ask = sell(15);
    await made.submit(ask);
    expect(await filled(buy('stranger', 1))).toBe(0);
    expect(await filled(buy('brother', 4))).toBe(4);
    await made.flow.settled(SETTLE_MS);
    const hash = made.state.engine.stateHash();
    made.restart();
    made.takeOver();
    expect(made.state.engine.stateHash()).toBe(hash);
    expect(familyOf(ask)).toEqual(['brother']);
    expect(await filled(buy('stranger', 1))).toBe(0);
    expect(await filled(buy('brother', 4))).toBe(4);
    await made.flow.settled(SETTLE_MS);
    expect(made.ledger.violations()).toEqual([]);
  });

  it('carries no family while the lots that it has reserved are free', async () => {
    const ask = sell(5);
    await made.submit(ask);
    expect(familyOf(ask)).toBeNull();
    expect(await filled(buy('stranger', 5))).toBe(5);
  });

  it('that an amendment makes of another carries the family of then, and gives it up with the lots', async () => {
    const ask = sell(5, null);
    await made.submit(ask);
    await made.submit(amend(ask.orderId, { quantity: 15, family: ['brother'] }));
    expect(familyOf(ask)).toEqual(['brother']);
    await made.submit(amend(ask.orderId, { quantity: 5, family: ['brother'] }));
    expect(familyOf(ask)).toBeNull();
    expect(made.state.engine.order(ask.orderId)?.requires).toBe(0);
  });
});

describe('family that ends', () => {
  it('refuses what was checked before as stale, of either of the two', async () => {
    const id = made.id('family');
    const event = { id, type: 'operator.family_ended', subject: 'sister', payload: {}, createdAt: made.now };
    const versions = { expectedVersion: 1, expectedRelativeVersion: 1 };
    const between = { account: 'sister', relative: 'brother', relation: 'r', ...versions };
    const change = { type: 'ended', reason: 'divorced', by: 'operator' } as const;
    made.ledger.apply(
      { kind: 'family', id, ...between, change, createdAt: made.now, event },
      { time: made.now, backlogged: false },
    );
    for (const command of [sell(15), buy('brother', 1)])
      expect(await made.submit(command)).toMatchObject([{ type: 'refused', refusal: { reason: 'stale' } }]);
    expect(await filled(made.place('brother', 'buy', 1, 100, {}, { factsVersion: 2 }))).toBe(0);
  });

  it('cancels open orders of the two that carry each other, and leaves the others', async () => {
    const [named, free, other] = [sell(7), sell(1, null), sell(2, ['cousin'])];
    // The free lots are taken first.
    await made.submit(made.place('sister', 'sell', 5, 900), named, other);
    await made.submit(free);
    expect([named, other, free].map(familyOf)).toEqual([['brother'], ['cousin'], null]);
    const cancel = { type: 'mass_cancel', account: 'brother', keyId: null, side: null, reason: 'revoked' } as const;
    expect(await made.submit({ ...cancel, relative: 'sister' })).toEqual([
      { type: 'mass_cancelled', orderIds: [named.orderId], pendingOrderIds: [] },
    ]);
    expect(await made.submit({ ...cancel, account: 'sister', relative: 'cousin' })).toEqual([
      { type: 'mass_cancelled', orderIds: [other.orderId], pendingOrderIds: [] },
    ]);
    expect(made.state.engine.order(free.orderId)?.requires).toBe(
      ATTRIBUTE.verified_accredited | ATTRIBUTE.self_certified_accredited | ATTRIBUTE.family,
    );
  });

  it.each([
    ['sister', 'brother'],
    ['brother', 'sister'],
  ])('cancels an order of the two that is on its way: stated of %s', async (account, relative) => {
    const ask = sell(15);
    const end = { type: 'mass_cancel', account, relative, keyId: null, side: null, reason: 'revoked' } as const;
    const [placed, ended] = await Promise.all([made.submit(ask), made.submit(end)]);
    expect(placed).toMatchObject([{ type: 'done' }]);
    expect(ended).toEqual([{ type: 'mass_cancelled', orderIds: [ask.orderId], pendingOrderIds: [] }]);
    expect(made.state.engine.order(ask.orderId)).toBeUndefined();
  });
});
