import { describe, expect, it } from 'vitest';
import {
  ALICE,
  BOB,
  BOOK,
  idAt,
  LedgerBench,
  lot,
  lotMove,
  move,
  orderState,
  SHARES,
  START,
  storedPieces,
  USD,
} from '../../../domain/ledger/ledger.fixtures.ts';
import { Ledger } from '../../../domain/ledger/ledger.ts';
import { LEDGER_LIMITS } from '../../../domain/ledger/ledger-limits.ts';
import type { RegisterEntryOutcome } from '../../../domain/ledger/outcomes.ts';
import type { ReceivedLot, Trade } from '../../../domain/ledger/records.ts';
import type { TradeAdjustment } from '../../../domain/ledger/transactions.ts';

const ISSUANCE = 'boundary:issuance';
const CAROL = idAt(0, 3);
const LOTS_MAX = 10;
const PRICE = 10;

class Security extends LedgerBench {
  /** Shares of one lot each, by the register. */
  issue(account: string, count: number, asset = SHARES): RegisterEntryOutcome {
    const id = this.id();
    const lots = Array.from({ length: count }, (_, at) =>
      lot({ id: `${id}.${at}`, account, quantity: 1, acquiredAt: this.time + at }),
    );
    const legs = [
      { account: ISSUANCE, change: -count, lots: [] },
      { account, change: count, lots },
    ];
    return this.apply({ kind: 'register_entry', id, asset, legs, createdAt: START, event: null });
  }

  /** How many more lots the register may make. */
  room(asset = SHARES): number {
    for (let count = 0; ; count++) {
      const copy = new Security();
      copy.ledger = Ledger.restore(storedPieces(this.ledger));
      copy.time = this.time + 1_000;
      const outcome = copy.issue(CAROL, count + 1, asset);
      if (outcome.type === 'too_many_lots' && outcome.of === 'security') return count;
      if (outcome.type !== 'done') throw new Error(outcome.type);
    }
  }

  lotsOf(account: string): string[] {
    return [...this.ledger.allLots()].filter((each) => each.account === account).map(({ id }) => id);
  }

  /** The buyer takes so many of the seller's lots of one share, each in a trade of its own. */
  trade(seller: string, buyer: string, count: number): Trade[] {
    const given = this.lotsOf(seller).slice(0, count);
    this.transfer('deposit', { account: buyer, amount: count * PRICE });
    const [sell, buy] = [
      this.admit({ account: seller, side: 'sell', reserveAsset: SHARES, reserve: count, quantity: count }),
      this.admit({ account: buyer, reserve: count * PRICE, quantity: count }),
    ];
    const trades = given.map(
      (_, at): Trade => ({
        id: this.id(),
        sequence: at + 1,
        price: PRICE,
        quantity: 1,
        notional: PRICE,
        takerSide: 'buy',
        buyOrder: buy,
        sellOrder: sell,
        buyer,
        seller,
        buyerFee: 0,
        sellerFee: 0,
        executedAt: this.time,
      }),
    );
    const received: ReceivedLot[] = trades
      .slice(0, 1)
      .map(({ id }) => lot({ id: `${id}.0`, account: buyer, quantity: count }));
    this.settle({
      trades,
      orders: [buy, sell].map((id) => orderState({ id, status: 'filled' })),
      balances: [
        move(buyer, USD, 0),
        move(buyer, SHARES, count, { bought: count * PRICE }),
        move(seller, SHARES, 0, { sold: count }),
        move(seller, USD, count * PRICE),
      ],
      lots: received,
      lotMoves: given.map((id) => lotMove(sell, id, { consumed: 1 })),
    });
    return trades;
  }

  bust(trade: Trade | undefined): void {
    const adjustment: TradeAdjustment = {
      kind: 'adjust_trade',
      id: this.id(),
      book: BOOK,
      baseAsset: SHARES,
      quoteAsset: USD,
      tracksLots: true,
      trade: trade as Trade,
      to: null,
      sellKey: null,
      reason: 'an error',
      createdAt: this.time,
      event: null,
    };
    expect(this.apply(adjustment)).toMatchObject({ type: 'done' });
  }

  /** Lots that settle without their trades: what fills of many orders leave behind. */
  buyLots(account: string, count: number): void {
    this.settle({
      balances: [move(account, SHARES, count), move(ISSUANCE, SHARES, -count)],
      lots: Array.from({ length: count }, () => lot({ id: this.id(), account, quantity: 1 })),
    });
  }
}

function listed(): Security {
  const bench = new Security({ lotsPerSecurityMax: LOTS_MAX });
  expect(bench.issue(ALICE, 4).type).toBe('done');
  expect(bench.room()).toBe(LOTS_MAX - 4);
  return bench;
}

