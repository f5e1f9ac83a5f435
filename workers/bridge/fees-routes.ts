import { createRoute, z } from '@hono/zod-openapi';
import { uuidv7 } from 'uuidv7';
import { payFees, readFees } from '../../application/bridge/pay-fees.ts';
import { hasOneOperator } from '../../application/bridge/tenant-signers.ts';
import { CHAIN_NAMES } from '../../domain/bridge/chains/chain-name.ts';
import { resourceIdOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { bodyOf, jsonOf } from '../responses/wire.ts';
import { TENANT_READ } from './bridge-route.ts';
import { ownTenant, tenantOf, tenantQuery } from './tenant-of.ts';
import { AssetSymbol, BridgeTransferView, transferOnWire } from './transfer-schema.ts';

const FeesChain = z.enum(CHAIN_NAMES).openapi({ description: 'Where the vault is.', example: 'ethereum' });

const FeesView = z
  .object({
    asset: z.string(),
    chain: z.enum(CHAIN_NAMES),
    address: z.string().openapi({ description: 'Whom they are paid out to, as operators have stated it.' }),
    earned: z.string().openapi({
      description:
        'What transfers that were paid out have left in the vault, in its smallest unit, as three signers have counted it. A transfer is counted within an hour of its end.',
    }),
    paid: z.string().openapi({ description: 'What payouts of fees have paid of it, deep enough.' }),
    available: z.string().openapi({ description: 'What is left of it.' }),
  })
  .openapi('BridgeFees');

const FeesBody = z
  .strictObject({
    asset: AssetSymbol,
    chain: FeesChain,
    amount: z.number().positive().optional().openapi({
      description:
        'In whole units of the asset. Left out: all that is there, and no more than the lane lets through in a day.',
      example: 120.5,
    }),
  })
  .openapi('BridgeFeesRequest', { example: { asset: 'USDC', chain: 'ethereum' } });

const ERRORS = ['NOT_FOUND', 'ASSET_NOT_FOUND', 'CONFLICT', 'SERVICE_UNAVAILABLE'] as const;

/** GET /api/v1/fees, POST /api/v1/fees/payout: what a lane's fees have earned, and their payout to the tenant. */
export function feesRoutes(bridge: Profile): void {
  registerRoute(
    bridge,
    { ...TENANT_READ, errors: ERRORS },
    createRoute({
      method: 'get',
      path: '/api/v1/fees',
      tags: ['fees'],
      summary: 'What fees have left in a vault',
      description:
        'Of contracts on EVM chains: elsewhere the chain takes its fees out of the vault, and signers cannot know what is left (CONFLICT, `reason` `fees_unknown`). CONFLICT with `no_address` until operators have stated where they go.',
      request: { query: tenantQuery.extend({ asset: AssetSymbol, chain: FeesChain }).strict() },
      responses: { 200: jsonOf('The fees.', FeesView) },
    }),
    async (c) => {
      const { hostname, asset, chain } = c.req.valid('query');
      const at = await tenantOf(c, hostname);
      const tenant = at.ok ? ownTenant(c, at.value) : at;
      if (!tenant.ok) return failure(c, tenant.error);
      const fees = await readFees(c.env, tenant.value, { id: uuidv7(), asset, chain });
      return fees.ok ? c.json({ asset, chain, ...fees.value }, 200) : failure(c, fees.error);
    },
  );
  registerRoute(
    bridge,
    { ...TENANT_READ, idempotent: true, errors: [...ERRORS, 'RISK_LIMIT_EXCEEDED'] },
    createRoute({
      method: 'post',
      path: '/api/v1/fees/payout',
      tags: ['fees'],
      summary: 'Have fees paid out that a vault has earned',
      description:
        'To the address that operators have stated of the lane, and to no other. It goes the way of a transfer (its `source` is the account `fees`): three signers say that so much was earned, it counts in the daily limit, may be challenged and vetoed, and ends as `refunded`, with nothing taken, where nobody signs. Where the venue asks for a second operator it waits for an operator’s approval first, for seven days. CONFLICT with `reason`: `not_earned`, `no_address`, `address`, `fees_unknown`, `places`, `too_many` (24 in 24 hours).',
      request: { query: tenantQuery.strict(), body: bodyOf(FeesBody) },
      responses: { 201: jsonOf('The payout.', BridgeTransferView) },
    }),
    async (c) => {
      const at = await tenantOf(c, c.req.valid('query').hostname);
      const tenant = at.ok ? ownTenant(c, at.value) : at;
      if (!tenant.ok) return failure(c, tenant.error);
      const begun = await payFees(c.env, tenant.value, { id: resourceIdOf(c), ...c.req.valid('json') });
      return begun.ok
        ? c.json(transferOnWire(begun.value, hasOneOperator(c.env, tenant.value)), 201)
        : failure(c, begun.error);
    },
  );
}
