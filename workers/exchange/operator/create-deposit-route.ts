import { createRoute, z } from '@hono/zod-openapi';
import { deposit } from '../../../application/ledger/transfers.ts';
import { findAccount } from '../../../data/accounts/accounts.ts';
import { findAsset, findAssetBySymbol } from '../../../data/catalog/assets.ts';
import { database } from '../../../data/database.ts';
import { toScaled } from '../../../domain/money/scaled.ts';
import { CASH_SYMBOL } from '../../../domain/portfolio/cash.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { actionOf } from './action-of.ts';
import { depositedLots, LOTS_PER_DEPOSIT_MAX, LotRequest } from './deposited-lots.ts';
import { enveloped, OPERATOR_WRITE, venueOnly } from './operator-route.ts';
import { numberError, TransferView, transferError, transferFields, transferView } from './transfer-schema.ts';

const DepositRequest = z
  .strictObject({
    ...transferFields,
    cost: z.number().nonnegative().default(0).openapi({ description: 'US dollars paid, of an asset without lots.' }),
    lots: z.array(LotRequest).max(LOTS_PER_DEPOSIT_MAX).optional().openapi({
      description: 'Of an asset that tracks lots; they sum to the amount. One lot acquired now, when left out.',
    }),
  })
  .openapi('OperatorDepositRequest');

/** POST /v1/operator/deposits: money or assets enter an account. */
export function createDepositRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_WRITE,
    createRoute({
      method: 'post',
      path: '/v1/operator/deposits',
      tags: ['operator'],
      summary: 'Deposit into an account',
      request: { body: { required: true, content: { 'application/json': { schema: DepositRequest } } } },
      responses: enveloped('The deposit, completed.', TransferView),
    }),
    async (c) => {
      const refusal = venueOnly(c);
      if (refusal !== null) return failure(c, refusal);
      const body = c.req.valid('json');
      const db = database(c.env.DB);
      const [asset, account, cash] = await Promise.all([
        findAsset(db, body.assetId),
        findAccount(db, body.accountId),
        findAssetBySymbol(db, CASH_SYMBOL),
      ]);
      if (asset === null) return failure(c, apiError('ASSET_NOT_FOUND', 'asset does not exist'));
      if (account === null || account.boundary) return failure(c, apiError('NOT_FOUND', 'account does not exist'));
      const amount = toScaled(body.amount, asset.scale);
      if (!amount.ok) return failure(c, numberError('amount', amount.error));
      const cashScale = cash?.scale ?? 0;
      const cost = toScaled(body.cost, cashScale);
      if (!cost.ok) return failure(c, numberError('cost', cost.error));
      const now = Date.now();
      const requested = body.lots ?? (asset.tracksLots ? [{ quantity: body.amount, cost: body.cost }] : []);
      const lots = depositedLots(requested, { asset, usPerson: account.usPerson, cashScale, now });
      if (!lots.ok) return failure(c, lots.error);
      const action = actionOf(c);
      const result = await deposit(c.env, {
        id: action.id,
        account: account.id,
        asset: asset.id,
        amount: amount.value,
        cost: cost.value,
        lots: lots.lots,
        reference: body.reference ?? null,
        createdAt: now,
        action,
      });
      if (!result.ok) return failure(c, transferError(result.error, asset.scale));
      return c.json({ data: transferView(result.value.transfer, asset.scale), message: 'ok' as const }, 200);
    },
  );
}