describe('M-03: lots of a security that were bought', () => {
  it('in four accounts with as many as an account may have leave its agent room to register shares', () => {
    const agent = new Security();
    agent.issue(ALICE, 1);
    for (let buyer = 0; buyer < 4; buyer++) agent.buyLots(idAt(0, 100 + buyer), LEDGER_LIMITS.lotsHeldPerAccountMax);
    for (let entry = 0; entry < 10; entry++)
      expect(agent.issue(idAt(0, 200 + entry), 2_000)).toMatchObject({ type: 'done' });
    expect(agent.ledger.violations()).toEqual([]);
  });

  it('count for who bought them: at the bound of an account it has no more by the register, and others do', () => {
    const bench = new Security({ lotsPerSecurityMax: LOTS_MAX, lotsHeldPerAccountMax: 3 });
    bench.issue(ALICE, 1);
    bench.buyLots(BOB, 3);
    expect(bench.issue(BOB, 1)).toEqual({ type: 'too_many_lots', of: 'account', account: BOB, lotsMax: 3 });
    expect(bench.issue(CAROL, 3)).toMatchObject({ type: 'done' });
  });

  it('do not count for it, and the registered ones that they came from make room', () => {
    const bench = listed();
    bench.trade(ALICE, BOB, 3);
    expect(bench.lotsOf(BOB)).toHaveLength(1);
    expect(bench.room()).toBe(LOTS_MAX - 1);
    bench.restart();
    expect(bench.room()).toBe(LOTS_MAX - 1);
  });

  it('come back as they were when a trade is taken back: registered ones count again, bought ones do not', () => {
    const bench = listed();
    const [first] = bench.trade(ALICE, BOB, 2);
    const [resale] = bench.trade(BOB, CAROL, 1);
    bench.bust(resale);
    expect(bench.room()).toBe(LOTS_MAX - 2);
    bench.restart();
    bench.bust(first);
    expect(bench.room()).toBe(LOTS_MAX - 3);
    expect(bench.ledger.violations()).toEqual([]);
  });

  it('stay bought in a split and in a conversion', () => {
    const bench = listed();
    bench.issue(CAROL, 1, 'survivor');
    bench.trade(ALICE, BOB, 2);
    const step = (split: string, terms: TradeSplit) =>
      bench.apply({ kind: 'split', id: bench.id(), split, asset: SHARES, step: terms, createdAt: bench.time });
    const register = { from: 0, to: 0 };
    const ratio = { from: 1, to: 2, fractions: 'round_up', register, books: [] } as const;
    expect(step('split', { type: 'begin', ...ratio }).type).toBe('done');
    expect(step('split', { type: 'part', part: 1 })).toMatchObject({ type: 'done', isOver: true });
    expect(bench.room()).toBe(LOTS_MAX - 2);
    const into = {
      asset: 'survivor',
      from: 1,
      to: 1,
      fractions: 'round_up',
      register: 0,
      restrictionEndsAt: null,
    } as const;
    expect(
      step('merger', { type: 'begin', from: 1, to: 0, fractions: 'cash_in_lieu', register, books: [], into }).type,
    ).toBe('done');
    expect(step('merger', { type: 'part', part: 1 })).toMatchObject({ type: 'done', isOver: true });
    expect(bench.lotsOf(BOB)).toHaveLength(1);
    expect(bench.room('survivor')).toBe(LOTS_MAX - 3);
    expect(bench.ledger.violations()).toEqual([]);
  });

  it('are told apart by the hash of a ledger', () => {
    const [bought, registered] = [listed(), listed()];
    const id = bought.id();
    const terms = { id, account: BOB, quantity: 1, acquiredAt: START };
    bought.settle({ balances: [move(BOB, SHARES, 1), move(ISSUANCE, SHARES, -1)], lots: [lot(terms)] });
    const legs = [
      { account: ISSUANCE, change: -1, lots: [] },
      { account: BOB, change: 1, lots: [lot(terms)] },
    ];
    registered.apply({ kind: 'register_entry', id, asset: SHARES, legs, createdAt: START, event: null });
    registered.settle({});
    expect([...bought.ledger.allLots()]).toEqual([...registered.ledger.allLots()]);
    expect(bought.ledger.stateHash()).not.toBe(registered.ledger.stateHash());
  });
});

type TradeSplit = Extract<Parameters<Ledger['apply']>[0], { kind: 'split' }>['step'];

describe('M-09: trades with a seller whose shares lie in many lots', () => {
  it('push out trades of that seller, and none that whoever takes has made before', () => {
    const bench = new Security();
    const COUNT = 2_000;
    bench.issue(ALICE, 1);
    const [honest] = bench.trade(ALICE, BOB, 1);
    for (let n = 0; n < 31; n++) {
      bench.issue(CAROL, COUNT);
      bench.time += COUNT;
      sellAtOnce(bench, CAROL, BOB, COUNT);
    }
    bench.bust(honest);
  });
});

/** One trade that takes all of the seller's lots. */
function sellAtOnce(bench: Security, seller: string, buyer: string, count: number): void {
  const given = bench.lotsOf(seller);
  bench.transfer('deposit', { account: buyer, amount: count * PRICE });
  const sell = bench.admit({ account: seller, side: 'sell', reserveAsset: SHARES, reserve: count, quantity: count });
  const buy = bench.admit({ account: buyer, reserve: count * PRICE, quantity: count });
  const id = bench.id();
  const trade: Trade = {
    id,
    sequence: 1,
    price: PRICE,
    quantity: count,
    notional: count * PRICE,
    takerSide: 'buy',
    buyOrder: buy,
    sellOrder: sell,
    buyer,
    seller,
    buyerFee: 0,
    sellerFee: 0,
    executedAt: bench.time,
  };
  bench.settle({
    trades: [trade],
    orders: [buy, sell].map((each) => orderState({ id: each, status: 'filled' })),
    balances: [
      move(buyer, USD, 0),
      move(buyer, SHARES, count, { bought: count * PRICE }),
      move(seller, SHARES, 0, { sold: count }),
      move(seller, USD, count * PRICE),
    ],
    lots: [lot({ id: `${id}.0`, account: buyer, quantity: count, acquiredAt: bench.time })],
    lotMoves: given.map((lotId) => lotMove(sell, lotId, { consumed: 1 })),
  });
}
