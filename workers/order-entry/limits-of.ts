import type { AssetRow } from '../../data/assets.ts';
import { database } from '../../data/database.ts';
import { alignAllowance, positionIn, regCfPurchases } from '../../data/portfolio-allowances.ts';
import { attributesOf } from '../../domain/accreditation/attributes-of.ts';
import { addMonths } from '../../domain/calendar/add-months.ts';
import { regCfLimit } from '../../domain/investment-limit/reg-cf-limit.ts';
import type { Market } from '../../domain/markets/market.ts';
import { ATTRIBUTE } from '../../domain/orders/eligibility.ts';
import type { Side } from '../../domain/orders/order.ts';
import type { AccountFacts, Principal } from '../middleware/principal.ts';
import { regCfAmountsOf } from './reg-cf-amounts-of.ts';

/** Balance asset of the 12-month limit of Regulation Crowdfunding; quote units of the market. */
const REG_CF_ALLOWANCE = 'allowance:reg_cf';
const CENTS_SCALE = 2;
const WINDOW_MONTHS = 12;

/** Balances that an order holds against, or gives back to, limits (DESIGN 8: limits are balances); null where no limit applies. */
export interface OrderLimits {
  readonly allowanceAsset: string | null;
  readonly positionAsset: string | null;
}

/**
 * Which limits an order draws on, their balances brought up to date: the Reg CF limit of a buyer who is not accredited (validation 4
 * of exchange.md) and the position limit of an API key. Admission holds them together with the cash.
 */
export async function limitsOf(
  env: Env,
  principal: Principal,
  facts: AccountFacts,
  side: Side,
  asset: AssetRow,
  market: Market,
): Promise<OrderLimits> {
  return {
    allowanceAsset: side === 'buy' ? await regCfAllowance(env, facts, asset, market) : null,
    positionAsset: await positionAllowance(env, principal, facts, asset),
  };
}

async function regCfAllowance(env: Env, facts: AccountFacts, asset: AssetRow, market: Market): Promise<string | null> {
  const accredited = (attributesOf(facts) & ATTRIBUTE.self_certified_accredited) !== 0;
  if (asset.regulation !== 'reg_cf' || accredited) return null;
  const now = Date.now();
  const limit = regCfLimit(facts, regCfAmountsOf(env)) * 10 ** (market.quoteScale - CENTS_SCALE);
  await alignAllowance(
    database(env.DB),
    {
      account: facts.accountId,
      asset: REG_CF_ALLOWANCE,
      limit: Math.floor(limit),
      used: regCfPurchases(facts.accountId, market.quoteAsset, addMonths(now, -WINDOW_MONTHS)),
    },
    now,
  );
  return REG_CF_ALLOWANCE;
}

async function positionAllowance(
  env: Env,
  principal: Principal,
  facts: AccountFacts,
  asset: AssetRow,
): Promise<string | null> {
  const limit = principal.positionLimits?.[asset.id];
  if (limit === undefined || principal.keyId === null) return null;
  const allowance = `allowance:position:${principal.keyId}:${asset.id}`;
  await alignAllowance(
    database(env.DB),
    { account: facts.accountId, asset: allowance, limit, used: positionIn(facts.accountId, asset.id) },
    Date.now(),
  );
  return allowance;
}
