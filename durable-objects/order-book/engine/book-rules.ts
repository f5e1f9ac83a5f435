import { mayTrade } from '../../../domain/orders/eligibility.ts';
import type { EngineSnapshot, LiveOrder } from './engine.ts';
import { isImmediate, isStop, triggersUpwards } from './rules.ts';

/**
 * What holds of every book between two commands, whichever implementation keeps it.
 *
 * @throws Error naming the first rule that does not hold.
 */
export function assertBookRules({ orders, arrivals, lastPrice, sequence, tradeSequence }: EngineSnapshot): void {
  const seenIds = new Set<string>();
  const seenArrivals = new Set<number>();
  for (const order of orders) {
    assertOrder(order, lastPrice);
    assertRule(!seenIds.has(order.orderId), `order id ${order.orderId} is live once`);
    assertRule(!seenArrivals.has(order.arrival), `arrival ${order.arrival} is given once`);
    assertRule(order.arrival > 0 && order.arrival <= arrivals, `arrival ${order.arrival} is at most ${arrivals}`);
    seenIds.add(order.orderId);
    seenArrivals.add(order.arrival);
  }
  for (let i = 1; i < orders.length; i++) {
    assertRule(
      ranksBefore(orders[i - 1]!, orders[i]!),
      `order ${orders[i - 1]!.orderId} ranks before ${orders[i]!.orderId}`,
    );
  }
  assertUncrossed(orders);
  assertRule(tradeSequence <= sequence, 'every fill is an event');
  assertRule((lastPrice === null) === (tradeSequence === 0), 'there is a last price from the first fill on');
}

function assertOrder(order: LiveOrder, lastPrice: number | null): void {
  const { orderId, quantity, filled, remaining, displayed, displayQuantity } = order;
  assertRule(remaining > 0, `order ${orderId} has something left`);
  assertRule(filled >= 0 && filled + remaining <= quantity, `order ${orderId} has no more than its quantity`);
  if (order.pendingTrigger) {
    assertRule(displayed === 0 && filled === 0, `stop ${orderId} is neither shown nor filled`);
    assertRule(isStop(order.orderType), `order ${orderId} has a trigger to await`);
    const reached =
      lastPrice !== null &&
      (triggersUpwards(order.orderType, order.side) ? lastPrice >= order.stopPrice : lastPrice <= order.stopPrice);
    assertRule(!reached, `stop ${orderId} waits below its trigger`);
    return;
  }
  // A stop without a limit stands at its collar from engine version 12 on.
  const mayRest = isStop(order.orderType) || !isImmediate(order.orderType, order.timeInForce);
  assertRule(mayRest, `order ${orderId} may rest`);
  if (order.hidden) {
    assertRule(displayed === 0, `hidden order ${orderId} is not shown`);
    return;
  }
  const displayedMax = displayQuantity === 0 ? remaining : Math.min(displayQuantity, remaining);
  assertRule(displayed > 0 && displayed <= displayedMax, `order ${orderId} shows no more than its slice`);
  assertRule(displayQuantity > 0 || displayed === remaining, `order ${orderId} is shown whole`);
}

/** The order of `EngineSnapshot.orders`: bids, asks, stops; by price, displayed before hidden, by arrival. */
function ranksBefore(a: LiveOrder, b: LiveOrder): boolean {
  const section = (order: LiveOrder) => (order.pendingTrigger ? 2 : order.side === 'buy' ? 0 : 1);
  if (section(a) !== section(b)) return section(a) < section(b);
  if (a.pendingTrigger) return a.arrival < b.arrival;
  if (a.price !== b.price) return a.side === 'buy' ? a.price > b.price : a.price < b.price;
  if (a.hidden !== b.hidden) return b.hidden;
  return a.arrival < b.arrival;
}

function assertUncrossed(orders: readonly LiveOrder[]): void {
  const resting = orders.filter((order) => !order.pendingTrigger);
  const asks = resting.filter((order) => order.side === 'sell');
  for (const bid of resting) {
    if (bid.side === 'sell') break;
    for (const ask of asks) {
      if (ask.price > bid.price) break;
      assertRule(!mayTrade(bid, ask), `bid ${bid.orderId} and ask ${ask.orderId} have nothing to trade`);
    }
  }
}

function assertRule(holds: boolean, rule: string): void {
  if (!holds) throw new Error(`broken: ${rule}`);
}
