import { database } from '../../../data/database.ts';
import { findAccountFacts } from '../../../data/identity/gate-facts.ts';
import type { PartnerOrder } from '../../../data/partner/partner-orders.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import { cancelOrder } from '../../order-entry/cancel-order.ts';
import type { CancellationOutcome } from '../../order-entry/cancel-orders.ts';
import type { OrderEntryFailure } from '../../order-entry/order-entry-failure.ts';
import { investorPrincipal } from './investor-principal.ts';
import { findOrderOfPartner } from './read-partner-orders.ts';

interface CancelRequest {
  readonly organization: string;
  readonly orderId: string;
  readonly clientAddress: string;
  /** Whether it repeats a request whose answer was lost. */
  readonly isRepetition: boolean;
}

type Cancelled = Extract<CancellationOutcome, { ok: true }>['value'] & { readonly of: PartnerOrder };

/** Cancels an order of the organization, whatever has become of its investor's checks. */
export async function cancelPartnerOrder(
  env: Env,
  { organization, orderId, clientAddress, isRepetition }: CancelRequest,
): Promise<Result<Cancelled, OrderEntryFailure>> {
  const db = database(env.DB);
  const of = await findOrderOfPartner(env, organization, orderId);
  const facts = of === null ? null : await findAccountFacts(db, of.investor, of.account);
  if (of === null || facts === null) return err({ reason: 'order_not_found' });
  const principal = investorPrincipal(organization, of.investor, facts, clientAddress);
  const outcome = await cancelOrder({ env, principal, isRepetition }, orderId);
  return outcome.ok ? ok({ ...outcome.value, of }) : outcome;
}
