import { feedCallerOf, openFeed } from '../../application/market-data/open-feed.ts';
import { err, type Result } from '../../domain/result.ts';
import type { ApiError } from '../../protocol/errors/api-error.ts';
import { type AppContext, optionalPrincipalOf, principalOf } from '../middleware/app-env.ts';
import { clientAddressOf } from '../middleware/client-address.ts';
import { feedRefused } from '../responses/feed-refused.ts';
import { ownSymbolError } from './own-symbol-error.ts';
import { visibleMarket } from './visible-market.ts';

/** Opens a feed's WebSocket for the caller: on one pair that the caller may see, or on any. */
export async function connectFeed(c: AppContext, symbol: string | undefined): Promise<Result<Response, ApiError>> {
  if (symbol !== undefined) {
    const visible = await visibleMarket(c, symbol);
    if (!visible.ok) return visible;
  }
  const caller = feedCallerOf({
    principal: optionalPrincipalOf(c),
    accessToken: c.get('accessToken') ?? null,
    clientAddress: clientAddressOf(c),
  });
  const opened = await openFeed(c.env, caller, symbol ?? null);
  return opened.ok ? opened : err(feedRefused(opened.error));
}

/**
 * The same for own orders, which have symbols that are no pair to their account: markets at a broker, and pairs that it may see no more. These are
 * followed beside all others.
 */
export async function connectOrders(c: AppContext, symbol: string | undefined): Promise<Result<Response, ApiError>> {
  const opened = await connectFeed(c, symbol);
  if (opened.ok || symbol === undefined || opened.error.code !== 'INVALID_SYMBOL') return opened;
  const unknown = await ownSymbolError({ env: c.env, principal: principalOf(c) }, symbol);
  return unknown === null ? connectFeed(c, undefined) : err(unknown);
}
