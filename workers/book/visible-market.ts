import { instrumentOf } from '../../application/order-entry/checks/instrument-cache.ts';
import { maySee } from '../../domain/accreditation/may-see.ts';
import { isListed } from '../../domain/assets/is-listed.ts';
import type { Principal } from '../../domain/identity/principal.ts';
import { isRouted, type Market } from '../../domain/markets/market.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { type AppContext, optionalPrincipalOf } from '../middleware/app-env.ts';
import { notCurrent } from '../responses/not-current.ts';

/** The pair under a symbol that the caller may see: `marketVisibleTo` of its principal. */
export function visibleMarket(c: AppContext, symbol: string): Promise<Result<Market, ApiError>> {
  return marketVisibleTo(c.env, optionalPrincipalOf(c), symbol);
}

/**
 * The pair under a symbol that somebody may see, null for nobody in particular. What is routed is no pair. One that must not be shown is answered
 * like one that does not exist.
 */
export async function marketVisibleTo(
  env: Env,
  principal: Principal | null,
  symbol: string,
): Promise<Result<Market, ApiError>> {
  const instrument = await instrumentOf(env, { symbol });
  if (instrument === 'unavailable') return err(notCurrent());
  const facts = principal?.facts ?? null;
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
