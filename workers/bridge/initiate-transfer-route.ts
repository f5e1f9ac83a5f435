import { createRoute, z } from '@hono/zod-openapi';
import { initiateTransfer, type StatedPlace } from '../../application/bridge/initiate-transfer.ts';
import { hasOneOperator } from '../../application/bridge/tenant-signers.ts';
import { resourceIdOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { bodyOf, jsonOf } from '../responses/wire.ts';
import { TENANT_READ } from './bridge-route.ts';
import { ownTenant, tenantOf, tenantQuery } from './tenant-of.ts';
import { AssetSymbol, BridgeTransferView, PlaceBody, transferOnWire } from './transfer-schema.ts';

const InitiateBody = z
  .strictObject({
    asset: AssetSymbol,
    amount: z.number().positive().openapi({ description: 'In whole units of the asset, fee included.', example: 25 }),
    most_fee: z.number().nonnegative().optional().openapi({
      description:
        'The most that the transfer may cost, in whole units of the asset. Where it costs more now, as where its chain is busy, it is refused before anything is debited or paid in (FEE_TOO_HIGH), and `details.fee` says what it costs. Left out, it begins whatever it costs: `quote.fee`.',
      example: 0.5,
    }),
    source: PlaceBody,
    destination: PlaceBody,
  })
  .openapi('BridgeTransferRequest', {
    example: {
      asset: 'USDC',
      amount: 25,
      most_fee: 0.5,
      source: { chain: 'ethereum', address: '0x52908400098527886E0F7030069857D2E4169EE7' },
      destination: { account_id: '01993b1e-0000-7000-8000-000000000001' },
    },
  });

/** POST /api/v1/transfer/initiate (P-BRG-02). */
export function initiateTransferRoute(bridge: Profile): void {
  registerRoute(
    bridge,
    {
      ...TENANT_READ,
      freshFactor: true,
      idempotent: true,
      errors: [
        'NOT_FOUND',
        'ASSET_NOT_FOUND',
        'ASSET_NOT_TRADEABLE',
        'INSUFFICIENT_BALANCE',
        'RISK_LIMIT_EXCEEDED',
        'AMOUNT_TOO_SMALL',
        'FEE_TOO_HIGH',
        'CONFLICT',
        'SERVICE_UNAVAILABLE',
      ],
    },
    createRoute({
      method: 'post',
      path: '/api/v1/transfer/initiate',
      tags: ['transfers'],
      summary: 'Begin a transfer for a customer',
      description:
        'One side is on another chain, the other an account of yours or an address on the exchange’s chain. An account that it comes from is debited at once; else the answer says how to pay the funds in, and until when.',
      request: { query: tenantQuery, body: bodyOf(InitiateBody) },
      responses: { 201: jsonOf('The transfer.', BridgeTransferView) },
    }),
    async (c) => {
      const at = await tenantOf(c, c.req.valid('query').hostname);
      const tenant = at.ok ? ownTenant(c, at.value) : at;
      if (!tenant.ok) return failure(c, tenant.error);
      const { asset, amount, most_fee: mostFee, source, destination } = c.req.valid('json');
      const sides = { source: statedPlace(source), destination: statedPlace(destination) };
      const begun = await initiateTransfer(c.env, tenant.value, {
        id: resourceIdOf(c),
        asset,
        amount,
        mostFee,
        ...sides,
      });
      return begun.ok
        ? c.json(transferOnWire(begun.value, hasOneOperator(c.env, tenant.value)), 201)
        : failure(c, begun.error);
    },
  );
}

function statedPlace(body: z.infer<typeof PlaceBody>): StatedPlace {
  return 'account_id' in body ? { account: body.account_id } : body;
}
