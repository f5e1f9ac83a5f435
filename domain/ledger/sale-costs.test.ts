import { describe, expect, it } from 'vitest';
import { BOUNDARY_ACCOUNT } from './boundary-accounts.ts';
import { orderOfExecution } from './broker-clearing.ts';
import { StoredJournal } from './journal.fixtures.ts';
import { JournalBroken } from './journal-chain.ts';
import { ledgerAsOf } from './journal-replay.ts';
import type { SaleCost } from './journal-row.ts';
import {
  ALICE,
  BOB,
  BOOK,
  chunk,
  idAt,
  LedgerBench,
  lot,
  lotMove,
  move,
  order,
  orderState,
  SHARES,
  USD,
} from './ledger.fixtures.ts';
import type { BalanceMove, LotMove, OrderAdmission, SettlementChunk, Trade } from './records.ts';

const COIN = 'coin';
const COINS = { baseAsset: COIN, tracksLots: false } as const;

function trade(number: number, quantity: number, terms: Partial<Trade> = {}): Trade {
  return {
    id: idAt(1, number),
    sequence: number,
    price: 100,
    quantity,
    notional: 100 * quantity,
    takerSide: 'buy',
    buyOrder: 'buy',
    sellOrder: 'sell',
    buyer: ALICE,
    seller: BOB,
    buyerFee: 0,
    sellerFee: 0,
    executedAt: 1,
    ...terms,
  };
}

type BatchTerms = Parameters<LedgerBench['batch']>[0];

function costsOf(bench: LedgerBench, terms: BatchTerms): readonly SaleCost[] | undefined {
  return bench.ledger.apply(bench.batch(terms), { time: bench.time, backlogged: false }).saleCosts;
}

/** Bob's sale of all that his order holds, in these trades. */
function sale(id: string, trades: readonly Trade[], sold: BalanceMove, lotMoves: readonly LotMove[] = []) {
  const quantity = trades.reduce((sum, each) => sum + each.quantity, 0);
  return {
    trades,
    orders: [orderState({ id, status: 'filled' })],
    balances: [move(ALICE, sold.asset, quantity), sold],
    lots: sold.asset === SHARES ? [lot({ id: `${trades[0]?.id}.0`, quantity })] : [],
    lotMoves,
  } satisfies Partial<SettlementChunk>;
}

/** Bob holds lots of 3 shares for 100 and 7 for 70, and has all in one order. */
function withLots() {
  const bench = new LedgerBench();
  const [first, second] = [idAt(0, 11), idAt(0, 12)];
  bench.depositLots(BOB, lot({ id: first, quantity: 3, cost: 100 }), lot({ id: second, quantity: 7, cost: 70 }));
  const id = bench.admit({ account: BOB, side: 'sell', reserve: 10 });
  const settle = (...trades: Trade[]) =>
    costsOf(bench, {
      chunks: [
        chunk(
          sale(id, trades, move(BOB, SHARES, 0, { sold: 10 }), [
            lotMove(id, first, { consumed: 2 }),
            lotMove(id, first, { consumed: 1 }),
            lotMove(id, second, { consumed: 7 }),
          ]),
        ),
      ],
    });
  return { bench, settle };
}

/** Bob holds 7 coins for 100, and has all in one order. */
function withCoins() {
  const bench = new LedgerBench();
  bench.transfer('deposit', { account: BOB, asset: COIN, amount: 7, cost: 100 });
  const id = bench.id();
  bench.send({ ...COINS, orders: [coinOrder({ id, reserve: 7 })] });
  return { bench, id };
}

function coinOrder(terms: Partial<OrderAdmission> & { readonly id: string }): OrderAdmission {
  return order({ account: BOB, side: 'sell', reserveAsset: COIN, ...terms });
}

