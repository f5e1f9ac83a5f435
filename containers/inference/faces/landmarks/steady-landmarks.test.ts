import { describe, expect, it } from 'vitest';
import type { FivePoints, Point } from '../../engine/engine.ts';
import { EMBEDDING_TEMPLATE } from '../alignment/face-template.ts';
import { rollOf } from '../orientation/roll-of.ts';
import { areSteady } from './steady-landmarks.ts';

const { points } = EMBEDDING_TEMPLATE;
const EYES = Math.hypot(points[1][0] - points[0][0], points[1][1] - points[0][1]);
const moved = (move: (point: Point) => Point) => points.map(move) as unknown as FivePoints;
const aside = (eyes: number) => moved(([x, y]) => [x + eyes * EYES, y]);

describe('E-01: landmarks are of a face', () => {
  it.each([
    ['that lie where they lay', 0, 0, true],
    ['that move by little', 0.14, 0.14, true],
    ['that move by more from one side', 0.16, 0, false],
    ['that move by more from the other side', 0, 0.16, false],
  ])('%s', async (_, fromOne, fromOther, expected) => {
    const angles: number[] = [];
    const placedAt = async (angle: number) => {
      angles.push(Math.round((angle * 180) / Math.PI));
      return aside(angle < rollOf(points) ? fromOne : fromOther);
    };
    expect(await areSteady(points, placedAt)).toBe(expected);
    expect(angles).toEqual(fromOne > 0.15 ? [-20] : [-20, 20]);
  });

  it('whatever their size and their roll, from which the views are turned', async () => {
    const onItsSide = (of: FivePoints) => of.map(([x, y]) => [-3 * y, 3 * x]) as unknown as FivePoints;
    const angles: number[] = [];
    const placedAt = async (angle: number) => {
      angles.push(Math.round((angle * 180) / Math.PI));
      return onItsSide(aside(0.14));
    };
    expect(await areSteady(onItsSide(points), placedAt)).toBe(true);
    expect(angles).toEqual([70, 110]);
  });

  it('not those whose eyes lie on one spot', async () => {
    const spot = moved(() => [5, 5]);
    expect(await areSteady(spot, async () => spot)).toBe(false);
  });
});
