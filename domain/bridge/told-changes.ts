import { mustCancel, type Transfer, type TransferState } from './transfer.ts';

/**
 * What a tenant is told of its transfers: that one has come to a state, that a payment that has its reference is to be cancelled (`cancelling`), and that what was paid stands without its funds
 * (`uncovered`), or has them again (`covered`). States that pass by themselves are not told: `limit_check`, `signing`, `refund_signing`.
 */
export const BRIDGE_EVENTS = [
  'bridge.transfer.awaiting_funds',
  'bridge.transfer.confirming',
  'bridge.transfer.attesting',
  'bridge.transfer.queued',
  'bridge.transfer.challenge',
  'bridge.transfer.co_signing',
  'bridge.transfer.broadcast',
  'bridge.transfer.confirmed',
  'bridge.transfer.refundable',
  'bridge.transfer.refund_broadcast',
  'bridge.transfer.refunded',
  'bridge.transfer.expired',
  'bridge.transfer.paid_by_other',
  'bridge.transfer.cancelling',
  'bridge.transfer.uncovered',
  'bridge.transfer.covered',
] as const;

export type BridgeEvent = (typeof BRIDGE_EVENTS)[number];

/** How often a transfer has told each event. */
export type ToldTimes = Partial<Readonly<Record<BridgeEvent, number>>>;

/** A transfer tells each event so often at most: strangers can have its funds come and go for little, and no end comes so often. */
export const TOLD_TIMES_MAX = 20;

/** What a tenant is told of a change of its transfer, in this order. @param before null where it has begun */
export function toldChanges(before: Transfer | null, after: Transfer): readonly BridgeEvent[] {
  const told: BridgeEvent[] = [];
  const event = `bridge.transfer.${after.state}` satisfies `bridge.transfer.${TransferState}`;
  if (before?.state !== after.state && isBridgeEvent(event)) told.push(event);
  if (mustCancel(after) && (before === null || !mustCancel(before))) told.push('bridge.transfer.cancelling');
  if ((before?.isUncovered ?? false) !== after.isUncovered)
    told.push(after.isUncovered ? 'bridge.transfer.uncovered' : 'bridge.transfer.covered');
  return told;
}

export function isBridgeEvent(type: string): type is BridgeEvent {
  return (BRIDGE_EVENTS as readonly string[]).includes(type);
}
