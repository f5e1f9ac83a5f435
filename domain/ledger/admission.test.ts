import { describe, expect, it } from 'vitest';
import {
  ALICE,
  amendment,
  BOB,
  BOOK,
  FACTS,
  LedgerBench,
  lot,
  lotMove,
  move,
  order,
  orderState,
  SHARES,
  START,
  USD,
} from './ledger.fixtures.ts';
import type { LedgerLimits } from './ledger-limits.ts';
import { LedgerViolation } from './ledger-violation.ts';
import type { AdmissionRefusal } from './outcomes.ts';
import type { OrderAdmission } from './records.ts';

/** A ledger in which Alice has 1,000 cents, 100 of an allowance and 10 of a position limit. */
function benchWithCash(limits: Partial<LedgerLimits> = {}): LedgerBench {
  const bench = new LedgerBench(limits);
  bench.transfer('deposit', { amount: 1_000 });
  bench.grant(ALICE, 'allowance', 100);
  bench.grant(ALICE, 'position', 10);
  return bench;
}

describe('an order that asks to be admitted', () => {
  it('holds its cash, allowance and position limit, all or none', () => {
    const bench = benchWithCash();
    const limits = { allowanceAsset: 'allowance', positionAsset: 'position' };
    const id = bench.admit({ reserve: 600, ...limits, allowance: 60, position: 6 });
    expect(bench.ledger.balance(ALICE, USD)).toEqual({ available: 400, held: 600, cost: 0 });
    expect(bench.ledger.balance(ALICE, 'allowance')).toEqual({ available: 40, held: 60, cost: 0 });
    expect(bench.ledger.balance(ALICE, 'position')).toEqual({ available: 4, held: 6, cost: 0 });
    expect(bench.ledger.reservations(BOOK)).toEqual([
      { kind: 'order', id, account: ALICE, reserve: 600, allowance: 60, position: 6 },
    ]);
    expect(bench.ledger.openBooks(ALICE)).toEqual([BOOK]);
    expect(bench.refusalOf({ reserve: 401, ...limits, allowance: 1, position: 1 })?.refusal).toBe('balance');
    expect(bench.ledger.balance(ALICE, 'allowance').held).toBe(60);
    expect(bench.ledger.balance(ALICE, 'position').held).toBe(6);
    expect(bench.ledger.violations()).toEqual([]);
  });

  it('may hold all that is available and not one unit more; what is held is not available', () => {
    const bench = benchWithCash();
    expect(bench.refusalOf({ reserve: 1_001 })).toMatchObject({ refusal: 'balance', available: 1_000 });
    bench.admit({ reserve: 1_000 });
    expect(bench.refusalOf({ reserve: 1 })).toMatchObject({ refusal: 'balance', available: 0 });
    expect(bench.refusalOf({ account: BOB, reserve: 1 })).toMatchObject({ refusal: 'balance', available: 0 });
  });

  it('finds what the orders before it in the batch have left', () => {
    const bench = benchWithCash();
    const ids = [bench.id(), bench.id(), bench.id()];
    const { refused } = bench.send({
      orders: [600, 600, 400].map((reserve, at) => order({ id: ids[at] as string, reserve })),
    });
    expect(refused).toEqual([{ id: ids[1], refusal: 'balance', available: 400, required: 0, existingId: null }]);
  });

  it('needs a limit only where it names one', () => {
    const bench = benchWithCash();
    expect(bench.refusalOf({ allowanceAsset: null, allowance: 500, positionAsset: null, position: 500 })).toBeNull();
    expect(bench.refusalOf({ allowanceAsset: 'other', allowance: 0, positionAsset: 'other', position: 0 })).toBeNull();
    expect(bench.ledger.violations()).toEqual([]);
  });

  it('is refused for the limits before cash, with what was available of what fell short', () => {
    const bench = benchWithCash();
    const limits = { allowanceAsset: 'allowance', positionAsset: 'position' };
    const tooMuch = { reserve: 1_001, ...limits, allowance: 101, position: 11 };
    expect(bench.refusalOf(tooMuch)).toMatchObject({ refusal: 'allowance', available: 100 });
    expect(bench.refusalOf({ ...tooMuch, allowance: 100 })).toMatchObject({ refusal: 'position', available: 10 });
    expect(bench.refusalOf({ ...tooMuch, allowance: 100, position: 10 })).toMatchObject({
      refusal: 'balance',
      available: 1_000,
    });
  });

  it.each([
    ['a fraction', 0.5],
    ['less than nothing', -1],
    ['an amount that is not exact', 2 ** 53],
  ])('breaks the ledger when it would hold %s', (_, amount) => {
    for (const terms of [
      { reserve: amount },
      { allowanceAsset: 'allowance', allowance: amount },
      { positionAsset: 'position', position: amount },
    ]) {
      const bench = benchWithCash();
      expect(() => bench.refusalOf(terms)).toThrow(LedgerViolation);
    }
  });
});

