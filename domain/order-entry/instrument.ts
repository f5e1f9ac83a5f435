import type { Market } from '../markets/market.ts';
import type { DollarTerms } from './limit-currency.ts';

/** What an order is of, as far as the rules of order entry read it: an asset, and its market where it has a book. */
export interface OrderInstrument {
  readonly asset: {
    readonly id: string;
    readonly symbol: string;
    readonly scale: number;
    readonly category: string;
    readonly status: string;
    readonly tradeable: boolean;
    readonly accreditationType: string | null;
  };
  readonly market: Market | null;
  /** Symbol of the market's quote asset; null without a market. */
  readonly quoteSymbol: string | null;
  /** Null without a market, and where nobody says what its quote asset is worth. */
  readonly dollars: DollarTerms | null;
}
