import { createRoute, z } from '@hono/zod-openapi';
import { listOrdersOfPartner, readPartnerOrder } from '../../../application/partner/orders/read-partner-orders.ts';
import { PARTNER_ORDER_STATUSES } from '../../../domain/partner/order-status.ts';
import { partnerOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { linkNextPage, moreOf, moreView } from '../../responses/link-next-page.ts';
import { notCurrent } from '../../responses/not-current.ts';
import { wholeNumberOr } from '../../responses/whole-number.ts';
import { jsonOf } from '../../responses/wire.ts';
import { OrderView, orderFailure, orderOnWire } from './order-schema.ts';

const PAGE_MAX = 100;

/** GET /v1/orders (P-ORD-02). */
export function listOrdersRoute(partner: Profile): void {
  registerRoute(
    partner,
    { access: { credential: 'partner', roles: ['cross_lister'], whileSuspended: true }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/v1/orders',
      tags: ['orders'],
      summary: 'Orders of your investors, newest first',
      request: {
        query: z.object({
          security_id: z.uuid().optional(),
          investor_id: z.uuid().optional(),
          status: z.enum(PARTNER_ORDER_STATUSES).optional(),
          limit: wholeNumberOr(PAGE_MAX, 1, PAGE_MAX).openapi({
            description: 'Page size. The next page is in the Link header.',
          }),
          cursor: z.uuid().optional(),
        }),
      },
      responses: {
        200: jsonOf(
          'The orders. A page may be short and yet lead on: the last one has no Link header.',
          z.object({ orders: z.array(OrderView), ...moreView }),
        ),
      },
    }),
    async (c) => {
      const { security_id, investor_id, status, limit, cursor } = c.req.valid('query');
      const page = await listOrdersOfPartner(c.env, {
        organization: partnerOf(c).organization,
        security: security_id ?? null,
        investor: investor_id ?? null,
        status: status ?? null,
        before: cursor ?? null,
        limit,
      });
      if (page === null) return failure(c, notCurrent());
      if (page.next !== null) linkNextPage(c, page.next);
      return c.json({ orders: page.orders.map(orderOnWire), ...moreOf(c) }, 200);
    },
  );
}

/** GET /v1/orders/{id} (P-ORD-03). */
export function getOrderRoute(partner: Profile): void {
  registerRoute(
    partner,
    {
      access: { credential: 'partner', roles: ['cross_lister'], whileSuspended: true },
      bucket: 'private',
      errors: ['ORDER_NOT_FOUND'],
    },
    createRoute({
      method: 'get',
      path: '/v1/orders/{id}',
      tags: ['orders'],
      summary: 'An order of your investor',
      request: { params: z.object({ id: z.uuid() }) },
      responses: { 200: jsonOf('The order.', OrderView) },
    }),
    async (c) => {
      const read = await readPartnerOrder(c.env, partnerOf(c).organization, c.req.valid('param').id);
      if (read.ok) return c.json(orderOnWire(read.value), 200);
      return read.error === 'not_current' ? failure(c, notCurrent()) : orderFailure(c, { reason: read.error });
    },
  );
}
