import type {
  Balances,
  Currency,
  CurrencyInterface,
  Dict,
  LedgerEntry,
  Market,
  OHLCV,
  Order,
  Ticker,
  Trade,
  TradingFeeInterface,
  Transaction,
} from 'ccxt';
import { SigningDriver } from './signing-driver.ts';

const STATUS_OF: Readonly<Record<string, string>> = {
  open: 'open',
  partially_filled: 'open',
  pending_trigger: 'open',
  filled: 'closed',
  cancelled: 'canceled',
  expired: 'expired',
  rejected: 'rejected',
};

/** ccxt's words for kinds of the ledger; the others keep theirs. */
const LEDGER_TYPE_OF: Readonly<Record<string, string>> = {
  deposit: 'transaction',
  withdrawal: 'transaction',
  bridge: 'transaction',
  distribution: 'dividend',
};

/** Answers of the exchange, of REST and of its feeds, in ccxt's unified structures. */
export class ParsingDriver extends SigningDriver {
  override parseMarket(market: Dict): Market {
    const id = this.safeString(market, 'symbol') ?? '';
    const [baseId, quoteId] = [this.safeString(market, 'base_asset'), this.safeString(market, 'quote_asset')];
    const [base, quote] = [this.safeCurrencyCode(baseId), this.safeCurrencyCode(quoteId)];
    return this.safeMarketStructure({
      id,
      symbol: `${base}/${quote}`,
      base,
      quote,
      baseId,
      quoteId,
      type: 'spot',
      spot: true,
      margin: false,
      swap: false,
      future: false,
      option: false,
      contract: false,
      active: this.safeString(market, 'status') === 'open',
      maker: this.#fraction(market, 'maker_fee_bps'),
      taker: this.#fraction(market, 'taker_fee_bps'),
      precision: { amount: this.safeNumber(market, 'lot_size'), price: this.safeNumber(market, 'tick_size') },
      limits: {
        leverage: { min: undefined, max: undefined },
        amount: { min: this.safeNumber(market, 'size_min'), max: this.safeNumber(market, 'size_max') },
        price: { min: this.safeNumber(market, 'tick_size'), max: undefined },
        cost: { min: this.safeNumber(market, 'notional_min'), max: undefined },
      },
      info: market,
    } as never) as Market;
  }

