import { z } from '@hono/zod-openapi';
import type { TransferRequestRecord } from '../../data/accounts/transfer-requests.ts';
import { paymentReference } from '../../domain/accounts/payment-reference.ts';
import { TRANSFER_REQUEST_STATES } from '../../domain/accounts/transfer-request.ts';
import { TRANSFER_TYPES } from '../../domain/accounts/transfer-type.ts';
import { fromScaled } from '../../domain/money/scaled.ts';

export const TransferStatus = z.enum(TRANSFER_REQUEST_STATES);

/** A request to pay in or out. */
export const TransferRequestView = z
  .object({
    id: z.string().openapi({ description: 'Once executed, also the id of the transaction.' }),
    type: z.enum(TRANSFER_TYPES),
    accountId: z.string(),
    assetId: z.string(),
    symbol: z.string(),
    amount: z.number(),
    status: TransferStatus.openapi({
      description:
        'An open withdrawal (`requested`, `approved`) holds its amount. `rejected`, `executed` and `cancelled` are final.',
    }),
    reference: z
      .string()
      .nullable()
      .openapi({ description: 'Where it comes from or goes to, as the caller stated it.' }),
    paymentReference: z.string().openapi({
      description: 'What the caller writes on the transfer that brings a deposit, so that it is known whose it is.',
      example: '7F3A-91C2-0B4D',
    }),
    reason: z.string().nullable().openapi({ description: 'What the operator said last.' }),
    createdAt: z.iso.datetime(),
    updatedAt: z.iso.datetime(),
  })
  .openapi('TransferRequest');

export function transferRequestView(record: TransferRequestRecord): z.infer<typeof TransferRequestView> {
  const { id, type, account, asset, symbol, amount, scale, state, reference, reason, createdAt, updatedAt } = record;
  return {
    id,
    type,
    accountId: account,
    assetId: asset,
    symbol,
    amount: fromScaled(amount, scale),
    status: state,
    reference,
    paymentReference: paymentReference(id),
    reason,
    createdAt: new Date(createdAt).toISOString(),
    updatedAt: new Date(updatedAt).toISOString(),
  };
}
