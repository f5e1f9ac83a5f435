import { uuidv7 } from 'uuidv7';
import { database } from '../../data/database.ts';
import {
  beginDay,
  endDay,
  findLastDay,
  listTradedMarkets,
  noteMarketJudged,
  type SurveillanceDay,
} from '../../data/surveillance/surveillance-days.ts';
import { dateText } from '../../domain/calendar/date-text.ts';
import { DAY_MS, HOUR_MS } from '../../domain/calendar/durations.ts';

import { log } from '../../durable-objects/log/log.ts';
import { projected } from '../ledger/projected.ts';
import { judgeMarket } from './judge-market.ts';

/** So long after its end a day is watched: its last trades are settled and shown by then. */
const AFTER_MS = HOUR_MS;
/** Markets of one run: each takes a handful of queries, or as many as its trades and orders ask for. */
const MARKETS_PER_RUN = 50;
/** Cases of a market, and of a day, that people are given: what weighs most. */
const CASES_PER_MARKET_MAX = 20;
const CASES_PER_DAY_MAX = 200;

/**
 * Every hour: watches the trading of each day of UTC that is over, market by market, and writes down what the rules find. A day that was missed, or not finished, comes
 * first. Whether there is more to do at once.
 *
 * @throws Error while D1 does not show all trades yet, and OrderArchiveUnavailable: the next run goes on from the same market
 */
export async function watchTrading(env: Env, now: number, marketsMax = MARKETS_PER_RUN): Promise<boolean> {
  const db = database(env.DB);
  const last = await findLastDay(db);
  const midnight = dueDay(last, now);
  if (midnight === null) return false;
  if (!(await projected(env))) throw new Error('D1 does not show all trades yet');
  await beginDay(db, dateText(midnight), now);
  for (let judged = 0; judged < marketsMax; judged++) {
    const day = await findLastDay(db);
    if (day === null) throw new Error('the day was not begun');
    const [market] = await listTradedMarkets(db, { midnight, after: day.visited, limit: 1 });
    if (market === undefined) {
      await endDay(db, day.day, now);
      return dueDay({ ...day, doneAt: now }, now) !== null;
    }
    const found = await judgeMarket(env, market, midnight);
    const kept = found.findings.slice(0, roomFor(day));
    const casesLeftOut = found.findings.length - kept.length;
    await noteMarketJudged(db, day, {
      ...found,
      market,
      findings: kept.map((finding) => ({ ...finding, id: uuidv7() })),
      casesLeftOut,
      now,
    });
    if (casesLeftOut + found.tradesLeftOut + found.accountsLeftOut > 0)
      log('warn', 'the surveillance of a market left something out', {
        day: day.day,
        market: market.symbol,
        cases: casesLeftOut,
        trades: found.tradesLeftOut,
        accounts: found.accountsLeftOut,
      });
  }
  return true;
}

/** Midnight of the day that is to be watched next; null while none is. The first is that before the first run. */
function dueDay(last: SurveillanceDay | null, now: number): number | null {
  const yesterday = now - (now % DAY_MS) - DAY_MS;
  const lastMidnight = last === null ? null : Date.parse(last.day);
  const day =
    last === null || lastMidnight === null ? yesterday : last.doneAt === null ? lastMidnight : lastMidnight + DAY_MS;
  return day + DAY_MS + AFTER_MS <= now ? day : null;
}

function roomFor({ cases }: Pick<SurveillanceDay, 'cases'>): number {
  return Math.max(0, Math.min(CASES_PER_MARKET_MAX, CASES_PER_DAY_MAX - cases));
}
