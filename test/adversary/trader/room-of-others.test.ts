import { describe, expect, it } from 'vitest';
import { ALICE, BOB, BOOK, idAt, LedgerBench, lot, order, SHARES } from '../../../domain/ledger/ledger.fixtures.ts';
import { LEDGER_LIMITS } from '../../../domain/ledger/ledger-limits.ts';
import type { OrderAdmission } from '../../../domain/ledger/records.ts';

const { reservationsGuaranteedPerAccount: GUARANTEED, reservationsMax } = LEDGER_LIMITS;
const OTHER_BOOK = 'ZINC-USD';
const PER_BATCH = 1_000;

/** A hundred accounts that mean harm. */
const OTHERS = Array.from({ length: 100 }, (_, n) => idAt(0, 1_000 + n));

/** Each of them places as many orders of next to nothing as it may, in turns of a thousand. */
function flood(bench: LedgerBench): void {
  for (const account of OTHERS)
    for (let isRefused = false; !isRefused; ) {
      const orders = Array.from({ length: PER_BATCH }, () => order({ id: bench.id(), account }));
      isRefused = bench.send({ book: OTHER_BOOK, orders }).refused.length > 0;
    }
}

function bench(): LedgerBench {
  const made = new LedgerBench();
  made.apply({ kind: 'own', book: OTHER_BOOK, owner: 'zinc', previousOwner: '' });
  made.depositLots(ALICE, lot({ id: idAt(1, 1), quantity: 1_000 }));
  return made;
}

/** How many of these the account places before one is refused. */
function placed(venue: LedgerBench, terms: Partial<OrderAdmission>, max: number, book = BOOK): number {
  for (let count = 0; count < max; count++)
    if (venue.send({ book, orders: [order({ id: venue.id(), ...terms })] }).refused.length > 0) return count;
  return max;
}

describe('T-03: after any orders of a hundred other accounts', { timeout: 400_000 }, () => {
  it('an account below its guaranteed number places, buys as well as sells, in every market', () => {
    const venue = bench();
    flood(venue);
    expect(venue.ledger.size.reservations).toBeLessThan(reservationsMax);
    const half = GUARANTEED / 2;
    expect(placed(venue, { account: ALICE }, half)).toBe(half);
    const sell = { account: ALICE, side: 'sell', reserveAsset: SHARES, reserve: 1 } as const;
    expect(placed(venue, sell, half - 10)).toBe(half - 10);
    expect(placed(venue, { account: ALICE }, 100, OTHER_BOOK)).toBe(10);
    const refused = venue.refusalOf({ account: ALICE });
    expect(refused).toMatchObject({ refusal: 'account_orders', available: GUARANTEED });
    expect(placed(venue, { account: BOB }, GUARANTEED), 'and one that comes for the first time').toBe(GUARANTEED);
  });

  it('what a market maker has open below its guaranteed number counts against it alone', () => {
    const venue = bench();
    expect(placed(venue, { account: ALICE }, 200)).toBe(200);
    flood(venue);
    expect(placed(venue, { account: ALICE }, GUARANTEED)).toBe(GUARANTEED - 200);
  });
});