describe('facts that order entry checked are asserted again', () => {
  it('refuses orders of a frozen account, and of no other', () => {
    const bench = benchWithCash();
    bench.facts({ facts: { ...FACTS, frozen: true } });
    expect(bench.refusalOf({ factsVersion: 2 })?.refusal).toBe('account_frozen');
    expect(bench.refusalOf({ account: BOB })).toBeNull();
    bench.facts({ expectedVersion: 2, facts: FACTS });
    expect(bench.refusalOf({ factsVersion: 3 })).toBeNull();
  });

  it('refuses orders of a revoked key, and of no other', () => {
    const bench = benchWithCash();
    const [revoked, other] = [bench.id(), bench.id()];
    bench.apply({ kind: 'revoke_keys', id: bench.id(), account: ALICE, keyIds: [revoked], createdAt: START });
    expect(bench.refusalOf({ keyId: revoked, factsVersion: 2 })?.refusal).toBe('key_revoked');
    expect(bench.refusalOf({ keyId: other, factsVersion: 2 })).toBeNull();
    expect(bench.refusalOf({ keyId: null, factsVersion: 2 })).toBeNull();
  });

  it('refuses as stale what was checked before a key of the account was revoked, amendments included', () => {
    const bench = benchWithCash();
    const orderId = bench.admit({ reserve: 10 });
    bench.apply({ kind: 'revoke_keys', id: bench.id(), account: ALICE, keyIds: ['k'], createdAt: START });
    const raised = amendment({ id: bench.id(), orderId, reserve: 1 });
    expect(bench.send({ amendments: [raised] }).refused).toMatchObject([{ refusal: 'stale' }]);
    expect(bench.send({ amendments: [{ ...raised, factsVersion: 2 }] }).refused).toEqual([]);
  });

  it('admits nothing for an account with as many balances as one may have, beyond those that it has', () => {
    const bench = benchWithCash({ balancesPerAccountMax: 3 });
    expect(bench.refusalOf({ reserve: 1 })).toMatchObject({ refusal: 'account_balances', available: 3 });
    bench.grant(ALICE, 'allowance', 5);
    expect(bench.refusalOf({ reserve: 1 })?.refusal).toBe('account_balances');
    expect(bench.refusalOf({ account: BOB })).toBeNull();
    expect(bench.grant(ALICE, 'another', 5)).toMatchObject({ type: 'stale' });
    expect(bench.transfer('deposit', { amount: 1, asset: 'another' })).toEqual({ type: 'ledger_full' });
    expect(bench.transfer('deposit', { amount: 1 })).toMatchObject({ type: 'done' });
  });

  it('refuses every order of a market that is not open, and of a venue that is halted', () => {
    const bench = benchWithCash();
    bench.market({ status: 'halted' });
    expect(bench.refusalOf({ rulesVersion: 2 })?.refusal).toBe('halted');
    bench.market({ status: 'open' }, 2);
    expect(bench.refusalOf({ rulesVersion: 3 })).toBeNull();
    const venue = { kind: 'venue', createdAt: START, event: null } as const;
    bench.apply({ ...venue, id: bench.id(), halted: true });
    expect(bench.refusalOf({ rulesVersion: 3 })?.refusal).toBe('halted');
    bench.apply({ ...venue, id: bench.id(), halted: false });
    expect(bench.refusalOf({ rulesVersion: 3 })).toBeNull();
  });

  it.each([1, 3])('refuses what was checked under facts of version %i when version 2 stands', (factsVersion) => {
    const bench = benchWithCash();
    bench.facts();
    expect(bench.refusalOf({ factsVersion })?.refusal).toBe('stale');
    expect(bench.refusalOf({ factsVersion: 2 })).toBeNull();
    expect(bench.refusalOf({ account: BOB, factsVersion: 1 })).toBeNull();
  });

  it.each([1, 3])('refuses what was checked under rules of version %i when version 2 stands', (rulesVersion) => {
    const bench = benchWithCash();
    bench.market({});
    expect(bench.refusalOf({ rulesVersion })?.refusal).toBe('stale');
    expect(bench.refusalOf({ rulesVersion: 2 })).toBeNull();
  });

  it('admits nothing while the read model is too far behind, and settles all the same', () => {
    const bench = benchWithCash();
    const id = bench.admit({ reserve: 100 });
    bench.backlogged = true;
    expect(bench.refusalOf({})?.refusal).toBe('backlog');
    bench.settle({ orders: [orderState({ id })], balances: [move(ALICE, USD, 100)] });
    expect(bench.ledger.balance(ALICE, USD)).toEqual({ available: 1_000, held: 0, cost: 0 });
    bench.backlogged = false;
    expect(bench.refusalOf({})).toBeNull();
  });

  it.each<[string, Partial<LedgerLimits>, (bench: LedgerBench) => void]>([
    ['reservations', { reservationsMax: 1 }, (bench) => bench.admit({ reserve: 1 })],
    ['balances', { balancesMax: 7 }, (bench) => bench.grant(BOB, 'allowance', 1)],
    ['lots', { lotsMax: 1 }, (bench) => bench.depositLots(ALICE, lot({ id: bench.id(), quantity: 1 }))],
  ])('admits nothing more once the shard holds as many %s as it may', (_, limits, fill) => {
    const bench = benchWithCash(limits);
    expect(bench.ledger.size).toMatchObject({ balances: 6, reservations: 0, lots: 0 });
    fill(bench);
    expect(bench.refusalOf({ reserve: 1 })?.refusal).toBe('ledger_full');
  });

  it('admits up to the last reservation, and again when one has ended', () => {
    const bench = benchWithCash({ reservationsMax: 2 });
    const id = bench.admit({ reserve: 1 });
    bench.admit({ account: BOB });
    expect(bench.refusalOf({ reserve: 1 })?.refusal).toBe('ledger_full');
    bench.settle({ orders: [orderState({ id })], balances: [move(ALICE, USD, 1)] });
    expect(bench.refusalOf({ reserve: 1 })).toBeNull();
  });
});

