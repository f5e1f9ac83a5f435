import type { FivePoints, Point } from '../../engine/engine.ts';
import { rollOf } from '../orientation/roll-of.ts';

/** Views that are turned by so much to either side show an upright face well enough. */
const ANGLES = [-Math.PI / 9, Math.PI / 9];
/**
 * In distances between the eyes. On photographs of groups the landmarks of faces moved by 0.1 at most, and those of nobody by 0.48 and more, but for some
 * that are turned by more than a right angle (docs/inference.md#turned-faces).
 */
const SHIFT_MAX = 0.15;

/**
 * Whether landmarks come to lie on the same points when they are placed anew in views that are turned a little to either side. Those of a face do; those that
 * were placed in a view that is turned too far do not, unless they stand on their head, and then the detector says so.
 *
 * @param placedAt by a view that is turned by so many radians
 */
export async function areSteady(
  points: FivePoints,
  placedAt: (angle: number) => Promise<FivePoints>,
): Promise<boolean> {
  for (const angle of ANGLES) if (!(shift(points, await placedAt(rollOf(points) + angle)) <= SHIFT_MAX)) return false;
  return true;
}

/** How far the points of one face lie apart in two findings: root of the mean square, in distances between the eyes of the first. */
function shift(first: FivePoints, second: FivePoints): number {
  const squares = first.reduce((sum, point, i) => sum + distance(point, second[i]!) ** 2, 0);
  return Math.sqrt(squares / first.length) / distance(first[0], first[1]);
}

function distance([ax, ay]: Point, [bx, by]: Point): number {
  return Math.hypot(ax - bx, ay - by);
}
