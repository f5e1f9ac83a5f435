import { chargeFee } from '../fees/fee.ts';
import { type BookMarket, notional } from '../markets/market.ts';

/** Scaled integers. */
interface Wish {
  readonly account: string;
  readonly quantity: number;
  /** What one share would cost. */
  readonly price: number;
}

/** Prices, quantities and fees of the market of indications. */
type PricedMarket = Pick<BookMarket, 'priceScale' | 'quantityScale' | 'quoteScale'> & { readonly feeBps: number };

/**
 * How many of the shares that each wish is for its account could pay, fee included, with the cash that it has. Wishes of one account share its
 * cash in their order, which is that of arrival.
 */
export function payableShares(
  wishes: readonly Wish[],
  market: PricedMarket,
  availableOf: (account: string) => number,
): number[] {
  const left = new Map<string, number>();
  return wishes.map(({ account, quantity, price }) => {
    const available = left.get(account) ?? availableOf(account);
    const payable = mostPayable(quantity, (shares) => costOf(market, price, shares) <= available);
    left.set(account, available - costOf(market, price, payable));
    return payable;
  });
}

function costOf(market: PricedMarket, price: number, shares: number): number {
  const cost = notional(market, price, shares);
  return cost + chargeFee(0, cost, market.feeBps).fee;
}

/** The most up to `quantity` that can be paid; nothing always can. */
function mostPayable(quantity: number, isPayable: (shares: number) => boolean): number {
  if (isPayable(quantity)) return quantity;
  let [payable, tooMany] = [0, quantity];
  while (tooMany - payable > 1) {
    const middle = payable + Math.floor((tooMany - payable) / 2);
    if (isPayable(middle)) payable = middle;
    else tooMany = middle;
  }
  return payable;
}
