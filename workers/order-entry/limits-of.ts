import { alignAllowance } from '../../application/ledger/allowances.ts';
import { projected } from '../../application/ledger/projected.ts';
import type { AssetRow } from '../../data/assets.ts';
import { database } from '../../data/database.ts';
import { readRegCfPurchases } from '../../data/reg-cf-purchases.ts';
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
/** A limit that applies, of which it is not known what is left. */
const UNKNOWN = Symbol('unknown');

/** Balances that an order holds against, or gives back to, limits (DESIGN 8: limits are balances); null where no limit applies. */
export interface OrderLimits {
  readonly allowanceAsset: string | null;
  readonly positionAsset: string | null;
}

/**
 * Which limits an order draws on, their balances brought up to date: the Reg CF limit of a buyer who is not accredited (validation 4
 * of exchange.md) and the position limit of an API key. Admission holds them together with the cash. Null when they cannot be known
 * now: the ledger is out of reach, or what it has settled does not stand in D1 yet.
 */
export async function limitsOf(
  env: Env,
  principal: Principal,
  facts: AccountFacts,
  side: Side,
  asset: AssetRow,
  market: Market,
): Promise<OrderLimits | null> {
  const allowanceAsset = side === 'buy' ? await regCfAllowance(env, facts, asset, market) : null;
  const positionAsset = await positionAllowance(env, principal, facts, asset);
  return allowanceAsset === UNKNOWN || positionAsset === UNKNOWN ? null : { allowanceAsset, positionAsset };
}

async function regCfAllowance(
  env: Env,
  facts: AccountFacts,
  asset: AssetRow,
  market: Market,
): Promise<string | null | typeof UNKNOWN> {
  const accredited = (attributesOf(facts) & ATTRIBUTE.self_certified_accredited) !== 0;
  if (asset.regulation !== 'reg_cf' || accredited) return null;
  const now = Date.now();
  const limit = regCfLimit(facts, regCfAmountsOf(env)) * 10 ** (market.quoteScale - CENTS_SCALE);
  const account = facts.accountId;
  const purchases = { account, quoteAsset: market.quoteAsset, since: addMonths(now, -WINDOW_MONTHS) };
  const isAligned = await alignAllowance(
    env,
    {
      account,
      asset: REG_CF_ALLOWANCE,
      limit: Math.floor(limit),
      // The balance was read before: D1 shows the fills that it has gone down by.
      usage: async () =>
        (await projected(env)) ? { used: await readRegCfPurchases(database(env.DB), purchases), expect: [] } : null,
    },
    now,
  );
  return isAligned ? REG_CF_ALLOWANCE : UNKNOWN;
}

async function positionAllowance(
  env: Env,
  principal: Principal,
  facts: AccountFacts,
  asset: AssetRow,
): Promise<string | null | typeof UNKNOWN> {
  const limit = principal.positionLimits?.[asset.id];
  if (limit === undefined || principal.keyId === null) return null;
  const allowance = `allowance:position:${principal.keyId}:${asset.id}`;
  const account = facts.accountId;
  const isAligned = await alignAllowance(
    env,
    {
      account,
      asset: allowance,
      limit,
      usage: (balanceOf) => {
        const { available, held } = balanceOf(asset.id);
        return { used: available + held, expect: [{ account, asset: asset.id, available, held }] };
      },
    },
    Date.now(),
  );
  return isAligned ? allowance : UNKNOWN;
}
