import { createRoute, z } from '@hono/zod-openapi';
import { approveFees, recountFees } from '../../../application/bridge/pay-fees.ts';
import { readTransfer } from '../../../application/bridge/return-funds.ts';
import { recordOperatorAction } from '../../../data/audit/trail/operator-events.ts';
import { listAwaitingFees } from '../../../data/bridge/transfers.ts';
import { database } from '../../../data/database.ts';
import { isOfFees } from '../../../domain/bridge/fees/fee-terms.ts';
import { TRANSFER_STATES } from '../../../domain/bridge/transfer.ts';
import type { TransferView } from '../../../durable-objects/transfer/api.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { bodyOf, isoTime } from '../../responses/wire.ts';
import { freshActionOf } from './action-of.ts';
import { OPERATOR_WRITE_UNKEPT, Reason, VENUE_READ } from './operator-route.ts';
import { weigh } from './weighty-call.ts';

const LISTED_MAX = 100;

const FeesPayoutView = z
  .object({
    transferId: z.uuid(),
    organization: z.string(),
    hostname: z.string(),
    asset: z.string(),
    chain: z.string(),
    address: z.string().openapi({ description: 'Whom they are paid out to.' }),
    amount: z.string().openapi({ description: 'In the vault’s smallest unit.' }),
    state: z.enum(TRANSFER_STATES),
    waitsFor: z.string().nullable(),
    needsApproval: z.boolean(),
    isApproved: z.boolean(),
    expiresAt: z.iso.datetime().openapi({ description: 'Until when it waits for an approval.' }),
  })
  .openapi('OperatorBridgeFeesPayout');

const ListedFees = z
  .object({ transferId: z.uuid(), organization: z.string(), hostname: z.string(), updatedAt: z.iso.datetime() })
  .openapi('OperatorBridgeListedFeesPayout');

const transferParam = z.object({ id: z.uuid().toLowerCase() });

/** Payouts of fees that tenants have asked for, and how an operator lets one go on where the venue asks for a second one. */
export function bridgeFeesRoutes(exchange: Profile): void {
  registerRoute(
    exchange,
    VENUE_READ,
    createRoute({
      method: 'get',
      path: '/v1/operator/bridge/fees',
      tags: ['operator'],
      summary: 'Payouts of fees that wait for an operator, newest first, 100 at most',
      responses: { 200: envelopeOf('The payouts.', z.array(ListedFees)) },
    }),
    async (c) => {
      const found = await listAwaitingFees(database(c.env.DB), LISTED_MAX);
      const views = found.map(({ id, organization, hostname, updatedAt }) => ({
        transferId: id,
        organization,
        hostname,
        updatedAt: isoTime(updatedAt),
      }));
      return c.json(enveloped(views), 200);
    },
  );
  registerRoute(
    exchange,
    { ...VENUE_READ, errors: ['NOT_FOUND'] },
    createRoute({
      method: 'get',
      path: '/v1/operator/bridge/transfers/{id}/fees',
      tags: ['operator'],
      summary: 'A payout of fees',
      request: { params: transferParam },
      responses: { 200: envelopeOf('The payout.', FeesPayoutView) },
    }),
    async (c) => {
      const view = onWire(await readTransfer(c.env, c.req.valid('param').id));
      return view === null ? failure(c, noSuchPayout()) : c.json(enveloped(view), 200);
    },
  );
  registerRoute(
    exchange,
    OPERATOR_WRITE_UNKEPT,
    createRoute({
      method: 'post',
      path: '/v1/operator/bridge/organizations/{organization}/fees/recount',
      tags: ['operator'],
      summary: 'Have signers count the fees of an organization’s transfers again, 20 at a time',
      description:
        'For a signer that was replaced, or has lost its memory: it has counted nothing of before. What a signer has counted it counts no second time. Call it again with `after` of the answer until that is null.',
      request: {
        params: z.object({ organization: z.string().min(1).max(100) }),
        body: bodyOf(z.strictObject({ after: z.uuid().toLowerCase().nullable().default(null) })),
      },
      responses: { 200: envelopeOf('How far it went.', z.object({ after: z.uuid().nullable() })) },
    }),
    async (c) => {
      const after = await recountFees(c.env, c.req.valid('param').organization, c.req.valid('json').after);
      return c.json(enveloped({ after }), 200);
    },
  );
  registerRoute(
    exchange,
    { ...OPERATOR_WRITE_UNKEPT, errors: ['NOT_FOUND', 'CONFLICT'] },
    createRoute({
      method: 'post',
      path: '/v1/operator/bridge/transfers/{id}/fees/approve',
      tags: ['operator'],
      summary: 'Let a payout of fees go on that waits for an operator',
      description:
        'The tenant has asked for it, and a second operator agrees. Whether so much was earned signers see for themselves. One that is not approved within seven days ends. Sent again it changes nothing.',
      request: { params: transferParam, body: bodyOf(z.strictObject({ reason: Reason })) },
      responses: { 200: envelopeOf('It goes on.', FeesPayoutView) },
    }),
    async (c) => {
      const { id: transfer } = c.req.valid('param');
      const stated = c.req.valid('json');
      const action = freshActionOf(c);
      const before = await readTransfer(c.env, transfer);
      if (before === null || !isOfFees(before.terms)) return failure(c, noSuchPayout());
      const waits = await weigh(c, stated, action);
      if (waits !== null) return failure(c, waits);
      const { organization, asset, destination, amountOut } = before.terms;
      await recordOperatorAction(database(c.env.DB), {
        action: { ...action, ...stated },
        type: 'operator.bridge_fees_approved',
        subject: transfer,
        createdAt: Date.now(),
        details: { organization, asset, destination: { ...destination }, amountOut },
        before: { state: before.transfer.state, isApproved: before.isApproved },
        after: { isApproved: true },
      });
      const view = await approveFees(c.env, transfer);
      const shown = onWire(view);
      if (shown === null) return failure(c, noSuchPayout());
      return shown.isApproved || !shown.needsApproval
        ? c.json(enveloped(shown), 200)
        : failure(c, apiError('CONFLICT', 'the payout has ended', { reason: 'not_now' }));
    },
  );
}

function noSuchPayout() {
  return apiError('NOT_FOUND', 'no such payout of fees');
}

function onWire(view: TransferView | null): z.infer<typeof FeesPayoutView> | null {
  if (view === null || !isOfFees(view.terms) || view.terms.destination.kind !== 'chain') return null;
  const { terms, hostname, transfer, waitsFor, settings, isApproved } = view;
  const { chain, address } = view.terms.destination;
  return {
    transferId: terms.id,
    organization: terms.organization,
    hostname,
    asset: terms.asset,
    chain,
    address,
    amount: terms.amountOut,
    state: transfer.state,
    waitsFor,
    needsApproval: settings.needsApproval === true,
    isApproved,
    expiresAt: isoTime(terms.expiresAt),
  };
}