describe('of several reasons the first is given', () => {
  interface Wrong {
    readonly refusal: AdmissionRefusal;
    /** Orders that must have entered before. */
    readonly before?: (bench: LedgerBench) => void;
    readonly spoil?: (bench: LedgerBench) => void;
    readonly terms?: Partial<OrderAdmission>;
  }

  const id = 'order-1';
  const keyId = 'key-1';
  /** Everything that can be wrong with one order at once, in the order in which it is told. */
  const wrongs: readonly Wrong[] = [
    { refusal: 'exists', before: (bench) => bench.admit({ id }) },
    {
      refusal: 'duplicate_client_order_id',
      before: (bench) => bench.admit({ clientOrderId: 'mine' }),
      terms: { clientOrderId: 'mine' },
    },
    { refusal: 'account_frozen', spoil: (bench) => bench.facts({ facts: { ...FACTS, frozen: true } }) },
    {
      refusal: 'key_revoked',
      spoil: (bench) =>
        bench.apply({ kind: 'revoke_keys', id: bench.id(), account: ALICE, keyIds: [keyId], createdAt: START }),
    },
    { refusal: 'halted', spoil: (bench) => bench.market({ status: 'halted' }) },
    { refusal: 'stale', terms: { factsVersion: 9, rulesVersion: 9 } },
    { refusal: 'identity_ended', terms: { identityEndsAt: START } },
    {
      refusal: 'backlog',
      spoil: (bench) => {
        bench.backlogged = true;
      },
    },
    { refusal: 'ledger_full', before: fillReservations },
    { refusal: 'allowance', terms: { allowanceAsset: 'allowance', allowance: 101 } },
    { refusal: 'position', terms: { positionAsset: 'position', position: 11 } },
    {
      refusal: 'daily_notional',
      terms: { daily: { notional: 6, notionalMax: 5, lossMax: null, quantity: 0, proceeds: 0 } },
    },
    { refusal: 'balance', terms: { reserve: 1_001 } },
  ];

  function fillReservations(bench: LedgerBench): void {
    while (bench.ledger.size.reservations < 4) bench.admit({ account: bench.id() });
  }

  it.each(wrongs.map(({ refusal }, at) => [refusal, at] as const))('%s before all that follow', (refusal, at) => {
    const bench = benchWithCash({ reservationsMax: 4 });
    const present = wrongs.slice(at);
    for (const { before } of present) before?.(bench);
    for (const { spoil } of present) spoil?.(bench);
    const terms: Partial<OrderAdmission> = Object.assign({ id, keyId }, ...present.map((wrong) => wrong.terms ?? {}));
    expect(bench.refusalOf(terms)?.refusal).toBe(refusal);
  });
});

