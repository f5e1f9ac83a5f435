import { createRoute, z } from '@hono/zod-openapi';
import { projected } from '../../../application/ledger/projected.ts';
import { findAccountHolders } from '../../../data/accounts/account-holders.ts';
import {
  findTransferRequest,
  listTransferRequests,
  type TransferRequestRecord,
} from '../../../data/accounts/transfer-requests.ts';
import { database } from '../../../data/database.ts';
import { readPaymentReference } from '../../../domain/accounts/payment-reference.ts';
import { TRANSFER_TYPES } from '../../../domain/accounts/transfer-type.ts';
import { apiError } from '../../../protocol/errors/api-error.ts';
import type { AppContext } from '../../middleware/app-env.ts';
import { type Profile, registerRoute } from '../../middleware/profile.ts';
import { enveloped, envelopeOf } from '../../responses/envelope.ts';
import { failure } from '../../responses/failure.ts';
import { notCurrent } from '../../responses/not-current.ts';
import { limitQuery, pageOf, rowsToRead } from '../../responses/paging.ts';
import { TransferRequestView, TransferStatus, transferRequestView } from '../transfer-request-schema.ts';
import { HolderName } from './account-schema.ts';
import { OPERATOR_READ, readableOwner } from './operator-route.ts';

const REFERENCE_LENGTH_MAX = 40;

const PaymentReference = z
  .string()
  .max(REFERENCE_LENGTH_MAX)
  .transform((text, context) => {
    const digits = readPaymentReference(text);
    if (digits !== null) return digits;
    context.addIssue({ code: 'custom', message: 'is no reference of a payment' });
    return z.NEVER;
  })
  .openapi({
    type: 'string',
    description: 'What stands on a transfer that has come, with or without its dashes; of the newest 100,000 requests.',
    example: '7F3A-91C2-0B4D',
  });

const VenueRequest = TransferRequestView.extend({
  owner: z.string(),
  userId: z.string().nullable(),
  name: HolderName,
}).openapi('OperatorTransferRequest');

/** GET /v1/operator/transfer-requests, …/{id}: what waits for a decision, and what was decided; of the own organization, of everyone's for the venue. */
export function readTransferRequestRoutes(exchange: Profile): void {
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
          paymentReference: PaymentReference.optional(),
          limit: limitQuery,
          cursor: z.uuid().optional(),
        }),
      },
      responses: { 200: envelopeOf('The requests.', z.array(VenueRequest)) },
    }),
    async (c) => {
      const {
        type = null,
        status = null,
        accountId = null,
        paymentReference = null,
        limit,
        cursor = null,
      } = c.req.valid('query');
      if (!(await projected(c.env))) return failure(c, notCurrent());
      const filter = {
        account: accountId,
        owner: readableOwner(c),
        type,
        state: status,
        reference: paymentReference,
        before: cursor,
      };
      const found = await listTransferRequests(database(c.env.DB), { ...filter, limit: rowsToRead(limit) });
      return c.json(
        enveloped(
          await requestsOf(
            c,
            pageOf(c, found, limit, ({ id }) => id),
          ),
        ),
        200,
      );
    },
  );
  registerRoute(
    exchange,
    { ...OPERATOR_READ, errors: ['NOT_FOUND'] },
    createRoute({
      method: 'get',
      path: '/v1/operator/transfer-requests/{id}',
      tags: ['operator'],
      summary: 'A request to pay in or out',
      request: { params: z.object({ id: z.string() }) },
      responses: { 200: envelopeOf('The request.', VenueRequest) },
    }),
    async (c) => {
      if (!(await projected(c.env))) return failure(c, notCurrent());
      const found = await findTransferRequest(database(c.env.DB), c.req.valid('param').id);
      const owner = readableOwner(c);
      const isTheirs = found !== null && (owner === null || found.owner === owner);
      const [request] = isTheirs ? await requestsOf(c, [found]) : [];
      if (request === undefined) return failure(c, apiError('NOT_FOUND', 'request does not exist'));
      return c.json(enveloped(request), 200);
    },
  );
}

/** With whose they are. */
async function requestsOf(
  c: AppContext,
  records: readonly TransferRequestRecord[],
): Promise<z.infer<typeof VenueRequest>[]> {
  const holders = await findAccountHolders(
    database(c.env.DB),
    records.map(({ account }) => account),
  );
  return records.map((record) => {
    const { userId = null, name = null } = holders.get(record.account) ?? {};
    return { ...transferRequestView(record), owner: record.owner, userId, name };
  });
}
