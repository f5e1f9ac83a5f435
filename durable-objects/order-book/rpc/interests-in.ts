import type { BookState } from '../cycle/book-state.ts';
import type { Interest } from './commands.ts';

/** The open indications of a market of indications, in order of arrival; null of any other market. */
export function interestsIn({ engine, orders, takesIndications }: BookState): Interest[] | null {
  if (!takesIndications) return null;
  return engine.ordersOf(null).flatMap((orderId) => {
    const order = orders.get(orderId);
    if (order?.isNonBinding !== true) return [];
    const { account, quantity, limit } = order;
    return [{ orderId, account, quantity, price: limit }];
  });
}
