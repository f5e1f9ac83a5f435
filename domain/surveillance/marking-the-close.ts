import { MINUTE_MS } from '../calendar/durations.ts';
import {
  bpsNumber,
  bpsOf,
  counted,
  EVIDENCE_MAX,
  type Finding,
  type PersonOf,
  priceOf,
  quantityOf,
  totalQuantity,
  type WatchedTrade,
} from './finding.ts';

/**
 * SEA 9(a)(2) and FINRA 6140(a) forbid trades that are to move a price; neither gives a number. Ten minutes is the last stretch before the close that
 * surveillance commonly looks at. The other values are ours: half of what was traded then, and a price two hundredths away, which in the same direction is
 * seldom chance.
 */
export const CLOSE_WINDOW_MS = 10 * MINUTE_MS;
const CLOSE_SHARE_BPS_MIN = 5_000;
const CLOSE_MOVE_BPS_MIN = 200;
/** One trade is an order like any other. */
const CLOSE_TRADES_MIN = 2;

interface CloseTerms {
  /** Of one market, within the window before its close, in the order in which they were made. */
  readonly trades: readonly WatchedTrade[];
  /** Of the last trade before the window; null where nothing was ever traded before. */
  readonly priceBefore: number | null;
  readonly personOf: PersonOf;
}

interface Part {
  readonly accounts: Set<string>;
  readonly trades: WatchedTrade[];
  net: bigint;
}

/**
 * Who has bought (or sold) most of what was traded right before the close, while the price rose (or fell). What a person has traded with themselves moves
 * nothing here: only what they have bought more than sold counts.
 */
export function findMarkedCloses({ trades, priceBefore, personOf }: CloseTerms): Finding[] {
  const close = trades.at(-1)?.price;
  if (close === undefined || priceBefore === null || priceBefore === 0) return [];
  const move = bpsOf(BigInt(Math.abs(close - priceBefore)), BigInt(priceBefore));
  if (move < CLOSE_MOVE_BPS_MIN) return [];
  const whole = totalQuantity(trades);
  const rises = close > priceBefore;
  return [...partsOf(trades, personOf)].flatMap(([person, part]) => {
    const moved = rises ? part.net : -part.net;
    const share = moved <= 0n ? 0 : bpsOf(moved, whole);
    if (part.trades.length < CLOSE_TRADES_MIN || share < CLOSE_SHARE_BPS_MIN) return [];
    return [
      {
        rule: 'marking_the_close' as const,
        people: [person],
        accounts: [...part.accounts].sort(),
        relation: null,
        numbers: {
          trades: counted(part.trades.length),
          net_quantity: quantityOf(part.net),
          window_quantity: quantityOf(whole),
          share_of_window: bpsNumber(share),
          price_before: priceOf(priceBefore),
          close_price: priceOf(close),
          price_move: bpsNumber(rises ? move : -move),
          share_threshold: bpsNumber(CLOSE_SHARE_BPS_MIN),
          move_threshold: bpsNumber(CLOSE_MOVE_BPS_MIN),
          trades_threshold: counted(CLOSE_TRADES_MIN),
          window: { unit: 'ms' as const, value: String(CLOSE_WINDOW_MS) },
        },
        // The last ones have made the price.
        trades: part.trades.slice(-EVIDENCE_MAX),
        orders: [],
        weight: bpsOf(BigInt(share) * BigInt(move), BigInt(CLOSE_SHARE_BPS_MIN) * BigInt(CLOSE_MOVE_BPS_MIN)),
      },
    ];
  });
}

/** What each person has bought and sold, accounts of one person together. */
function partsOf(trades: readonly WatchedTrade[], personOf: PersonOf): Map<string, Part> {
  const parts = new Map<string, Part>();
  const note = (account: string, trade: WatchedTrade, net: bigint) => {
    const person = personOf(account);
    if (person === null) return;
    const part = parts.get(person) ?? { accounts: new Set(), trades: [], net: 0n };
    part.accounts.add(account);
    part.net += net;
    if (part.trades.at(-1) !== trade) part.trades.push(trade);
    parts.set(person, part);
  };
  for (const trade of trades) {
    note(trade.buyer, trade, BigInt(trade.quantity));
    note(trade.seller, trade, -BigInt(trade.quantity));
  }
  return parts;
}
