import type { Principal } from '../../domain/identity/principal.ts';
import type { RejectedOrder } from '../../domain/ledger/transactions.ts';
import { assertStorable } from '../../domain/order-entry/assert-storable.ts';
import type { AskedOrder, RefusedOrder } from './checks/checked-order.ts';
import { failureCode } from './failure-code.ts';
import type { OrderEntryFailure } from './order-entry-failure.ts';

/** What is kept of an order that failed a check: REJECTED with its code, holding nothing (docs/design/matching.md#order-validation). */
export function rejectedOrderOf(
  { request, account, instrument, terms }: AskedOrder,
  principal: Principal,
  failure: OrderEntryFailure,
): RejectedOrder {
  assertStorable(terms);
  const { asset, market } = instrument;
  return {
    id: request.orderId,
    account,
    owner: principal.owner,
    keyId: principal.keyId,
    book: market?.symbol ?? null,
    assetId: asset.id,
    side: terms.side,
    type: terms.type,
    timeInForce: terms.timeInForce,
    quantity: terms.quantity,
    price: terms.price,
    stopPrice: terms.stopPrice,
    expiresAt: terms.expiresAt,
    clientOrderId: request.clientOrderId,
    reserveAsset: terms.side === 'buy' ? (market?.quoteAsset ?? '') : asset.id,
    preIpo: request.preIpo === true,
    code: failureCode(failure),
    createdAt: Date.now(),
    investor: principal.facts?.investor,
  };
}

/** Whether the order stands on a book of ours, which takes a refused order along with what it sends to the ledger. */
export function isKeptByRoute({ route, instrument: { market }, request: { preIpo } }: AskedOrder): boolean {
  return route === 'internal' && market !== null && !preIpo;
}

/** The refused order as its book records it: an order like any other of its batch, holding nothing. */
export function refusedOrderOf(
  order: AskedOrder,
  { owner, keyId, facts }: Pick<Principal, 'owner' | 'keyId' | 'facts'>,
  failure: OrderEntryFailure,
): RefusedOrder {
  const { request, account, terms } = order;
  const { orderId, clientOrderId } = request;
  const code = failureCode(failure);
  const investor = facts?.investor;
  return {
    ...order,
    command: { type: 'reject', orderId, account, owner, keyId, clientOrderId, terms, code, investor },
  };
}
