import { describe, expect, it } from 'vitest';
import { AMOUNT_MAX } from './balances.ts';
import { ALICE, BOB, LedgerBench, lot, order, SHARES } from './ledger.fixtures.ts';
import type { SplitOutcome } from './outcomes.ts';
import { ALL_END, SPLIT_RATIO_MAX, type SplitRatio, splitLots, splitUnits } from './split-units.ts';
import type { Split, SplitBegin } from './transactions.ts';

const ISSUANCE = 'boundary:issuance';
const REGISTER = 'boundary:register';
const BOOK = 'ACME-USD';

const up = (from: number, to: number): SplitRatio => ({ from, to, fractions: 'round_up' });
const down = (from: number, to: number): SplitRatio => ({ from, to, fractions: 'cash_in_lieu' });

class SplitBench extends LedgerBench {
  readonly event = this.id();

  step(step: Split['step'], split = this.event): SplitOutcome {
    return this.apply({ kind: 'split', id: this.id(), split, asset: SHARES, step, createdAt: this.time });
  }

  begin(ratio: SplitRatio, terms: Partial<SplitBegin> = {}, split = this.event): SplitOutcome {
    const from = this.ledger.balance(REGISTER, SHARES).available;
    const register = { from, to: splitUnits(from, ratio) };
    return this.step({ type: 'begin', ...ratio, register, books: [BOOK], ...terms }, split);
  }

  /** Part after part. */
  carryOut(ratio: SplitRatio): SplitOutcome[] {
    expect(this.begin(ratio)).toMatchObject({ type: 'done', isOver: false });
    const parts: SplitOutcome[] = [];
    for (let part = 1; ; part++) {
      const outcome = this.step({ type: 'part', part });
      parts.push(outcome);
      expect(outcome.type).toBe('done');
      if (outcome.type !== 'done' || outcome.isOver) return parts;
    }
  }

  available(...accounts: string[]): number[] {
    return accounts.map((account) => this.ledger.balance(account, SHARES).available);
  }

  quantities(account: string): number[] {
    return [...this.ledger.allLots()].filter((each) => each.account === account).map(({ quantity }) => quantity);
  }
}

/** Alice has lots of these, oldest first; holders without an account have 20. */
function issued(...quantities: number[]): SplitBench {
  const bench = new SplitBench();
  const lots = quantities.map((quantity, at) =>
    lot({
      id: bench.id(),
      account: ALICE,
      quantity,
      cost: quantity > 1_000 ? 0 : 10 * quantity,
      acquiredAt: at + 1,
      offeringType: '506c',
    }),
  );
  const total = quantities.reduce((sum, quantity) => sum + quantity, 0);
  const outcome = bench.registerEntry([ISSUANCE, -total - 20], [ALICE, total, lots], [REGISTER, 20]);
  expect(outcome.type).toBe('done');
  return bench;
}

describe('the units of a split', () => {
  it('are multiplied exactly beyond 2^53', () => {
    expect(splitUnits(9_007_199_254_741, up(1_000, 999))).toBe(8_998_192_055_487);
    expect(splitUnits(9_007_199_254_741, down(1_000, 999))).toBe(8_998_192_055_486);
  });

  it('of lots sum to those of the holding, the largest remainders first and the oldest of equal ones', () => {
    expect(splitLots([1, 1, 1], up(2, 3))).toEqual([2, 2, 1]);
    expect(splitLots([1, 1, 1], down(2, 3))).toEqual([2, 1, 1]);
    expect(splitLots([4, 9, 7], up(10, 1))).toEqual([0, 1, 1]);
    expect(splitLots([3, 3, 3], down(10, 1))).toEqual([0, 0, 0]);
  });
});

