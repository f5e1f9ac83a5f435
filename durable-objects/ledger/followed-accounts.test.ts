import { expect, test } from 'vitest';
import type { JournalRow } from '../../domain/ledger/journal-row.ts';
import {
  ALICE,
  BOB,
  BOOK,
  chunk,
  idAt,
  LedgerBench,
  order,
  orderState,
  START,
} from '../../domain/ledger/ledger.fixtures.ts';
import type { SettlementChunk } from '../../domain/ledger/records.ts';
import { FollowedAccounts } from './followed-accounts.ts';

function rowOf(settled: Partial<SettlementChunk>): JournalRow {
  const transaction = new LedgerBench().batch({ chunks: [chunk(settled)] });
  const outcome = { type: 'landed', refused: [], lots: [] } as const;
  return { seq: 1, time: START, entries: [{ transaction, outcome }] } as unknown as JournalRow;
}

const balanceOf = (_: string, asset: string) => ({ asset, available: 0, held: 0, cost: 0 });

test('of a trigger that was amended twice in one chunk, the account hears the last', () => {
  const stop = order({ id: idAt(1, 1), type: 'stop_loss_limit', stopPrice: 110 });
  const followed = new FollowedAccounts();
  followed.follow(ALICE, [stop.id]);
  followed.follow(BOB, []);
  const state = orderState({ id: stop.id, status: 'pending_trigger' });
  const stopPrices = [115, 0, 120].map((stopPrice, at) => ({ id: at === 1 ? idAt(1, 2) : stop.id, stopPrice }));
  const rows = followed.eventsOf(rowOf({ orders: [state], stopPrices }), balanceOf);
  expect([...rows.keys()]).toEqual([ALICE]);
  expect(rows.get(ALICE)?.events).toEqual([{ type: 'changed', book: BOOK, state, stopPrice: 120 }]);
});
