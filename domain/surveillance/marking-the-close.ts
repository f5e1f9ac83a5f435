import { MINUTE_MS } from '../calendar/durations.ts';
import {
  bpsNumber,
  bpsOf,
  counted,
  EVIDENCE_MAX,
  type FamilyOf,
  type Finding,
  type Kinship,
  type PersonOf,
  priceOf,
  quantityOf,
  SAME_PERSON,
  subjectOf,
  totalQuantity,
  type WatchedTrade,
} from './finding.ts';

/**
 * SEA 9(a)(2) and FINRA 6140(a) forbid trades that are to move a price; neither gives a number. Ten minutes is the last stretch before the close that
 * surveillance commonly looks at. The other values are ours: a close that somebody’s own trades have moved by two hundredths, half of what was traded then.
 */
export const CLOSE_WINDOW_MS = 10 * MINUTE_MS;
const CLOSE_SHARE_BPS_MIN = 5_000;
const CLOSE_MOVE_BPS_MIN = 200;
/** One order is one like any other, however many it met, unless it alone has moved the close by a tenth. */
const CLOSE_ORDERS_MIN = 2;
const ALONE_MOVE_BPS_MIN = 1_000;

interface CloseTerms {
  /** Of one market, within the window before its close, in the order in which they were made. */
  readonly trades: readonly WatchedTrade[];
  /** Whether these are all trades of the window: what the first one has moved is not known otherwise. */
  readonly isWhole: boolean;
  /** Of the last trade of the same session before the window; null where there was none: an older price says nothing of these minutes. */
  readonly priceBefore: number | null;
  readonly personOf: PersonOf;
  readonly familyOf: FamilyOf;
}

/** What a person has done in the window, all accounts together; or what family has moved by trades with each other. */
interface Part {
  readonly people: readonly string[];
  readonly kinship: Kinship | null;
  readonly accounts: Set<string>;
  readonly trades: WatchedTrade[];
  /** Of theirs, in the direction in which the price went. */
  readonly orders: Set<string>;
  net: bigint;
  /** By how much the close stands where their trades have brought it. */
  moved: number;
  /** The same of trades with themselves, or with that relative. */
  movedAmongThem: number;
}

/** The close, and how it has come about. */
interface Close {
  readonly before: number;
  readonly price: number;
  readonly rises: boolean;
  readonly whole: bigint;
}

/**
 * Whose trades have moved the price right before the close. Each step of the price belongs to the trade after which it stayed beyond it: to the buyer where the price
 * rose, to the seller where it fell. It is a case where somebody has traded most in that direction by several orders, has moved the close far by whatever few, or has moved
 * it by trades with themselves or with family, which change nobody's position.
 */
export function findMarkedCloses({ trades, isWhole, priceBefore, personOf, familyOf }: CloseTerms): Finding[] {
  const price = trades.at(-1)?.price;
  if (price === undefined || priceBefore === null || priceBefore === 0) return [];
  const close = { before: priceBefore, price, rises: price > priceBefore, whole: totalQuantity(trades) };
  if (moveOf(close, Math.abs(price - priceBefore)) < CLOSE_MOVE_BPS_MIN) return [];
  const moves = movesOf(trades, close, isWhole);
  return partsOf(trades, moves, close.rises, { personOf, familyOf }).flatMap((part) => {
    const weight = weightOf(part, close);
    return weight === 0 ? [] : [findingOf(part, close, weight)];
  });
}

/** Basis points of the price before. */
function moveOf({ before }: Close, by: number): number {
  return bpsOf(BigInt(by), BigInt(before));
}

/** What each trade has moved for good: from the price before it to the lowest (where the price rises) from it on until the close. All of them are the whole move. */
function movesOf(trades: readonly WatchedTrade[], { before, rises }: Close, isWhole: boolean): readonly number[] {
  const sign = rises ? 1 : -1;
  const prices = trades.map(({ price }) => sign * price);
  const moves: number[] = [];
  let stays = Number.POSITIVE_INFINITY;
  for (let at = prices.length - 1; at >= 0; at--) {
    const price = prices[at] ?? 0;
    stays = Math.min(stays, price);
    const from = at === 0 ? (isWhole ? sign * before : price) : (prices[at - 1] ?? 0);
    moves[at] = Math.max(0, stays - Math.max(from, sign * before));
  }
  return moves;
}

