import { createRoute, z } from '@hono/zod-openapi';
import { settleBooks } from '../../../application/ledger/settle-before-read.ts';
import { withdraw } from '../../../application/ledger/transfers.ts';
import { findAccount } from '../../../data/accounts/accounts.ts';
import { findAsset } from '../../../data/catalog/assets.ts';
import { database } from '../../../data/database.ts';
import { toScaled } from '../../../domain/money/scaled.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { failure } from '../../responses/failure.ts';
import { actionOf } from './action-of.ts';
import { enveloped, OPERATOR_WRITE, venueOnly } from './operator-route.ts';
import { numberError, TransferView, transferError, transferFields, transferView } from './transfer-schema.ts';

const WithdrawalRequest = z.strictObject(transferFields).openapi('OperatorWithdrawalRequest');

/** POST /v1/operator/withdrawals: what is available leaves an account; what open orders hold stays. */
export function createWithdrawalRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_WRITE,
    createRoute({
      method: 'post',
      path: '/v1/operator/withdrawals',
      tags: ['operator'],
      summary: 'Withdraw from an account',
      request: { body: { required: true, content: { 'application/json': { schema: WithdrawalRequest } } } },
      responses: enveloped('The withdrawal, completed.', TransferView),
    }),
    async (c) => {
      const refusal = venueOnly(c);
      if (refusal !== null) return failure(c, refusal);
      const body = c.req.valid('json');
      const db = database(c.env.DB);
      const [asset, account] = await Promise.all([findAsset(db, body.assetId), findAccount(db, body.accountId)]);
      if (asset === null) return failure(c, apiError('ASSET_NOT_FOUND', 'asset does not exist'));
      if (account === null || account.boundary) return failure(c, apiError('NOT_FOUND', 'account does not exist'));
      const amount = toScaled(body.amount, asset.scale);
      if (!amount.ok) return failure(c, numberError('amount', amount.error));
      // What a cancel or a fill has just freed counts as available.
      await settleBooks(c.env, account.id);
      const action = actionOf(c);
      const result = await withdraw(c.env, {
        id: action.id,
        account: account.id,
        asset: asset.id,
        amount: amount.value,
        reference: body.reference ?? null,
        createdAt: Date.now(),
        action,
      });
      if (!result.ok) return failure(c, transferError(result.error, asset.scale));
      return c.json({ data: transferView(result.value.transfer, asset.scale), message: 'ok' as const }, 200);
    },
  );
}