describe('a split', () => {
  it('multiplies every balance and lot, and what is outstanding', () => {
    const bench = issued(4, 6);
    const before = [...bench.ledger.allLots()];
    expect(bench.carryOut(up(1, 3))).toEqual([
      {
        type: 'done',
        part: 1,
        isOver: true,
        changes: [
          { account: ALICE, change: 20 },
          { account: REGISTER, change: 40 },
        ],
        lotIds: before.map(({ id }) => id),
      },
    ]);
    expect(bench.available(ISSUANCE, REGISTER, ALICE)).toEqual([-90, 60, 30]);
    expect([...bench.ledger.allLots()]).toEqual(before.map((each) => ({ ...each, quantity: each.quantity * 3 })));
    expect(bench.ledger.balance(ALICE, SHARES).cost).toBe(100);
    expect(bench.ledger.violations()).toEqual([]);
  });

  it('to nothing ends every share, lot and cost, holders without an account included', () => {
    const bench = issued(4, 6);
    bench.carryOut(ALL_END);
    expect(bench.available(ISSUANCE, REGISTER, ALICE)).toEqual([0, 0, 0]);
    expect([...bench.ledger.allLots()]).toEqual([]);
    expect(bench.ledger.balance(ALICE, SHARES).cost).toBe(0);
    expect(bench.ledger.violations()).toEqual([]);
  });

  it('rounds each holder up, and gives the cost of a lot that vanishes to the oldest that is left', () => {
    const bench = issued(4, 9, 7, 1);
    bench.carryOut(up(10, 1));
    expect(bench.available(ISSUANCE, REGISTER, ALICE)).toEqual([-5, 2, 3]);
    expect([...bench.ledger.allLots()].map(({ quantity, cost }) => [quantity, cost])).toEqual([
      [1, 50],
      [1, 90],
      [1, 70],
    ]);
    const other = issued(1, 9, 8);
    other.carryOut(down(10, 1));
    expect(other.available(ISSUANCE, REGISTER, ALICE)).toEqual([-3, 2, 1]);
    expect([...other.ledger.allLots()].map(({ quantity, cost }) => [quantity, cost])).toEqual([[1, 180]]);
  });

  it('leaves nothing of a holding of less than one unit that is paid in cash', () => {
    const bench = issued(3, 6);
    bench.carryOut(down(10, 1));
    expect(bench.ledger.balance(ALICE, SHARES)).toEqual({ available: 0, held: 0, cost: 0 });
    expect(bench.quantities(ALICE)).toEqual([]);
    expect(bench.ledger.violations()).toEqual([]);
  });

  it('takes the change of the register as it is stated: the sum of its holders, each rounded by itself', () => {
    const bench = issued(4);
    bench.begin(up(3, 1), { register: { from: 20, to: 11 } });
    bench.step({ type: 'part', part: 1 });
    expect(bench.available(ISSUANCE, REGISTER, ALICE)).toEqual([-13, 11, 2]);
    expect(bench.ledger.violations()).toEqual([]);
  });

  it('goes on in parts of 2,000 lots, and moves nothing of any account twice', () => {
    const bench = new SplitBench();
    for (const [n, account] of [ALICE, BOB, bench.id(), bench.id()].entries()) {
      const lots = Array.from({ length: 900 }, (_, at) =>
        lot({ id: bench.id(), account, quantity: 1, cost: 1, acquiredAt: at + n }),
      );
      expect(bench.registerEntry([ISSUANCE, -900], [account, 900, lots]).type).toBe('done');
    }
    bench.begin(up(1, 2));
    const first = bench.step({ type: 'part', part: 1 });
    expect(first).toMatchObject({ type: 'done', part: 1, isOver: false });
    expect(bench.available(ISSUANCE, ALICE, BOB)).toEqual([-5_400, 1_800, 1_800]);
    expect(bench.step({ type: 'part', part: 1 })).toEqual({ type: 'not_next', part: 1 });
    expect(bench.step({ type: 'give_up' })).toEqual({ type: 'not_next', part: 1 });
    expect(bench.begin(up(1, 2))).toMatchObject({ type: 'done', part: 1, changes: [] });
    expect(bench.step({ type: 'part', part: 2 })).toMatchObject({ type: 'done', isOver: true });
    expect(bench.available(ISSUANCE)).toEqual([-7_200]);
    expect(bench.step({ type: 'part', part: 3 })).toEqual({ type: 'over' });
    expect(bench.begin(up(1, 2))).toEqual({ type: 'over' });
    expect(bench.ledger.violations()).toEqual([]);
  });

  it('takes one account whole that has more lots than a part', () => {
    const bench = issued(...Array.from({ length: 1_500 }, () => 1));
    const more = Array.from({ length: 1_500 }, (_, at) =>
      lot({ id: bench.id(), account: ALICE, quantity: 1, cost: 1, acquiredAt: 1_501 + at }),
    );
    bench.registerEntry([ISSUANCE, -1_500], [ALICE, 1_500, more]);
    expect(bench.carryOut(up(1, 2))).toHaveLength(1);
    expect(bench.quantities(ALICE)).toHaveLength(3_000);
    expect(new Set(bench.quantities(ALICE))).toEqual(new Set([2]));
  });

  it('does not begin while an order is open in a book of the asset, or shares are held', () => {
    const bench = issued(10);
    bench.transfer('deposit', { account: BOB, amount: 1_000 });
    const buy = bench.admit({ account: BOB, reserve: 10 });
    expect(bench.begin(up(1, 2))).toEqual({ type: 'held', account: null });
    expect(bench.begin(up(1, 2), { books: [] })).toMatchObject({ type: 'done' });
    expect(buy).toBeDefined();
    const other = issued(10);
    other.admit({ account: ALICE, side: 'sell', reserveAsset: SHARES, reserve: 4, quantity: 4 });
    expect(other.begin(up(1, 2), { books: [] })).toEqual({ type: 'held', account: ALICE });
  });

  it('lets nothing else move the shares until it is over', () => {
    const bench = issued(10);
    bench.begin(up(1, 2));
    const sell = order({ id: bench.id(), account: ALICE, side: 'sell', reserveAsset: SHARES, reserve: 4, quantity: 4 });
    expect(bench.refusalOf(sell)).toMatchObject({ refusal: 'halted' });
    expect(bench.registerEntry([ISSUANCE, -1], [REGISTER, 1])).toEqual({ type: 'split_under_way' });
    expect(bench.begin(up(1, 2), {}, bench.id())).toEqual({ type: 'under_way' });
    bench.step({ type: 'part', part: 1 });
    expect(bench.refusalOf({ ...sell, id: bench.id() })).toBeNull();
  });

  it('keeps trades from before it from being taken back or corrected, and no others', () => {
    const bench = issued(10);
    const adjust = (executedAt: number) => {
      const [id, price, quantity] = [bench.id(), 10, 4];
      const parties = { buyOrder: id, sellOrder: id, buyer: BOB, seller: ALICE, takerSide: 'buy' } as const;
      const trade = {
        id,
        sequence: 1,
        price,
        quantity,
        notional: 40,
        buyerFee: 0,
        sellerFee: 0,
        executedAt,
        ...parties,
      };
      const of = { book: BOOK, baseAsset: SHARES, quoteAsset: 'usd', tracksLots: true, trade, to: null, sellKey: null };
      return bench.apply({ kind: 'adjust_trade', id, ...of, reason: 'x', createdAt: bench.time, event: null }).type;
    };
    expect(adjust(bench.time)).toBe('lots_unknown');
    bench.begin(up(1, 2));
    expect(adjust(bench.time + 1)).toBe('split_since');
    bench.step({ type: 'part', part: 1 });
    bench.restart();
    expect(adjust(bench.time)).toBe('split_since');
    expect(adjust(bench.time + 1)).toBe('lots_unknown');
  });

  it('is given up before its first part alone', () => {
    const bench = issued(10);
    expect(bench.step({ type: 'give_up' })).toEqual({ type: 'not_under_way' });
    const before = bench.ledger.stateHash();
    bench.begin(up(1, 2));
    expect(bench.step({ type: 'give_up' })).toMatchObject({ type: 'done', changes: [] });
    expect(bench.ledger.stateHash()).toBe(before);
    expect(bench.step({ type: 'part', part: 1 })).toEqual({ type: 'not_under_way' });
    expect(bench.begin(up(1, 2))).toMatchObject({ type: 'done' });
  });

  it('refuses what it cannot count', () => {
    const bench = issued(10);
    for (const [from, to] of [
      [1, 1],
      [0, 2],
      [1, SPLIT_RATIO_MAX + 1],
      [1.5, 2],
    ] as const)
      expect(bench.step({ type: 'begin', ...up(from, to), books: [], register: { from: 20, to: 20 } })).toEqual({
        type: 'malformed',
      });
    expect(bench.begin(up(1, 2), { register: { from: 19, to: 38 } })).toEqual({ type: 'register_differs' });
    expect(new SplitBench().begin(up(1, 2))).toEqual({ type: 'no_register' });
    const large = issued(AMOUNT_MAX / 2);
    expect(large.begin(up(1, 3))).toEqual({ type: 'balance_too_large' });
    expect(large.begin(up(3, 4))).toMatchObject({ type: 'done' });
  });
});
