import type { TransferEventRow } from '../../data/bridge/transfers.ts';
import { TOLD_TIMES_MAX, type ToldTimes, toldChanges } from '../../domain/bridge/told-changes.ts';
import type { Transfer } from '../../domain/bridge/transfer.ts';
import {
  fundsOnWire,
  paymentOnWire,
  placeOnWire,
  quoteOnWire,
  waitsUntilOnWire,
} from '../../protocol/bridge/transfer-on-wire.ts';
import type { BridgeFacts } from '../../protocol/partner/bridge-events.ts';
import type { TransferNotice, TransferRecord } from './transfer-store.ts';

type Noticed = Pick<TransferRecord, 'untold' | 'told'>;

/**
 * What is stored in the same write as a change, so that its tenant is told of it: once, and of nothing that was not stored.
 *
 * @param before null where it has begun
 * @param after the record with the change
 */
export function noticed(
  before: Transfer | null,
  after: Pick<TransferRecord, 'transfer' | 'returnTo' | 'others' | 'debitRefusal'> & Noticed,
  { at, cause, newId }: Pick<TransferNotice, 'at' | 'cause'> & { readonly newId: () => string },
): Noticed {
  const { transfer, returnTo = null, debitRefusal } = after;
  const { state, expiresAt, until, funds, payment, refundReason, isUncovered } = transfer;
  const others = state === 'paid_by_other' ? (after.others ?? []) : [];
  const stood = { state, expiresAt, until, funds, payment, refundReason, isUncovered, returnTo, others, debitRefusal };
  const told: Record<string, number> = { ...after.told };
  let number = Object.values(told).reduce((sum, times) => sum + times, 0);
  const notices = toldChanges(before, transfer).flatMap((type): TransferNotice[] => {
    const times = told[type] ?? 0;
    if (times >= TOLD_TIMES_MAX) return [];
    told[type] = times + 1;
    number += 1;
    return [{ id: newId(), type, number, at, from: before?.state ?? null, cause, stood }];
  });
  return notices.length === 0 ? {} : { told: told as ToldTimes, untold: [...(after.untold ?? []), ...notices] };
}

/** A notice as D1 keeps it. */
export function noticeRow(
  { terms, hostname, commitment, createdAt }: Pick<TransferRecord, 'terms' | 'hostname' | 'commitment' | 'createdAt'>,
  { id, type, number, at, from, cause, stood }: TransferNotice,
): TransferEventRow {
  const facts: BridgeFacts = {
    transfer_id: terms.id,
    sequence: number,
    hostname,
    state: stood.state,
    from,
    cause,
    changed_at: new Date(at).toISOString(),
    asset: terms.asset,
    source: placeOnWire(terms.source),
    destination: placeOnWire(terms.destination),
    quote: quoteOnWire(terms),
    commitment,
    funds: fundsOnWire(stood.funds),
    payment: paymentOnWire(stood.payment),
    other_funds: stood.others.map(({ payer, reference, amount }) => ({ payer, reference, amount })),
    returned_to: stood.returnTo,
    refund_reason: stood.refundReason,
    debit_refusal: stood.debitRefusal,
    is_uncovered: stood.isUncovered,
    waits_until: waitsUntilOnWire(stood),
    created_at: new Date(createdAt).toISOString(),
  };
  return { id, type, facts, createdAt: at };
}