  /** Basis points as a fraction of the amount traded. */
  #fraction(of: Dict, name: string): number | undefined {
    const bps = this.safeNumber(of, name);
    return bps === undefined ? undefined : this.parseNumber(String(bps / 10_000));
  }

  override parseCurrency(currency: Dict): Currency {
    const id = this.safeString(currency, 'asset');
    const isFiat = this.safeString(currency, 'type') === 'currency';
    return this.safeCurrencyStructure({
      id,
      code: this.safeCurrencyCode(id),
      name: this.safeString(currency, 'name'),
      type: isFiat ? 'fiat' : this.safeString(currency, 'type') === 'crypto' ? 'crypto' : 'other',
      active: true,
      deposit: undefined,
      withdraw: undefined,
      fee: undefined,
      precision: this.parseNumber(this.parsePrecision(this.safeString(currency, 'decimals'))),
      limits: { amount: { min: undefined, max: undefined }, withdraw: { min: undefined, max: undefined } },
      networks: {},
      info: currency,
    } as never) as unknown as CurrencyInterface;
  }

  override parseTicker(ticker: Dict, market: Market = undefined): Ticker {
    const timestamp = this.safeInteger(ticker, 'timestamp');
    const last = this.safeString(ticker, 'last');
    return this.safeTicker(
      {
        symbol: this.safeSymbol(this.safeString(ticker, 'symbol'), market, '-'),
        timestamp,
        datetime: this.iso8601(timestamp),
        high: this.safeString(ticker, 'high24h'),
        low: this.safeString(ticker, 'low24h'),
        bid: this.safeString(ticker, 'bid'),
        bidVolume: undefined,
        ask: this.safeString(ticker, 'ask'),
        askVolume: undefined,
        vwap: undefined,
        open: undefined,
        close: last,
        last,
        previousClose: undefined,
        change: this.safeString(ticker, 'change24h'),
        percentage: this.safeString(ticker, 'change_percent24h'),
        average: undefined,
        baseVolume: this.safeString(ticker, 'volume24h'),
        quoteVolume: this.safeString(ticker, 'quote_volume24h'),
        info: ticker,
      },
      market,
    );
  }

  /** A public trade, or a fill of an own order: that one has `order_id`. */
  override parseTrade(trade: Dict, market: Market = undefined): Trade {
    const found = this.safeMarket(this.safeString(trade, 'symbol'), market, '-');
    const timestamp = this.safeInteger(trade, 'timestamp');
    // A trade that was corrected stands at another price, with another fee.
    const fee = this.safeString2(trade, 'corrected_fee', 'fee');
    const price = this.safeString2(trade, 'corrected_price', 'price');
    return this.safeTrade(
      {
        id: this.safeString(trade, 'trade_id'),
        order: this.safeString(trade, 'order_id'),
        timestamp,
        datetime: this.iso8601(timestamp),
        symbol: this.safeString(found, 'symbol'),
        type: this.#typeOf(this.safeString(trade, 'order_type')),
        takerOrMaker: this.safeString(trade, 'liquidity'),
        side: this.safeString(trade, 'side'),
        price,
        amount: this.safeString(trade, 'size'),
        cost: undefined,
        fee: fee === undefined ? undefined : { cost: fee, currency: this.safeString(found, 'quote') },
        info: trade,
      },
      market,
    );
  }

  /** An order of REST, or of the feed, which calls its type `order_type`. */
  override parseOrder(order: Dict, market: Market = undefined): Order {
    const type = this.safeString2(order, 'order_type', 'type');
    const timeInForce = this.safeString(order, 'time_in_force');
    const isPostOnly = timeInForce === 'POST_ONLY' || type === 'limit_maker';
    const timestamp = this.safeInteger(order, 'created_at');
    const trigger = this.safeString(order, 'stop_price');
    return this.safeOrder(
      {
        id: this.safeString(order, 'order_id'),
        clientOrderId: this.safeString(order, 'client_order_id'),
        timestamp,
        datetime: this.iso8601(timestamp),
        lastTradeTimestamp: undefined,
        lastUpdateTimestamp: this.safeInteger2(order, 'updated_at', 'timestamp'),
        symbol: this.safeSymbol(this.safeString(order, 'symbol'), market, '-'),
        type: this.#typeOf(type),
        timeInForce: isPostOnly ? 'PO' : timeInForce,
        postOnly: isPostOnly,
        side: this.safeString(order, 'side'),
        price: this.safeString(order, 'price'),
        triggerPrice: trigger,
        stopLossPrice: type?.startsWith('stop_loss') === true ? trigger : undefined,
        takeProfitPrice: type?.startsWith('take_profit') === true ? trigger : undefined,
        average: this.safeString(order, 'average_price'),
        amount: this.safeString(order, 'size'),
        filled: this.safeString(order, 'filled_size'),
        remaining: this.safeString(order, 'remaining_size'),
        status: STATUS_OF[this.safeString(order, 'status') ?? ''],
        cost: undefined,
        fee: undefined,
        trades: undefined,
        info: order,
      },
      market,
    );
  }

  /** ccxt knows two: what has a price waits at it. */
  #typeOf(type: string | undefined): string | undefined {
    if (type === undefined) return undefined;
    return type === 'market' || type === 'stop_loss' || type === 'take_profit' ? 'market' : 'limit';
  }

  override parseBalance(response: Dict): Balances {
    const result: Dict = { info: response, timestamp: undefined, datetime: undefined };
    for (const balance of this.safeList(response, 'balances', []) as Dict[]) {
      const code = this.safeCurrencyCode(this.safeString(balance, 'asset'));
      if (code === undefined) continue;
      result[code] = {
        free: this.safeString(balance, 'free'),
        used: this.safeString(balance, 'locked'),
      };
    }
    return this.safeBalance(result);
  }

  override parseOHLCV(candle: Dict): OHLCV {
    return [
      this.safeInteger(candle, 'timestamp') as number,
      ...['open', 'high', 'low', 'close', 'volume'].map((name) => this.safeNumber(candle, name)),
    ] as OHLCV;
  }

  parseTradingFee(fee: Dict, market: Market = undefined): TradingFeeInterface {
    return {
      info: fee,
      symbol: this.safeSymbol(this.safeString(fee, 'symbol'), market, '-'),
      maker: this.#fraction(fee, 'maker_fee_bps'),
      taker: this.#fraction(fee, 'taker_fee_bps'),
      percentage: true,
      tierBased: false,
    } as TradingFeeInterface;
  }

  override parseLedgerEntry(entry: Dict, currency: Currency = undefined): LedgerEntry {
    const amount = this.safeString(entry, 'amount') ?? '0';
    const kind = this.safeString(entry, 'kind') ?? '';
    const reference = this.safeString(entry, 'reference');
    const code = this.safeCurrencyCode(this.safeString(entry, 'asset'), currency);
    const isOut = amount.startsWith('-');
    return this.safeLedgerEntry(
      {
        id: `${reference}/${kind}/${code}/${isOut ? 'out' : 'in'}/${this.safeString(entry, 'timestamp')}`,
        timestamp: this.safeInteger(entry, 'timestamp'),
        direction: isOut ? 'out' : 'in',
        account: undefined,
        referenceId: reference,
        referenceAccount: undefined,
        type: LEDGER_TYPE_OF[kind] ?? kind,
        amount: isOut ? amount.slice(1) : amount,
        before: undefined,
        after: undefined,
        status: 'ok',
        fee: undefined,
        info: entry,
      },
      this.safeCurrency(this.safeString(entry, 'asset'), currency) as Currency,
    ) as LedgerEntry;
  }

  override parseTransaction(transfer: Dict, currency: Currency = undefined): Transaction {
    const timestamp = this.safeInteger(transfer, 'timestamp');
    return {
      info: transfer,
      id: this.safeString(transfer, 'transfer_id'),
      txid: undefined,
      timestamp,
      datetime: this.iso8601(timestamp),
      network: undefined,
      address: undefined,
      addressTo: undefined,
      addressFrom: undefined,
      tag: undefined,
      tagTo: undefined,
      tagFrom: undefined,
      type: this.safeString(transfer, 'type') as 'deposit' | 'withdrawal',
      amount: this.safeNumber(transfer, 'amount'),
      currency: this.safeCurrencyCode(this.safeString(transfer, 'asset'), currency),
      status: this.safeString(transfer, 'status') === 'completed' ? 'ok' : this.safeString(transfer, 'status'),
      updated: undefined,
      fee: undefined,
      internal: false,
      comment: undefined,
    } as unknown as Transaction;
  }
}
