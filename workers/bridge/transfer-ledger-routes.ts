import { createRoute, z } from '@hono/zod-openapi';
import { readDebit, readPayout, voidPayout } from '../../application/bridge/transfer-ledger.ts';
import { partnerOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { jsonOf } from '../responses/wire.ts';
import { TENANT_READ } from './bridge-route.ts';
import { TransferId } from './transfer-schema.ts';

const DebitView = z
  .object({
    commitment: z.string(),
    debit: z
      .object({ reference: z.string(), amount: z.string().openapi({ description: 'In scaled units of the ledger.' }) })
      .nullable(),
  })
  .openapi('BridgeTransferDebit');

const PayoutView = z.object({ commitment: z.string(), is_paid: z.boolean() }).openapi('BridgeTransferPayout');

const VoidedPayoutView = z
  .object({
    commitment: z.string(),
    is_void: z.boolean().openapi({ description: 'False: it was paid.' }),
  })
  .openapi('BridgeVoidedPayout');

/** GET /api/v1/transfer/{id}/debit, GET /api/v1/transfer/{id}/payout, POST /api/v1/transfer/{id}/payout/void: what a tenant's own signers ask of the ledger. */
export function transferLedgerRoutes(bridge: Profile): void {
  registerRoute(
    bridge,
    { ...TENANT_READ, errors: ['NOT_FOUND'] },
    createRoute({
      method: 'get',
      path: '/api/v1/transfer/{id}/debit',
      tags: ['signers'],
      summary: 'What the ledger has taken from an account for a transfer, and not given back',
      description: 'For signers that a tenant runs. Null where nothing stands, or where it comes from no account.',
      request: { params: TransferId },
      responses: { 200: jsonOf('The debit.', DebitView) },
    }),
    async (c) => {
      const debit = await readDebit(c.env, partnerOf(c).organization, c.req.valid('param').id);
      return debit.ok ? c.json(debit.value, 200) : failure(c, debit.error);
    },
  );
  registerRoute(
    bridge,
    { ...TENANT_READ, errors: ['NOT_FOUND'] },
    createRoute({
      method: 'get',
      path: '/api/v1/transfer/{id}/payout',
      tags: ['signers'],
      summary: 'Whether the ledger has made the payout of a transfer to an account',
      description: 'For signers that a tenant runs: deposits of transfers that are paid out are the vault’s.',
      request: { params: TransferId },
      responses: { 200: jsonOf('Whether it is paid.', PayoutView) },
    }),
    async (c) => {
      const payout = await readPayout(c.env, partnerOf(c).organization, c.req.valid('param').id);
      if (!payout.ok) return failure(c, payout.error);
      const { commitment, isPaid } = payout.value;
      return c.json({ commitment, is_paid: isPaid }, 200);
    },
  );
  registerRoute(
    bridge,
    { ...TENANT_READ, freshFactor: true, errors: ['NOT_FOUND', 'CONFLICT'] },
    createRoute({
      method: 'post',
      path: '/api/v1/transfer/{id}/payout/void',
      tags: ['signers'],
      summary: 'Take the payout of a transfer to an account away for good',
      description:
        'For signers that a tenant runs, before they sign that its funds go back. A payout that was made stands; one that was not is never made, and the funds go back.',
      request: { params: TransferId },
      responses: { 200: jsonOf('Whether it is void now.', VoidedPayoutView) },
    }),
    async (c) => {
      const voided = await voidPayout(c.env, partnerOf(c).organization, c.req.valid('param').id);
      if (!voided.ok) return failure(c, voided.error);
      const { commitment, isVoid } = voided.value;
      return c.json({ commitment, is_void: isVoid }, 200);
    },
  );
}
