import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { expect, test } from 'vitest';
import { RecordQueue } from '../../../../durable-objects/recorder/record-queue.ts';
import type { FinalEntry } from '../../../../durable-objects/sequencer/api.ts';

/** As an answer of 16 full blocks has them: some ten megabytes of JSON. */
const BUSY = 16 * 4_096;

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
