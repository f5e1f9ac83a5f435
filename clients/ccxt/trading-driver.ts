import type { Dict, Int, Num, Order, OrderRequest, OrderSide, OrderType, Str, Transaction } from 'ccxt';
import { ArgumentsRequired, NetworkError, NotSupported } from 'ccxt';
import { RestDriver } from './rest-driver.ts';
import { IDEMPOTENCY_KEY } from './signing-driver.ts';

/** Errors of one order of a batch after which it may stand all the same. */
const UNKNOWN = ['SERVICE_UNAVAILABLE', 'INTERNAL_ERROR'];

/** ccxt's calls that place, change and cancel orders. */
export class TradingDriver extends RestDriver {
  /**
   * Its client order id, which is made where it is left out, is the Idempotency-Key, too: where the outcome is unknown (a `NetworkError`),
   * `fetchOrder` with `clientOrderId` finds the order. The error names it, as its field `clientOrderId`, too.
   */
  override async createOrder(
    symbol: string,
    type: OrderType,
    side: OrderSide,
    amount: number,
    price: Num = undefined,
    params: Dict = {},
  ): Promise<Order> {
    const market = await this.marketOf(symbol);
    const request = this.placement(market, { type, side, amount, price, params });
    try {
      return this.parseOrder(await this.request('v1/orders', 'private', 'POST', request), market);
    } catch (error) {
      if (!(error instanceof NetworkError)) throw error;
      const clientOrderId = this.safeString(request, 'client_order_id');
      error.message += ` (clientOrderId ${clientOrderId})`;
      throw Object.assign(error, { clientOrderId });
    }
  }

  /**
   * Each by itself: a refused one has `status` `rejected`, and its error in `info`. One whose outcome is unknown has no `status`: `fetchOrder` with its `clientOrderId` says what became of it.
   */
  override async createOrders(orders: OrderRequest[], params: Dict = {}): Promise<Order[]> {
    await this.loadMarkets();
    const placements = orders.map(({ symbol, type, side, amount, price, params: own }) =>
      this.omit(
        this.placement(this.market(symbol), { type, side, amount: amount ?? 0, price, params: own ?? {} }),
        'idempotencyKey',
      ),
    );
    const answer = await this.request(
      'v1/orders/batch',
      'private',
      'POST',
      this.#once({ orders: placements, ...params }),
    );
    return (this.safeList(answer, 'results', []) as Dict[]).map((result, place) => {
      const placed = this.safeDict(result, 'order') as Dict | undefined;
      const asked = placements[place] as Dict;
      if (placed !== undefined) return this.parseOrder(placed);
      const code = this.safeString(this.safeDict(result, 'error'), 'code') ?? '';
      return this.parseOrder({ ...asked, ...(UNKNOWN.includes(code) ? {} : { status: 'rejected' }), ...result });
    });
  }

  override async editOrder(
    id: string,
    symbol: string,
    _type: OrderType,
    side: OrderSide,
    amount: Num = undefined,
    price: Num = undefined,
    params: Dict = {},
  ): Promise<Order> {
    const market = await this.marketOf(symbol);
    const terms = this.amendment(market, { side, amount, price, params });
    return this.parseOrder(
      await this.request('v1/orders/{order_id}', 'private', 'PATCH', this.#once({ order_id: id, ...terms })),
      market,
    );
  }

  override async cancelOrder(id: string, symbol: Str = undefined, params: Dict = {}): Promise<Order> {
    const market = await this.ownMarketOf(symbol);
    const [clientOrderId, rest] = this.clientOrderIdOf(params);
    const answer =
      clientOrderId === undefined
        ? await this.request('v1/orders/{order_id}', 'private', 'DELETE', this.#once({ order_id: id, ...rest }))
        : await this.request(
            'v1/orders/client/{client_order_id}',
            'private',
            'DELETE',
            this.#once({ client_order_id: clientOrderId, ...rest }),
          );
    return this.parseOrder(answer, market);
  }

  /** Each by itself: one that was not cancelled has no `status`, and its error in `info`. */
  override async cancelOrders(ids: string[], symbol: Str = undefined, params: Dict = {}): Promise<Order[]> {
    const market = await this.ownMarketOf(symbol);
    const answer = await this.request(
      'v1/orders/batch',
      'private',
      'DELETE',
      this.#once({ order_ids: ids, ...params }),
    );
    return (this.safeList(answer, 'results', []) as Dict[]).map((result, place) =>
      this.parseOrder(
        (this.safeDict(result, 'order') as Dict | undefined) ?? { order_id: ids[place], ...result },
        market,
      ),
    );
  }

  override async cancelAllOrders(symbol: Str = undefined, params: Dict = {}): Promise<Order[]> {
    const market = await this.ownMarketOf(symbol);
    const request = { ...(market === undefined ? {} : { symbol: market.id }), ...params };
    const answer = await this.request('v1/orders', 'private', 'DELETE', this.#once(request));
    const cancelled = (this.safeList(answer, 'order_ids', []) as string[]).map((id) => ({
      order_id: id,
      status: 'cancelled',
    }));
    return this.parseOrders(cancelled, market);
  }

  override async cancelAllOrdersAfter(timeout: Int, params: Dict = {}): Promise<Dict> {
    if (timeout === undefined) throw new ArgumentsRequired(`${this.id} cancelAllOrdersAfter() requires a timeout`);
    return await this.request('v1/orders/cancel-after', 'private', 'POST', { timeout_ms: timeout, ...params });
  }

  override async withdraw(): Promise<Transaction> {
    throw new NotSupported(
      `${this.id} withdraw() is for no key: its person asks for it at the console, and operators decide`,
    );
  }

  /** One key for all tries of a call: ccxt signs each try anew. */
  #once(params: Dict): Dict {
    return { [IDEMPOTENCY_KEY]: this.uuid(), ...params };
  }
}
