import { describe, expect, it } from 'vitest';
import type { HeldKind, HeldRow } from './held-rows.ts';
import {
  ALICE,
  amendment,
  BOB,
  BOOK,
  idAt,
  LedgerBench,
  lot,
  move,
  orderState,
  SHARES,
  START,
  USD,
} from './ledger.fixtures.ts';

/** Alice has cash, of which two orders hold some; Bob has three lots, and an amendment of his order holds a share. */
function bench(): { readonly made: LedgerBench; readonly orders: readonly string[] } {
  const made = new LedgerBench();
  made.transfer('deposit', { amount: 1_000, cost: 7 });
  made.depositLots(
    BOB,
    lot({ id: idAt(1, 1), account: BOB, quantity: 5, restrictionEndsAt: 9, offeringType: 'reg_d' }),
    lot({ id: idAt(1, 2), account: BOB, quantity: 5, cost: 3 }),
    lot({ id: idAt(1, 3), account: BOB, quantity: 1 }),
  );
  made.transfer('withdrawal', { account: BOB, asset: SHARES, amount: 5 });
  const orders = [
    made.admit({ reserve: 10 }),
    made.admit({ reserve: 20 }),
    made.admit({ account: BOB, side: 'sell', reserve: 2, reserveAsset: SHARES }),
  ];
  made.settle({ orders: [orderState({ id: orders[0] ?? '' })], balances: [move(ALICE, USD, 10)] });
  made.send({
    amendments: [
      amendment({ id: made.id(), orderId: orders[2] ?? '', account: BOB, reserveAsset: SHARES, reserve: 1 }),
    ],
  });
  return { made, orders };
}

/** All rows of a kind, read a few places at a time. */
function pages({ ledger }: LedgerBench, kind: HeldKind, count: number): HeldRow[] {
  const rows: HeldRow[] = [];
  for (let from: number | null = 0; from !== null; ) {
    const page = ledger.heldPage(kind, from, count);
    expect(page.rows.length).toBeLessThanOrEqual(count);
    rows.push(...page.rows);
    from = page.next;
  }
  return rows;
}

describe('what the ledger holds, row by row', () => {
  it.each([1, 2, 100])('comes once, without what is spent, zero or an amendment, in pages of %s places', (count) => {
    const { made, orders } = bench();
    expect(pages(made, 'balance', count).filter(({ key }) => !key.startsWith('boundary:'))).toEqual([
      { key: `${ALICE} ${USD}`, says: '980 available, 20 held, cost 7' },
      { key: `${BOB} ${SHARES}`, says: '3 available, 3 held, cost 2' },
    ]);
    expect(pages(made, 'lot', count)).toEqual([
      { key: idAt(1, 2), says: `5 of ${SHARES} of ${BOB}, 3 reserved, cost 3, acquired at ${START}, free` },
      { key: idAt(1, 3), says: `1 of ${SHARES} of ${BOB}, 0 reserved, cost 0, acquired at ${START}, free` },
    ]);
    expect(pages(made, 'order', count)).toEqual([
      { key: orders[1], says: `of ${ALICE} in ${BOOK} holds 20/0/0` },
      { key: orders[2], says: `of ${BOB} in ${BOOK} holds 2/0/0` },
    ]);
  });

  it('is found by its keys; what is not there is left out', () => {
    const { made, orders } = bench();
    const { ledger } = made;
    expect(ledger.heldRows('balance', [`${BOB} ${USD}`, `${ALICE} ${USD}`, 'nobody usd'])).toEqual([
      { key: `${ALICE} ${USD}`, says: '980 available, 20 held, cost 7' },
    ]);
    expect(ledger.heldRows('lot', [idAt(1, 1), idAt(1, 3)]).map(({ key }) => key)).toEqual([idAt(1, 3)]);
    expect(ledger.heldRows('order', orders).map(({ key }) => key)).toEqual(orders.slice(1));
  });

  it('names a restriction and an offering', () => {
    const made = new LedgerBench();
    made.depositLots(ALICE, lot({ id: idAt(1, 1), quantity: 5, restrictionEndsAt: 9, offeringType: 'reg_d' }));
    expect(made.ledger.heldRows('lot', [idAt(1, 1)])[0]?.says).toMatch(/restricted until 9, reg_d$/);
  });
});
