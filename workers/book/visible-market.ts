import { instrumentOf } from '../../application/order-entry/checks/instrument-cache.ts';
import { maySee } from '../../domain/accreditation/may-see.ts';
import { isListed } from '../../domain/assets/is-listed.ts';
import { isRouted, type Market } from '../../domain/markets/market.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { type AppContext, optionalPrincipalOf } from '../middleware/app-env.ts';
import { notCurrent } from '../responses/not-current.ts';

/** The pair under a symbol that the caller may see. What is routed is no pair. One that must not be shown is answered like one that does not exist. */
export async function visibleMarket(c: AppContext, symbol: string): Promise<Result<Market, ApiError>> {
  const instrument = await instrumentOf(c.env, { symbol });
  if (instrument === 'unavailable') return err(notCurrent());
  const facts = optionalPrincipalOf(c)?.facts ?? null;
  if (
    instrument === null ||
    instrument.market === null ||
    isRouted(instrument.market) ||
    !isListed(instrument.asset) ||
    !maySee(instrument.asset, facts)
  ) {
    return err(apiError('INVALID_SYMBOL', 'trading pair unsupported', { symbol }));
  }
  return ok(instrument.market);
}
