import type { ScaledError } from '../../domain/money/scaled.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';

/** A number that its asset cannot represent. */
export function numberError(field: string, { reason, ...limits }: ScaledError): ApiError {
  return apiError('VALIDATION_ERROR', `${field} is not an amount of this asset`, { field, reason, ...limits });
}
