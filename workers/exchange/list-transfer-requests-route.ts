import { createRoute, z } from '@hono/zod-openapi';
import { projected } from '../../application/ledger/projected.ts';
import { listTransferRequests } from '../../data/accounts/transfer-requests.ts';
import { database } from '../../data/database.ts';
import { TRANSFER_TYPES } from '../../domain/accounts/transfer-type.ts';
import { principalOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { enveloped, envelopeOf } from '../responses/envelope.ts';
import { failure } from '../responses/failure.ts';
import { notCurrent } from '../responses/not-current.ts';
import { limitQuery, pageOf, rowsToRead } from '../responses/paging.ts';
import { orderFailure } from './order-failure.ts';
import { TransferRequestView, TransferStatus, transferRequestView } from './transfer-request-schema.ts';

/** GET /v1/account/deposits and /v1/account/withdrawals: what the caller has asked for, newest first. */
export function listTransferRequestsRoute(exchange: Profile): void {
  for (const type of TRANSFER_TYPES) {
    registerRoute(
      exchange,
      { access: { credential: 'tenant' }, bucket: 'private' },
      createRoute({
        method: 'get',
        path: `/v1/account/${type}s`,
        tags: ['account'],
        summary: `Requests of the caller to pay ${type === 'deposit' ? 'in' : 'out'}`,
        request: {
          query: z.object({ status: TransferStatus.optional(), limit: limitQuery, cursor: z.uuid().optional() }),
        },
        responses: { 200: envelopeOf('The requests, newest first.', z.array(TransferRequestView)) },
      }),
      async (c) => {
        const { facts } = principalOf(c);
        if (facts === null) return orderFailure(c, { reason: 'no_account' });
        const { status = null, limit, cursor = null } = c.req.valid('query');
        if (!(await projected(c.env))) return failure(c, notCurrent());
        const filter = { account: facts.accountId, owner: null, type, state: status, reference: null, before: cursor };
        const found = await listTransferRequests(database(c.env.DB), { ...filter, limit: rowsToRead(limit) });
        return c.json(enveloped(pageOf(c, found, limit, ({ id }) => id).map(transferRequestView)), 200);
      },
    );
  }
}
