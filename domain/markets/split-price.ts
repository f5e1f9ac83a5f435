import { PRICE_MAX } from '../order-entry/exact-notional.ts';

/** What a price of before a split comes to: `from` shares are `to` now. On the nearest tick, half a tick up; at least one tick. */
export function splitPrice(
  price: number,
  { from, to }: { readonly from: number; readonly to: number },
  tickSize: number,
): number {
  const [tick, divisor] = [BigInt(tickSize), BigInt(to) * BigInt(tickSize)];
  const ticks = (2n * BigInt(price) * BigInt(from) + divisor) / (2n * divisor);
  const max = BigInt(Math.floor(PRICE_MAX / tickSize));
  return Number((ticks < 1n ? 1n : ticks > max ? max : ticks) * tick);
}
