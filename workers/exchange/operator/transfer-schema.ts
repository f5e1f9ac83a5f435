import { z } from '@hono/zod-openapi';
import type { MadeTransfer } from '../../../application/operator/make-deposit.ts';
import { TRANSFER_TYPES } from '../../../domain/accounts/transfer-type.ts';
import { fromScaled } from '../../../domain/money/scaled.ts';
import { Reason } from './operator-route.ts';

const REFERENCE_LENGTH_MAX = 200;

/** What deposits and withdrawals ask for alike; `amount` in units of the asset. */
export const transferFields = {
  accountId: z.string().min(1),
  assetId: z.string().min(1),
  amount: z.number().positive(),
  reference: z.string().max(REFERENCE_LENGTH_MAX).optional(),
  reason: Reason.optional(),
};

export const TransferView = z
  .object({
    id: z.string(),
    type: z.enum(TRANSFER_TYPES),
    accountId: z.string(),
    assetId: z.string(),
    amount: z.number(),
    status: z.literal('completed'),
    reference: z.string().nullable(),
    timestamp: z.string().openapi({ format: 'date-time' }),
  })
  .openapi('OperatorTransfer');

export function transferView({ transfer, scale }: MadeTransfer): z.infer<typeof TransferView> {
  return {
    id: transfer.id,
    type: transfer.type,
    accountId: transfer.account,
    assetId: transfer.asset,
    amount: fromScaled(transfer.amount, scale),
    status: 'completed',
    reference: transfer.reference,
    timestamp: new Date(transfer.createdAt).toISOString(),
  };
}
