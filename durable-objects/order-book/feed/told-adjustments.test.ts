import { describe, expect, it } from 'vitest';
import type { ToldAdjustment } from '../rpc/told-adjustment.ts';
import { ToldAdjustments } from './told-adjustments.ts';

/** Storage of one object, which outlives what reads it. */
function storage() {
  const rows = new Map<string, unknown>();
  const kv = { get: (key: string) => rows.get(key), put: (key: string, value: unknown) => rows.set(key, value) };
  return { kv } as unknown as Pick<DurableObjectStorage, 'kv'>;
}

const told = (id: string, price = 1) => ({ trade: { id }, adjustment: { price } }) as unknown as ToldAdjustment;
const names = (adjustments: readonly ToldAdjustment[] | null) => adjustments?.map(({ trade }) => trade.id) ?? null;

describe('trades that were taken back while somebody was away', () => {
  it('are told from the sequence on at which they were told', () => {
    const adjustments = new ToldAdjustments(storage());
    adjustments.keep(told('a'), 4);
    adjustments.keep(told('b'), 7);
    expect(names(adjustments.since(3))).toEqual(['a', 'b']);
    expect(names(adjustments.since(4))).toEqual(['a', 'b']);
    expect(names(adjustments.since(5))).toEqual(['b']);
    expect(names(adjustments.since(8))).toEqual([]);
  });

  it('are told in any case where nobody knows at which', () => {
    const adjustments = new ToldAdjustments(storage());
    adjustments.keep(told('a'), null);
    expect(names(adjustments.since(1_000_000))).toEqual(['a']);
  });

  it('outlive the object, each trade with the last word on it', () => {
    const kept = storage();
    new ToldAdjustments(kept).keep(told('a', 1), 4);
    new ToldAdjustments(kept).keep(told('a', 2), 5);
    expect(new ToldAdjustments(kept).since(0)).toEqual([told('a', 2)]);
  });

  it('of which too many followed are not told as if they were all', () => {
    const adjustments = new ToldAdjustments(storage());
    for (let at = 0; at < 201; at++) adjustments.keep(told(`t${at}`), at);
    expect(adjustments.since(0)).toBeNull();
    expect(adjustments.since(1)).toHaveLength(200);
    for (let at = 0; at < 201; at++) adjustments.keep(told(`n${at}`), null);
    expect(adjustments.since(1_000)).toBeNull();
    // Once a sequence is known, all of before was told by then.
    adjustments.keep(told('one more'), 300);
    expect(adjustments.since(300)).toBeNull();
    expect(adjustments.since(301)).toEqual([]);
  });
});
