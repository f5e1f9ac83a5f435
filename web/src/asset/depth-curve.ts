import { add, compare, type Decimal, toPixels } from '../numbers/decimal.ts';

export interface DepthLevel {
  readonly price: Decimal;
  readonly size: Decimal;
}

export interface DepthPoint {
  readonly price: Decimal;
  /** With all that is better. */
  readonly sum: Decimal;
}

/** Levels of a side, best first, summed up. */
export function summedUp(levels: readonly DepthLevel[]): DepthPoint[] {
  let sum: Decimal = '0';
  return levels.map(({ price, size }) => {
    sum = add(sum, size);
    return { price, sum };
  });
}

export interface Frame {
  readonly low: Decimal;
  readonly high: Decimal;
  readonly deepest: Decimal;
}

/** What both sides lie within; null where neither has anything. */
export function frameOf(bids: readonly DepthPoint[], asks: readonly DepthPoint[]): Frame | null {
  const [low, high] = [(bids.at(-1) ?? asks[0])?.price, (asks.at(-1) ?? bids[0])?.price];
  if (low === undefined || high === undefined) return null;
  const [bought, sold] = [bids.at(-1)?.sum ?? '0', asks.at(-1)?.sum ?? '0'];
  return { low, high, deepest: compare(bought, sold) > 0 ? bought : sold };
}

/** Where a price lies, from 0 at the lowest to 1 at the highest. */
export function placeOf(price: Decimal, { low, high }: Frame): number {
  const span = toPixels(high) - toPixels(low);
  return span === 0 ? 0.5 : (toPixels(price) - toPixels(low)) / span;
}

/** The outline of a side as an SVG path in a box of this size: steps, since between two prices nothing changes. */
export function outlineOf(
  points: readonly DepthPoint[],
  frame: Frame,
  { width, height }: { readonly width: number; readonly height: number },
): string {
  const [first] = points;
  if (first === undefined) return '';
  const x = (price: Decimal) => (placeOf(price, frame) * width).toFixed(1);
  const y = (sum: Decimal) => (height - (toPixels(sum) / toPixels(frame.deepest)) * height).toFixed(1);
  const steps = points.map(({ price, sum }) => `H${x(price)}V${y(sum)}`);
  return `M${x(first.price)},${height}${steps.join('')}V${height}Z`;
}