function partsOf(
  trades: readonly WatchedTrade[],
  moves: readonly number[],
  rises: boolean,
  { personOf, familyOf }: Pick<CloseTerms, 'personOf' | 'familyOf'>,
): Part[] {
  const parts = new Map<string, Part>();
  const partOf = (people: readonly string[], kinship: Kinship | null) => {
    const subject = subjectOf(people);
    const part = parts.get(subject) ?? {
      people: [...people].sort(),
      kinship,
      accounts: new Set(),
      trades: [],
      orders: new Set(),
      net: 0n,
      moved: 0,
      movedAmongThem: 0,
    };
    parts.set(subject, part);
    return part;
  };
  const note = (part: Part, trade: WatchedTrade, account: string, net: bigint) => {
    part.accounts.add(account);
    part.net += net;
    if (part.trades.at(-1) !== trade) part.trades.push(trade);
  };
  for (const [at, trade] of trades.entries()) {
    const moved = moves[at] ?? 0;
    const sides = [
      { account: trade.buyer, order: trade.buyOrder, net: BigInt(trade.quantity), moves: rises },
      { account: trade.seller, order: trade.sellOrder, net: -BigInt(trade.quantity), moves: !rises },
    ];
    const [buyer, seller] = [personOf(trade.buyer), personOf(trade.seller)];
    for (const side of sides) {
      const person = personOf(side.account);
      if (person === null) continue;
      const part = partOf([person], null);
      note(part, trade, side.account, side.net);
      if (!side.moves) continue;
      part.orders.add(side.order);
      part.moved += moved;
      if (buyer === seller) part.movedAmongThem += moved;
    }
    const kinship = buyer === null || seller === null || buyer === seller ? null : familyOf(trade.buyer, trade.seller);
    if (buyer === null || seller === null || kinship === null) continue;
    const pair = partOf([buyer, seller], kinship);
    for (const side of sides) note(pair, trade, side.account, 0n);
    pair.orders.add(rises ? trade.buyOrder : trade.sellOrder);
    pair.movedAmongThem += moved;
  }
  return [...parts.values()];
}

/** Basis points of what makes a case, by whichever way weighs most; 0 where none does. */
function weightOf(part: Part, close: Close): number {
  const [move, among] = [moveOf(close, part.moved), moveOf(close, part.movedAmongThem)];
  const share = shareOf(part, close);
  const isPattern = part.orders.size >= CLOSE_ORDERS_MIN && share >= CLOSE_SHARE_BPS_MIN && move >= CLOSE_MOVE_BPS_MIN;
  const most = BigInt(CLOSE_SHARE_BPS_MIN) * BigInt(CLOSE_MOVE_BPS_MIN);
  return Math.max(
    isPattern ? bpsOf(BigInt(share) * BigInt(move), most) : 0,
    move >= ALONE_MOVE_BPS_MIN ? bpsOf(BigInt(move), BigInt(ALONE_MOVE_BPS_MIN)) : 0,
    among >= CLOSE_MOVE_BPS_MIN ? bpsOf(BigInt(among), BigInt(CLOSE_MOVE_BPS_MIN)) : 0,
  );
}

/** Of what was traded in the window, what they have bought more than sold, or sold more than bought where the price fell. */
function shareOf({ net }: Part, { rises, whole }: Close): number {
  const moved = rises ? net : -net;
  return moved <= 0n ? 0 : bpsOf(moved, whole);
}

function findingOf(part: Part, close: Close, weight: number): Finding {
  const { people, kinship, accounts, trades, orders, net, moved, movedAmongThem } = part;
  const { before, price, rises, whole } = close;
  const among = moveOf(close, movedAmongThem);
  const isOwn = kinship === null && among >= CLOSE_MOVE_BPS_MIN;
  return {
    rule: 'marking_the_close',
    people,
    accounts: [...accounts].sort(),
    relation: kinship?.relation ?? (isOwn ? SAME_PERSON : null),
    relationOf: kinship?.of ?? null,
    numbers: {
      trades: counted(trades.length),
      own_orders: counted(orders.size),
      net_quantity: quantityOf(net),
      window_quantity: quantityOf(whole),
      share_of_window: bpsNumber(shareOf(part, close)),
      price_before: priceOf(before),
      close_price: priceOf(price),
      price_move: bpsNumber(moveOf(close, Math.abs(price - before)) * (rises ? 1 : -1)),
      own_move: bpsNumber(moveOf(close, moved)),
      move_among_them: bpsNumber(among),
      share_threshold: bpsNumber(CLOSE_SHARE_BPS_MIN),
      move_threshold: bpsNumber(CLOSE_MOVE_BPS_MIN),
      alone_threshold: bpsNumber(ALONE_MOVE_BPS_MIN),
      orders_threshold: counted(CLOSE_ORDERS_MIN),
      window: { unit: 'ms', value: String(CLOSE_WINDOW_MS) },
    },
    // The last ones have made the price.
    trades: trades.slice(-EVIDENCE_MAX),
    orders: [],
    weight,
  };
}
