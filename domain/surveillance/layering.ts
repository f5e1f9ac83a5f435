import { MINUTE_MS, SECOND_MS } from '../calendar/durations.ts';
import type { Side } from '../orders/order.ts';
import {
  bpsNumber,
  bpsOf,
  counted,
  EVIDENCE_MAX,
  type Finding,
  type PersonOf,
  quantityOf,
  type WatchedOrder,
  type WatchedTrade,
} from './finding.ts';

/*
 * FINRA 5210.03 and its reports on layering describe the pattern: orders on one side that are not meant to trade, an execution on the other side, and their
 * cancellation; CEA 4c(a)(5)(C) calls it spoofing. None gives a number: these are ours.
 */

/** Executions, each followed by such cancels, that make a case on one day: one may be chance, and a change of mind. */
const LAYERING_TIMES_MIN = 3;
/** So soon after the execution an order is cancelled at the latest. @internal */
export const CANCELLED_WITHIN_MS = 10 * SECOND_MS;
/** So long before the execution an order was placed at most: what stood longer was meant. @internal */
export const PLACED_WITHIN_MS = 10 * MINUTE_MS;
/** So far from the price of the execution an order stood at least, away from the touch. */
const AWAY_BPS_MIN = 10;
/** What was cancelled is at least so many times what was executed. */
const CANCELLED_TIMES_MIN = 3;
/** An order that has filled by more than this was meant. */
const FILLED_BPS_MAX = 1_000;
/** Executions of one side are one event while they follow each other within CANCELLED_WITHIN_MS, and for so long at most. */
const EXECUTIONS_TOGETHER_MS = MINUTE_MS;

/** Executions of a person on one side that followed each other at once, and the orders that went with them. */
interface Episode {
  readonly firstAt: number;
  lastAt: number;
  /** Of the last one: where the touch was. */
  price: number;
  executed: bigint;
  readonly trades: WatchedTrade[];
  tradesCount: number;
  /** Made with the first order: nearly all executions have none. */
  layers: Layers | null;
}

/** Orders that went with an episode. */
interface Layers {
  readonly ids: Set<string>;
  /** The first ones, which are shown. */
  readonly shown: WatchedOrder[];
  readonly accounts: Set<string>;
  cancelled: bigint;
}

interface Person {
  readonly accounts: Set<string>;
  readonly buy: Episode[];
  readonly sell: Episode[];
  /** Orders that were noted of all their episodes. */
  orders: number;
}

/** From one time until before another, in Unix milliseconds. */
interface PlacedSpan {
  readonly from: number;
  readonly to: number;
}

/** Trades, and orders, of one episode that are kept. */
const KEPT_MAX = 20;
/**
 * Orders of a person, and of all, that are noted by their ids: an invocation has 128 MB. What comes beyond is not counted, and its account is told as left out. @internal
 */
export const ORDERS_PER_PERSON_MAX = 5_000;
const ORDERS_MAX = 50_000;

/**
 * Watches one market on one day for orders that were to move it: away from the touch, on the other side of an execution of the same person, and cancelled right
 * after it. An execution takes place at the touch, so its price is where the touch was. Trades are given in their order; orders as they come.
 */
export class LayeringWatch {
  readonly #people = new Map<string, Person>();
  readonly #personOf: PersonOf;
  readonly #accountsLeftOut = new Set<string>();
  #orders = 0;

  constructor(trades: readonly WatchedTrade[], personOf: PersonOf) {
    this.#personOf = personOf;
    for (const trade of trades) {
      this.#execute(trade.buyer, 'buy', trade);
      this.#execute(trade.seller, 'sell', trade);
    }
  }

