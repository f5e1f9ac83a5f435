import { z } from '@hono/zod-openapi';
import type { PartnerOrderFailure } from '../../../application/partner/orders/place-partner-order.ts';
import type { ReadPartnerOrder } from '../../../application/partner/orders/read-partner-orders.ts';
import { fromScaled } from '../../../domain/money/scaled.ts';
import { ORDER_TYPES, SIDES } from '../../../domain/orders/order.ts';
import { PARTNER_ORDER_STATUSES, partnerOrderStatusOf } from '../../../domain/partner/order-status.ts';
import { READ_TIMES_IN_FORCE } from '../../../domain/partner/time-in-force.ts';
import { averagePrice } from '../../../domain/portfolio/average-price.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import type { AppContext } from '../../middleware/app-env.ts';
import { detailsIn } from '../../middleware/details-in.ts';
import { createdAtOf } from '../../responses/created-at-of.ts';
import { type FailureResponse, failure } from '../../responses/failure.ts';
import { lineOfText } from '../../responses/line-of-text.ts';
import { orderEntryError } from '../../responses/order-entry-error.ts';
import { isoTimeOrNull } from '../../responses/wire.ts';
import { PLACED_ORDER } from '../examples.ts';
import { noSuchInvestor } from '../investors/investor-schema.ts';

export const ORDER_TYPES_OF_PARTNERS = ['limit', 'market'] as const;

/** P-POR-09 */
export const BrokerDealer = z
  .strictObject({
    firm_name: lineOfText(200).openapi({ example: 'Juniper Securities LLC' }),
    crd_number: z
      .string()
      .regex(/^\d{1,10}$/, 'must be up to 10 digits')
      .openapi({ description: 'Of the firm, in the Central Registration Depository.', example: '123456' }),
  })
  .openapi('BrokerDealer');

export const OrderView = z
  .object({
    order_id: z.uuid(),
    security_id: z.uuid(),
    investor_id: z.uuid(),
    account_id: z.string(),
    broker_dealer: BrokerDealer,
    side: z.enum(SIDES),
    order_type: z.enum(ORDER_TYPES).openapi({
      description: 'An order that a key of the account has placed may be of any type of the exchange.',
    }),
    quantity: z.number(),
    price: z.number().nullable(),
    stop_price: z.number().nullable().openapi({ description: 'Of an order that waits for its trigger.' }),
    time_in_force: z.enum(READ_TIMES_IN_FORCE).openapi({
      description: '`gtd` and `post_only` are those of orders that a key of the account has placed.',
    }),
    expires_at: z.iso.datetime().nullable().openapi({ description: 'Of a day order, and of `gtd`.' }),
    status: z.enum(PARTNER_ORDER_STATUSES),
    filled_quantity: z.number(),
    average_price: z.number().nullable().openapi({ description: 'Of what has been filled.' }),
    taken_back_quantity: z.number().optional().openapi({
      description: 'Of what has been filled, what an agent or an operator has taken back since. Left out for none.',
    }),
    reason: z.string().nullable().openapi({ description: 'Why it was rejected, cancelled or has expired.' }),
    created_at: z.iso.datetime(),
  })
  .openapi('PartnerOrder', { example: PLACED_ORDER });

export function orderOnWire({ order, of, takenBack, ...scales }: ReadPartnerOrder): z.infer<typeof OrderView> {
  const { quantityScale, priceScale, quoteScale } = scales;
  return {
    order_id: order.id,
    security_id: order.assetId,
    investor_id: of.investor,
    account_id: order.account,
    broker_dealer: { firm_name: of.brokerDealerFirmName, crd_number: of.brokerDealerCrdNumber },
    side: order.side,
    order_type: order.type,
    quantity: fromScaled(order.quantity, quantityScale),
    price: order.price === null ? null : fromScaled(order.price, priceScale ?? 0),
    stop_price: order.stopPrice === null ? null : fromScaled(order.stopPrice, priceScale ?? 0),
    time_in_force: of.timeInForce,
    expires_at: isoTimeOrNull(order.expiresAt),
    status: partnerOrderStatusOf(order.status),
    filled_quantity: fromScaled(order.filled, quantityScale),
    average_price:
      order.filled === 0 ? null : averagePrice(order.filledNotional, quoteScale ?? 0, order.filled, quantityScale),
    reason: order.code,
    ...(takenBack === 0 ? {} : { taken_back_quantity: fromScaled(takenBack, quantityScale) }),
    created_at: new Date(createdAtOf(order.id)).toISOString(),
  };
}

/** Answers a failure of order entry in the words of this profile. */
export function orderFailure(
  c: AppContext,
  reason: PartnerOrderFailure,
  orderId: string | null = null,
): FailureResponse {
  const { code, message, details } = errorOf(reason, orderId);
  return failure(c, { code, message, details: { ...detailsIn(c, details), ...inWordsOfProfile(reason) } });
}

function errorOf(reason: PartnerOrderFailure, orderId: string | null): ApiError {
  switch (reason.reason) {
    case 'investor_not_found':
      return noSuchInvestor();
    case 'account_not_found':
      return apiError('NOT_FOUND', 'the investor has no such account', { field: 'account_id' });
    default:
      return orderEntryError(reason, orderId);
  }
}

function inWordsOfProfile(reason: PartnerOrderFailure): ApiError['details'] {
  switch (reason.reason) {
    case 'asset_not_found':
      return { asset_id: undefined, security_id: reason.assetId };
    case 'accreditation_required':
      return {
        check: 'accreditation',
        remedy: 'Have the check made: POST /v1/investors/{investor_id}/compliance/accreditation/rescreen.',
      };
    case 'invalid_terms':
      return reason.failure.reason === 'time_in_force_not_allowed'
        ? { allowed: reason.failure.allowed.map((timeInForce) => timeInForce.toLowerCase()) }
        : {};
    default:
      return {};
  }
}