describe('an identity that has ended since it was checked', () => {
  const end = START + 60_000;

  it('opens and amends nothing from its last millisecond on, by the time of the journal', () => {
    const bench = benchWithCash();
    const amendment = (id: string, orderId: string) => ({
      id,
      orderId,
      account: ALICE,
      reserveAsset: USD,
      reserve: 1,
      allowanceAsset: null,
      allowance: 0,
      positionAsset: null,
      position: 0,
      factsVersion: 1,
      rulesVersion: 1,
      createdAt: START,
      exposure: { notional: 0, quantity: 0, proceeds: 0 },
      limitedKey: null,
      identityEndsAt: end,
    });
    bench.time = end - 1;
    const open = bench.admit({ reserve: 1, identityEndsAt: end });
    expect(bench.send({ amendments: [amendment(bench.id(), open)] }).refused).toEqual([]);
    bench.time = end;
    expect(bench.refusalOf({ reserve: 1, identityEndsAt: end })?.refusal).toBe('identity_ended');
    const { refused } = bench.send({ amendments: [amendment(bench.id(), open)] });
    expect(refused.map(({ refusal }) => refusal)).toEqual(['identity_ended']);
    expect(bench.refusalOf({ reserve: 1 }), 'of one without an end').toBeNull();
  });

  it('is not asked about by the rules of before, by which rows are replayed', () => {
    const bench = benchWithCash();
    bench.time = end + 1;
    bench.apply({ kind: 'ledger_rules', version: 4, limits: bench.ledger.rules.limits });
    expect(bench.refusalOf({ reserve: 1, identityEndsAt: end })).toBeNull();
    bench.apply({ kind: 'ledger_rules', version: 5, limits: bench.ledger.rules.limits });
    expect(bench.refusalOf({ reserve: 1, identityEndsAt: end })?.refusal).toBe('identity_ended');
  });
});

