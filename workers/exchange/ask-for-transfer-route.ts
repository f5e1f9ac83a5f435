import { createRoute, z } from '@hono/zod-openapi';
import { askForTransfer } from '../../application/accounts/transfer-requests.ts';
import { TRANSFER_TYPES } from '../../domain/accounts/transfer-type.ts';
import { principalOf, resourceIdOf } from '../middleware/app-env.ts';
import { type Profile, registerRoute } from '../middleware/profile.ts';
import { enveloped, envelopeOf } from '../responses/envelope.ts';
import { failure } from '../responses/failure.ts';
import { orderFailure } from './order-failure.ts';
import { TransferRequestView, transferRequestView } from './transfer-request-schema.ts';

const REFERENCE_LENGTH_MAX = 200;

const Asked = z.strictObject({ assetId: z.string().min(1), amount: z.number().positive() });
const Reference = z.string().trim().max(REFERENCE_LENGTH_MAX);

const BODIES = {
  deposit: Asked.extend({
    reference: Reference.nullable().default(null).openapi({
      description: 'Where it comes from, for the operator who decides.',
    }),
  }).openapi('DepositRequestBody'),
  withdrawal: Asked.extend({
    reference: Reference.min(1).openapi({
      description: 'Where it goes, for the operator who decides: nobody can pay out what names no place.',
    }),
  }).openapi('WithdrawalRequestBody'),
} as const;

const SUMMARY = {
  deposit: 'Ask to pay in',
  withdrawal: 'Ask to pay out; the amount is held at once',
} as const;

/** POST /v1/account/deposits and /v1/account/withdrawals. */
export function askForTransferRoute(exchange: Profile): void {
  for (const type of TRANSFER_TYPES) {
    registerRoute(
      exchange,
      {
        access: { credential: 'tenant' },
        bucket: 'private',
        idempotent: true,
        errors: ['ASSET_NOT_FOUND'],
        ...(type === 'withdrawal' ? { freshFactor: true } : {}),
      },
      createRoute({
        method: 'post',
        path: `/v1/account/${type}s`,
        tags: ['account'],
        summary: SUMMARY[type],
        description: 'Money, commodities and crypto. An operator decides; securities go by their transfer agent.',
        request: { body: { required: true, content: { 'application/json': { schema: BODIES[type] } } } },
        responses: { 200: envelopeOf('The request.', TransferRequestView) },
      }),
      async (c) => {
        const { facts } = principalOf(c);
        if (facts === null) return orderFailure(c, { reason: 'no_account' });
        const asked = await askForTransfer(c.env, facts, { id: resourceIdOf(c), type, ...c.req.valid('json') });
        return asked.ok ? c.json(enveloped(transferRequestView(asked.value)), 200) : failure(c, asked.error);
      },
    );
  }
}
