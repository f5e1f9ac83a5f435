import { expect, it } from 'vitest';
import { ALICE, BOOK, idAt, LedgerBench, SHARES, START, USD } from '../../../domain/ledger/ledger.fixtures.ts';

const MANY = 100_001;

it('M-06: trades are taken back and corrected however many were before, each once', { timeout: 120_000 }, () => {
  const bench = new LedgerBench();
  bench.transfer('deposit', { account: ALICE, asset: USD, amount: 1_000_000 });
  const terms = { price: 10, quantity: 4, notional: 40, buyerFee: 0, sellerFee: 0 };
  const adjust = (trade: string, to: typeof terms | null = terms) =>
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
      createdAt: START,
      event: null,
    }).type;
  const trades = Array.from({ length: MANY }, (_, n) => idAt(START, 10_000_000 + n));
  for (const trade of trades) expect(adjust(trade)).toBe('done');
  expect(adjust(idAt(START, 1), null)).toBe('done');
  bench.restart();
  for (const trade of [trades[0], trades[MANY / 2 - 0.5], trades.at(-1)])
    expect(adjust(trade as string, null)).toBe('already_adjusted');
  expect(bench.ledger.violations()).toEqual([]);
});
