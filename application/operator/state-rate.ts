import type { OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { findAsset, findAssetBySymbol } from '../../data/catalog/assets.ts';
import { database } from '../../data/database.ts';
import type { RateRow } from '../../data/markets/rates.ts';
import { type DollarRate, rateInUnits } from '../../domain/money/dollar-rate.ts';
import { CASH_SYMBOL } from '../../domain/portfolio/cash.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { type RateError, stateRate } from '../ledger/state-rate.ts';
import { noSuchAsset } from './not-found.ts';
import { outcomeUnknown } from './outcome-unknown.ts';

/** States what an asset that markets quote in is worth: whole dollars (`numerator`) for whole units of it (`denominator`). */
export async function stateRateByOperator(
  env: Env,
  assetId: string,
  stated: DollarRate,
  action: OperatorAction,
): Promise<Result<RateRow, ApiError>> {
  const db = database(env.DB);
  const [asset, dollar] = await Promise.all([findAsset(db, assetId), findAssetBySymbol(db, CASH_SYMBOL)]);
  if (asset === null || asset.category === 'allowance') return err(noSuchAsset());
  if (dollar === null)
    return err(
      apiError('CONFLICT', `there is no currency with the symbol ${CASH_SYMBOL} yet`, { symbol: CASH_SYMBOL }),
    );
  if (asset.id === dollar.id)
    return err(apiError('VALIDATION_ERROR', 'the dollar has no rate in dollars', { reason: 'is_dollar' }));
  const rate = rateInUnits(stated, { dollarScale: dollar.scale, assetScale: asset.scale });
  if (!rate.ok)
    return err(apiError('VALIDATION_ERROR', 'the rate has too many digits for the asset', { reason: rate.error }));
  const made = await stateRate(env, { asset: asset.id, rate: rate.value, stated, action, now: Date.now() });
  return made.ok ? ok(made.value) : err(rateError(made.error));
}

function rateError(error: RateError): ApiError {
  switch (error.reason) {
    case 'too_many_rates':
      return apiError('CONFLICT', 'rates are stated for as many assets as may be', { ratesMax: error.ratesMax });
    case 'outcome_unknown':
      return outcomeUnknown({ reason: error.reason });
  }
}
