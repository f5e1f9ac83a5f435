import { describe, expect, it } from 'vitest';
import type { CheckpointPiece } from './columns.ts';
import { idAt, LedgerBench, START } from './ledger.fixtures.ts';
import { RecentIds } from './recent-ids.ts';

const MINUTE = 60_000;

/** Ids that are given out, and enter, one a minute. */
function entered(
  count: number,
  generationMax: number,
): { readonly recent: RecentIds; readonly ids: readonly string[] } {
  const recent = new RecentIds(generationMax);
  const ids = Array.from({ length: count }, (_, n) => idAt(START + n * MINUTE, n));
  for (const [n, id] of ids.entries()) recent.add(id, START + n * MINUTE);
  return { recent, ids };
}

function copyOf(recent: RecentIds, generationMax: number): RecentIds {
  const copy = new RecentIds(generationMax);
  const rest = JSON.parse(JSON.stringify(recent.rest()));
  const pieces: CheckpointPiece[] = Array.from(recent.pieces(), ({ name, data }) => ({ name, data: data.slice() }));
  copy.begin(rest);
  for (const piece of pieces) expect(copy.load(piece)).toBe(true);
  copy.finish(rest);
  return copy;
}

describe('recent ids', () => {
  it.each([1, 4, 5, 8, 9, 12, 13, 40])('know each of %i ids that have entered, kept or forgotten', (count) => {
    const { recent, ids } = entered(count, 4);
    for (const id of ids) expect(recent.has(id)).toBe(true);
  });

  it('know none that has not entered, unless it is as old as one that was forgotten', () => {
    const { recent } = entered(13, 4);
    // The ids up to the eighth, of the seventh minute, are forgotten.
    const lastGone = START + 7 * MINUTE;
    expect(recent.has(idAt(lastGone + 1, 99))).toBe(false);
    expect(recent.isForgotten(idAt(lastGone, 1))).toBe(true);
    expect(recent.isForgotten(idAt(START, 99))).toBe(true);
  });

  it('call none forgotten before one was', () => {
    const { recent } = entered(12, 4);
    expect(recent.isForgotten(idAt(START, 99))).toBe(true);
    const { recent: younger } = entered(8, 4);
    expect(younger.isForgotten(idAt(START, 99))).toBe(false);
    expect(younger.has(idAt(START, 99))).toBe(false);
  });

  it('lock no new id out when a clock jumps ahead: ours, or that of one who gave an id out', () => {
    const hour = 60 * MINUTE;
    const ours = new RecentIds(4);
    for (let n = 0; n < 13; n++) ours.add(idAt(START + n, n), START + hour);
    expect(ours.has(idAt(START + 13, 99))).toBe(false);
    const theirs = new RecentIds(4);
    theirs.add(idAt(START + hour, 0), START);
    for (let n = 1; n < 13; n++) theirs.add(idAt(START + n * MINUTE, n), START + n * MINUTE);
    expect(theirs.has(idAt(START + 13 * MINUTE, 99))).toBe(false);
  });

  it('cannot tell how old an id of another kind is: it is not forgotten', () => {
    const { recent } = entered(20, 4);
    expect(recent.has('order-1')).toBe(false);
    expect(recent.has('00000000-0000-4000-8000-000000000000')).toBe(false);
  });

  it.each([0, 3, 4, 5, 8, 9, 13, 17, 30])('are the same after a restart that follows %i ids', (count) => {
    const { recent, ids } = entered(count, 4);
    const copy = copyOf(recent, 4);
    expect(JSON.parse(JSON.stringify(copy.rest()))).toEqual(JSON.parse(JSON.stringify(recent.rest())));
    for (const each of [recent, copy])
      for (let n = count; n < count + 6; n++) each.add(idAt(START + n * MINUTE, n), START + n * MINUTE);
    for (let n = 0; n < count + 8; n++) {
      const id = idAt(START + n * MINUTE, n);
      expect(copy.has(id)).toBe(recent.has(id));
      expect(copy.isForgotten(id)).toBe(recent.isForgotten(id));
    }
    expect(ids).toHaveLength(count);
  });
});

describe('an order that is too old to be told from a repetition', () => {
  it('is refused, unless it is open; the ledger says so', () => {
    const bench = new LedgerBench({ recentIdsMax: 2 });
    const open = bench.admit({});
    const late = bench.id();
    for (let n = 0; n < 6; n++) {
      bench.time += MINUTE;
      bench.admit({});
    }
    expect(bench.ledger.isForgotten(late)).toBe(true);
    expect(bench.refusalOf({ id: late })?.refusal).toBe('exists');
    expect(bench.ledger.isForgotten(open)).toBe(false);
    expect(bench.refusalOf({ id: open })?.refusal).toBe('exists');
    expect(bench.ledger.isForgotten(bench.id())).toBe(false);
  });
});
