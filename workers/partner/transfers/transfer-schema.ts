import { z } from '@hono/zod-openapi';
import type { TransferActError } from '../../../application/partner/register/transfers.ts';
import type { TransferInstruction } from '../../../data/partner/register/transfer-instructions.ts';
import { fromScaled } from '../../../domain/money/scaled.ts';
import { TRANSFER_STATES } from '../../../domain/register/transfer-state.ts';
import { type ApiError, apiError } from '../../../protocol/errors/api-error.ts';
import { isoTime, isoTimeOrNull } from '../../responses/wire.ts';
import { TRANSFER_INSTRUCTION } from '../examples.ts';

export const TransferView = z
  .object({
    transfer_instruction_id: z.uuid(),
    trade_id: z.uuid(),
    security_id: z.uuid(),
    buyer_account_id: z.string(),
    seller_account_id: z.string(),
    units_to_transfer: z.number(),
    status: z.enum(['pending', 'pending_transfer', 'rejecting', 'rejected', 'completed', 'reversed']).openapi({
      description:
        '`pending` awaits its acknowledgment; an accepted one is `pending_transfer` until it is completed. `reversed`: an operator has taken its trade back, also after it was completed.',
    }),
    acknowledged: z.boolean(),
    acknowledged_at: z.iso.datetime().nullable(),
    record_date: z.string().nullable(),
    notes: z.string().nullable(),
    reason: z.string().nullable(),
    new_certificate_number: z.string().nullable(),
    legend_applied: z.boolean().nullable(),
    cap_table_updated_at: z.string().nullable(),
    ended_at: z.iso.datetime().nullable(),
    created_at: z.iso.datetime(),
  })
  .openapi('TransferInstruction', { example: TRANSFER_INSTRUCTION });

export const TRANSFER_STATUSES = TRANSFER_STATES.map((state) =>
  state === 'acknowledged' ? 'pending_transfer' : state,
);

export function transferView(transfer: TransferInstruction, scale: number): z.infer<typeof TransferView> {
  const { state } = transfer;
  return {
    transfer_instruction_id: transfer.id,
    trade_id: transfer.id,
    security_id: transfer.security,
    buyer_account_id: transfer.buyer,
    seller_account_id: transfer.seller,
    units_to_transfer: fromScaled(transfer.units, scale),
    status: state === 'acknowledged' ? 'pending_transfer' : state,
    acknowledged: transfer.acknowledgedAt !== null,
    acknowledged_at: isoTimeOrNull(transfer.acknowledgedAt),
    record_date: transfer.recordDate,
    notes: transfer.notes,
    reason: transfer.reason,
    new_certificate_number: transfer.certificate,
    legend_applied: transfer.legendApplied,
    cap_table_updated_at: transfer.capTableUpdatedAt,
    ended_at: isoTimeOrNull(transfer.endedAt),
    created_at: isoTime(transfer.createdAt),
  };
}

export function transferActError(error: TransferActError, scale: number): ApiError {
  switch (error.reason) {
    case 'transfer_not_found':
    case 'trade_not_found':
      return noSuchTransfer();
    case 'wrong_state':
    case 'done_otherwise':
      return apiError('CONFLICT', 'the transfer is in another state, or was decided otherwise', {
        reason: error.reason,
        status: transferView(error.transfer, scale).status,
      });
    case 'not_registered':
      return apiError(
        'CONFLICT',
        'the seller is not registered with so many: complete the transfers to them first, or together with this one',
        {
          reason: error.reason,
          required: fromScaled(error.required, scale),
          registered: fromScaled(error.held, scale),
        },
      );
    case 'certificate_exists':
      return apiError('CONFLICT', 'the register knows this certificate already', { reason: error.reason });
    case 'rejection_overdue':
      return apiError('CONFLICT', 'the time to reject the transfer is over: complete it, or ask an operator', {
        reason: error.reason,
      });
    case 'already_adjusted':
      return apiError('CONFLICT', 'an operator has taken the trade back, or corrected it', { reason: error.reason });
    case 'not_returnable':
      return apiError('CONFLICT', 'a side no longer has available what must go back; nothing was done', {
        reason: error.reason,
        missing: error.missing.map(({ side, required, available }) => ({ side, required, available })),
      });
    case 'lots_unknown':
      return apiError('CONFLICT', 'the trade is too long ago to be taken back', { reason: error.reason });
    case 'split_since':
      return apiError('CONFLICT', 'the shares of the trade have been split since', { reason: error.reason });
    case 'dividend_since':
      return apiError(
        'CONFLICT',
        'the buyer has a dividend by these shares: cancel or reverse it first, or ask an operator',
        { reason: error.reason, corporate_action_id: error.dividend },
      );
    case 'balance_too_large':
      return apiError('CONFLICT', 'a side would have more than amounts are exact in; nothing was done', {
        reason: error.reason,
      });
    case 'busy':
    case 'ledger_full':
    case 'outcome_unknown':
      return apiError('SERVICE_UNAVAILABLE', 'the transfer is not decided yet: the same request finds out', {
        reason: error.reason,
      });
    case 'price_not_representable':
    case 'price_not_on_tick':
    case 'price_too_large':
    case 'price_unchanged':
      throw new Error('a trade that is taken back has no price');
  }
}

/** Another agent's is not there either. */
export function noSuchTransfer(): ApiError {
  return apiError('NOT_FOUND', 'transfer does not exist');
}
