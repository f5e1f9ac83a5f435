import { attributesOf } from '../../../domain/accreditation/attributes-of.ts';
import { requiresOf } from '../../../domain/accreditation/requires-of.ts';
import type { ExecutionRouteName } from '../../../domain/assets/asset.ts';
import { isListed } from '../../../domain/assets/is-listed.ts';
import { routeOfAsset } from '../../../domain/assets/route-of.ts';
import type { AccountFacts, Principal } from '../../../domain/identity/principal.ts';
import { isRouted } from '../../../domain/markets/market.ts';
import { indicationTermsFailure } from '../../../domain/order-entry/indication-terms-failure.ts';
import { hoursFailure } from '../../../domain/order-entry/instrument-failure.ts';
import { routedTermsFailure } from '../../../domain/order-entry/routed-terms-failure.ts';
import { scaleTerms } from '../../../domain/order-entry/scale-terms.ts';
import { type TermsFailure, termsFailure } from '../../../domain/order-entry/terms-failure.ts';
import { traderOf } from '../../../domain/order-entry/trader-of.ts';
import { unscaledTermsFailure } from '../../../domain/order-entry/unscaled-terms-failure.ts';
import { PRICE_SCALE_WITHOUT_MARKET, RULES_WITHOUT_MARKET } from '../../../domain/order-entry/without-market.ts';
import type { OrderTerms } from '../../../domain/orders/order.ts';
import { err, ok, type Result } from '../../../domain/result.ts';
import type { PlaceCommand } from '../../../durable-objects/order-book/api.ts';
import type { OrderEntryFailure } from '../order-entry-failure.ts';
import type { OrderRequest } from '../order-request.ts';
import type { AskedOrder, CheckedOrder } from './checked-order.ts';
import { instrumentOf } from './instrument-cache.ts';
import { isConcealed } from './is-concealed.ts';
import { type OrderLimits, orderLimits } from './order-limits.ts';
import { resaleFailure } from './resale-failure.ts';
import { opennessFailures, partyFailures } from './rules-without-terms.ts';

export interface CheckRefusal {
  readonly failure: OrderEntryFailure;
  /** The order that failed a validation; null where nothing is kept of it. */
  readonly asked: AskedOrder | null;
}

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
): Promise<Result<CheckedOrder, CheckRefusal>> {
  const trader = traderOf(facts, Date.now());
  if (!trader.ok) return err({ failure: trader.error, asked: null });
  const understood = await askedOrder(env, trader.value, request, reread);
  if (!understood.ok) return err({ failure: understood.error, asked: null });
  const asked = understood.value;
  const failure =
    validationFailure(principal, trader.value, asked) ??
    (asked.terms.side === 'sell'
      ? await resaleFailure(env, asked.instrument, asked.terms.quantity, trader.value)
      : null);
  if (failure !== null) return err(refusalOf(failure, asked));
  const limits = await orderLimits(env, principal, trader.value, asked.terms.side, asked.instrument);
  if (!limits.ok) return err(refusalOf(limits.error, asked));
  return ok({ ...asked, command: placeCommand(principal, trader.value, asked, limits.value) });
}

/** The order in the units of what it is of, wherever that trades. */
async function askedOrder(
  env: Env,
  facts: AccountFacts,
  request: OrderRequest,
  reread: boolean,
): Promise<Result<AskedOrder, OrderEntryFailure>> {
  const instrument = await instrumentOf(env, request.instrument, reread);
  if (instrument === 'unavailable') return err({ reason: 'unavailable' });
  if (instrument === null || !isListed(instrument.asset)) return err(notFound(request));
  // What is routed is no pair of the book.
  if ('symbol' in request.instrument && instrument.market !== null && isRouted(instrument.market))
    return err(notFound(request));
  const { asset, market } = instrument;
  const concealed = await isConcealed(env, facts, request, asset);
  if (concealed === 'unavailable') return err({ reason: 'unavailable' });
  if (concealed) return err(notFound(request));
  const terms = scaleTerms(request, {
    priceScale: market?.priceScale ?? PRICE_SCALE_WITHOUT_MARKET,
    quantityScale: asset.scale,
  });
  if (!terms.ok) return err({ reason: 'number_not_representable', ...terms.error });
  const route = 'symbol' in request.instrument ? 'internal' : routeOfAsset(asset);
  return ok({ request, account: facts.accountId, instrument, route, terms: terms.value });
}

/** What can be said of the order without asking anybody. */
function validationFailure(
  principal: Principal,
  facts: AccountFacts,
  { request, instrument, route, terms }: AskedOrder,
): OrderEntryFailure | null {
  const now = Date.now();
  const { side, quantity } = terms;
  return (
    opennessFailures({ instrument, route, side, preIpo: request.preIpo })[0] ??
    hoursFailure(instrument.market, terms, now) ??
    marketRulesFailure({ instrument, route, terms }) ??
    partyFailures({ principal, facts, instrument, side, quantity, now })[0] ??
    null
  );
}

function marketRulesFailure({
  instrument: { asset, market },
  route,
  terms,
}: Pick<AskedOrder, 'instrument' | 'route' | 'terms'>): OrderEntryFailure | null {
  const failure = termsFailure(terms, market ?? RULES_WITHOUT_MARKET, Date.now()) ?? routeTermsFailure(route, terms);
  if (failure === null) return null;
  const scales = { priceScale: market?.priceScale ?? PRICE_SCALE_WITHOUT_MARKET, quantityScale: asset.scale };
  return { reason: 'invalid_terms', failure: unscaledTermsFailure(failure, scales) };
}

/** What a route asks of terms that are an order of the market. */
function routeTermsFailure(route: ExecutionRouteName, terms: OrderTerms): TermsFailure | null {
  if (route === 'broker' || route === 'prime') return routedTermsFailure(terms);
  return route === 'indication' ? indicationTermsFailure(terms) : null;
}

function placeCommand(
  principal: Principal,
  facts: AccountFacts,
  { request, instrument: { asset, market }, terms }: AskedOrder,
  limits: OrderLimits,
): PlaceCommand {
  return {
    type: 'place',
    orderId: request.orderId,
    account: facts.accountId,
    owner: principal.owner,
    keyId: principal.keyId,
    clientOrderId: request.clientOrderId,
    terms,
    attributes: attributesOf(facts),
    requires: terms.side === 'sell' ? requiresOf(asset) : 0,
    ...limits,
    factsVersion: facts.factsVersion,
    rulesVersion: market?.rulesVersion ?? 0,
    family: facts.family ?? null,
    investor: facts.investor,
    identityEndsAt: facts.identityEndsAt,
  };
}

function notFound({ instrument }: OrderRequest): OrderEntryFailure {
  return 'assetId' in instrument
    ? { reason: 'asset_not_found', assetId: instrument.assetId }
    : { reason: 'symbol_not_found', symbol: instrument.symbol };
}

/** What cannot be checked now is no order's fault: nothing is kept of it. */
function refusalOf(failure: OrderEntryFailure, asked: AskedOrder): CheckRefusal {
  return { failure, asked: failure.reason === 'unavailable' ? null : asked };
}