  /** When each person may have placed what is of concern: around their executions, times that touch being one. */
  spans(): Map<string, PlacedSpan[]> {
    return new Map([...this.#people].map(([person, { buy, sell }]) => [person, spansOf([...buy, ...sell])]));
  }

  /** Accounts of which not all orders were noted. */
  get accountsLeftOut(): ReadonlySet<string> {
    return this.#accountsLeftOut;
  }

  /** A cancelled order; one that is seen twice counts once. */
  see(order: WatchedOrder): void {
    const person = this.#people.get(this.#personOf(order.account) ?? '');
    if (person === undefined || bpsOf(BigInt(order.filled), BigInt(order.quantity)) > FILLED_BPS_MAX) return;
    const episode = lastBefore(order.side === 'buy' ? person.sell : person.buy, order.cancelledAt);
    if (episode === null || episode.layers?.ids.has(order.id) || !belongsTo(episode, order)) return;
    if (person.orders >= ORDERS_PER_PERSON_MAX || this.#orders >= ORDERS_MAX) {
      this.#accountsLeftOut.add(order.account);
      return;
    }
    person.orders += 1;
    this.#orders += 1;
    episode.layers ??= { ids: new Set(), shown: [], accounts: new Set(), cancelled: 0n };
    const { layers } = episode;
    layers.ids.add(order.id);
    layers.accounts.add(order.account);
    layers.cancelled += BigInt(order.quantity - order.filled);
    if (layers.shown.length < KEPT_MAX) layers.shown.push(order);
  }

  findings(): Finding[] {
    return [...this.#people].flatMap(([person, { accounts, buy, sell }]) => {
      const found = [...buy, ...sell]
        .filter(({ layers, executed }) => (layers?.cancelled ?? 0n) >= executed * BigInt(CANCELLED_TIMES_MIN))
        .sort((a, b) => a.firstAt - b.firstAt);
      return found.length < LAYERING_TIMES_MIN ? [] : [findingOf(person, accounts, found)];
    });
  }

  #execute(account: string, side: Side, trade: WatchedTrade): void {
    const id = this.#personOf(account);
    if (id === null) return;
    const person = this.#people.get(id) ?? { accounts: new Set<string>(), buy: [], sell: [], orders: 0 };
    this.#people.set(id, person);
    person.accounts.add(account);
    const { executedAt: at, price, quantity } = trade;
    const last = person[side].at(-1);
    if (last !== undefined && at - last.lastAt <= CANCELLED_WITHIN_MS && at - last.firstAt <= EXECUTIONS_TOGETHER_MS) {
      last.lastAt = at;
      last.price = price;
      last.executed += BigInt(quantity);
      last.tradesCount += 1;
      if (last.trades.length < KEPT_MAX) last.trades.push(trade);
      return;
    }
    person[side].push({
      firstAt: at,
      lastAt: at,
      price,
      executed: BigInt(quantity),
      trades: [trade],
      tradesCount: 1,
      layers: null,
    });
  }
}

function spansOf(episodes: readonly Episode[]): PlacedSpan[] {
  const spans: { from: number; to: number }[] = [];
  for (const { firstAt, lastAt } of [...episodes].sort((a, b) => a.firstAt - b.firstAt)) {
    const [from, to] = [firstAt - PLACED_WITHIN_MS, lastAt + 1];
    const last = spans.at(-1);
    if (last !== undefined && from <= last.to) last.to = Math.max(last.to, to);
    else spans.push({ from, to });
  }
  return spans;
}

/** The last episode that had begun by then. */
function lastBefore(episodes: readonly Episode[], at: number): Episode | null {
  let [low, high] = [0, episodes.length];
  while (low < high) {
    const middle = (low + high) >>> 1;
    if ((episodes[middle]?.firstAt ?? 0) <= at) low = middle + 1;
    else high = middle;
  }
  return episodes[low - 1] ?? null;
}

function belongsTo({ firstAt, lastAt, price }: Episode, order: WatchedOrder): boolean {
  const stood = order.createdAt <= lastAt && order.createdAt >= firstAt - PLACED_WITHIN_MS;
  const wasCancelled = order.cancelledAt >= firstAt && order.cancelledAt - lastAt <= CANCELLED_WITHIN_MS;
  // A bid below what the person has sold at, an offer above what they have bought at.
  const away = order.side === 'buy' ? price - order.price : order.price - price;
  return stood && wasCancelled && away > 0 && bpsOf(BigInt(away), BigInt(price)) >= AWAY_BPS_MIN;
}

function findingOf(person: string, executing: ReadonlySet<string>, found: readonly Episode[]): Finding {
  const sum = (of: (episode: Episode) => bigint) => found.reduce((total, episode) => total + of(episode), 0n);
  const layers = found.flatMap((episode) => episode.layers ?? []);
  const cancelled = layers.reduce((total, each) => total + each.cancelled, 0n);
  const orders = layers.flatMap(({ shown }) => shown);
  const trades = found.flatMap((episode) => episode.trades);
  return {
    rule: 'layering',
    people: [person],
    accounts: [...new Set([...executing, ...layers.flatMap((each) => [...each.accounts])])].sort(),
    relation: null,
    relationOf: null,
    numbers: {
      times: counted(found.length),
      trades: counted(found.reduce((total, { tradesCount }) => total + tradesCount, 0)),
      executed_quantity: quantityOf(sum((episode) => episode.executed)),
      orders: counted(layers.reduce((total, { ids }) => total + ids.size, 0)),
      cancelled_quantity: quantityOf(cancelled),
      times_threshold: counted(LAYERING_TIMES_MIN),
      ratio_threshold: counted(CANCELLED_TIMES_MIN),
      away_threshold: bpsNumber(AWAY_BPS_MIN),
      cancelled_within: { unit: 'ms', value: String(CANCELLED_WITHIN_MS) },
    },
    trades: trades.slice(0, EVIDENCE_MAX),
    orders: orders.slice(0, EVIDENCE_MAX),
    weight: bpsOf(BigInt(found.length), BigInt(LAYERING_TIMES_MIN)),
  };
}
