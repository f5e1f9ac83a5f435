import { sql } from 'drizzle-orm';
import type { Market, MarketStatus } from '../domain/markets/market.ts';
import type { Database } from './database.ts';
import { findMarket, type MarketError, marketError } from './markets.ts';
import { findOperatorChange, type OperatorAction, operatorEvent } from './operator-events.ts';
import { sqlBatch } from './sql-batch.ts';

/** What an operator may change while orders rest: everything but tick, lot and scales, which resting orders are made of. */
export interface MarketRules {
  readonly status: MarketStatus;
  readonly quantityMin: number;
  readonly quantityMax: number;
  readonly makerFeeBps: number;
  readonly takerFeeBps: number;
  readonly bandBps: number;
  readonly referencePrice: number | null;
}

export type MarketChangeResult =
  | { readonly ok: true; readonly before: MarketRules; readonly after: MarketRules }
  | {
      readonly ok: false;
      readonly error: MarketError | { readonly reason: 'market_not_found' } | { readonly reason: 'market_closed' };
    };

/** Writers that lost a race against another change of the same market try again. */
const TRIES_MAX = 5;

/** Changes rules of a market, raises its rulesVersion and writes down who did it; once per action id. A closed market stays closed. */
export async function changeMarket(
  db: Database,
  change: {
    readonly symbol: string;
    readonly rules: Partial<MarketRules>;
    readonly action: OperatorAction;
    readonly now: number;
  },
): Promise<MarketChangeResult> {
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const made = await findOperatorChange<MarketRules>(db, change.action, change.symbol);
    if (made !== null) return { ok: true, ...made };
    const market = await findMarket(db, change.symbol);
    if (market === null) return { ok: false, error: { reason: 'market_not_found' } };
    if (market.status === 'closed') return { ok: false, error: { reason: 'market_closed' } };
    const before = rulesOf(market);
    const after = { ...before, ...change.rules };
    const error = marketError({ ...market, ...after });
    if (error !== null) return { ok: false, error };
    if (JSON.stringify(before) === JSON.stringify(after)) return { ok: true, before, after };
    await tryChange(db, change, market.rulesVersion, before, after);
  }
  throw new Error(`rules of market ${change.symbol} kept changing`);
}

async function tryChange(
  db: Database,
  { symbol, action, now }: { symbol: string; action: OperatorAction; now: number },
  rulesVersion: number,
  before: MarketRules,
  after: MarketRules,
): Promise<void> {
  const unchanged = sql`EXISTS (SELECT 1 FROM markets WHERE symbol = ${symbol} AND rules_version = ${rulesVersion})`;
  await sqlBatch(db, [
    operatorEvent({
      action,
      type: 'operator.market_rules',
      subject: symbol,
      createdAt: now,
      details: {},
      before: JSON.stringify(before),
      after: JSON.stringify(after),
      when: unchanged,
    }),
    sql`UPDATE markets SET
          status = ${after.status}, quantity_min = ${after.quantityMin}, quantity_max = ${after.quantityMax},
          maker_fee_bps = ${after.makerFeeBps}, taker_fee_bps = ${after.takerFeeBps}, band_bps = ${after.bandBps},
          reference_price = ${after.referencePrice}, rules_version = rules_version + 1
        WHERE symbol = ${symbol} AND rules_version = ${rulesVersion}`,
  ]);
}

function rulesOf({
  status,
  quantityMin,
  quantityMax,
  makerFeeBps,
  takerFeeBps,
  bandBps,
  referencePrice,
}: Market): MarketRules {
  return { status, quantityMin, quantityMax, makerFeeBps, takerFeeBps, bandBps, referencePrice };
}