describe('ids', () => {
  it('are admitted once, also after the order has ended', () => {
    const bench = benchWithCash();
    const id = bench.admit({ reserve: 100 });
    expect(bench.refusalOf({ id })?.refusal).toBe('exists');
    bench.settle({ orders: [orderState({ id })], balances: [move(ALICE, USD, 100)] });
    expect(bench.refusalOf({ id, reserve: 100 })?.refusal).toBe('exists');
    expect(bench.ledger.balance(ALICE, USD).held).toBe(0);
  });

  it('are admitted once within one batch', () => {
    const bench = benchWithCash();
    const id = bench.id();
    const { refused } = bench.send({ orders: [order({ id, reserve: 1 }), order({ id, reserve: 1 })] });
    expect(refused).toEqual([{ id, refusal: 'exists', available: 0, required: 0, existingId: null }]);
    expect(bench.ledger.balance(ALICE, USD).held).toBe(1);
  });

  it.each(['account_frozen', 'identity_ended', 'key_revoked', 'halted', 'allowance', 'position', 'balance'])(
    'of an order refused as %s are known from then on',
    (refusal) => {
      const bench = benchWithCash();
      if (refusal === 'account_frozen') bench.facts({ facts: { ...FACTS, frozen: true } });
      if (refusal === 'key_revoked')
        bench.apply({ kind: 'revoke_keys', id: bench.id(), account: ALICE, keyIds: ['key'], createdAt: START });
      if (refusal === 'halted') bench.market({ status: 'halted' });
      const terms = {
        id: bench.id(),
        keyId: 'key',
        clientOrderId: 'mine',
        factsVersion: refusal === 'account_frozen' ? 2 : 1,
        allowanceAsset: 'allowance',
        allowance: refusal === 'allowance' ? 101 : 0,
        positionAsset: 'position',
        position: refusal === 'position' ? 11 : 0,
        reserve: refusal === 'balance' ? 1_001 : 0,
        ...(refusal === 'identity_ended' ? { identityEndsAt: START } : {}),
      };
      expect(bench.refusalOf(terms)?.refusal).toBe(refusal);
      expect(bench.refusalOf(terms)?.refusal).toBe('exists');
      expect(bench.refusalOf({ clientOrderId: 'mine' })).toMatchObject({
        refusal: 'duplicate_client_order_id',
        existingId: terms.id,
      });
    },
  );

  it.each(['duplicate_client_order_id', 'stale', 'backlog', 'ledger_full'])(
    'of an order refused as %s may be sent again, with its client order id',
    (refusal) => {
      const bench = benchWithCash({ reservationsMax: 1 });
      const terms = { id: bench.id(), reserve: 1, clientOrderId: 'mine', factsVersion: refusal === 'stale' ? 9 : 1 };
      bench.backlogged = refusal === 'backlog';
      const isBlocked = refusal === 'ledger_full' || refusal === 'duplicate_client_order_id';
      const blocking = refusal === 'duplicate_client_order_id' ? { clientOrderId: 'mine' } : {};
      const blocker = isBlocked ? bench.admit(blocking) : null;
      expect(bench.refusalOf(terms)?.refusal).toBe(refusal);
      bench.backlogged = false;
      if (blocker !== null) bench.settle({ orders: [orderState({ id: blocker, code: 'UNAVAILABLE' })] });
      expect(bench.refusalOf({ ...terms, factsVersion: 1 })).toBeNull();
    },
  );
});

describe('an order that its book has refused', () => {
  it('is only remembered: no hold, no refusal, whatever else is wrong with it', () => {
    const bench = benchWithCash();
    bench.market({ status: 'halted' });
    const terms = {
      id: bench.id(),
      reserve: 0,
      code: 'INVALID_PRICE',
      status: 'rejected',
      clientOrderId: 'mine',
    } as const;
    expect(bench.refusalOf(terms)).toBeNull();
    expect(bench.ledger.size.reservations).toBe(0);
    expect(bench.refusalOf(terms)?.refusal).toBe('exists');
    expect(bench.refusalOf({ clientOrderId: 'mine' })).toMatchObject({ existingId: terms.id });
  });

  it('leaves a client order id with the order that carries it already', () => {
    const bench = benchWithCash();
    const id = bench.admit({ clientOrderId: 'mine' });
    expect(bench.refusalOf({ code: 'INVALID_PRICE', clientOrderId: 'mine' })).toBeNull();
    expect(bench.refusalOf({ clientOrderId: 'mine' })).toMatchObject({ existingId: id });
  });
});

