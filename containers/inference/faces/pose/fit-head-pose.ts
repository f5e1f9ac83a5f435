import type { Point } from '../../engine/engine.ts';
import { HEAD_MODEL, type HeadPoint } from './head-model.ts';

/** Where a head looks, in degrees from straight into the camera. */
export interface HeadPose {
  /** Positive to the right of the image. */
  readonly yaw: number;
  /** Positive up. */
  readonly pitch: number;
}

/** Rotations in radians: the head turns (yaw), then nods (pitch), then leans (roll). */
type Angles = readonly [yaw: number, pitch: number, roll: number];

const DEGREES = 180 / Math.PI;
const ITERATIONS_MAX = 40;
const DAMPING_MAX = 1e6;
/** For numeric slopes, in radians. */
const STEP = 1e-4;
/** Improvements below this share of the error change no digit that is shown. */
const SETTLED = 1e-7;
/** A fit from straight ahead can end on the wrong side of a turned head; the best of these starts wins. */
const STARTING_YAWS = [0, -0.7, 0.7];
const ROOT_WEIGHTS = HEAD_MODEL.map(({ weight }) => Math.sqrt(weight));
const WEIGHT_SUM = HEAD_MODEL.reduce((sum, { weight }) => sum + weight, 0);

/**
 * Fits the average head to a face's landmarks under weak perspective (rotation, scale, shift) by weighted least squares, with
 * Levenberg-Marquardt steps over the three angles; scale and shift follow from the angles in closed form.
 *
 * @param landmarks 68 points, in pixels.
 */
export function fitHeadPose(landmarks: readonly Point[]): HeadPose {
  const seen = centered(HEAD_MODEL.map(({ index }) => landmarks[index]!));
  const extent = Math.sqrt(squares(seen)) || 1;
  const target = seen.map((value) => value / extent);
  const fits = STARTING_YAWS.map((yaw) => descend(target, [yaw, 0, 0]));
  const { angles } = fits.reduce((best, fit) => (fit.error < best.error ? fit : best));
  return { yaw: angles[0] * DEGREES, pitch: angles[1] * DEGREES };
}

/** Where a point of the head is seen after the three rotations: right and down. @internal */
export function projectHeadPoint([x, y, z]: HeadPoint, [yaw, pitch, roll]: Angles): Point {
  // The face looks along -z: turning it to the right moves the tip of the nose, where z is least, to the right.
  const turnedX = x * Math.cos(yaw) - z * Math.sin(yaw);
  const turnedZ = x * Math.sin(yaw) + z * Math.cos(yaw);
  const noddedY = y * Math.cos(pitch) + turnedZ * Math.sin(pitch);
  return [turnedX * Math.cos(roll) - noddedY * Math.sin(roll), turnedX * Math.sin(roll) + noddedY * Math.cos(roll)];
}

function descend(target: readonly number[], start: Angles): { angles: Angles; error: number } {
  let angles = start;
  let misses = missesOf(target, angles);
  let error = squares(misses);
  let damping = 1e-3;
  for (let iteration = 0; iteration < ITERATIONS_MAX && damping < DAMPING_MAX; iteration += 1) {
    const slopes = [0, 1, 2].map((axis) =>
      missesOf(target, turned(angles, axis, STEP)).map((value, i) => (value - misses[i]!) / STEP),
    );
    const rows = slopes.map((row, i) =>
      slopes.map((column, j) => dot(row, column) * (i === j ? 1 + damping : 1) + (i === j ? 1e-12 : 0)),
    );
    const [yaw, pitch, roll] = solve3(
      rows,
      slopes.map((row) => -dot(row, misses)),
    );
    const next: Angles = [angles[0] + yaw, angles[1] + pitch, angles[2] + roll];
    const nextMisses = missesOf(target, next);
    const nextError = squares(nextMisses);
    if (!(nextError < error)) {
      damping *= 10;
      continue;
    }
    const settled = error - nextError < SETTLED * error;
    angles = next;
    misses = nextMisses;
    error = nextError;
    damping /= 10;
    if (settled) break;
  }
  return { angles, error };
}

/** By how much the head, turned and then scaled as well as it can be, misses each landmark: x and y in turn, weighted. */
function missesOf(target: readonly number[], angles: Angles): number[] {
  const head = centered(HEAD_MODEL.map(({ point }) => projectHeadPoint(point, angles)));
  const scale = Math.max(dot(head, target) / squares(head), 0);
  return target.map((value, i) => value - scale * head[i]!);
}

/** Less their weighted mean, times the roots of the weights: what squares add up to is then the weighted sum. */
function centered(points: readonly Point[]): number[] {
  let meanX = 0;
  let meanY = 0;
  for (const [i, [x, y]] of points.entries()) {
    meanX += (x * HEAD_MODEL[i]!.weight) / WEIGHT_SUM;
    meanY += (y * HEAD_MODEL[i]!.weight) / WEIGHT_SUM;
  }
  return points.flatMap(([x, y], i) => [(x - meanX) * ROOT_WEIGHTS[i]!, (y - meanY) * ROOT_WEIGHTS[i]!]);
}

function turned([yaw, pitch, roll]: Angles, axis: number, by: number): Angles {
  return [yaw + (axis === 0 ? by : 0), pitch + (axis === 1 ? by : 0), roll + (axis === 2 ? by : 0)];
}

function dot(first: readonly number[], second: readonly number[]): number {
  let sum = 0;
  for (let i = 0; i < first.length; i += 1) sum += first[i]! * second[i]!;
  return sum;
}

function squares(values: readonly number[]): number {
  return dot(values, values);
}

/** Cramer's rule for three equations; no step where they have no single solution. */
function solve3(rows: readonly (readonly number[])[], right: readonly number[]): [number, number, number] {
  const determinant = determinant3(rows);
  if (!(Math.abs(determinant) > 0)) return [0, 0, 0];
  const unknown = (column: number) =>
    determinant3(rows.map((row, i) => row.map((value, j) => (j === column ? right[i]! : value)))) / determinant;
  return [unknown(0), unknown(1), unknown(2)];
}

function determinant3(rows: readonly (readonly number[])[]): number {
  const [[a, b, c], [d, e, f], [g, h, i]] = rows as [Row, Row, Row];
  return a * (e * i - f * h) - b * (d * i - f * g) + c * (d * h - e * g);
}

type Row = readonly [number, number, number];
