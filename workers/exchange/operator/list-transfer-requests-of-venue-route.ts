import { createRoute, z } from '@hono/zod-openapi';
import { projected } from '../../../application/ledger/projected.ts';
import { listTransferRequests } from '../../../data/accounts/transfer-requests.ts';
import { database } from '../../../data/database.ts';
import { TRANSFER_TYPES } from '../../../domain/accounts/transfer-type.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { notCurrent } from '../../responses/not-current.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { TransferRequestView, TransferStatus, transferRequestView } from '../transfer-request-schema.ts';
import { OPERATOR_READ, readableOwner } from './operator-route.ts';

/** GET /v1/operator/transfer-requests: what waits for a decision, and what was decided; of the own organization, of everyone's for the venue. */
export function listTransferRequestsOfVenueRoute(exchange: Profile): void {
  registerRoute(
    exchange,
    OPERATOR_READ,
    createRoute({
      method: 'get',
      path: '/v1/operator/transfer-requests',
      tags: ['operator'],
      summary: 'Requests to pay in and out, newest first',
      request: {
        query: z.object({
          type: z.enum(TRANSFER_TYPES).optional(),
          status: TransferStatus.optional(),
          accountId: z.string().optional(),
          limit: limitQuery,
          cursor: z.uuid().optional(),
        }),
      },
      responses: { 200: envelopeOf('The requests.', z.array(TransferRequestView)) },
    }),
    async (c) => {
      const { type = null, status = null, accountId = null, limit, cursor = null } = c.req.valid('query');
      if (!(await projected(c.env))) return failure(c, notCurrent());
      const filter = { account: accountId, owner: readableOwner(c), type, state: status, before: cursor };
      const found = await listTransferRequests(database(c.env.DB), { ...filter, limit: rowsToRead(limit) });
      return c.json(enveloped(pageOf(c, found, limit, ({ id }) => id).map(transferRequestView)), 200);
    },
  );
}
