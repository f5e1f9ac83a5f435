import { uuidv7 } from 'uuidv7';
import { database } from '../../data/database.ts';
import {
  beginDay,
  beginMarket,
  endDay,
  findLastDay,
  leaveMarketOut,
  listTradedMarkets,
  noteMarketJudged,
  readModelGeneration,
  type StandingDay,
  type SurveillanceDay,
  type TradedMarket,
  wasLeftOut,
} from '../../data/surveillance/surveillance-days.ts';
import { dateText } from '../../domain/calendar/date-text.ts';
import { DAY_MS, HOUR_MS } from '../../domain/calendar/durations.ts';
import { roomForCases } from '../../domain/surveillance/surveillance-case.ts';

import { log } from '../../durable-objects/log/log.ts';
import { projected } from '../ledger/projected.ts';
import { describeBug } from '../log/describe-bug.ts';
import { judgeMarket } from './judge-market.ts';

/** So long after its end a day is watched: its last trades are settled and shown by then. */
const AFTER_MS = HOUR_MS;
/** Markets of one run: each takes a handful of queries, or as many as its trades and orders ask for. */
const MARKETS_PER_RUN = 50;
/** Runs that begin with a market which does not come through, before it is left out; of one that was left out the day before, one. */
const TRIES_MAX = 3;
const TRIES_AGAIN_MAX = 1;

/**
 * Every hour: watches the trading of each day of UTC that is over, market by market, and writes down what the rules find. A day that was missed, or not finished, comes
 * first. Whether there is more to do at once.
 *
 * @throws Error while D1 does not show all trades, and what judging a market throws: the next run goes on from the same market, and past it after a few of them
 */
export async function watchTrading(env: Env, now: number, marketsMax = MARKETS_PER_RUN): Promise<boolean> {
  const db = database(env.DB);
  const last = await findLastDay(db);
  const midnight = dueDay(last, now);
  if (midnight === null) return false;
  const generation = await readModelGeneration(db);
  if (!(await projected(env))) throw new Error('D1 does not show all trades yet');
  await beginDay(db, dateText(midnight), now);
  for (let judged = 0; judged < marketsMax; judged++) {
    const day = await findLastDay(db);
    if (day === null) throw new Error('the day was not begun');
    // Another run has ended the day, and has begun the next one.
    if (day.day !== dateText(midnight)) return true;
    const standing = { day, generation };
    const [market] = await listTradedMarkets(db, { midnight, after: day.visited, limit: 1 });
    if (market === undefined) {
      if (!(await endDay(db, standing, now))) throw overtaken();
      return dueDay({ ...day, doneAt: now }, now) !== null;
    }
    if (!(await watchMarket(env, standing, market, { midnight, now }))) return true;
  }
  return true;
}

/** @returns false where the run ends with it, and another goes on at once */
async function watchMarket(
  env: Env,
  standing: StandingDay,
  market: TradedMarket,
  { midnight, now }: { readonly midnight: number; readonly now: number },
): Promise<boolean> {
  const db = database(env.DB);
  const { day } = standing;
  const isKnown = await wasLeftOut(db, day, market.symbol);
  if (day.tries >= (isKnown ? TRIES_AGAIN_MAX : TRIES_MAX)) {
    if (!(await leaveMarketOut(db, standing, market.symbol))) throw overtaken();
    log('error', 'a market was left out of surveillance', { day: day.day, market: market.symbol, tries: day.tries });
    return true;
  }
  // Counted before it: what ends its invocation is a try as well.
  if (!(await beginMarket(db, standing))) throw overtaken();
  const found = await judgeMarket(env, market, midnight).catch((error: unknown) => {
    if (!isKnown) throw error;
    log('error', 'a market that was left out the day before fails again', {
      market: market.symbol,
      ...describeBug(error),
    });
    return null;
  });
  if (found === null) return false;
  const kept = found.findings.slice(0, roomForCases(day.cases));
  const casesLeftOut = found.findings.length - kept.length;
  await noteMarketJudged(db, standing, {
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
  return true;
}

function overtaken(): Error {
  return new Error('another run has gone on with the day, or the read model was emptied');
}

/** Midnight of the day that is to be watched next; null while none is. The first is that before the first run. */
function dueDay(last: SurveillanceDay | null, now: number): number | null {
  const yesterday = now - (now % DAY_MS) - DAY_MS;
  const lastMidnight = last === null ? null : Date.parse(last.day);
  const day =
    last === null || lastMidnight === null ? yesterday : last.doneAt === null ? lastMidnight : lastMidnight + DAY_MS;
  return day + DAY_MS + AFTER_MS <= now ? day : null;
}
