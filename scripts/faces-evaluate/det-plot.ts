import type { Comparison } from './comparison.ts';
import { errorRates, type Rate } from './error-rates.ts';

/** Comparisons that one line of the plot shows. */
export interface DetLine {
  readonly name: string;
  readonly comparisons: readonly Comparison[];
}

const [SIDE, MARGIN] = [480, 70];
const TICKS = [0.001, 0.01, 0.05, 0.1, 0.2, 0.4];
const [LEAST, MOST] = [0.0005, 0.5];
const COLOURS = ['#1f4e9c', '#b3261e', '#2e7d32', '#7b1fa2', '#b26a00', '#00695c', '#5d4037', '#37474f'];

/**
 * A DET plot (Martin et al., 1997) as SVG: false non-match over false match, both on the scale of normal deviates, a line a group. What is
 * below 0.05 % or above 50 % lies on the edge.
 */
export function detPlot(title: string, lines: readonly DetLine[]): string {
  const size = SIDE + 2 * MARGIN;
  const grid = TICKS.map((tick) => {
    const [x, y] = [across(tick), down(tick)];
    const label = `${tick * 100} %`;
    return (
      `<path d="M${x} ${MARGIN}V${MARGIN + SIDE}M${MARGIN} ${y}H${MARGIN + SIDE}" stroke="#ddd"/>` +
      `<text x="${x}" y="${MARGIN + SIDE + 18}" text-anchor="middle">${label}</text>` +
      `<text x="${MARGIN - 8}" y="${y + 4}" text-anchor="end">${label}</text>`
    );
  });
  const drawn = lines.map(({ name, comparisons }, at) => {
    const colour = COLOURS[at % COLOURS.length]!;
    const points = curveOf(comparisons).map(([x, y]) => `${across(x)},${down(y)}`);
    return (
      `<polyline points="${points.join(' ')}" fill="none" stroke="${colour}" stroke-width="2"/>` +
      `<text x="${MARGIN + SIDE - 8}" y="${MARGIN + 20 + 16 * at}" text-anchor="end" fill="${colour}">${escaped(name)}</text>`
    );
  });
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${size}" height="${size}" font-family="sans-serif" font-size="12">`,
    `<rect width="${size}" height="${size}" fill="#fff"/>`,
    ...grid,
    `<rect x="${MARGIN}" y="${MARGIN}" width="${SIDE}" height="${SIDE}" fill="none" stroke="#333"/>`,
    `<text x="${size / 2}" y="${MARGIN / 2}" text-anchor="middle" font-size="15">${escaped(title)}</text>`,
    `<text x="${size / 2}" y="${size - 20}" text-anchor="middle">false match</text>`,
    `<text x="20" y="${size / 2}" text-anchor="middle" transform="rotate(-90 20 ${size / 2})">false non-match</text>`,
    ...drawn,
    '</svg>\n',
  ].join('\n');
}

/** Both rates at every score that changes one, by rising threshold. */
function curveOf(comparisons: readonly Comparison[]): [number, number][] {
  const thresholds = [...new Set(comparisons.map(({ score }) => score))].toSorted((a, b) => a - b);
  return thresholds.map((threshold) => {
    const { falseMatch, falseNonMatch } = errorRates(comparisons, threshold);
    return [shareOf(falseMatch), shareOf(falseNonMatch)];
  });
}

function shareOf({ wrong, of }: Rate): number {
  return of === 0 ? 0 : wrong / of;
}

function across(rate: number): number {
  return round(MARGIN + SIDE * position(rate));
}

function down(rate: number): number {
  return round(MARGIN + SIDE * (1 - position(rate)));
}

/** 0..1 along an axis. */
function position(rate: number): number {
  const bounded = Math.min(MOST, Math.max(LEAST, rate));
  return (deviateOf(bounded) - deviateOf(LEAST)) / (deviateOf(MOST) - deviateOf(LEAST));
}

/** The normal deviate below which a share of 0..0.5 lies, to 4.5e-4 (Abramowitz and Stegun, 26.2.23). */
function deviateOf(share: number): number {
  const t = Math.sqrt(-2 * Math.log(share));
  return -(
    t -
    (2.515517 + 0.802853 * t + 0.010328 * t ** 2) / (1 + 1.432788 * t + 0.189269 * t ** 2 + 0.001308 * t ** 3)
  );
}

function round(value: number): number {
  return Math.round(value * 10) / 10;
}

function escaped(text: string): string {
  return text.replaceAll('&', '&amp;').replaceAll('<', '&lt;');
}
