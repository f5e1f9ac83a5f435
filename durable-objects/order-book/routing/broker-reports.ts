import type { BrokerCorrection, BrokerEvent, BrokerExecution } from '../../../domain/broker/broker-client.ts';
import { AMOUNT_MAX } from '../../../domain/ledger/balances.ts';
import type { BreakKind } from '../../../domain/ledger/records.ts';
import { type BookMarket, isWholeNotional, notional } from '../../../domain/markets/market.ts';
import { decimalToScaled } from '../../../domain/money/decimal-text.ts';
import type { BrokerReport } from '../engine/venue/broker-report.ts';

/**
 * What an event of the broker says in the market's units. An execution that does not
 * fit the units exactly, or brings more than an account may have of anything, is said as one that does not: nothing is rounded, and no balance leaves what a number carries.
 */
export function reportOf(event: BrokerEvent, market: BookMarket): BrokerReport {
  const { id, clientOrderId: orderId, at_ms: at } = event;
  switch (event.type) {
    case 'fill':
    case 'partial_fill':
      return executionOf(event, market);
    case 'done': {
      const filled = decimalToScaled(event.filled, market.quantityScale);
      const outcome = event.reason === 'canceled' ? 'cancelled' : event.reason;
      return { type: 'done', id, orderId, at, outcome, filled: filled.ok ? filled.value : null };
    }
    case 'bust':
      return breakOf(event, 'bust', event.executionId, 'the execution never was');
    case 'correct':
      return breakOf(event, 'correction', event.executionId, `the execution was ${wordsOf(event)}`);
    case 'replaced': {
      const filled = decimalToScaled(event.filled, market.quantityScale);
      return { type: 'replaced', id, orderId, at, revision: event.revision, filled: filled.ok ? filled.value : null };
    }
    case 'replace_rejected':
      return { type: 'replace_rejected', id, orderId, at, revision: event.revision };
  }
}

function executionOf(event: BrokerExecution, market: BookMarket): BrokerReport {
  const { id, clientOrderId: orderId, at_ms: at, executionId, venue, type } = event;
  const price = decimalToScaled(event.price, market.priceScale);
  const quantity = decimalToScaled(event.quantity, market.quantityScale);
  const isExact =
    price.ok &&
    quantity.ok &&
    price.value > 0 &&
    quantity.value > 0 &&
    isWholeNotional(market, price.value, quantity.value) &&
    Math.max(quantity.value, notional(market, price.value, quantity.value)) <= AMOUNT_MAX;
  const of = { id, orderId, at, executionId, fillsOrder: type === 'fill', ...(event.side && { side: event.side }) };
  if (isExact) return { ...of, type: 'execution', venue, price: price.value, quantity: quantity.value };
  const counted = quantity.ok && quantity.value > 0 ? quantity.value : null;
  return { ...of, type: 'unfit_execution', quantity: counted, detail: wordsOf(event) };
}

function breakOf(
  { id, clientOrderId: orderId, at_ms: at }: BrokerEvent,
  kind: BreakKind,
  executionId: string | null,
  detail: string,
): BrokerReport {
  return { type: 'break', break: { id, kind, orderId, executionId, detail, at } };
}

function wordsOf({ quantity, price }: Pick<BrokerExecution | BrokerCorrection, 'quantity' | 'price'>): string {
  return `${quantity} at ${price}`;
}
