import type { BarRow, TradeRow } from '../../data/ledger/rows.ts';
import type { WireLevel } from '../../domain/feeds/checksum.ts';
import type {
  CandleMessage,
  FillMessage,
  OrderMessage,
  SettlementMessage,
  TradeMessage,
} from '../../domain/feeds/server-message.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import type { Side } from '../../domain/orders/order.ts';
import type { Level } from './engine/engine.ts';
import type { BookMarket, LedgerOrder } from './ledger-order.ts';

/** A book's figures as its feeds say them: scaled integers become JSON numbers. */
export class WireMarket {
  readonly #market: BookMarket;

  constructor(market: BookMarket) {
    this.#market = market;
  }

  price(scaled: number): number {
    return fromScaled(scaled, this.#market.priceScale);
  }

  levels(levels: readonly Level[]): WireLevel[] {
    return levels.map(([price, quantity]) => [this.price(price), this.#size(quantity)]);
  }

  trade(row: TradeRow): TradeMessage {
    const [id, sequence, price, quantity, , takerSide, , , , , , , executedAt] = row;
    return {
      type: 'trade',
      channel: 'trades',
      symbol: this.#market.symbol,
      sequence,
      prev_sequence: sequence - 1,
      trade_id: id,
      price: this.price(price),
      size: this.#size(quantity),
      side: takerSide as Side,
      timestamp: executedAt,
    };
  }

  candle([interval, time, open, high, low, close, volume]: BarRow, sequence: number, timestamp: number): CandleMessage {
    return {
      type: 'candle',
      channel: 'candles',
      symbol: this.#market.symbol,
      interval,
      sequence,
      time,
      open: this.price(open),
      high: this.price(high),
      low: this.price(low),
      close: this.price(close),
      volume: this.#size(volume),
      timestamp,
    };
  }

  order(order: LedgerOrder, sequence: number): OrderMessage {
    return {
      type: 'order',
      channel: 'orders',
      symbol: this.#market.symbol,
      sequence,
      order_id: order.orderId,
      side: order.side,
      status: order.status,
      price: order.price === null ? null : this.price(order.price),
      size: this.#size(order.quantity),
      filled_size: this.#size(order.filled),
      remaining_size: this.#size(order.remaining),
      reason: order.code,
      timestamp: order.updatedAt,
    };
  }

  /** The fill of one of the two sides. */
  fill(row: TradeRow, side: Side): FillMessage {
    const [id, sequence, price, quantity, , takerSide, buyOrder, sellOrder, , , buyerFee, sellerFee, executedAt] = row;
    return {
      type: 'fill',
      channel: 'orders',
      symbol: this.#market.symbol,
      sequence,
      trade_id: id,
      order_id: side === 'buy' ? buyOrder : sellOrder,
      side,
      price: this.price(price),
      size: this.#size(quantity),
      fee: fromScaled(side === 'buy' ? buyerFee : sellerFee, this.#market.quoteScale),
      liquidity: takerSide === side ? 'taker' : 'maker',
      timestamp: executedAt,
    };
  }

  settlement(row: TradeRow, side: Side, timestamp: number): SettlementMessage {
    return {
      type: 'settlement',
      channel: 'orders',
      symbol: this.#market.symbol,
      sequence: row[1],
      trade_id: row[0],
      order_id: side === 'buy' ? row[6] : row[7],
      timestamp,
    };
  }

  #size(scaled: number): number {
    return fromScaled(scaled, this.#market.quantityScale);
  }
}
