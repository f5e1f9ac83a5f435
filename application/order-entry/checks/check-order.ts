import type { Instrument } from '../../../data/catalog/instruments.ts';
import { attributesOf } from '../../../domain/accreditation/attributes-of.ts';
import { requiresOf } from '../../../domain/accreditation/requires-of.ts';
import type { ExecutionRouteName } from '../../../domain/assets/asset.ts';
import type { AccountFacts, Principal } from '../../../domain/identity/principal.ts';
import type { Market } from '../../../domain/markets/market.ts';
import { scaleTerms } from '../../../domain/order-entry/scale-terms.ts';
import { termsFailure } from '../../../domain/order-entry/terms-failure.ts';
import type { OrderTerms } from '../../../domain/orders/order.ts';
import type { OrderEntryFailure } from '../order-entry-failure.ts';
import type { OrderRequest } from '../order-request.ts';
import { accreditationFailure } from './accreditation-failure.ts';
import type { AskedOrder, CheckedOrder } from './checked-order.ts';
import { instrumentOf } from './instrument-cache.ts';
import { instrumentFailure } from './instrument-failure.ts';
import { keyLimitsFailure } from './key-limits-failure.ts';
import { type LimitsResult, limitsOf, type OrderLimits } from './limits-of.ts';
import { resaleFailure } from './resale-failure.ts';
import { traderFailure } from './trader-failure.ts';
import { unscaledTermsFailure } from './unscaled-terms-failure.ts';

export type OrderCheck =
  | { readonly ok: true; readonly order: CheckedOrder; readonly route: ExecutionRouteName }
  /** `asked`: the order that failed a validation; null where there is no order yet to speak of. */
  | { readonly ok: false; readonly failure: OrderEntryFailure; readonly asked: AskedOrder | null };

/** An asset without a market takes any number that fits its scales. */
const NO_MARKET_RULES: Pick<Market, 'tickSize' | 'lotSize' | 'quantityMin' | 'quantityMax'> = {
  tickSize: 1,
  lotSize: 1,
  quantityMin: 1,
  quantityMax: Number.MAX_SAFE_INTEGER,
};

/** Only orders that meet a book draw on limits. */
const NO_LIMITS: OrderLimits = { allowanceAsset: null, positionAsset: null, daily: null };

/** Decimals of a price in orders of routes without a market of ours. */
export const PRICE_SCALE_WITHOUT_MARKET = 4;

/**
 * Checks an order in the order of the specification's validations, X-AEP-24 to X-AEP-30 (docs/design/matching.md#order-validation). The
 * first check that fails names the failure. Credentials are checked before the request gets here. The Reg CF limit, resale restrictions
 * and balances are decided at admission, where the holds are taken.
 *
 * @param reread whether the instrument must be read again because admission found it changed
 */
export async function checkOrder(
  env: Env,
  principal: Principal,
  facts: AccountFacts | null,
  request: OrderRequest,
  reread: boolean,
): Promise<OrderCheck> {
  const unfit = traderFailure(facts);
  if (unfit !== null || facts === null) return refused(unfit ?? { reason: 'no_account' });
  const instrument = await instrumentOf(env, request.instrument, reread);
  if (instrument === 'unavailable') return refused({ reason: 'unavailable' });
  if (instrument === null || isUnlisted(instrument)) return refused(notFound(request));

  const { asset, market } = instrument;
  const route = 'symbol' in request.instrument ? 'internal' : (asset.executionRoute ?? 'internal');
  const scaled = scaleTerms(request, {
    priceScale: market?.priceScale ?? PRICE_SCALE_WITHOUT_MARKET,
    quantityScale: asset.scale,
  });
  if (!scaled.ok) return refused({ reason: 'number_not_representable', field: scaled.field, error: scaled.error });
  const { terms } = scaled;
  const asked: AskedOrder = { request, account: facts.accountId, instrument, terms };

  const failure =
    instrumentFailure(instrument, route as ExecutionRouteName) ??
    preIpoFailure(request, instrument) ??
    marketRulesFailure(terms, instrument) ??
    accreditationFailure(terms.side, asset, facts) ??
    keyLimitsFailure(principal, instrument, terms.quantity) ??
    (terms.side === 'sell' ? await resaleFailure(env, instrument, terms.quantity, facts) : null);
  // What cannot be checked now is no order's fault: nothing is kept of it.
  if (failure?.reason === 'unavailable') return refused(failure);
  if (failure !== null) return { ok: false, failure, asked };

  const limited: LimitsResult =
    market === null
      ? { ok: true, limits: NO_LIMITS }
      : await limitsOf(env, principal, facts, terms.side, { ...instrument, market });
  if (!limited.ok) return { ...limited, asked: limited.failure.reason === 'unavailable' ? null : asked };
  return {
    ok: true,
    route: route as ExecutionRouteName,
    order: {
      ...asked,
      command: {
        type: 'place',
        orderId: request.orderId,
        account: facts.accountId,
        owner: principal.owner,
        keyId: principal.keyId,
        clientOrderId: request.clientOrderId,
        terms,
        attributes: attributesOf(facts),
        requires: terms.side === 'sell' ? requiresOf(asset) : 0,
        ...limited.limits,
        factsVersion: facts.factsVersion,
        rulesVersion: market?.rulesVersion ?? 0,
      },
    },
  };
}

function marketRulesFailure(terms: OrderTerms, { asset, market }: Instrument): OrderEntryFailure | null {
  const failure = termsFailure(terms, market ?? NO_MARKET_RULES, Date.now());
  if (failure === null) return null;
  const scales = { priceScale: market?.priceScale ?? PRICE_SCALE_WITHOUT_MARKET, quantityScale: asset.scale };
  return { reason: 'invalid_terms', failure: unscaledTermsFailure(failure, scales) };
}

/** Currencies and allowances are no assets to trade; a pending asset is not there yet. */
function isUnlisted({ asset }: Instrument): boolean {
  return asset.rail === null || asset.status === 'PENDING';
}

function notFound({ instrument }: OrderRequest): OrderEntryFailure {
  return 'assetId' in instrument
    ? { reason: 'asset_not_found', assetId: instrument.assetId }
    : { reason: 'symbol_not_found', symbol: instrument.symbol };
}

function preIpoFailure({ preIpo }: OrderRequest, { asset }: Instrument): OrderEntryFailure | null {
  return preIpo && asset.category !== 'pre-ipo' ? { reason: 'not_pre_ipo' } : null;
}

function refused(failure: OrderEntryFailure): OrderCheck {
  return { ok: false, failure, asked: null };
}