describe('what the shares of a trade had cost their seller', () => {
  it('is the cost of the very lots that left, the oldest first, also where a trade takes from two', () => {
    const { settle } = withLots();
    // 2 of 3 for 100; 1 of what is left of them, and 3 of 7 for 70; the last 4.
    expect(settle(trade(1, 2), trade(2, 4), trade(3, 4))).toEqual([66, 34 + 30, 40]);
  });

  it('is a share of the average where the asset has no lots, to the last unit of what leaves', () => {
    const { bench, id } = withCoins();
    const trades = [trade(1, 3), trade(2, 3), trade(3, 1)];
    const costs = costsOf(bench, {
      ...COINS,
      chunks: [chunk(sale(id, trades, move(BOB, COIN, 0, { sold: 7 })))],
    });
    expect(costs).toEqual([42, 43, 15]);
    expect(bench.ledger.balance(BOB, COIN)).toEqual({ available: 0, held: 0, cost: 0 });
  });

  it('goes trade by trade through all chunks of a batch, and by seller', () => {
    const bench = new LedgerBench();
    for (const [account, cost] of [
      [ALICE, 50],
      [BOB, 100],
    ] as const)
      bench.transfer('deposit', { account, asset: COIN, amount: 10, cost });
    const [alices, bobs] = [bench.id(), bench.id()];
    bench.send({
      ...COINS,
      orders: [
        coinOrder({ id: alices, account: ALICE, reserve: 4 }),
        coinOrder({ id: bobs, account: BOB, reserve: 2 }),
      ],
    });
    const byAlice = trade(2, 4, { seller: ALICE, buyer: BOB });
    const costs = costsOf(bench, {
      ...COINS,
      chunks: [
        chunk({
          trades: [trade(1, 2)],
          orders: [orderState({ id: bobs, status: 'filled' })],
          balances: [move(BOB, COIN, 0, { sold: 2 }), move(ALICE, COIN, 2, { bought: 1_000 })],
        }),
        chunk({
          trades: [byAlice],
          orders: [orderState({ id: alices, status: 'filled' })],
          balances: [move(ALICE, COIN, 0, { sold: 4 }), move(BOB, COIN, 4, { bought: 400 })],
        }),
      ],
    });
    // Alice has bought 2 for 1,000 in the chunk before: 4 of 12 for 1,050.
    expect(costs).toEqual([20, 350]);
  });

  it('is unknown where the chunk does not say which shares left', () => {
    const bench = new LedgerBench();
    bench.transfer('deposit', { account: BOB, asset: USD, amount: 5 });
    const stranger = trade(1, 2, { seller: idAt(0, 9) });
    expect(costsOf(bench, { chunks: [chunk({ trades: [stranger] })] })).toEqual([null]);
  });

  it('is told of a sale beside a purchase of shares that have no lots here, as a broker hands them over', () => {
    const bench = new LedgerBench();
    const lotId = idAt(0, 11);
    bench.transfer('deposit', { amount: 200 });
    bench.depositLots(BOB, lot({ id: lotId, quantity: 4, cost: 100 }));
    const id = bench.admit({ account: BOB, side: 'sell', reserve: 4 });
    const clearing = BOUNDARY_ACCOUNT.brokerClearing;
    const bought = trade(1, 2, { seller: clearing, sellOrder: orderOfExecution('a') });
    const sold = trade(2, 4, { buyer: clearing, buyOrder: orderOfExecution('b') });
    const costs = costsOf(bench, {
      chunks: [
        chunk({
          trades: [bought, sold],
          orders: [orderState({ id, status: 'filled' })],
          balances: [
            move(ALICE, SHARES, 2),
            move(ALICE, USD, -200),
            move(BOB, SHARES, 0, { sold: 4 }),
            move(BOB, USD, 400),
            move(clearing, SHARES, 2, { sold: 2 }),
            move(clearing, USD, -200),
          ],
          lots: [lot({ id: `${bought.id}.0`, quantity: 2 })],
          lotMoves: [lotMove(id, lotId, { consumed: 4 })],
        }),
      ],
    });
    expect(costs).toEqual([null, 100]);
  });

  it('is not told of a batch without trades', () => {
    expect(costsOf(new LedgerBench(), { book: BOOK })).toBeUndefined();
  });
});

describe('the journal of a batch that has traded', () => {
  /** Bob's 7 coins for 100 are sold in two trades. */
  function sold(): StoredJournal {
    const journal = new StoredJournal();
    const bench = new LedgerBench();
    bench.ledger = journal.ledger;
    const [id, transfer] = [bench.id(), bench.id()];
    journal.commit(1, { kind: 'own', book: BOOK, owner: 'first', previousOwner: '' });
    const terms = { account: BOB, asset: COIN, amount: 7, cost: 100, tracksLots: false, lots: [] } as const;
    const of = { reference: null, createdAt: 1, event: null } as const;
    journal.commit(2, { kind: 'transfer', type: 'deposit', id: transfer, ...terms, ...of });
    journal.commit(3, bench.batch({ ...COINS, orders: [coinOrder({ id, reserve: 7 })] }));
    const trades = [trade(1, 4), trade(2, 3)];
    journal.commit(4, bench.batch({ ...COINS, chunks: [chunk(sale(id, trades, move(BOB, COIN, 0, { sold: 7 })))] }));
    return journal;
  }

  async function replayed(journal: StoredJournal, change: (text: string) => string): Promise<string> {
    const other = new StoredJournal();
    for (const { time, text } of journal.rows) other.append(time, change(text));
    const { ledger } = await ledgerAsOf(other.rows, Number.POSITIVE_INFINITY);
    return ledger.stateHash();
  }

  it('tells what the sales had cost, and a replay comes to the same or refuses the row', async () => {
    const journal = sold();
    expect(journal.rows.at(-1)?.text).toMatch(/,\[57,43\]\]\]\}$/);
    expect(await replayed(journal, (text) => text)).toBe(journal.stateHashes.at(-1));
    await expect(replayed(journal, (text) => text.replace('[57,43]', '[58,42]'))).rejects.toThrow(
      new JournalBroken('replay of journal row 4 gave other costs of sales'),
    );
  });

  it('may be older than costs are told', async () => {
    const journal = sold();
    expect(await replayed(journal, (text) => text.replace(',[57,43]', ''))).toBe(journal.stateHashes.at(-1));
  });
});
