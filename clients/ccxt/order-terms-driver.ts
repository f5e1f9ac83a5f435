import type { Dict, Market, Num, OrderSide, OrderType } from 'ccxt';
import { ArgumentsRequired, InvalidOrder, Precise } from 'ccxt';
import { ParsingDriver } from './parsing-driver.ts';
import { IDEMPOTENCY_KEY } from './signing-driver.ts';

interface Asked {
  readonly type: OrderType;
  readonly side: OrderSide;
  readonly amount: number;
  readonly price: Num;
  readonly params: Dict;
}

interface Amended {
  readonly side: OrderSide;
  readonly amount: Num;
  readonly price: Num;
  readonly params: Dict;
}

const TRIGGERS = ['triggerPrice', 'stopPrice', 'stopLossPrice', 'takeProfitPrice'];

/** ccxt's terms of an order in those of the exchange. */
export class OrderTermsDriver extends ParsingDriver {
  protected placement(market: Market, { type, side, amount, price, params }: Asked): Dict {
    const [clientOrderId = this.uuid(), given] = this.clientOrderIdOf(params);
    const trigger = this.safeString2(given, 'triggerPrice', 'stopPrice');
    const [stopLoss, takeProfit] = [this.safeString(given, 'stopLossPrice'), this.safeString(given, 'takeProfitPrice')];
    const chosen = [trigger, stopLoss, takeProfit].filter((each) => each !== undefined);
    if (chosen.length > 1) throw new InvalidOrder(`${this.id} createOrder() takes one trigger`);
    const kind = takeProfit === undefined ? (chosen.length === 0 ? null : 'stop_loss') : 'take_profit';
    if (type !== 'market' && type !== 'limit')
      throw new InvalidOrder(`${this.id} has orders of type market and limit, and not ${type}`);
    if (type === 'limit' && price === undefined)
      throw new ArgumentsRequired(`${this.id} createOrder() of a limit order requires a price`);
    const rest = this.omit(given, ['timeInForce', 'postOnly', ...TRIGGERS]) as Dict;
    const timeInForce = this.#timeInForce(type, given);
    return {
      symbol: market?.id,
      side,
      type: kind === null ? type : type === 'limit' ? `${kind}_limit` : kind,
      size: this.amountToPrecision(market?.symbol as string, amount),
      ...(type === 'limit' && { price: this.#limitPrice(market, side, price) }),
      ...(kind !== null && { stop_price: this.priceToPrecision(market?.symbol as string, chosen[0]) }),
      ...(timeInForce !== undefined && { time_in_force: timeInForce }),
      client_order_id: clientOrderId,
      [IDEMPOTENCY_KEY]: clientOrderId,
      ...rest,
    };
  }

  protected amendment(market: Market, { side, amount, price, params }: Amended): Dict {
    const trigger = this.safeString2(params, 'triggerPrice', 'stopPrice');
    return {
      ...(amount !== undefined && { size: this.amountToPrecision(market?.symbol as string, amount) }),
      ...(price !== undefined && { price: this.#limitPrice(market, side, price) }),
      ...(trigger !== undefined && { stop_price: this.priceToPrecision(market?.symbol as string, trigger) }),
      ...(this.omit(params, TRIGGERS) as Dict),
    };
  }

  /** At a tick, and never worse than what was asked for: a buy limit is rounded down, a sell limit up. */
  #limitPrice(market: Market, side: OrderSide, price: Num): string {
    const asked = this.numberToString(price) as string;
    const tick = this.numberToString(market?.precision.price) as string;
    const below = Precise.stringMul(Precise.stringDiv(asked, tick, 0), tick) as string;
    const isAtTick = Precise.stringEq(below, asked);
    const limit = isAtTick || side === 'buy' ? below : (Precise.stringAdd(below, tick) as string);
    if (!Precise.stringGt(limit, '0')) throw new InvalidOrder(`${this.id} a price is one tick, ${tick}, at least`);
    return this.priceToPrecision(market?.symbol as string, limit) as string;
  }

  protected clientOrderIdOf(params: Dict): [string | undefined, Dict] {
    const id = this.safeString2(params, 'clientOrderId', 'client_order_id');
    return [id, this.omit(params, ['clientOrderId', 'client_order_id']) as Dict];
  }

  #timeInForce(type: OrderType, params: Dict): string | undefined {
    const given = this.safeStringUpper(params, 'timeInForce');
    const isPostOnly = this.isPostOnly(type === 'market', undefined, params);
    return isPostOnly ? 'POST_ONLY' : given;
  }
}
