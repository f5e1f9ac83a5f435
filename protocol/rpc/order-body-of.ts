import type { OrderRequest } from './trading_pb.ts';

/**
 * The body of POST /v1/orders that an OrderRequest stands for: the fields that are set, by field number; `symbol`, `side`, `type` and
 * `size` are always there. Signed calls sign the JSON of it, so the order of fields is part of the interface.
 */
export function orderBodyOf(request: OrderRequest) {
  const { symbol, side, type, price, size, timeInForce, stopPrice, expiresAt, clientOrderId } = request;
  return {
    symbol,
    side,
    type,
    price,
    size,
    time_in_force: timeInForce,
    stop_price: stopPrice,
    expires_at: expiresAt === undefined ? undefined : Number(expiresAt),
    client_order_id: clientOrderId,
    self_trade_prevention: request.selfTradePrevention,
  };
}
