import type { Decimal } from '../numbers/decimal.ts';
import { add, compare, floorTo, sign, subtract, sum } from '../numbers/decimal.ts';
import type { AlgorithmEvent, AlgorithmState, ChildOrder, EndReason, Terms } from './algorithm.ts';

/** Client order ids have 64 characters at most, and a number follows. */
const ID = /^[\x21-\x7e]{1,48}$/;

/**
 * The common part of a state that has just begun.
 *
 * @throws RangeError where terms are no amounts of the market
 */
export function begun(id: string, terms: Terms): Omit<AlgorithmState, 'algorithm'> {
  if (!ID.test(id)) throw new RangeError('an id has 1 to 48 visible ASCII characters');
  for (const name of ['quantity', 'limitPrice', 'lotSize', 'sizeMin'] as const) {
    if (sign(terms[name]) <= 0) throw new RangeError(`${name} must be above zero`);
  }
  if (compare(floorTo(terms.quantity, terms.lotSize), terms.quantity) !== 0)
    throw new RangeError('quantity must be a multiple of lotSize');
  if (compare(terms.quantity, terms.sizeMin) < 0) throw new RangeError('quantity must not be below sizeMin');
  return { id, terms, stage: 'running', reason: null, placed: 0, filled: '0', orders: {} };
}

/** All that has filled, as far as it is known; exits apart. */
export function filledOf({ filled, orders }: AlgorithmState): Decimal {
  return add(filled, sum(ordersThat(isEntry, orders).map((order) => order.filled)));
}

/** What exits have filled, as far as it is known. */
export function exitedOf({ exited = '0', orders }: AlgorithmState): Decimal {
  return add(exited, sum(ordersThat(isExit, orders).map((order) => order.filled)));
}

/** What may yet be asked for: each order that has not ended may still fill whole. */
export function uncommitted({ terms, filled, orders }: AlgorithmState): Decimal {
  return subtract(terms.quantity, add(filled, sum(ordersThat(isEntry, orders).map(({ size }) => size))));
}

/** What exits may yet ask for: what has been entered for certain, less what other exits have closed or may still close. */
export function exitable(state: AlgorithmState): Decimal {
  const { exited = '0', orders } = state;
  return subtract(filledOf(state), add(exited, sum(ordersThat(isExit, orders).map(({ size }) => size))));
}

export const isExit = (order: ChildOrder): boolean => order.isExit === true;
export const isEntry = (order: ChildOrder): boolean => !isExit(order);

export function ordersThat(are: (order: ChildOrder) => boolean, orders: AlgorithmState['orders']): ChildOrder[] {
  return Object.values(orders).filter(are);
}

export function hasOrders({ orders }: AlgorithmState): boolean {
  return Object.keys(orders).length > 0;
}

/** Places an order, of no more than may yet be asked for. */
export function placing<S extends AlgorithmState>(
  state: S,
  order: Pick<ChildOrder, 'size' | 'price' | 'timeInForce' | 'isExit'>,
): S {
  if (compare(order.size, order.isExit ? exitable(state) : uncommitted(state)) > 0)
    throw new RangeError('an order of more than is left');
  const placed = state.placed + 1;
  const child: ChildOrder = { ...order, filled: '0', stage: 'placing', isUnwanted: false };
  return { ...state, placed, orders: { ...state.orders, [`${state.id}-${placed}`]: child } };
}

/** Cancels orders; one whose answer is not known yet is not sent again, and is cancelled once it is known to stand. */
export function cancelling<S extends AlgorithmState>(state: S, which: (order: ChildOrder) => boolean = () => true): S {
  const orders = Object.entries(state.orders).map(([id, order]) => {
    if (!which(order)) return [id, order];
    return [id, order.stage === 'open' ? { ...order, stage: 'cancelling' } : { ...order, isUnwanted: true }];
  });
  return { ...state, orders: Object.fromEntries(orders) };
}

/** Ends as soon as no order is left. The first reason stays. */
export function ending<S extends AlgorithmState>(state: S, reason: EndReason): S {
  if (state.stage !== 'running') return state;
  const wanted: S = { ...cancelling(state), stage: 'ending', reason };
  return hasOrders(wanted) ? wanted : { ...wanted, stage: 'ended' };
}

/**
 * The state with what an event says of an order. One that is refused, or ends though nobody had cancelled it, ends the algorithm; not so an exit, without which a position would be left open, nor
 * one that is not wanted any more.
 */
export function told<S extends AlgorithmState>(state: S, event: AlgorithmEvent): S {
  if (event.type !== 'order' && event.type !== 'refused' && event.type !== 'absent') return state;
  const order = state.orders[event.clientOrderId];
  if (order === undefined) return state;
  if (event.type === 'absent')
    return order.stage === 'placing' && order.isUnwanted ? without(state, event.clientOrderId, '0') : state;
  if (event.type === 'refused') {
    // Of an order that is known to stand it is the answer to a repetition.
    if (order.stage !== 'placing') return state;
    const rest = without(state, event.clientOrderId, '0');
    return order.isUnwanted || isExit(order) ? rest : ending(rest, refused(event.code, event.details));
  }
  const filled = compare(event.filled, order.filled) > 0 ? event.filled : order.filled;
  if (event.isOver) {
    const rest = without(state, event.clientOrderId, filled);
    return isExit(order) || isExpectedEnd(order, filled, event.reason)
      ? rest
      : ending(rest, event.isRejected ? refused(event.reason) : { is: 'order_ended', reason: event.reason });
  }
  const stage = order.stage === 'placing' ? (order.isUnwanted ? 'cancelling' : 'open') : order.stage;
  if (stage === order.stage && filled === order.filled) return state;
  return { ...state, orders: { ...state.orders, [event.clientOrderId]: { ...order, filled, stage } } };
}

function refused(code: string | null, details: Readonly<Record<string, unknown>> = {}): EndReason {
  return { is: 'refused', code: code ?? 'REJECTED', details };
}

/** Whether an event says that an exit, which is still wanted, was refused or ended by somebody else. */
export function hasLostExit({ orders }: AlgorithmState, event: AlgorithmEvent): boolean {
  if (event.type !== 'order' && event.type !== 'refused') return false;
  const order = orders[event.clientOrderId];
  if (order === undefined || !isExit(order) || order.isUnwanted || order.stage === 'cancelling') return false;
  if (event.type === 'refused') return order.stage === 'placing';
  return event.isOver && compare(event.filled, order.size) < 0 && compare(order.filled, order.size) < 0;
}

/** Immediate-or-cancel ends unfilled as a matter of course. */
function isExpectedEnd(
  { stage, isUnwanted, size, timeInForce }: ChildOrder,
  filled: Decimal,
  reason: string | null,
): boolean {
  if (stage === 'cancelling' || isUnwanted || compare(filled, size) === 0) return true;
  return timeInForce === 'IOC' && reason === 'unfilled';
}

/** The state without an order that has ended with this much; it has ended itself where nothing is left to do. */
function without<S extends AlgorithmState>(state: S, clientOrderId: string, filled: Decimal): S {
  const { [clientOrderId]: order, ...orders } = state.orders;
  const counted = order?.isExit ? { exited: add(state.exited ?? '0', filled) } : { filled: add(state.filled, filled) };
  const rest: S = { ...state, orders, ...counted };
  if (rest.stage === 'ending') return hasOrders(rest) ? rest : { ...rest, stage: 'ended' };
  if (rest.exited !== undefined) return rest;
  return compare(rest.filled, rest.terms.quantity) >= 0 ? ending(rest, { is: 'filled' }) : rest;
}
