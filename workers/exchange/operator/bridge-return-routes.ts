import { createRoute, z } from '@hono/zod-openapi';
import { readTransfer, returnFunds } from '../../../application/bridge/return-funds.ts';
import { listPaidByOthers } from '../../../data/bridge/transfers.ts';
import { database } from '../../../data/database.ts';
import { TRANSFER_STATES } from '../../../domain/bridge/transfer.ts';
import type { TransferView } from '../../../durable-objects/transfer/api.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { linkNextPage } from '../../responses/link-next-page.ts';
import { wholeNumberOr } from '../../responses/whole-number.ts';
import { bodyOf, isoTime } from '../../responses/wire.ts';
import { freshActionOf } from './action-of.ts';
import { OPERATOR_WRITE_UNKEPT, Reason, VENUE_READ } from './operator-route.ts';
import { weigh } from './weighty-call.ts';

const PAGE_MAX = 100;
const PAYER_LENGTH_MAX = 200;

const ReturnView = z
  .object({
    transferId: z.uuid(),
    organization: z.string(),
    hostname: z.string(),
    state: z.enum(TRANSFER_STATES),
    waitsFor: z.string().nullable(),
    otherFunds: z
      .array(z.object({ payer: z.string(), reference: z.string(), amount: z.string() }))
      .openapi({ description: 'What others than its payer have paid in, oldest first, 20 at most.' }),
    returnedTo: z.string().nullable().openapi({ description: 'Whom an operator has it returned to.' }),
    refundRestsFor: z.string().nullable().openapi({
      description:
        'Whom its own funds go back to, where that waits for an order: they are worth less than sending them back costs, or two refunds have come to nothing. `waitsFor` says which.',
    }),
  })
  .openapi('OperatorBridgeReturn');

const ListedReturn = z
  .object({
    transferId: z.uuid(),
    organization: z.string(),
    hostname: z.string(),
    asset: z.string().nullable(),
    updatedAt: z.iso.datetime(),
  })
  .openapi('OperatorBridgeListedReturn');

const ReturnBody = z
  .strictObject({
    payer: z.string().min(1).max(PAYER_LENGTH_MAX).openapi({
      description:
        'Who has paid it in, as `otherFunds` or `refundRestsFor` names them. The chain says whether they have.',
    }),
    reason: Reason,
  })
  .openapi('OperatorBridgeReturnOrder');

const transferParam = z.object({ id: z.uuid().toLowerCase() });

/** Funds of transfers that somebody else than their payer has paid in, and how operators have them returned. */
export function bridgeReturnRoutes(exchange: Profile): void {
  listReturnsRoute(exchange);
  getReturnRoute(exchange);
  orderReturnRoute(exchange);
}

function listReturnsRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    VENUE_READ,
    createRoute({
      method: 'get',
      path: '/v1/operator/bridge/returns',
      tags: ['operator'],
      summary: 'Transfers that somebody else than their payer has paid in for, newest first',
      request: {
        query: z.object({
          limit: wholeNumberOr(PAGE_MAX, 1, PAGE_MAX),
          cursor: z.uuid().toLowerCase().optional(),
        }),
      },
      responses: { 200: envelopeOf('The transfers.', z.array(ListedReturn)) },
    }),
    async (c) => {
      const { limit, cursor = null } = c.req.valid('query');
      const found = await listPaidByOthers(database(c.env.DB), { before: cursor, limit: limit + 1 });
      const page = found.slice(0, limit);
      const last = page.at(-1);
      if (found.length > limit && last !== undefined) linkNextPage(c, last.id);
      const views = page.map(({ id, organization, hostname, asset, updatedAt }) => ({
        transferId: id,
        organization,
        hostname,
        asset,
        updatedAt: isoTime(updatedAt),
      }));
      return c.json(enveloped(views), 200);
    },
  );
}

function getReturnRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    { ...VENUE_READ, errors: ['NOT_FOUND'] },
    createRoute({
      method: 'get',
      path: '/v1/operator/bridge/transfers/{id}/return',
      tags: ['operator'],
      summary: 'What others than its payer have paid in for a transfer',
      request: { params: transferParam },
      responses: { 200: envelopeOf('What is there.', ReturnView) },
    }),
    async (c) => {
      const view = await readTransfer(c.env, c.req.valid('param').id);
      if (view === null) return failure(c, apiError('NOT_FOUND', 'no such transfer'));
      return c.json(enveloped(returnOnWire(view)), 200);
    },
  );
}

function orderReturnRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    {
      ...OPERATOR_WRITE_UNKEPT,
      neverOfOneself: true,
      errors: ['NOT_FOUND', 'CONFLICT', 'FORBIDDEN', 'SERVICE_UNAVAILABLE'],
    },
    createRoute({
      method: 'post',
      path: '/v1/operator/bridge/transfers/{id}/return',
      tags: ['operator'],
      summary: 'Return what somebody else than its payer has paid in for a transfer to who has paid it',
      description:
        'Once the transfer has ended without funds of its payer; it leaves twelve hours after the quote’s end, as a late payer comes first. Signers see for themselves that the payer named here has paid it in, and that nothing was paid out or back; it carries no memo. Named as `refundRestsFor`, the transfer’s own payer has one more refund tried. CONFLICT with `reason`: `not_now`, `no_funds`, `asks_memo`. Sent again it changes nothing.',
      request: { params: transferParam, body: bodyOf(ReturnBody) },
      responses: { 200: envelopeOf('It is ordered.', ReturnView) },
    }),
    async (c) => {
      const { id: transfer } = c.req.valid('param');
      const stated = c.req.valid('json');
      const action = freshActionOf(c);
      if ((await readTransfer(c.env, transfer)) === null) return failure(c, apiError('NOT_FOUND', 'no such transfer'));
      const waits = await weigh(c, stated, action);
      if (waits !== null) return failure(c, waits);
      const ordered = await returnFunds(c.env, { transfer, ...stated }, action);
      return ordered.ok ? c.json(enveloped(returnOnWire(ordered.value)), 200) : failure(c, ordered.error);
    },
  );
}

function returnOnWire(view: TransferView): z.infer<typeof ReturnView> {
  const { terms, hostname, transfer, waitsFor, others, returnTo, restsFor } = view;
  return {
    transferId: terms.id,
    organization: terms.organization,
    hostname,
    state: transfer.state,
    waitsFor,
    otherFunds: others.map((one) => ({ ...one })),
    returnedTo: returnTo,
    refundRestsFor: restsFor,
  };
}
