import { expect, it } from 'vitest';
import { ALICE, BOOK, idAt, LedgerBench, SHARES, START, USD } from '../../../domain/ledger/ledger.fixtures.ts';

const MANY = 100_001;
/** Of them the ledger has forgotten so many. */
const FORGOTTEN = 50_000;

it('M-06: trades are taken back and corrected however many were before, each once; whoever read of an old one before asks anew', {
  timeout: 400_000,
}, () => {
  const bench = new LedgerBench();
  bench.transfer('deposit', { account: ALICE, asset: USD, amount: 1_000_000 });
  const terms = { price: 10, quantity: 4, notional: 40, buyerFee: 0, sellerFee: 0 };
  const adjust = (trade: string, to: typeof terms | null = terms, readAt = bench.time) =>
    bench.apply({
      kind: 'adjust_trade',
      id: bench.id(),
      book: BOOK,
      baseAsset: SHARES,
      quoteAsset: USD,
      tracksLots: false,
      trade: {
        id: trade,
        executedAt: START,
        buyer: ALICE,
        seller: ALICE,
        buyOrder: trade,
        sellOrder: trade,
        sequence: 1,
        takerSide: 'buy',
        ...terms,
      },
      to,
      sellKey: null,
      reason: 'a correction',
      createdAt: readAt,
      event: null,
    }).type;
  const trades = Array.from({ length: MANY }, (_, n) => idAt(START, 10_000_000 + n));
  for (const trade of trades) {
    expect(adjust(trade)).toBe('done');
    bench.time += 1;
  }
  expect(adjust(idAt(START, 1), null)).toBe('done');
  bench.restart();
  for (const trade of [trades[FORGOTTEN], trades.at(-1)])
    expect(adjust(trade as string, null)).toBe('already_adjusted');
  // The read model says that it was adjusted: who has read it since does not ask.
  expect(adjust(trades[0] as string, null, START)).toBe('ledger_full');
  expect(bench.ledger.violations()).toEqual([]);
});
