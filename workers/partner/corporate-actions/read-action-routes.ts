import { createRoute, z } from '@hono/zod-openapi';
import { database } from '../../../data/database.ts';
import { orderStore } from '../../../data/orders/archive/order-store.ts';
import { type CorporateAction, findActionOf, listActions } from '../../../data/partner/actions/corporate-actions.ts';
import { listPayments } from '../../../data/partner/actions/payments.ts';
import { scalesOf } from '../../../data/partner/register/registered-security.ts';
import { findSecurityOf } from '../../../data/partner/securities.ts';
import { ACTION_STATES } from '../../../domain/corporate-actions/action-state.ts';
import { ACTION_TYPES, isPaid } from '../../../domain/corporate-actions/corporate-action.ts';
import { PAYMENT_STATES } from '../../../domain/corporate-actions/payment-state.ts';
import { type AppContext, partnerOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { linkNextPage, moreOf, moreView } from '../../responses/link-next-page.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { jsonOf } from '../../responses/wire.ts';
import { PARTNER_READ } from '../partner-route.ts';
import {
  ActionPaymentView,
  actionPaymentView,
  CorporateActionView,
  corporateActionView,
  noSuchAction,
} from './corporate-action-schema.ts';

const tags = ['corporate actions'];
const params = z.object({ id: z.uuid() });

/** GET /v1/corporate-actions (P-TFR-10). */
export function listCorporateActionsRoute(partner: Profile): void {
  registerRoute(
    partner,
    PARTNER_READ,
    createRoute({
      method: 'get',
      path: '/v1/corporate-actions',
      tags,
      summary: 'Corporate actions of your securities, newest first',
      request: {
        query: z.object({
          security_id: z.uuid().optional(),
          action_type: z.enum(ACTION_TYPES).optional(),
          status: z.enum(ACTION_STATES).optional(),
          limit: limitQuery,
          cursor: z.uuid().optional(),
        }),
      },
      responses: {
        200: jsonOf('The actions.', z.object({ corporate_actions: z.array(CorporateActionView), ...moreView })),
      },
    }),
    async (c) => {
      const { security_id, action_type, status, limit, cursor } = c.req.valid('query');
      const found = await listActions(database(c.env.DB), partnerOf(c), {
        security: security_id ?? null,
        type: action_type ?? null,
        state: status ?? null,
        before: cursor ?? null,
        limit: rowsToRead(limit),
      });
      const page = pageOf(c, found, limit, (last) => last.id);
      const scales = await cashScalesOf(c, page);
      return c.json(
        { corporate_actions: page.map((each) => corporateActionView(each, scales(each))), ...moreOf(c) },
        200,
      );
    },
  );
}

/** GET /v1/corporate-actions/{id} (P-TFR-11). */
export function getCorporateActionRoute(partner: Profile): void {
  registerRoute(
    partner,
    PARTNER_READ,
    createRoute({
      method: 'get',
      path: '/v1/corporate-actions/{id}',
      tags,
      summary: 'A corporate action',
      request: { params },
      responses: { 200: jsonOf('The action.', CorporateActionView) },
    }),
    async (c) => {
      const action = await findActionOf(database(c.env.DB), partnerOf(c), c.req.valid('param').id);
      if (action === null) return failure(c, noSuchAction());
      return c.json(corporateActionView(action, (await cashScalesOf(c, [action]))(action)), 200);
    },
  );
}

/** GET /v1/corporate-actions/{id}/payments: who is entitled to a dividend or a merger's cash, and who was paid. */
export function listActionPaymentsRoute(partner: Profile): void {
  registerRoute(
    partner,
    PARTNER_READ,
    createRoute({
      method: 'get',
      path: '/v1/corporate-actions/{id}/payments',
      tags,
      summary: 'What each holder is entitled to of a dividend, or of a merger for cash',
      description: 'By payee. Empty until the record date has passed.',
      request: {
        params,
        query: z.object({
          status: z.enum(PAYMENT_STATES).optional(),
          limit: limitQuery,
          cursor: z.string().max(100).optional(),
        }),
      },
      responses: { 200: jsonOf('The payments.', z.object({ payments: z.array(ActionPaymentView), ...moreView })) },
    }),
    async (c) => {
      const db = database(c.env.DB);
      const action = await findActionOf(db, partnerOf(c), c.req.valid('param').id);
      // Who holds a security is none of another lister's business.
      if (action === null || (await findSecurityOf(db, partnerOf(c), action.security)) === null)
        return failure(c, noSuchAction());
      const { status, limit, cursor } = c.req.valid('query');
      const query = { state: status ?? null, after: cursor ?? null, limit: rowsToRead(limit) };
      const { payments, reached } = await listPayments(orderStore(c.env), action.id, query);
      const page = pageOf(c, payments, limit, (last) => last.payee);
      if (page.length === payments.length && reached !== null) linkNextPage(c, reached);
      const shareScale = (await scalesOf(db, [action.security])).get(action.security) ?? 0;
      const cashScale = (await cashScalesOf(c, [action]))(action);
      return c.json(
        { payments: page.map((each) => actionPaymentView(each, { shareScale, cashScale })), ...moreOf(c) },
        200,
      );
    },
  );
}

/** Decimals of what each action is paid in; 0 where nothing is paid. */
export async function cashScalesOf(
  c: AppContext,
  actions: readonly CorporateAction[],
): Promise<(action: CorporateAction) => number> {
  const currencies = actions.flatMap(({ terms }) => (isPaid(terms) ? terms.currencyAsset : []));
  const scales = await scalesOf(database(c.env.DB), [...new Set(currencies)]);
  return ({ terms }) => (isPaid(terms) ? (scales.get(terms.currencyAsset) ?? 0) : 0);
}
