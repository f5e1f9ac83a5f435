import { decimalToScaled, scaledToDecimal } from '../money/decimal-text.ts';
import type { Decimal } from './broker-client.ts';

/** What the exchange and the broker each say of one market. */
export interface BothSides {
  /** Shares that trades here moved from the broker to accounts, scaled by `quantityScale`; below zero the other way. */
  readonly positionHere: number;
  readonly positionThere: Decimal;
  readonly quantityScale: number;
  readonly openHere: readonly string[];
  readonly openThere: readonly string[];
}

/** Something that only one of both says. */
export interface BrokerDifference {
  readonly kind: 'position' | 'open_here' | 'open_there';
  /** Of the order; empty for the position. */
  readonly orderId: string;
  /** The same words as long as the difference is the same. */
  readonly detail: string;
}

/**
 * How the broker's position and open orders differ from ours. What is under way between both differs for a moment: only what stays the same is a
 * break (docs/design/broker.md#reconciliation).
 */
export function compareWithBroker({
  positionHere,
  positionThere,
  quantityScale,
  openHere,
  openThere,
}: BothSides): BrokerDifference[] {
  const differences: BrokerDifference[] = [];
  const there = decimalToScaled(positionThere, quantityScale);
  const more = there.ok ? there.value - positionHere : null;
  if (more === null) differences.push(position(`the broker holds ${positionThere}`));
  else if (more > 0)
    differences.push(position(`the broker holds ${scaledToDecimal(more, quantityScale)} more than trades say`));
  else if (more < 0)
    differences.push(position(`the broker holds ${scaledToDecimal(-more, quantityScale)} less than trades say`));
  const [here, known] = [new Set(openHere), new Set(openThere)];
  for (const orderId of here) {
    if (!known.has(orderId)) differences.push({ kind: 'open_here', orderId, detail: 'open here, not at the broker' });
  }
  for (const orderId of known) {
    if (!here.has(orderId)) differences.push({ kind: 'open_there', orderId, detail: 'open at the broker, not here' });
  }
  return differences;
}

function position(detail: string): BrokerDifference {
  return { kind: 'position', orderId: '', detail };
}
