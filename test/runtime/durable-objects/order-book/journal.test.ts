import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, it } from 'vitest';
import type { LedgerOrder } from '../../../../durable-objects/order-book/admission/ledger-order.ts';
import type { BookSnapshot } from '../../../../durable-objects/order-book/cycle/book-state.ts';
import { Journal } from '../../../../durable-objects/order-book/journal/journal.ts';
import type { JournalEntry } from '../../../../durable-objects/order-book/journal/journal-entry.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { migrate } from '../../fixtures/migrate.ts';

/** A sell of so many small lots fills more than one value may have; its ids need more bytes than characters. */
const LOTS = 30_000;
const VALUE_BYTES_MAX = 2_000_000;

it('cycles, effects and snapshots larger than a value may be are kept in pieces, and come back whole', async () => {
  await createPair(await migrate(), 'LONG');
  await runInDurableObject(env.ORDER_BOOK.getByName('LONG-USD'), (_book, { storage }) => {
    const lots = Array.from({ length: LOTS }, (_, i) => ({
      reservationId: 'order-1',
      lotId: `lot \u{1f4c8} number ${i} of many`,
      quantity: 1,
      restrictionEndsAt: null,
      offeringType: null,
    }));
    const hold = {
      kind: 'order',
      id: 'order-1',
      account: 'seller',
      reserveAsset: 'long',
      reserve: LOTS,
      allowanceAsset: null,
      allowance: 0,
      positionAsset: null,
      position: 0,
      quantity: LOTS,
      price: 1,
      lots,
    } as const;
    const entry: JournalEntry = { time: 1, batch: 1, commands: [{ type: 'release', holds: [hold] }] };
    const chunk = {
      trades: [],
      orders: [],
      balances: [],
      lots: [],
      lotMoves: lots.map(({ lotId }) => ({ reservationId: 'order-1', lotId, consumed: 0, released: 1 })),
      amendments: [],
      bars: [],
    };
    const journal = new Journal(storage);
    journal.restore();
    journal.append(entry, [chunk], null);

    const values = storage.sql
      .exec<{ bytes: number }>(
        `SELECT max(length(CAST(entry AS BLOB))) AS bytes FROM journal UNION SELECT max(length(CAST(chunk AS BLOB))) FROM outbox
         UNION SELECT max(length(CAST(text AS BLOB))) FROM more_text`,
      )
      .toArray();
    for (const { bytes } of values) expect(bytes).toBeLessThan(VALUE_BYTES_MAX);

    const restored = new Journal(storage).restore();
    const [kept] = [...restored.rows];
    if (kept?.type !== 'entry') throw new Error('the row is broken');
    expect(kept.entry).toEqual(entry);
    expect(kept.gave([chunk])).toBe(true);
    expect(restored.outbox.map((row) => row.chunk)).toEqual([chunk]);

    const order: LedgerOrder = {
      orderId: 'order-1',
      account: 'seller',
      side: 'sell',
      quantity: LOTS,
      limit: 1,
      price: 1,
      makerFeeBps: 0,
      takerFeeBps: 0,
      filled: 0,
      filledNotional: 0,
      remaining: LOTS,
      feeNumerator: 0,
      fee: 0,
      reserve: LOTS,
      allowanceAsset: null,
      allowance: 0,
      positionAsset: null,
      position: 0,
      restricted: false,
      lots,
      status: 'open',
      code: null,
      updatedAt: 1,
    };
    const snapshot = {
      time: 2,
      view: { bookSequence: 1 },
      amendments: [],
      engine: { version: 1, sequence: 1, tradeSequence: 0, lastPrice: null, arrivals: 1, orders: [] },
      orders: [order],
    } as unknown as BookSnapshot;
    journal.writeSnapshot(snapshot);
    journal.settled(1);
    const after = new Journal(storage).restore();
    expect(after.snapshot).toEqual(snapshot);
    expect(after.outbox).toEqual([]);
    const kinds = storage.sql.exec<{ kind: string }>('SELECT DISTINCT kind FROM more_text ORDER BY kind').toArray();
    expect(kinds).toEqual([{ kind: 'journal' }, { kind: 'snapshot' }]);
  });
});
