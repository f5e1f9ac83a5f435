import { BAR_INTERVALS, type BarInterval } from '../../domain/charts/bar-interval.ts';

/** What one subscription follows. `account` is that of the subscriber, never one that a client named. */
export type Topic =
  | { readonly channel: 'orderbook'; readonly symbol: string; readonly depth: number }
  | { readonly channel: 'trades'; readonly symbol: string }
  | { readonly channel: 'ticker'; readonly symbol: string }
  | { readonly channel: 'status'; readonly symbol: string }
  | { readonly channel: 'candles'; readonly symbol: string; readonly interval: BarInterval }
  | { readonly channel: 'orders'; readonly symbol: string; readonly account: string }
  | OwnTopic;

/** What an account has on all markets, present and to come. */
export interface OwnTopic {
  readonly channel: OwnChannel;
  readonly symbol: typeof ALL_MARKETS;
  readonly account: string;
}

/** Stands for a symbol where a topic is of all markets. */
export const ALL_MARKETS = '*';

/** `account` is the other three in one sequence. `orders` is also a channel of one market. */
export const OWN_CHANNELS = ['account', 'orders', 'fills', 'balances'] as const;

export type OwnChannel = (typeof OWN_CHANNELS)[number];

export type Channel = Topic['channel'];

export const CHANNELS: readonly Channel[] = [
  'orderbook',
  'trades',
  'ticker',
  'status',
  'candles',
  'orders',
  'account',
  'fills',
  'balances',
];

export function isOwnTopic(topic: Topic): topic is OwnTopic {
  return topic.symbol === ALL_MARKETS;
}

/** Levels a side (docs/design/feeds.md#topics). */
export const DEPTH_DEFAULT = 50;
export const DEPTH_MAX = 1_000;

/**
 * The depths that a book is told in. A change is worked out once for each that somebody follows, so that what strangers ask for bounds it
 * at eighteen.
 *
 * @internal
 */
export const BOOK_DEPTHS: readonly number[] = [
  1,
  2,
  3,
  4,
  5,
  6,
  7,
  8,
  9,
  10,
  20,
  25,
  50,
  100,
  200,
  250,
  500,
  DEPTH_MAX,
];

/** The least of BOOK_DEPTHS that has as many levels as were asked for. */
export function bookDepth(asked: number): number {
  return BOOK_DEPTHS.find((depth) => depth >= asked) ?? DEPTH_MAX;
}

/** One line of text per topic; equal topics have equal keys. */
export function topicKey(topic: Topic): string {
  switch (topic.channel) {
    case 'orderbook':
      return `orderbook ${topic.symbol} ${bookDepth(topic.depth)}`;
    case 'candles':
      return `candles ${topic.symbol} ${topic.interval}`;
    case 'orders':
    case 'account':
    case 'fills':
    case 'balances':
      return `${topic.channel} ${topic.symbol} ${topic.account}`;
    default:
      return `${topic.channel} ${topic.symbol}`;
  }
}

/** The topic under a key. @throws Error for a text that `topicKey` cannot have made */
export function topicOf(key: string): Topic {
  const [channel, symbol = '', detail = ''] = key.split(' ');
  switch (channel) {
    case 'orderbook':
      return { channel, symbol, depth: Number(detail) };
    case 'trades':
    case 'ticker':
    case 'status':
      return { channel, symbol };
    case 'candles':
      for (const interval of BAR_INTERVALS) if (interval === detail) return { channel, symbol, interval };
      break;
    case 'orders':
      return { channel, symbol, account: detail };
    case 'account':
    case 'fills':
    case 'balances':
      return { channel, symbol: ALL_MARKETS, account: detail };
  }
  throw new Error(`no topic has the key ${key}`);
}