describe('client order ids', () => {
  it('belong to their account', () => {
    const bench = benchWithCash();
    const id = bench.admit({ clientOrderId: 'mine' });
    expect(bench.refusalOf({ clientOrderId: 'mine' })).toEqual({
      id: expect.any(String),
      refusal: 'duplicate_client_order_id',
      available: 0,
      required: 0,
      existingId: id,
    });
    expect(bench.refusalOf({ account: BOB, clientOrderId: 'mine' })).toBeNull();
  });

  it('stay with an order that was cancelled, and are free again when it was released unmatched', () => {
    const bench = benchWithCash();
    const id = bench.admit({ clientOrderId: 'mine' });
    bench.settle({ orders: [orderState({ id, code: 'USER_CANCELLED' })] });
    expect(bench.refusalOf({ clientOrderId: 'mine' })?.existingId).toBe(id);
    const released = bench.admit({ clientOrderId: 'other' });
    bench.settle({ orders: [orderState({ id: released, status: 'rejected', code: 'UNAVAILABLE' })] });
    expect(bench.refusalOf({ clientOrderId: 'other' })).toBeNull();
  });
});

describe('an amendment', () => {
  it('holds its extra in a reservation of its own', () => {
    const bench = benchWithCash();
    const orderId = bench.admit({ reserve: 100 });
    const id = bench.id();
    const limits = { allowanceAsset: 'allowance', positionAsset: 'position' };
    bench.send({ amendments: [amendment({ id, orderId, reserve: 50, ...limits, allowance: 5, position: 1 })] });
    expect(bench.ledger.reservations(BOOK)).toEqual([
      { kind: 'order', id: orderId, account: ALICE, reserve: 100, allowance: 0, position: 0 },
      { kind: 'amendment', id, account: ALICE, reserve: 50, allowance: 5, position: 1 },
    ]);
    expect(bench.ledger.balance(ALICE, USD)).toEqual({ available: 850, held: 150, cost: 0 });
    expect(bench.ledger.violations()).toEqual([]);
  });

  it('hands its extra over to its order when it is applied, and is gone', () => {
    const bench = benchWithCash();
    const orderId = bench.admit({ reserve: 100 });
    const id = bench.id();
    bench.send({ amendments: [amendment({ id, orderId, reserve: 50 })] });
    bench.settle({
      orders: [orderState({ id: orderId, status: 'open', reserve: 140 })],
      amendments: [id],
      balances: [move(ALICE, USD, 10)],
    });
    expect(bench.ledger.reservations(BOOK).map(({ reserve }) => reserve)).toEqual([140]);
    expect(bench.ledger.balance(ALICE, USD)).toEqual({ available: 860, held: 140, cost: 0 });
    expect(bench.ledger.violations()).toEqual([]);
  });

  it('is refused like an order, and may be sent again under its id', () => {
    const bench = benchWithCash();
    const orderId = bench.admit({});
    const id = bench.id();
    const refusalOf = (terms: object): unknown =>
      bench.send({ amendments: [amendment({ id, orderId, ...terms })] }).refused[0]?.refusal ?? null;
    expect(refusalOf({ reserve: 1_001 })).toBe('balance');
    expect(refusalOf({ allowanceAsset: 'allowance', allowance: 101, reserve: 1_001 })).toBe('allowance');
    expect(refusalOf({ positionAsset: 'position', position: 11, reserve: 1_001 })).toBe('position');
    expect(refusalOf({ factsVersion: 2 })).toBe('stale');
    expect(refusalOf({ rulesVersion: 2 })).toBe('stale');
    bench.backlogged = true;
    expect(refusalOf({})).toBe('backlog');
    bench.backlogged = false;
    expect(refusalOf({ reserve: 1_000 })).toBeNull();
    expect(refusalOf({})).toBe('exists');
    bench.settle({ amendments: [id], balances: [move(ALICE, USD, 1_000)] });
    expect(refusalOf({})).toBe('exists');
    bench.market({ status: 'halted' });
    expect(
      bench.send({ amendments: [amendment({ id: bench.id(), orderId, rulesVersion: 2 })] }).refused[0]?.refusal,
    ).toBe('halted');
    bench.facts({ facts: { ...FACTS, frozen: true } });
    expect(
      bench.send({ amendments: [amendment({ id: bench.id(), orderId, factsVersion: 2 })] }).refused[0]?.refusal,
    ).toBe('account_frozen');
  });

  it('gives its extra back with its lots when it comes to nothing', () => {
    const bench = benchWithCash();
    const lotId = bench.id();
    bench.depositLots(ALICE, lot({ id: lotId, quantity: 5 }));
    const orderId = bench.admit({ side: 'sell', reserve: 1 });
    const id = bench.id();
    bench.send({ amendments: [amendment({ id, orderId, reserveAsset: SHARES, reserve: 3 })] });
    bench.settle({
      lotMoves: [lotMove(id, lotId, { released: 3 })],
      amendments: [id],
      balances: [move(ALICE, SHARES, 3)],
    });
    expect(bench.ledger.reservations(BOOK).map((row) => row.id)).toEqual([orderId]);
    expect(bench.ledger.balance(ALICE, SHARES)).toMatchObject({ available: 4, held: 1 });
    expect(bench.ledger.violations()).toEqual([]);
  });

  it('keeps the lots that it added reserved under its id until they are sold', () => {
    const bench = benchWithCash();
    const [first, second] = [bench.id(), bench.id()];
    bench.depositLots(ALICE, lot({ id: first, quantity: 5 }), lot({ id: second, quantity: 5 }));
    const orderId = bench.admit({ side: 'sell', reserve: 5 });
    const id = bench.id();
    const { lots } = bench.send({ amendments: [amendment({ id, orderId, reserveAsset: SHARES, reserve: 3 })] });
    expect(lots).toEqual([
      { reservationId: id, lotId: second, quantity: 3, restrictionEndsAt: null, offeringType: null },
    ]);
    bench.settle({ orders: [orderState({ id: orderId, status: 'open', reserve: 8 })], amendments: [id], balances: [] });
    expect(bench.ledger.violations()).toEqual([]);
    expect(bench.ledger.reservations(BOOK)).toContainEqual({
      kind: 'amendment',
      id,
      account: ALICE,
      reserve: 0,
      allowance: 0,
      position: 0,
    });
    bench.settle({
      orders: [orderState({ id: orderId })],
      lotMoves: [lotMove(orderId, first, { released: 5 }), lotMove(id, second, { released: 3 })],
      balances: [move(ALICE, SHARES, 8)],
    });
    expect(bench.ledger.reservations(BOOK)).toEqual([]);
    expect(bench.ledger.openBooks(ALICE)).toEqual([]);
    expect(bench.ledger.violations()).toEqual([]);
  });
});

describe('what a refused order leaves', () => {
  it('keeps the client order id of a rejected order no longer than others', () => {
    const small = new LedgerBench({ clientOrderIdsMax: 1 });
    small.refusalOf({ clientOrderId: 'poor', reserve: 1 });
    small.send({ orders: [order({ id: small.id(), clientOrderId: 'coded', code: 'INVALID_PRICE' })] });
    for (const n of [1, 2, 3, 4]) small.refusalOf({ clientOrderId: `c${n}`, reserve: 1 });
    expect(small.refusalOf({ clientOrderId: 'poor' })).toBeNull();
    expect(small.refusalOf({ clientOrderId: 'coded' })).toBeNull();
  });
});
