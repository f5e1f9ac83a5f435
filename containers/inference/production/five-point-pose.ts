import type { FivePoints } from '../engine/engine.ts';
import type { HeadPose } from '../faces/pose/fit-head-pose.ts';

/**
 * The middles of the eyes, the tip of the nose and the corners of the mouth on an average head, in centimetres: right, down, away.
 *
 * @internal
 */
export const HEAD: readonly (readonly [number, number, number])[] = [
  [-3.16, -2.63, -3.47],
  [3.16, -2.63, -3.47],
  [0, 1.13, -7.48],
  [-2.46, 4.34, -4.28],
  [2.46, 4.34, -4.28],
];

const DEGREES = 180 / Math.PI;

/**
 * Where a head looks, from five points: the linear map that brings the average head nearest to them in least squares, whose rows are the
 * first two of a scaled rotation (weak perspective; DeMenthon and Davis, IJCV 15, 1995). Zero for points on one line.
 */
export function fivePointPose(landmarks: FivePoints): HeadPose {
  const head = centred(HEAD);
  const across = centred(landmarks.map(([x]) => [x])).map(([x]) => x!);
  const down = centred(landmarks.map(([, y]) => [y])).map(([y]) => y!);
  const normal = [0, 1, 2].map((row) =>
    [0, 1, 2].map((column) => sum(head.map((point) => point[row]! * point[column]!))),
  );
  const rowOf = (seen: readonly number[]) =>
    solve(
      normal,
      [0, 1, 2].map((axis) => sum(head.map((point, at) => point[axis]! * seen[at]!))),
    );
  const first = unit(rowOf(across));
  const second = unit(rowOf(down));
  if (first === null || second === null) return { yaw: 0, pitch: 0 };
  const third = unit([
    first[1]! * second[2]! - first[2]! * second[1]!,
    first[2]! * second[0]! - first[0]! * second[2]!,
    first[0]! * second[1]! - first[1]! * second[0]!,
  ]);
  if (third === null) return { yaw: 0, pitch: 0 };
  return { yaw: Math.atan2(third[0]!, third[2]!) * DEGREES, pitch: -Math.asin(third[1]!) * DEGREES };
}

function centred(points: readonly (readonly number[])[]): number[][] {
  const means = points[0]!.map((_, axis) => sum(points.map((point) => point[axis]!)) / points.length);
  return points.map((point) => point.map((value, axis) => value - means[axis]!));
}

function unit(vector: readonly number[]): number[] | null {
  const length = Math.hypot(...vector);
  return length > 0 ? vector.map((value) => value / length) : null;
}

/** Three equations by elimination; the matrix is that of the head, which is regular. */
function solve(matrix: readonly (readonly number[])[], right: readonly number[]): number[] {
  const rows = matrix.map((row, at) => [...row, right[at]!]);
  for (let pivot = 0; pivot < 3; pivot++)
    for (let row = 0; row < 3; row++) {
      if (row === pivot) continue;
      const factor = rows[row]![pivot]! / rows[pivot]![pivot]!;
      rows[row] = rows[row]!.map((value, column) => value - factor * rows[pivot]![column]!);
    }
  return rows.map((row, at) => row[3]! / row[at]!);
}

function sum(values: readonly number[]): number {
  return values.reduce((total, value) => total + value, 0);
}
