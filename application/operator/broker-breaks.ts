import type { BreakRecord } from '../../data/broker/broker-breaks.ts';
import { fromScaled } from '../../domain/money/scaled.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { type BreakError, type BreakRequest, resolveBreak } from '../ledger/resolve-break.ts';
import { noSuchAccount } from './not-found.ts';
import { numberError } from './number-error.ts';
import { outcomeUnknown } from './outcome-unknown.ts';

export function noSuchBreak(): ApiError {
  return apiError('NOT_FOUND', 'break does not exist');
}

/** Closes a break (docs/design/broker.md#closing-a-break). */
export async function resolveBreakByOperator(
  env: Env,
  request: Omit<BreakRequest, 'now'>,
): Promise<Result<BreakRecord, ApiError>> {
  const resolved = await resolveBreak(env, { ...request, now: Date.now() });
  return resolved.ok ? ok(resolved.value) : err(breakError(resolved.error));
}

function breakError(error: BreakError): ApiError {
  const { reason } = error;
  switch (reason) {
    case 'break_not_found':
      return noSuchBreak();
    case 'account_not_found':
      return noSuchAccount();
    case 'no_execution':
      return apiError('VALIDATION_ERROR', 'the break tells of no execution that could be booked', { reason });
    case 'not_stated':
      return apiError('VALIDATION_ERROR', `the break does not say the ${error.field}: state it`, {
        field: error.field,
        reason,
      });
    case 'told_otherwise':
      return apiError('VALIDATION_ERROR', `the break says another ${error.field}`, { field: error.field, reason });
    case 'not_representable':
      return numberError(error.field, error.error);
    case 'not_positive':
      return apiError('VALIDATION_ERROR', `${error.field} must be above 0`, { field: error.field, reason });
    case 'notional_not_whole':
      return apiError('VALIDATION_ERROR', 'price times quantity is no amount of what the market quotes in', { reason });
    case 'already_resolved':
      return apiError('CONFLICT', 'the break was closed before', { reason });
    case 'already_booked':
      return apiError('CONFLICT', 'the execution counts already: acknowledge the break', { reason });
    case 'insufficient_balance': {
      const { market } = error.of;
      const scale = error.asset === market.baseAsset ? market.quantityScale : market.quoteScale;
      return apiError('INSUFFICIENT_BALANCE', 'the account does not have available what the execution takes', {
        assetId: error.asset,
        required: fromScaled(error.required, scale),
        available: fromScaled(error.available, scale),
      });
    }
    case 'balance_too_large':
      return apiError('VALIDATION_ERROR', 'the balance would be too large', { reason });
    case 'ledger_full':
      return apiError('SERVICE_UNAVAILABLE', 'the ledger takes no more for the moment; nothing was done', { reason });
    case 'outcome_unknown':
      return outcomeUnknown({ reason });
  }
}
