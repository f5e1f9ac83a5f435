import type { BrokerOrderTerms, BrokerReplacement, BrokerTimeInForce } from '../../../domain/broker/broker-client.ts';
import type { BookMarket } from '../../../domain/markets/market.ts';
import { assetSymbolsOf } from '../../../domain/markets/market-symbol.ts';
import { scaledToDecimal } from '../../../domain/money/decimal-text.ts';
import type { LiveOrder } from '../engine/engine.ts';
import type { Replacement } from '../engine/venue/venue-engine.ts';

/** What the broker calls what the market trades. */
export function brokerSymbolOf({ symbol }: Pick<BookMarket, 'symbol'>): string {
  return assetSymbolsOf(symbol)[0];
}

/**
 * An order as it is handed over. One without a limit goes as a limit at its collar, which is what it holds for: the broker may not spend
 * more.
 */
export function brokerOrderOf(order: LiveOrder, market: BookMarket): BrokerOrderTerms {
  return {
    clientOrderId: order.orderId,
    symbol: brokerSymbolOf(market),
    side: order.side,
    type: 'limit',
    timeInForce: timeInForceOf(order),
    quantity: scaledToDecimal(order.quantity, market.quantityScale),
    limitPrice: scaledToDecimal(order.price, market.priceScale),
    stopPrice: null,
  };
}

/** Other terms as they are asked for. */
export function replacementOf({ revision, quantity, price }: Replacement, market: BookMarket): BrokerReplacement {
  return {
    revision,
    quantity: scaledToDecimal(quantity, market.quantityScale),
    limitPrice: scaledToDecimal(price, market.priceScale),
  };
}

/** Of an order that is good until a time the book asks for the end at that time. Order entry lets no other time in force through to a routed market. */
function timeInForceOf({ orderId, timeInForce }: LiveOrder): BrokerTimeInForce {
  switch (timeInForce) {
    case 'GTC':
    case 'GTD':
      return 'gtc';
    case 'IOC':
      return 'ioc';
    case 'FOK':
      return 'fok';
    case 'POST_ONLY':
      throw new Error(`order ${orderId} is ${timeInForce}, which no broker takes`);
  }
}
