import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { RecordQueue } from '../../../../durable-objects/recorder/record-queue.ts';
import type { FinalEntry } from '../../../../durable-objects/sequencer/api.ts';

/** As an answer of 16 full blocks has them: some ten megabytes of JSON. */
const BUSY = 16 * 4_096;

/** What an operator makes of the trade of an entry. */
function adjustmentOf({ tradeId }: FinalEntry): FinalEntry {
  return { id: `${tradeId.slice(0, 14)}7fff-8fff-ffffffffffff`, tradeId, hash: 'a'.repeat(64) };
}

function entry(place: number): FinalEntry {
  const id = `0198c0de-0000-7000-8000-${String(place).padStart(12, '0')}`;
  return { id, tradeId: id, hash: place.toString(16).padStart(64, '0') };
}

test('takes over the entries of as many full blocks as one answer has, in their order, and again without change', async () => {
  const entries = Array.from({ length: BUSY }, (_, place) => entry(place));
  await runInDurableObject(env.RECORDER.getByName('a busy one'), (_, { storage }) => {
    const queue = new RecordQueue(storage);
    queue.take(entries, 16, 1);
    expect({ size: queue.size, height: queue.height, since: queue.since }).toEqual({
      size: BUSY,
      height: 16,
      since: 1,
    });
    expect(queue.next(3)).toEqual(entries.slice(0, 3));
    queue.take(entries, 16, 2);
    expect({ size: queue.size, since: queue.since }).toEqual({ size: BUSY, since: 1 });
    queue.keep({ nonce: 0, tries: [], sentAt: 0, checkpoint: null }, entries.slice(0, 100));
    expect(queue.next(1)).toEqual([entries[100]]);
  });
});

test('a bust goes with the settlement of its trade, or once that is confirmed; where that is reverted, behind it', async () => {
  const [settlement, other] = [entry(1), entry(2)];
  const bust = adjustmentOf(settlement);
  await runInDurableObject(env.RECORDER.getByName('one with a bust'), (_, { storage }) => {
    const queue = new RecordQueue(storage);
    queue.take([settlement, bust, other], 1, 1);
    expect(queue.next(100)).toEqual([settlement, bust, other]);
    const sent = { nonce: 0, tries: [], sentAt: 0, checkpoint: null };
    queue.keep(sent, [settlement]);
    expect(queue.next(100)).toEqual([other]);
    queue.release(0);
    expect(queue.next(100)).toEqual([settlement, bust, other]);
    queue.keep(sent, [settlement]);
    queue.confirm(0);
    expect(queue.next(100)).toEqual([bust, other]);
    queue.refuse(settlement.tradeId);
    queue.take([{ ...bust, id: bust.id.replace('7fff', '7ffe') }], 2, 3);
    expect({ next: queue.next(1), size: queue.size, refused: queue.refused, since: queue.since }).toEqual({
      next: [other],
      size: 2,
      refused: 1,
      since: 1,
    });
    queue.refuse(settlement.tradeId);
    queue.keep(sent, [other]);
    queue.confirm(0);
    expect({ size: queue.size, refused: queue.refused, since: queue.since }).toEqual({
      size: 0,
      refused: 2,
      since: null,
    });
  });
});
