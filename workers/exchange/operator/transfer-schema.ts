import { z } from '@hono/zod-openapi';
import type { TransferError } from '../../../application/ledger/transfers.ts';
import type { TransferRow } from '../../../data/accounts/transfers.ts';
import { TRANSFER_TYPES } from '../../../domain/accounts/transfer-type.ts';
import { fromScaled, type ScaledError } from '../../../domain/money/scaled.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';

const REFERENCE_LENGTH_MAX = 200;

/** What deposits and withdrawals ask for alike; `amount` in units of the asset. */
export const transferFields = {
  accountId: z.string().min(1),
  assetId: z.string().min(1),
  amount: z.number().positive(),
  reference: z.string().max(REFERENCE_LENGTH_MAX).optional(),
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

/** A transfer on the wire; `scale` is the asset's. */
export function transferView(transfer: TransferRow, scale: number): z.infer<typeof TransferView> {
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

/** `scale` is the asset's. */
export function transferError(error: TransferError, scale: number): ApiError {
  switch (error.reason) {
    case 'account_not_found':
      return apiError('NOT_FOUND', 'account does not exist');
    case 'asset_not_found':
      return apiError('ASSET_NOT_FOUND', 'asset does not exist');
    case 'id_conflict':
      return apiError('CONFLICT', 'the id stands for another transfer');
    case 'lots_do_not_sum':
      return apiError('VALIDATION_ERROR', 'the lots do not sum to the amount', {
        expected: fromScaled(error.expected, scale),
        found: fromScaled(error.found, scale),
      });
    case 'balance_too_large':
      return apiError('VALIDATION_ERROR', 'the balance would be too large');
    case 'ledger_full':
      return apiError('SERVICE_UNAVAILABLE', 'the ledger takes no more for the moment; nothing was done', {
        reason: error.reason,
      });
    case 'outcome_unknown':
      return apiError(
        'SERVICE_UNAVAILABLE',
        'no answer from the ledger; repeat with the same Idempotency-Key to learn the outcome',
        { reason: error.reason },
      );
    case 'insufficient_balance':
      return apiError('INSUFFICIENT_BALANCE', 'not enough is available', {
        required: fromScaled(error.required, scale),
        available: fromScaled(error.available, scale),
      });
  }
}

/** A number of the request that its asset cannot represent. */
export function numberError(field: string, { reason, ...limits }: ScaledError): ApiError {
  return apiError('VALIDATION_ERROR', `${field} is not an amount of this asset`, { field, reason, ...limits });
}
