import { instrumentOf } from '../../application/order-entry/checks/instrument-cache.ts';
import { maySee } from '../../domain/accreditation/may-see.ts';
import { isListed } from '../../domain/assets/is-listed.ts';
import type { Market } from '../../domain/markets/market.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { type AppContext, optionalPrincipalOf } from '../middleware/app-env.ts';
import { notCurrent } from '../responses/not-current.ts';

type VisibleMarket = { readonly ok: true; readonly market: Market } | { readonly ok: false; readonly error: ApiError };

/** The market under a symbol that the caller may see. One that must not be shown is answered like one that does not exist. */
export async function visibleMarket(c: AppContext, symbol: string): Promise<VisibleMarket> {
  const instrument = await instrumentOf(c.env, { symbol });
  if (instrument === 'unavailable') return { ok: false, error: notCurrent() };
  const facts = optionalPrincipalOf(c)?.facts ?? null;
  if (
    instrument === null ||
    instrument.market === null ||
    !isListed(instrument.asset) ||
    !maySee(instrument.asset, facts)
  ) {
    return { ok: false, error: apiError('INVALID_SYMBOL', 'trading pair unsupported', { symbol }) };
  }
  return { ok: true, market: instrument.market };
}
