import { createRoute, z } from '@hono/zod-openapi';
import { cancelTransfer } from '../../application/accounts/transfer-requests.ts';
import { TRANSFER_TYPES } from '../../domain/accounts/transfer-type.ts';
import { principalOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { enveloped, envelopeOf } from '../responses/envelope.ts';
import { failure } from '../responses/failure.ts';
import { orderFailure } from './order-failure.ts';
import { TransferRequestView, transferRequestView } from './transfer-request-schema.ts';

/** DELETE /v1/account/deposits/{id} and /v1/account/withdrawals/{id}: the caller takes a request back. */
export function cancelTransferRequestRoute(exchange: Profile): void {
  for (const type of TRANSFER_TYPES) {
    registerRoute(
      exchange,
      { access: { credential: 'tenant' }, bucket: 'private', errors: ['CONFLICT'] },
      createRoute({
        method: 'delete',
        path: `/v1/account/${type}s/{id}`,
        tags: ['account'],
        summary: 'Take a request back that nobody has approved yet',
        request: { params: z.object({ id: z.string() }) },
        responses: { 200: envelopeOf('The request, cancelled.', TransferRequestView) },
      }),
      async (c) => {
        const { facts } = principalOf(c);
        if (facts === null) return orderFailure(c, { reason: 'no_account' });
        const cancelled = await cancelTransfer(c.env, facts.accountId, { id: c.req.valid('param').id, type });
        return cancelled.ok
          ? c.json(enveloped(transferRequestView(cancelled.value)), 200)
          : failure(c, cancelled.error);
      },
    );
  }
}
