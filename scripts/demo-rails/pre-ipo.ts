import type { Session } from '../local/session.ts';
import { followToExecution, placeOrder } from './order-life.ts';
import { settleTrades } from './settlement.ts';

/** Who sells the shares at the listing event. */
const ISSUER_ACCOUNT = 'maker-account';
const PRICE = 20;
const QUANTITY = 10;
const SHARES_OFFERED = 1_000;

interface Parties {
  readonly trader: Session;
  /** Accredited, as a buyer of restricted shares must be. */
  readonly counterparty: Session;
  readonly operator: Session;
}

/**
 * The trader's indication of interest turns firm at the issuer's listing event. What she got is restricted (17 CFR 230.144), so she sells it to
 * another accredited investor.
 */
export async function tradePreIpo(
  { trader, counterparty, operator }: Parties,
  say: (text: string) => void,
): Promise<void> {
  const assetId = await makePreIpoAsset(operator);
  say(`\npre-ipo: ${assetId.toUpperCase()}`);
  const shares = { assetId, quantity: QUANTITY };

  const indication = await placeOrder(trader, { ...shares, side: 'BUY', limitPrice: PRICE + 2, isPreIPO: true }, say);
  const { data: event } = await operator.call<{ data: { state: string } }>(
    `POST /v1/operator/assets/${assetId}/listing-event`,
    { price: PRICE, sharesOffered: SHARES_OFFERED, allocation: 'pro_rata', lockupMonths: 0 },
  );
  say(`  the issuer lists ${SHARES_OFFERED} shares at ${PRICE}: ${event.state}`);
  await followToExecution(trader, indication, say);

  await counterparty.call('POST /v1/orders', { ...shares, side: 'BUY', orderType: 'limit', limitPrice: PRICE });
  const sale = await placeOrder(trader, { ...shares, side: 'SELL', limitPrice: PRICE }, say);
  const { isRestrictedOrder } = await followToExecution(trader, sale, say);
  if (!isRestrictedOrder) throw new Error(`order ${sale} sells restricted shares and does not say so`);
  await settleTrades({ trader, operator }, assetId, say);
}

/** A new one each time, since an issuer lists once: its market takes indications, its issuer has shares to sell. */
async function makePreIpoAsset(operator: Session): Promise<string> {
  const id = `ipo${Date.now().toString(36)}`;
  await operator.call('POST /v1/operator/assets', {
    id,
    symbol: id.toUpperCase(),
    name: 'Tidal Freight',
    category: 'pre-ipo',
    scale: 0,
    accreditationType: '506c',
    regulation: 'reg_d_506c',
    offeringType: '506c',
    issuerName: 'Tidal Freight Inc.',
    issuerAccount: ISSUER_ACCOUNT,
  });
  await operator.call('POST /v1/operator/markets', {
    baseAssetId: id,
    quoteAssetId: 'usd',
    route: 'indication',
    priceScale: 2,
    tickSize: 0.01,
    lotSize: 1,
    minSize: 1,
    maxSize: 10_000,
    referencePrice: PRICE,
  });
  await operator.call('POST /v1/operator/deposits', {
    accountId: ISSUER_ACCOUNT,
    assetId: id,
    amount: SHARES_OFFERED,
    lots: [{ quantity: SHARES_OFFERED, cost: 0, restrictionEndDate: null }],
  });
  return id;
}
