import { createRoute, z } from '@hono/zod-openapi';
import { projected } from '../../../application/ledger/projected.ts';
import { readRegistry } from '../../../application/partner/settlements/read-registry.ts';
import {
  readSettlement,
  readSettlements,
  receiptOfSettlement,
  type ShownSettlement,
} from '../../../application/partner/settlements/read-settlements.ts';
import { DAY_MS } from '../../../domain/calendar/durations.ts';
import { SETTLEMENT_STATUSES } from '../../../domain/partner/settlement-state.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { receiptDocument } from '../../../protocol/receipts/receipt-document.ts';
import { type AppContext, partnerOf } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { linkNextPage, moreOf, moreView } from '../../responses/link-next-page.ts';
import { notCurrent } from '../../responses/not-current.ts';
import { wholeNumberOr } from '../../responses/whole-number.ts';
import { jsonOf } from '../../responses/wire.ts';
import { PARTNER_READ } from '../partner-route.ts';
import {
  noSuchSettlement,
  notFinal,
  ReceiptView,
  SettlementTransactionsView,
  SettlementVerificationView,
  SettlementView,
  settlementView,
  transactionsView,
  verificationView,
} from './settlement-schema.ts';

const tags = ['settlements'];
const settlementParam = z.object({ id: z.uuid() });
const PAGE_MAX = 100;

/** GET /v1/settlements (P-STL-01). */
export function listSettlementsRoute(partner: Profile): void {
  registerRoute(
    partner,
    PARTNER_READ,
    createRoute({
      method: 'get',
      path: '/v1/settlements',
      tags,
      summary: 'Settlements of your securities, newest first',
      request: {
        query: z.object({
          security_id: z.uuid().optional(),
          status: z.enum(SETTLEMENT_STATUSES).optional(),
          from: z.iso.date().optional().openapi({ description: 'First day of execution, in UTC.' }),
          to: z.iso.date().optional().openapi({ description: 'Last day of execution, in UTC.' }),
          limit: wholeNumberOr(PAGE_MAX, 1, PAGE_MAX).openapi({
            description: 'Page size. The next page is in the Link header.',
          }),
          cursor: z.uuid().optional(),
        }),
      },
      responses: { 200: jsonOf('The settlements.', z.object({ settlements: z.array(SettlementView), ...moreView })) },
    }),
    async (c) => {
      const { security_id, status, from, to, limit, cursor } = c.req.valid('query');
      if (from !== undefined && to !== undefined && to < from)
        return failure(c, apiError('VALIDATION_ERROR', 'the last day lies before the first', { field: 'to' }));
      const shown = await readSettlements(c.env, partnerOf(c), {
        security: security_id ?? null,
        status: status ?? null,
        from: from === undefined ? null : Date.parse(from),
        to: to === undefined ? null : Date.parse(to) + DAY_MS,
        before: cursor ?? null,
        limit: limit + 1,
      });
      const page = shown.slice(0, limit);
      const last = page.at(-1);
      if (shown.length > limit && last !== undefined) linkNextPage(c, last.settlement.id);
      return c.json({ settlements: page.map(settlementView), ...moreOf(c) }, 200);
    },
  );
}

/** GET /v1/settlements/{id} (P-STL-02). */
export function getSettlementRoute(partner: Profile): void {
  registerRoute(
    partner,
    PARTNER_READ,
    createRoute({
      method: 'get',
      path: '/v1/settlements/{id}',
      tags,
      summary: 'A settlement',
      request: { params: settlementParam },
      responses: { 200: jsonOf('The settlement.', SettlementView) },
    }),
    async (c) => {
      const shown = await settlementNow(c, c.req.valid('param').id);
      return shown === null ? failure(c, noSuchSettlement()) : c.json(settlementView(shown), 200);
    },
  );
}

/** GET /v1/settlements/{id}/txs (P-STL-03). */
export function listSettlementTransactionsRoute(partner: Profile): void {
  registerRoute(
    partner,
    PARTNER_READ,
    createRoute({
      method: 'get',
      path: '/v1/settlements/{id}/txs',
      tags,
      summary: 'Its transactions on chain',
      description:
        'As the registry has them now; what the recorder has noted where the chain does not answer. Empty while nothing is recorded.',
      request: { params: settlementParam },
      responses: { 200: jsonOf('The transactions.', SettlementTransactionsView) },
    }),
    async (c) => {
      const shown = await settlementNow(c, c.req.valid('param').id);
      if (shown === null) return failure(c, noSuchSettlement());
      const reading = await readRegistry(c.env, shown.settlement.id, shown.hash);
      return c.json(transactionsView(c.env, shown, reading), 200);
    },
  );
}

/** GET /v1/settlements/{id}/verify (P-STL-04). */
export function verifySettlementRoute(partner: Profile): void {
  registerRoute(
    partner,
    PARTNER_READ,
    createRoute({
      method: 'get',
      path: '/v1/settlements/{id}/verify',
      tags,
      summary: 'Compare it with the chain',
      request: { params: settlementParam },
      responses: { 200: jsonOf('What the chain says of it.', SettlementVerificationView) },
    }),
    async (c) => {
      const shown = await settlementNow(c, c.req.valid('param').id);
      if (shown === null) return failure(c, noSuchSettlement());
      const reading = await readRegistry(c.env, shown.settlement.id, shown.hash);
      return c.json(verificationView(c.env, shown, reading), 200);
    },
  );
}

/** GET /v1/settlements/{id}/receipt */
export function getSettlementReceiptRoute(partner: Profile): void {
  registerRoute(
    partner,
    { ...PARTNER_READ, errors: ['CONFLICT'] },
    createRoute({
      method: 'get',
      path: '/v1/settlements/{id}/receipt',
      tags,
      summary: 'What proves that it is recorded, and what was made of it',
      description:
        'Its record, its way to the root of a block, and the votes of the committee, and the same of what was made of it until now: taken back by an operator or for its transfer agent, or corrected. Whoever knows the committee’s hash checks it offline; `GET /.well-known/committee` publishes it, and `finality_members` says who the members are: where they are `embedded`, this proves that the venue has recorded it, by its own word. 409 while it, or what was made of it, is not final.',
      request: { params: settlementParam },
      responses: { 200: jsonOf('The receipt.', ReceiptView) },
    }),
    async (c) => {
      // An adjustment that was acknowledged stands in the receipt.
      if (!(await projected(c.env))) return failure(c, notCurrent());
      const shown = await settlementNow(c, c.req.valid('param').id);
      if (shown === null) return failure(c, noSuchSettlement());
      const receipt = await receiptOfSettlement(c.env, shown);
      return receipt === null ? failure(c, notFinal()) : c.json(receiptDocument(receipt), 200);
    },
  );
}

function settlementNow(c: AppContext, id: string): Promise<ShownSettlement | null> {
  return readSettlement(c.env, partnerOf(c), id);
}
