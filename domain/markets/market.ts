import { checked, mulDivFloor } from '../money/arithmetic.ts';
import type { TradingHours } from './trading-hours.ts';

/** Whether a market takes orders. `halted`: orders are refused and open ones are cancelled; `closed`: delisted. */
export const MARKET_STATUSES = ['open', 'halted', 'closed'] as const;

export type MarketStatus = (typeof MARKET_STATUSES)[number];

/**
 * Where orders of a market execute: among each other in its book, at the broker, at the prime broker, or, being indications of interest, not
 * before their issuer's listing event. It never changes.
 */
export const MARKET_ROUTES = ['internal', 'broker', 'prime', 'indication'] as const;

export type MarketRoute = (typeof MARKET_ROUTES)[number];

/** When fills settle. `next_trading_day`: one trading day after the trade (17 CFR 240.15c6-1). */
export type SettlementTerm = 'at_once' | 'next_trading_day';

/** Routes whose orders are handed over: to the broker, or to the prime broker. */
export type VenueRoute = Extract<MarketRoute, 'broker' | 'prime'>;

/**
 * A trading pair with its own order book. Prices are scaled by `priceScale`, quantities by `quantityScale`, quote amounts by
 * `quoteScale`; ticks and lots are scaled integers too.
 */
export interface Market {
  /** As `marketSymbol` (domain/markets/market-symbol.ts) names it, also the name of its order book object. */
  readonly symbol: string;
  readonly route: MarketRoute;
  readonly baseAsset: string;
  readonly quoteAsset: string;
  readonly priceScale: number;
  readonly quantityScale: number;
  readonly quoteScale: number;
  readonly tickSize: number;
  readonly lotSize: number;
  readonly quantityMin: number;
  readonly quantityMax: number;
  readonly makerFeeBps: number;
  readonly takerFeeBps: number;
  /** Nothing trades further than this from the reference price; 0 means no band. */
  readonly bandBps: number;
  /** How long the book halts once trading has reached the end of its band; 0 means not at all. */
  readonly bandHaltSeconds: number;
  /** Reference price until the first trade; null when there is none yet. */
  readonly referencePrice: number | null;
  /** Version of the rules with which an operator has stated it last, be it as the same price; left out or null before there was any. */
  readonly referenceStatement?: number | null | undefined;
  readonly status: MarketStatus;
  /** Securities keep lots first-in-first-out; currencies and crypto do not. */
  readonly tracksLots: boolean;
  /** Of a market at the broker; left out: always. */
  readonly tradingHours?: TradingHours | undefined;
  /** Left out: at once. */
  readonly settlement?: SettlementTerm | undefined;
  /** Rises with every change of this row or of the asset's rules; an order admitted under another version is refused as stale. */
  readonly rulesVersion: number;
}

/** Scales and assets of a market: all that settling needs, and the part of a market that never changes. */
export type BookMarket = Pick<
  Market,
  'symbol' | 'baseAsset' | 'quoteAsset' | 'priceScale' | 'quantityScale' | 'quoteScale' | 'tracksLots' | 'settlement'
>;

/** Of a market that names no route: it is older than routes are. */
interface RouteOfMarket {
  readonly route?: MarketRoute | undefined;
}

/** Whether orders of the market go another way than meeting each other: it is no pair of profile B, and has no public book. */
export function isRouted({ route }: RouteOfMarket): boolean {
  return (route ?? 'internal') !== 'internal';
}

/** Whether its orders are handed over, to the broker or to the prime broker. */
export function isAtBroker<M extends RouteOfMarket>(market: M): market is M & { readonly route: VenueRoute } {
  return market.route === 'broker' || market.route === 'prime';
}

/** Whether its bids are indications of interest, which hold nothing (docs/design/pre-ipo.md). */
export function takesIndications({ route }: RouteOfMarket): boolean {
  return route === 'indication';
}

/**
 * Quote amount of `quantity` at `price`, in quote units. Exact: a market whose tick × lot is not a whole quote unit is refused
 * when it is created, so there is nothing to round (docs/design/money.md#notional).
 */
export function notional(
  market: Pick<Market, 'priceScale' | 'quantityScale' | 'quoteScale'>,
  price: number,
  quantity: number,
): number {
  const exponent = market.priceScale + market.quantityScale - market.quoteScale;
  if (exponent <= 0) return checked(price * quantity * 10 ** -exponent);
  return mulDivFloor(price, quantity, 10 ** exponent);
}

/** Whether `quantity` at `price` comes to whole quote units that are exact in a number. */
export function isWholeNotional(
  { priceScale, quantityScale, quoteScale }: Pick<Market, 'priceScale' | 'quantityScale' | 'quoteScale'>,
  price: number,
  quantity: number,
): boolean {
  const exponent = priceScale + quantityScale - quoteScale;
  const product = BigInt(price) * BigInt(quantity);
  const [value, rest] =
    exponent <= 0
      ? [product * 10n ** BigInt(-exponent), 0n]
      : [product / 10n ** BigInt(exponent), product % 10n ** BigInt(exponent)];
  return rest === 0n && value <= BigInt(Number.MAX_SAFE_INTEGER);
}

/** Whether every price on the tick times every quantity on the lot is a whole quote unit. */
export function hasWholeNotionals(
  market: Pick<Market, 'priceScale' | 'quantityScale' | 'quoteScale' | 'tickSize' | 'lotSize'>,
): boolean {
  const exponent = market.priceScale + market.quantityScale - market.quoteScale;
  if (exponent <= 0) return true;
  return (BigInt(market.tickSize) * BigInt(market.lotSize)) % 10n ** BigInt(exponent) === 0n;
}
