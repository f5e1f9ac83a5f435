import { createRoute, z } from '@hono/zod-openapi';
import { projected } from '../../application/ledger/projected.ts';
import { findTransferRequest, listTransferRequests } from '../../data/accounts/transfer-requests.ts';
import { database } from '../../data/database.ts';
import { apiError } from '../../protocol/errors/api-error.ts';
import { principalOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { enveloped, envelopeOf } from '../responses/envelope.ts';
import { failure } from '../responses/failure.ts';
import { notCurrent } from '../responses/not-current.ts';
import { limitQuery, pageOf, rowsToRead } from '../responses/paging.ts';
import { orderFailure } from './order-failure.ts';
import { TransferRequestView, TransferStatus, transferRequestView } from './transfer-request-schema.ts';

/** GET /v1/account/transfer-requests, …/{id}: what the caller has asked to pay in and out, in one list, and one of it. */
export function readOwnTransferRequestsRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    { access: { credential: 'tenant' }, bucket: 'private' },
    createRoute({
      method: 'get',
      path: '/v1/account/transfer-requests',
      tags: ['account'],
      summary: 'Requests of the caller to pay in and out',
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
      const filter = {
        account: facts.accountId,
        owner: null,
        type: null,
        state: status,
        reference: null,
        before: cursor,
      };
      const found = await listTransferRequests(database(c.env.DB), { ...filter, limit: rowsToRead(limit) });
      return c.json(enveloped(pageOf(c, found, limit, ({ id }) => id).map(transferRequestView)), 200);
    },
  );
  registerRoute(
    exchange,
    { access: { credential: 'tenant' }, bucket: 'private', errors: ['NOT_FOUND'] },
    createRoute({
      method: 'get',
      path: '/v1/account/transfer-requests/{id}',
      tags: ['account'],
      summary: 'A request of the caller to pay in or out',
      request: { params: z.object({ id: z.string() }) },
      responses: { 200: envelopeOf('The request.', TransferRequestView) },
    }),
    async (c) => {
      const { facts } = principalOf(c);
      if (facts === null) return orderFailure(c, { reason: 'no_account' });
      if (!(await projected(c.env))) return failure(c, notCurrent());
      const found = await findTransferRequest(database(c.env.DB), c.req.valid('param').id);
      if (found?.account !== facts.accountId) return failure(c, apiError('NOT_FOUND', 'request does not exist'));
      return c.json(enveloped(transferRequestView(found)), 200);
    },
  );
}
