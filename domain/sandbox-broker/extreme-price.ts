import { AMPLITUDES_E7, HEIGHT_MAX, heightOf, movedAt, SHORTEST_WAVE_MS } from './price-process.ts';

/** Part of the longest wave that is looked at: it, and every shorter wave within, is halved from here on. */
interface Part {
  readonly wave: number;
  /** Its number among the parts of its wave. */
  readonly begun: number;
  /** Where this wave and all longer ones together begin and end; in between they go straight. */
  readonly from: number;
  readonly to: number;
}

const LONGEST = AMPLITUDES_E7.length - 1;

/** How far all waves that are shorter than one may move the price beyond it, and what rounding may add. */
const SHORTER_MAX = AMPLITUDES_E7.map((_, wave) => {
  const shorter = AMPLITUDES_E7.slice(0, wave).reduce((sum, amplitude) => sum + amplitude, 0);
  return HEIGHT_MAX * shorter + AMPLITUDES_E7.reduce<number>((sum, amplitude) => sum + amplitude, 0);
});

/**
 * When in a span the price is highest (`sign` 1) or lowest (−1), of all its full seconds. Exact, in some hundred steps for a day: a wave goes
 * straight between its knots, so that the longer ones bound a part of the span, and a part that cannot hold the extreme is left out.
 *
 * @param first_s first second of the span, Unix time
 * @param last_s last second of the span, included
 */
export function extremeSecond(seed: number, first_s: number, last_s: number, sign: 1 | -1): number {
  const valueAt = (second: number) => sign * movedAt(seed, second * SHORTEST_WAVE_MS);
  const heightAt = (wave: number, begun: number) => sign * heightOf(seed, wave, begun) * (AMPLITUDES_E7[wave] ?? 0);
  let best_s = first_s;
  let best = valueAt(first_s);

  const look = (part: Part): void => {
    const { wave, begun, from, to } = part;
    const begins_s = begun * 2 ** wave;
    const isOutside = begins_s > last_s || begins_s + 2 ** wave <= first_s;
    if (isOutside || bound(part) <= best) return;
    if (wave === 0) {
      const value = valueAt(begins_s);
      if (value <= best) return;
      best = value;
      best_s = begins_s;
      return;
    }
    const shorter = wave - 1;
    const middle = (from + to) / 2 + heightAt(shorter, 2 * begun + 1);
    const first = { wave: shorter, begun: 2 * begun, from: from + heightAt(shorter, 2 * begun), to: middle };
    const second = { wave: shorter, begun: 2 * begun + 1, from: middle, to: to + heightAt(shorter, 2 * begun + 2) };
    const isFirstBetter = bound(first) >= bound(second);
    look(isFirstBetter ? first : second);
    look(isFirstBetter ? second : first);
  };

  const longest_s = 2 ** LONGEST;
  for (let begun = Math.floor(first_s / longest_s); begun * longest_s <= last_s; begun++) {
    look({ wave: LONGEST, begun, from: heightAt(LONGEST, begun), to: heightAt(LONGEST, begun + 1) });
  }
  return best_s;
}

function bound({ wave, from, to }: Part): number {
  return Math.max(from, to) + (SHORTER_MAX[wave] ?? 0);
}
