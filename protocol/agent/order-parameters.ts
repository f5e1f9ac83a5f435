import { z } from 'zod';
import { SIDES } from '../../domain/orders/order.ts';
import { Decimal, numberOfDecimal } from './decimal.ts';
import { SymbolParameter } from './symbol-parameter.ts';

/** What an order asks for. Types with a trigger price are not offered, because the tool has no parameter for it (X-AGT-03). */
export const OrderParameters = z.strictObject({
  symbol: SymbolParameter,
  side: z.enum(SIDES),
  type: z.enum(['market', 'limit', 'limit_maker']).describe('limit_maker is refused where it would match at once.'),
  quantity: Decimal,
  price: Decimal.exactOptional().describe('Limit; of limit and limit_maker orders.'),
});

/** The body of POST /v1/orders and of its preview. */
export function orderBodyOf({ symbol, side, type, quantity, price }: z.infer<typeof OrderParameters>) {
  return {
    symbol,
    side,
    type,
    size: numberOfDecimal(quantity),
    ...(price === undefined ? {} : { price: numberOfDecimal(price) }),
  };
}
