import { createRoute, z } from '@hono/zod-openapi';
import { receiptOf } from '../../application/finality/receipt-of.ts';
import { settleBeforeRead } from '../../application/ledger/settle-before-read.ts';
import { database } from '../../data/database.ts';
import { findTradeOf } from '../../data/settlements/settled-trades.ts';
import type { Party } from '../../domain/settlement/settlement-record.ts';
import { apiError } from '../../protocol/errors/api-error.ts';
import { ReceiptDocument, receiptDocument } from '../../protocol/receipts/receipt-document.ts';
import { principalOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { failure } from '../responses/failure.ts';
import { notCurrent } from '../responses/not-current.ts';
import { jsonOf } from '../responses/wire.ts';
import { orderFailure } from './order-failure.ts';

/** GET /v1/core-transactions/{id}/receipt. The other side of the trade stands in it as a commitment, whatever it is shown to this one elsewhere. */
export function getTransactionReceiptRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    { access: { credential: 'tenant' }, bucket: 'private', errors: ['CONFLICT'] },
    createRoute({
      method: 'get',
      path: '/v1/core-transactions/{id}/receipt',
      tags: ['account'],
      summary: 'What proves that a trade of the caller is recorded, and what was made of it',
      description:
        'The trade’s record, its way to the root of a block, and the votes of the committee, and the same of what was made of the trade until now. Whoever knows the committee’s hash checks it offline; `GET /.well-known/committee` publishes it, and says who the members are: where they are `embedded`, this proves that the venue has recorded the trade, by its own word. It opens the caller’s own side alone. 409 while the trade, or what was made of it, is not final.',
      request: { params: z.object({ id: z.string() }) },
      responses: { 200: jsonOf('The receipt.', ReceiptDocument) },
    }),
    async (c) => {
      const { facts } = principalOf(c);
      if (facts === null) return orderFailure(c, { reason: 'no_account' });
      if (!(await settleBeforeRead(c.env, facts.accountId))) return failure(c, notCurrent());
      const trade = await findTradeOf(database(c.env.DB), facts.accountId, c.req.valid('param').id);
      if (trade === null) return failure(c, apiError('NOT_FOUND', 'no trade of yours has this id'));
      const own = (['buyer', 'seller'] as const satisfies readonly Party[]).filter(
        (party) => trade[party] === facts.accountId,
      );
      const receipt = await receiptOf(c.env, trade, own);
      if (receipt === null)
        return failure(
          c,
          apiError('CONFLICT', 'the trade, or what was made of it since, stands in no final block yet', {
            finality: 'pending',
          }),
        );
      return c.json(receiptDocument(receipt), 200);
    },
  );
}
