import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';

export function noSuchAccount(): ApiError {
  return apiError('NOT_FOUND', 'account does not exist');
}

export function noSuchMarket(): ApiError {
  return apiError('NOT_FOUND', 'market does not exist');
}

export function noSuchAsset(details: ApiError['details'] = {}): ApiError {
  return apiError('ASSET_NOT_FOUND', 'asset does not exist', details);
}
