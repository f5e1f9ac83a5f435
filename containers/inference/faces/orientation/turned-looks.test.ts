import { describe, expect, it } from 'vitest';
import type { FaceQuality } from '../../../../domain/faces/face-quality.ts';
import { LookBudget, TurnedLooks } from './turned-looks.ts';

const poor = (more: Partial<FaceQuality> = {}) => ({ face_size: 100, ...more }) as FaceQuality;

describe('E-01: turned looks at one photograph', () => {
  it('are bounded, over all positions in which it is examined', () => {
    const budget = new LookBudget();
    const positions = [new TurnedLooks(budget), new TurnedLooks(budget)];
    let looks = 0;
    for (; !budget.isSpent && looks < 10_000; looks++) positions[looks % 2]!.budget.spend();
    expect(looks).toBe(300);
    expect(positions.map((of) => of.takesPoor(poor()))).toEqual([false, false]);
  });

  it('go to four poor faces, of which none is small or cut off', () => {
    const looks = new TurnedLooks(new LookBudget());
    for (let face = 0; face < 50; face++) {
      expect(looks.takesPoor(poor({ misaligned: 'cut_off' }))).toBe(false);
      expect(looks.takesPoor(poor({ face_size: 79 }))).toBe(false);
    }
    expect([1, 2, 3, 4, 5].map(() => looks.takesPoor(poor()))).toEqual([true, true, true, true, false]);
  });

  it('are one a face once eight stand and none is turned', () => {
    const looks = new TurnedLooks(new LookBudget());
    for (let face = 0; face < 7; face++) looks.record('stood');
    looks.record('nowhere');
    expect(looks.isStanding).toBe(false);
    looks.record('stood');
    expect(looks.isStanding).toBe(true);
    looks.record('turned');
    expect(looks.isStanding).toBe(false);
  });
});
