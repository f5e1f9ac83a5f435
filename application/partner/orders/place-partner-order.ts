import { database } from '../../../data/database.ts';
import { findAccountFacts } from '../../../data/identity/gate-facts.ts';
import { listChecks } from '../../../data/partner/investor-checks.ts';
import { findInvestorOf } from '../../../data/partner/investors.ts';
import { addPartnerOrder } from '../../../data/partner/partner-orders.ts';
import { isListedSecurity } from '../../../data/partner/securities.ts';
import { requiresOf } from '../../../domain/accreditation/requires-of.ts';
import { createdAtOf } from '../../../domain/ids/created-at-of.ts';
import type { Side } from '../../../domain/orders/order.ts';
import { complianceFailure } from '../../../domain/partner/compliance.ts';
import { type PartnerTimeInForce, termsOfTimeInForce } from '../../../domain/partner/time-in-force.ts';
import { err, type Result } from '../../../domain/result.ts';
import { instrumentOf } from '../../order-entry/checks/instrument-cache.ts';
import type { OrderEntryFailure } from '../../order-entry/order-entry-failure.ts';
import type { OrderRequest } from '../../order-entry/order-request.ts';
import { placeOrder } from '../../order-entry/place-order.ts';
import type { PlacedOrder } from '../../order-entry/placement.ts';
import { recordRefusedOrders } from '../../order-entry/refusals/record-refusals.ts';
import { investorPrincipal } from './investor-principal.ts';

/** An order of a partner for one of its investors; numbers as they came. */
export interface PartnerOrderRequest {
  /** UUIDv7, the same on every repetition. */
  readonly orderId: string;
  readonly organization: string;
  readonly securityId: string;
  readonly investorId: string;
  readonly accountId: string;
  readonly side: Side;
  readonly type: 'limit' | 'market';
  readonly timeInForce: PartnerTimeInForce;
  readonly quantity: number;
  readonly price: number | null;
  readonly brokerDealer: { readonly firmName: string; readonly crdNumber: string };
  readonly clientAddress: string;
}

export type PartnerOrderFailure =
  | OrderEntryFailure
  | { readonly reason: 'investor_not_found' }
  /** Of the investor. */
  | { readonly reason: 'account_not_found' };

export type PartnerPlacement = Result<
  PlacedOrder,
  {
    readonly failure: PartnerOrderFailure;
    /** The order that was stored as rejected; null when none was. */
    readonly orderId: string | null;
  }
>;

/** Places an order for an investor of the organization, unless a check of the investor stands in its way (docs/design/partner.md#orders). */
export async function placePartnerOrder(env: Env, asked: PartnerOrderRequest): Promise<PartnerPlacement> {
  const db = database(env.DB);
  const { orderId, organization, investorId, accountId, securityId } = asked;
  const [investor, facts, checks, isListed] = await Promise.all([
    findInvestorOf(db, organization, investorId),
    findAccountFacts(db, investorId, accountId),
    listChecks(db, investorId),
    isListedSecurity(db, securityId),
  ]);
  if (investor === null) return refused({ reason: 'investor_not_found' });
  if (facts === null) return refused({ reason: 'account_not_found' });
  const notFound = { reason: 'asset_not_found', assetId: securityId } as const;
  if (!isListed) return refused(notFound);
  const instrument = await instrumentOf(env, { assetId: securityId });
  if (instrument === 'unavailable') return refused({ reason: 'unavailable' });
  if (instrument === null) return refused(notFound);

  const principal = investorPrincipal(organization, investorId, facts, asked.clientAddress);
  const request = orderRequestOf(asked);
  const buysAccredited = asked.side === 'buy' && requiresOf(instrument.asset) !== 0;
  const unmet = complianceFailure(investor.accountType, checks, buysAccredited, Date.now());
  if (unmet !== null) {
    const failure: OrderEntryFailure =
      unmet.check === 'accreditation'
        ? { reason: 'accreditation_required', accreditationType: instrument.asset.accreditationType }
        : { reason: 'check_not_passed', ...unmet };
    await recordRefusedOrders(env, [{ principal, facts, request, failure, storedAs: null }]);
    return refused(failure);
  }

  const recordAs = (id: string) =>
    addPartnerOrder(db, {
      id,
      organization,
      investor: investorId,
      account: accountId,
      security: securityId,
      timeInForce: asked.timeInForce,
      brokerDealerFirmName: asked.brokerDealer.firmName,
      brokerDealerCrdNumber: asked.brokerDealer.crdNumber,
      createdAt: createdAtOf(orderId),
    });
  // Never taken back: a refusal may be that of a repetition, whose first request has placed the order. Readers leave out a row without an order.
  await recordAs(orderId);
  const outcome = await placeOrder({ env, principal }, request);
  const storedAs = outcome.ok ? outcome.value.report.orderId : outcome.error.orderId;
  // Its book had given the first id up (application/order-entry/retry-id.ts).
  if (storedAs !== null && storedAs !== orderId) await recordAs(storedAs);
  return outcome;
}

function refused(failure: PartnerOrderFailure): PartnerPlacement {
  return err({ failure, orderId: null });
}

function orderRequestOf(asked: PartnerOrderRequest): OrderRequest {
  const { orderId, securityId, side, type, quantity, price } = asked;
  return {
    orderId,
    instrument: { assetId: securityId },
    side,
    type,
    // Of the time of the request: the same on every repetition.
    ...termsOfTimeInForce(asked.timeInForce, createdAtOf(orderId)),
    quantity,
    price,
    stopPrice: null,
    selfTradePrevention: null,
    hidden: false,
    displayQuantity: null,
    clientOrderId: null,
    preIpo: false,
  };
}
