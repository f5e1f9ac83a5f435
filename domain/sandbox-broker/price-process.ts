import { noise } from './noise.ts';

/** Decimals of prices and quantities in the sandbox. */
export const SANDBOX_SCALE = 4;

/**
 * How far each wave may move the price, in ten-millionths of the reference. The first lasts a second, every next one twice as long and
 * √2 as high, as a random walk would have it. Together they stay within 2.6 % of the reference.
 */
export const AMPLITUDES_E7 = [
  300, 424, 600, 849, 1_200, 1_697, 2_400, 3_394, 4_800, 6_788, 9_600, 13_576, 19_200, 27_153, 38_400, 54_306, 76_800,
] as const;

export const SHORTEST_WAVE_MS = 1_000;
/** Heights of a wave are drawn from −HEIGHT_MAX to HEIGHT_MAX. */
export const HEIGHT_MAX = 32_767;

/** A symbol's price: where it begins, and what its noise follows from. */
export interface PriceProcess {
  readonly seed: number;
  /** Scaled by SANDBOX_SCALE. */
  readonly reference: number;
  /** What every price of it is a multiple of; by the price where left out. */
  readonly tick?: number;
}

/**
 * The fair price at a moment, scaled by SANDBOX_SCALE: a sum of waves whose heights follow from the seed. Integers alone, no state: whoever
 * asks for the same moment gets the same price, in whatever order.
 */
export function fairPrice({ seed, reference }: PriceProcess, at_ms: number): number {
  const moved_e7 = Math.trunc(movedAt(seed, at_ms) / HEIGHT_MAX);
  return Math.max(1, reference + Math.trunc((reference * moved_e7) / 10_000_000));
}

/** All waves together at a moment: the price rises with it. */
export function movedAt(seed: number, at_ms: number): number {
  let moved = 0;
  for (const [wave, amplitude] of AMPLITUDES_E7.entries()) {
    const length = SHORTEST_WAVE_MS * 2 ** wave;
    const begun = Math.floor(at_ms / length);
    const from = heightOf(seed, wave, begun);
    const to = heightOf(seed, wave, begun + 1);
    const height = from + Math.floor(((to - from) * (at_ms - begun * length)) / length);
    moved += height * amplitude;
  }
  return moved;
}

/** Height of a wave where its part with this number begins; in between it goes straight. */
export function heightOf(seed: number, wave: number, begun: number): number {
  return (noise(seed, wave, begun) % (2 * HEIGHT_MAX + 1)) - HEIGHT_MAX;
}
