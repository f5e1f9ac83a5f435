import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';

export function gateUnavailable(): ApiError {
  return apiError('SERVICE_UNAVAILABLE', 'credentials cannot be checked now: try again');
}
