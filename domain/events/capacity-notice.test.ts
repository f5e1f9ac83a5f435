import { describe, expect, it } from 'vitest';
import { capacityNotice, type ToldAlert } from './capacity-notice.ts';
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
  ])('tells %s', (_, told, last, expected) => {
    const notice = capacityNotice(told, last);
    if (expected === null) expect(notice).toBeNull();
    else expect(notice).toMatchObject(expected);
  });
});
