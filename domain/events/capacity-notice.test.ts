import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type CapacityNotice, capacityNotice, type ToldAlert } from './capacity-notice.ts';
import type { CapacityAlert } from './occupancy.ts';

const alert = (startedAt: number, endedAt: number | null = null): CapacityAlert => ({
  occupancy: 3,
  startedAt,
  endedAt,
});
const open: ToldAlert = { startedAt: 100, isOver: false };
const over: ToldAlert = { startedAt: 100, isOver: true };

describe('capacityNotice', () => {
  it.each([
    ['nothing of a room that never was full', null, null, null],
    [
      'that it is full',
      null,
      alert(100),
      { status: 'raised', startedAt: 100, endedAt: null, occupancy: 3, told: open },
    ],
    ['nothing of what it knows', open, alert(100), null],
    ['that it is full no more', open, alert(100, 200), { status: 'cleared', endedAt: 200, told: over }],
    ['nothing of an end that it knows, though it moves', over, alert(100, 250), null],
    ['that it is full again', over, alert(300), { status: 'raised', startedAt: 300 }],
    ['that it is still full, once the exit was taken back', over, alert(100), { status: 'raised', startedAt: 100 }],
    ['once what came and went meanwhile', null, alert(100, 200), { status: 'cleared', startedAt: 100, endedAt: 200 }],
    ['the same after another one', over, alert(300, 400), { status: 'cleared', startedAt: 300, endedAt: 400 }],
    ['another start of what lasts', open, alert(90), { status: 'raised', startedAt: 90 }],
    ['nothing of an earlier one that a late frame brings', over, alert(50, 60), null],
    ['that it never was full', open, null, { status: 'withdrawn', startedAt: 100, occupancy: null, told: null }],
    ['nothing of an end that goes with its alert', over, null, null],
    [
      'that it never was full again, where it was before',
      open,
      alert(50, 60),
      { status: 'withdrawn', startedAt: 100, endedAt: null, occupancy: null, told: { startedAt: 50, isOver: true } },
    ],
    ['the same where the one before ended as it began', open, alert(50, 100), { status: 'withdrawn', startedAt: 100 }],
    ['another start of what is over', open, alert(90, 150), { status: 'cleared', startedAt: 90, endedAt: 150 }],
    ['nothing of the earlier one, once the other was taken back', { startedAt: 50, isOver: true }, alert(50, 60), null],
  ])('tells %s', (_, told, last, expected) => {
    const notice = capacityNotice(told, last);
    if (expected === null) expect(notice).toBeNull();
    else expect(notice).toMatchObject(expected);
  });

  it('leaves whoever keeps the last message of a room with how it stands, and no alert that never ends', () => {
    const history = fc.array(
      fc.option(
        fc.tuple(fc.nat(8), fc.option(fc.nat(3))).map(([at, ms]) => alert(at, ms === null ? null : at + ms + 1)),
      ),
      { minLength: 1, maxLength: 12 },
    );
    fc.assert(
      fc.property(history, (lasts) => {
        let told: ToldAlert | null = null;
        let kept: CapacityNotice | null = null;
        for (const last of lasts) {
          const notice = capacityNotice(told, last);
          if (notice !== null) {
            // What is said of a room that was full names that alert, or one that goes on after its start.
            if (kept?.status === 'raised' && notice.startedAt !== kept.startedAt)
              expect(notice.endedAt ?? Number.POSITIVE_INFINITY).toBeGreaterThan(kept.startedAt);
            if (notice.status === 'withdrawn') expect(notice.startedAt).toBe(kept?.startedAt);
            ({ told } = notice);
            kept = notice;
          }
          const isFull = last !== null && last.endedAt === null;
          expect(kept?.status === 'raised').toBe(isFull);
          if (isFull) expect(kept?.startedAt).toBe(last.startedAt);
          expect(capacityNotice(told, last)).toBeNull();
        }
      }),
    );
  });
});
