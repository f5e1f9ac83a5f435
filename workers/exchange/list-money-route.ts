import { createRoute, z } from '@hono/zod-openapi';
import { listOwnMoney } from '../../application/accounts/own-money.ts';
import { paidDecimals } from '../../domain/money/paid-amount.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import { principalOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { enveloped, envelopeOf } from '../responses/envelope.ts';
import { failure } from '../responses/failure.ts';
import { notCurrent } from '../responses/not-current.ts';
import { orderFailure } from './order-failure.ts';

const Money = z
  .object({
    assetId: z.string(),
    symbol: z.string(),
    name: z.string(),
    decimals: z.int().openapi({ description: 'Of an amount that may be asked for.' }),
    available: z.number().openapi({ description: 'What may be paid out now.' }),
    held: z.number().openapi({ description: 'By open orders and by open requests to pay out.' }),
    unsettled: z.number().openapi({ description: 'Proceeds of sales that have not settled, in neither of the two.' }),
  })
  .openapi('PayableAsset');

/** GET /v1/account/money: what the caller may ask to pay in and out. */
export function listMoneyRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    { access: { credential: 'tenant' }, bucket: 'private', errors: ['SERVICE_UNAVAILABLE'] },
    createRoute({
      method: 'get',
      path: '/v1/account/money',
      tags: ['account'],
      summary: 'What may be paid in and out on request, and what the caller has of it',
      description: 'Money, commodities and crypto, by symbol. Securities go by their transfer agent.',
      responses: { 200: envelopeOf('By symbol.', z.array(Money)) },
    }),
    async (c) => {
      const { facts } = principalOf(c);
      if (facts === null) return orderFailure(c, { reason: 'no_account' });
      const money = await listOwnMoney(c.env, facts);
      if (money === null) return failure(c, notCurrent());
      const rows = money.map(({ asset, available, held, unsettled }) => ({
        assetId: asset.id,
        symbol: asset.symbol,
        name: asset.name,
        decimals: paidDecimals(asset),
        available: fromScaled(available, asset.scale),
        held: fromScaled(held, asset.scale),
        unsettled: fromScaled(unsettled, asset.scale),
      }));
      return c.json(enveloped(rows), 200);
    },
  );
}
