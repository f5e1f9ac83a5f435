import { describe, expect, it } from 'vitest';
import { ALICE, amendment, BOB, idAt, LedgerBench, order } from '../../../domain/ledger/ledger.fixtures.ts';
import { LEDGER_LIMITS } from '../../../domain/ledger/ledger-limits.ts';
import type { OrderAdmission } from '../../../domain/ledger/records.ts';

const {
  reservationsMax,
  reservationsForGuaranteed,
  reservationsGuaranteedPerAccount: SURE,
  reservationsGuaranteedOfFew: SURE_OF_FEW,
  reservationsPerAccountMax,
  reservationsPerPartnerMax,
  clientOrderIdsMax,
  partnerShare,
} = LEDGER_LIMITS;

const PER_BATCH = 1_000;

/** Orders of next to nothing in one batch; how many were admitted, and the last refusal. */
function place(venue: LedgerBench, count: number, terms: Partial<OrderAdmission>) {
  const orders = Array.from({ length: count }, () => order({ id: venue.id(), ...terms }));
  const { refused } = venue.send({ orders });
  return { placed: count - refused.length, refused: refused.at(-1) };
}

/** An investor of a partner places as many as it may, from so many accounts; how many those are. */
function placeAll(venue: LedgerBench, partner: string, investor: number, accounts: number): number {
  let total = 0;
  for (let account = 0; account < accounts; account++) {
    const terms = {
      account: idAt(0, 1_000_000 * (1 + Number(partner)) + 10 * investor + account),
      investor: idAt(1, 100_000 * Number(partner) + investor),
      owner: partner,
    };
    for (let placed = PER_BATCH; placed === PER_BATCH; total += placed) placed = place(venue, PER_BATCH, terms).placed;
  }
  return total;
}

describe('open orders', { timeout: 400_000 }, () => {
  it('of partners with any number of investors, who have any number of accounts, leave each other account its 250', () => {
    const venue = new LedgerBench();
    const first = Array.from({ length: 20 }, (_, investor) => placeAll(venue, '1', investor, 10));
    expect(first.slice(0, 3), 'one investor has no more by ten accounts, and leaves the next ones a part').toEqual([
      reservationsPerAccountMax,
      reservationsPerAccountMax / 2,
      reservationsPerAccountMax / 4,
    ]);
    expect(first.reduce((sum, placed) => sum + placed)).toBe(reservationsPerPartnerMax);
    for (let partner = 2; partner < 12; partner++)
      for (let investor = 0; investor < 12; investor++) placeAll(venue, String(partner), investor, 2);
    const free = reservationsMax - venue.ledger.size.reservations;
    expect(free).toBeLessThan(reservationsForGuaranteed);
    expect(free, 'each of them is sure of ten times what one is').toBeGreaterThanOrEqual(
      reservationsForGuaranteed - 11 * partnerShare * SURE,
    );
    for (const account of [ALICE, BOB]) {
      expect(place(venue, SURE, { account }).placed).toBe(SURE);
      expect(place(venue, 1, { account }).refused).toMatchObject({ refusal: 'account_orders', available: SURE });
    }
  });

  it('of 600 accounts that take all that they may leave each that comes later 25, and it amends', () => {
    const venue = new LedgerBench();
    for (let account = 0; account < 600; account++) place(venue, SURE, { account: idAt(0, 10_000 + account) });
    const free = reservationsMax - venue.ledger.size.reservations;
    expect(free).toBeGreaterThan(20_000);
    expect(place(venue, SURE, { account: ALICE }).placed).toBe(SURE_OF_FEW);
    const ids = venue.ledger.openOrderIds(ALICE);
    const amendments = ids.map((orderId) => amendment({ id: venue.id(), orderId }));
    expect(venue.send({ amendments }).refused).toEqual([]);
    // As does one that has as many as it is sure of.
    const account = idAt(0, 10_000);
    const [orderId = ''] = venue.ledger.openOrderIds(account);
    expect(venue.send({ amendments: [amendment({ id: venue.id(), orderId, account })] }).refused).toEqual([]);
    expect(venue.ledger.violations()).toEqual([]);
  });

  it('of others that end by the hundred thousand leave an account its own client order ids', () => {
    const venue = new LedgerBench();
    const reject = (account: string, from: number, count: number) =>
      venue.send({
        orders: Array.from({ length: count }, (_, n) =>
          order({ id: venue.id(), account, clientOrderId: `c${from + n}`, code: 'INVALID_PRICE', status: 'rejected' }),
        ),
      });
    const own = 300;
    reject(ALICE, 0, own);
    const known = () =>
      Array.from({ length: own }, (_, n) => venue.refusalOf({ clientOrderId: `c${n}` })?.refusal).filter(
        (refusal) => refusal === 'duplicate_client_order_id',
      ).length;
    for (let account = 0; account < 100; account++) reject(idAt(0, 10_000 + account), 0, PER_BATCH);
    expect(known()).toBe(own);
    venue.restart();
    for (let account = 0; account < 100; account++) reject(idAt(0, 10_000 + account), PER_BATCH, PER_BATCH);
    expect(known()).toBe(own);
    expect(own).toBeLessThan((2 * clientOrderIdsMax) / 101);
  });
});
