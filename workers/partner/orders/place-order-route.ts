import { createRoute, z } from '@hono/zod-openapi';
import { placePartnerOrder } from '../../../application/partner/orders/place-partner-order.ts';
import { fromScaled } from '../../../domain/money/scaled.ts';
import { SIDES } from '../../../domain/orders/order.ts';
import { partnerOrderStatusOf } from '../../../domain/partner/order-status.ts';
import { PARTNER_TIMES_IN_FORCE, timeInForceOf } from '../../../domain/partner/time-in-force.ts';
import { averagePrice } from '../../../domain/portfolio/average-price.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { issueDetails } from '../../../protocol/errors/issue-details.ts';
import { partnerOf, resourceIdOf } from '../../middleware/app-env.ts';
import { clientAddressOf } from '../../middleware/client-address.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { createdAtOf } from '../../responses/created-at-of.ts';
import { failure } from '../../responses/failure.ts';
import { bodyOf, isoTime, isoTimeOrNull, jsonOf } from '../../responses/wire.ts';
import { ORDER_REQUEST } from '../examples.ts';
import { BrokerDealer, ORDER_TYPES_OF_PARTNERS, OrderView, orderFailure } from './order-schema.ts';

const OrderRequestBody = z
  .strictObject({
    security_id: z.uuid(),
    side: z.enum(SIDES),
    order_type: z.enum(ORDER_TYPES_OF_PARTNERS),
    quantity: z.number().positive(),
    price: z.number().positive().optional().openapi({ description: 'Of limit orders.' }),
    time_in_force: z
      .enum(PARTNER_TIMES_IN_FORCE)
      .optional()
      .openapi({ description: '`day`, until the day ends in New York; of market orders `ioc`, and no other.' }),
    investor_id: z.uuid(),
    account_id: z.uuid().openapi({ description: 'Of the investor.' }),
    broker_dealer: BrokerDealer,
  })
  .openapi('PartnerOrderRequest', { example: ORDER_REQUEST });

/** POST /v1/orders (P-ORD-01): answers once the book has the order, in the state that it then is in. */
export function placeOrderRoute(partner: Profile): void {
  registerRoute(
    partner,
    {
      access: { credential: 'partner', roles: ['cross_lister'] },
      bucket: 'orders',
      idempotent: true,
      errors: ['NOT_FOUND', 'ASSET_NOT_FOUND'],
      invalid: (c, { issues }) => {
        const unsupported = issues.some(({ path }) => path[0] === 'order_type' || path[0] === 'time_in_force');
        const code = unsupported ? 'INVALID_ORDER_TYPE' : 'VALIDATION_ERROR';
        return failure(c, apiError(code, 'the order is malformed', issueDetails(issues)));
      },
    },
    createRoute({
      method: 'post',
      path: '/v1/orders',
      tags: ['orders'],
      summary: 'Place an order for your investor',
      request: { body: bodyOf(OrderRequestBody) },
      responses: { 201: jsonOf('The order as the book has left it.', OrderView) },
    }),
    async (c) => {
      const body = c.req.valid('json');
      const timeInForce = timeInForceOf(body.time_in_force, body.order_type);
      const outcome = await placePartnerOrder(c.env, {
        orderId: resourceIdOf(c),
        organization: partnerOf(c).organization,
        securityId: body.security_id,
        investorId: body.investor_id,
        accountId: body.account_id,
        side: body.side,
        type: body.order_type,
        timeInForce,
        quantity: body.quantity,
        price: body.price ?? null,
        brokerDealer: { firmName: body.broker_dealer.firm_name, crdNumber: body.broker_dealer.crd_number },
        clientAddress: clientAddressOf(c),
      });
      if (!outcome.ok) return orderFailure(c, outcome.error.failure, outcome.error.orderId);
      const { report, terms, market } = outcome.value;
      const { filled, filledNotional } = report;
      const view = {
        order_id: report.orderId,
        security_id: body.security_id,
        investor_id: body.investor_id,
        account_id: body.account_id,
        broker_dealer: body.broker_dealer,
        side: body.side,
        order_type: body.order_type,
        quantity: fromScaled(report.quantity, market.quantityScale),
        price: report.price === null ? null : fromScaled(report.price, market.priceScale),
        stop_price: null,
        time_in_force: timeInForce,
        expires_at: isoTimeOrNull(terms.expiresAt),
        status: partnerOrderStatusOf(report.status),
        filled_quantity: fromScaled(filled, market.quantityScale),
        average_price:
          filled === 0 ? null : averagePrice(filledNotional, market.quoteScale, filled, market.quantityScale),
        reason: report.code,
        created_at: isoTime(createdAtOf(report.orderId)),
      };
      return c.json(view, 201);
    },
  );
}
