import type { OrderType, TimeInForce } from '../orders/order.ts';

/** Times in force that each order type allows (X-BTY-01 to X-BTY-08), its default first. */
export const ALLOWED_TIME_IN_FORCE: Readonly<Record<OrderType, readonly [TimeInForce, ...TimeInForce[]]>> = {
  market: ['IOC'],
  limit: ['GTC', 'IOC', 'FOK', 'GTD', 'POST_ONLY'],
  stop_loss: ['GTC'],
  stop_loss_limit: ['GTC'],
  take_profit: ['GTC'],
  take_profit_limit: ['GTC'],
  limit_maker: ['GTC'],
};
