import type { BookConfig } from '../../../data/markets/book-config.ts';
import { fillProgress } from '../../../domain/ledger/fill-progress.ts';
import type { BarUpdate, Trade } from '../../../domain/ledger/records.ts';
import type { BookMarket } from '../../../domain/markets/market.ts';
import { priceBand } from '../../../domain/markets/price-band.ts';
import { fromScaled } from '../../../domain/money/scaled.ts';
import type { Side } from '../../../domain/orders/order.ts';
import { leftOf } from '../../../domain/orders/remaining-of.ts';
import type { WireLevel } from '../../../protocol/feeds/checksum.ts';
import type {
  CandleMessage,
  FillAdjustmentMessage,
  FillMessage,
  OrderMessage,
  SettlementMessage,
  StatusMessage,
  TradeAdjustmentMessage,
  TradeMessage,
} from '../../../protocol/feeds/server-message.ts';
import type { LedgerOrder } from '../admission/ledger-order.ts';
import type { BookState } from '../cycle/book-state.ts';
import type { Level } from '../engine/engine.ts';
import type { ToldAdjustment } from '../rpc/told-adjustment.ts';

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

  trade({ id, sequence, price, quantity, takerSide, executedAt }: Trade): TradeMessage {
    return {
      type: 'trade',
      channel: 'trades',
      symbol: this.#market.symbol,
      sequence,
      prev_sequence: sequence - 1,
      trade_id: id,
      price: this.price(price),
      size: this.#size(quantity),
      side: takerSide,
      timestamp: executedAt,
    };
  }

  /** Whether the market takes orders at a time, and which prices. */
  status({ market, venueHalted }: BookConfig, state: BookState, now_ms: number): StatusMessage {
    const { band, view } = state;
    const isBandHalted = band.isHaltedAt(now_ms);
    const prices = priceBand(market, state.pricesAt(now_ms));
    const halt = market.status === 'halted' ? 'market' : venueHalted ? 'venue' : isBandHalted ? 'price_band' : null;
    const reason = market.status === 'closed' ? null : halt;
    return {
      type: 'status',
      channel: 'status',
      symbol: market.symbol,
      sequence: view.bookSequence,
      status: reason === null ? market.status : 'halted',
      reason,
      halted_until: reason === 'price_band' ? band.haltedUntil : null,
      band: prices && { low: this.price(prices.low), high: this.price(prices.high) },
      timestamp: now_ms,
    };
  }

  candle(bar: BarUpdate, sequence: number, timestamp: number): CandleMessage {
    return {
      type: 'candle',
      channel: 'candles',
      symbol: this.#market.symbol,
      interval: bar.interval,
      sequence,
      time: bar.bucket,
      open: this.price(bar.open),
      high: this.price(bar.high),
      low: this.price(bar.low),
      close: this.price(bar.close),
      volume: this.#size(bar.volume),
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
      remaining_size: this.#size(leftOf(order)),
      reason: order.code,
      timestamp: order.updatedAt,
    };
  }

  /** The fill of one of the two sides. */
  fill(trade: Trade, side: Side): FillMessage {
    const progress = fillProgress(trade, side);
    return {
      type: 'fill',
      channel: 'orders',
      symbol: this.#market.symbol,
      sequence: trade.sequence,
      trade_id: trade.id,
      order_id: side === 'buy' ? trade.buyOrder : trade.sellOrder,
      side,
      price: this.price(trade.price),
      size: this.#size(trade.quantity),
      fee: fromScaled(side === 'buy' ? trade.buyerFee : trade.sellerFee, this.#market.quoteScale),
      liquidity: trade.takerSide === side ? 'taker' : 'maker',
      filled_size: progress && this.#size(progress.filled),
      remaining_size: progress && this.#size(progress.remaining),
      timestamp: trade.executedAt,
    };
  }

  settlement(trade: Trade, side: Side, timestamp: number): SettlementMessage {
    return {
      type: 'settlement',
      channel: 'orders',
      symbol: this.#market.symbol,
      sequence: trade.sequence,
      trade_id: trade.id,
      order_id: side === 'buy' ? trade.buyOrder : trade.sellOrder,
      timestamp,
    };
  }

  /** @param sequence of the last trade */
  adjustment({ trade, adjustment }: ToldAdjustment, sequence: number): TradeAdjustmentMessage {
    const isBust = adjustment.type === 'bust';
    return {
      type: isBust ? 'trade_bust' : 'trade_correction',
      channel: 'trades',
      symbol: this.#market.symbol,
      sequence,
      trade_id: trade.id,
      trade_sequence: trade.sequence,
      price: this.price(trade.price),
      size: this.#size(trade.quantity),
      corrected_price: isBust ? null : this.price(adjustment.price),
      timestamp: adjustment.createdAt,
    };
  }

  /** The same for one of the two sides. */
  fillAdjustment(told: ToldAdjustment, side: Side, sequence: number): FillAdjustmentMessage {
    const { trade, adjustment } = told;
    const fee = ({ buyerFee, sellerFee }: { readonly buyerFee: number; readonly sellerFee: number }) =>
      fromScaled(side === 'buy' ? buyerFee : sellerFee, this.#market.quoteScale);
    return {
      ...this.adjustment(told, sequence),
      channel: 'orders',
      order_id: side === 'buy' ? trade.buyOrder : trade.sellOrder,
      side,
      fee: fee(trade),
      corrected_fee: fee(adjustment),
    };
  }

  #size(scaled: number): number {
    return fromScaled(scaled, this.#market.quantityScale);
  }
}
