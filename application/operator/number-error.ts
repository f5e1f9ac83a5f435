import type { ScaledError } from '../../domain/money/scaled.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';

/** A number that its asset cannot represent, or that nobody pays. */
export function numberError(field: string, error: ScaledError): ApiError {
  const { reason, ...limits } = error;
  return apiError('VALIDATION_ERROR', `${field} ${wordsOf(error)}`, {
    field,
    reason,
    ...limits,
  });
}

function wordsOf(error: ScaledError): string {
  switch (error.reason) {
    case 'too_many_decimals':
      return `has ${error.decimals} decimals, of which ${error.decimals_max} are taken here`;
    case 'too_large':
      return 'is too large';
    case 'not_finite':
      return 'is not a number';
  }
}
