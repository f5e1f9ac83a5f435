import { type RpcFailure, rpcFailure } from './rpc-failure.ts';
import type { OrderRequest } from './trading_pb.ts';

/**
 * Why a number of an order is none that JSON or an order could have: NaN, infinite or negative, whether the type of order uses it or not.
 * Protobuf has doubles that JSON has not, and JSON.stringify makes nothing of them. Null when all are numbers.
 */
export function orderNumberFailure({ price, size, stopPrice, expiresAt }: OrderRequest): RpcFailure | null {
  const numbers = { price, size, stop_price: stopPrice, expires_at: expiresAt };
  for (const [field, number] of Object.entries(numbers)) {
    if (number === undefined || (number >= 0 && number !== Number.POSITIVE_INFINITY)) continue;
    return rpcFailure('VALIDATION_ERROR', `${field} is a number of at least 0`, { field, value: String(number) });
  }
  return null;
}
