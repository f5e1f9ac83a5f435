import { findOperatorChange, type OperatorAction } from '../../data/audit/trail/operator-events.ts';
import { database } from '../../data/database.ts';
import { findMarket, type MarketError, marketError } from '../../data/markets/markets.ts';
import type { MarketRules } from '../../domain/ledger/transactions.ts';
import type { Market } from '../../domain/markets/market.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import type { LedgerEnv } from './ledger-env.ts';
import { operatorEvent } from './operator-event.ts';
import { projected } from './projected.ts';
import { transact } from './transact.ts';

export interface ChangedRules {
  readonly before: MarketRules;
  readonly after: MarketRules;
}

export type MarketChangeError =
  | MarketError
  | { readonly reason: 'market_not_found' }
  | { readonly reason: 'market_closed' }
  /** It may have been made: the same action finds out. */
  | { readonly reason: 'outcome_unknown' };

export interface MarketChangeRequest {
  readonly symbol: string;
  readonly rules: Partial<MarketRules>;
  /** Gives the rules another version although none of them changes: what an order is checked by has changed elsewhere. */
  readonly renews?: boolean;
  /** For the audit trail. */
  readonly details?: Readonly<Record<string, unknown>>;
  readonly action: OperatorAction;
  /** Unix milliseconds. */
  readonly now: number;
}

/** Writers that lost a race against another change of the same market try again. */
const TRIES_MAX = 5;

/**
 * Changes rules of a market, with who did it; once per action id. A closed market stays closed. When this answers `ok`, D1 shows it;
 * its book reads it there when it is reconfigured. A D1 that is behind stops no change: the version of the rules is asserted.
 */
export async function changeMarket(
  env: LedgerEnv,
  change: MarketChangeRequest,
): Promise<Result<ChangedRules, MarketChangeError>> {
  const db = database(env.DB);
  const { symbol, action, now } = change;
  for (let tries = 0; tries < TRIES_MAX; tries++) {
    const isCurrent = await projected(env);
    if (!isCurrent && tries > 0) return err({ reason: 'outcome_unknown' });
    const made = await findOperatorChange<MarketRules>(db, action, symbol);
    if (made !== null) return ok(made);
    const market = await findMarket(db, symbol);
    if (market === null) return err({ reason: 'market_not_found' });
    if (market.status === 'closed') return err({ reason: 'market_closed' });
    const before = rulesOf(market);
    const after = { ...before, ...change.rules, ...statementOf(change, market) };
    const error = marketError({ ...market, ...after });
    if (error !== null) return err(error);
    if (isCurrent && change.renews !== true && JSON.stringify(before) === JSON.stringify(after))
      return ok({ before, after });
    const { type } = await transact(env, {
      kind: 'market',
      id: action.id,
      symbol,
      expectedVersion: market.rulesVersion,
      rules: after,
      createdAt: now,
      event: operatorEvent({
        action,
        type: 'operator.market_rules',
        subject: symbol,
        createdAt: now,
        details: change.details ?? {},
        change: { before, after },
      }),
    });
    if (type === 'stale' || type === 'id_conflict') continue;
    if (type === 'outcome_unknown' || !(await projected(env))) return err({ reason: 'outcome_unknown' });
    return ok({ before, after });
  }
  throw new Error(`rules of market ${symbol} kept changing`);
}

/** Each statement of a reference price is one of its own, so that stating the same price again is one, too: named by the version that it makes. */
function statementOf(
  { rules }: MarketChangeRequest,
  { rulesVersion }: Market,
): Pick<MarketRules, 'referenceStatement'> {
  return rules.referencePrice === undefined ? {} : { referenceStatement: rulesVersion + 1 };
}

function rulesOf(market: Market): MarketRules {
  const { status, quantityMin, quantityMax, makerFeeBps, takerFeeBps, bandBps } = market;
  const { referencePrice, referenceStatement = null } = market;
  const { bandHaltSeconds, tradingHours = 'always' } = market;
  const sizes = { quantityMin, quantityMax };
  return {
    status,
    ...sizes,
    makerFeeBps,
    takerFeeBps,
    bandBps,
    bandHaltSeconds,
    tradingHours,
    referencePrice,
    referenceStatement,
  };
}
