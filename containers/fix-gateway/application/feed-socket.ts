import { WebSocket } from 'ws';
import type { ServerMessage } from '../../../protocol/feeds/server-message.ts';
import type { CallerHeaders } from './exchange.ts';

const RETRY_MS_MIN = 100;
const RETRY_MS_MAX = 5_000;
const HANDSHAKE_MS_MAX = 10_000;
/** The feed closes a connection that says more than 50 things in a second. */
const SAID_PER_TURN = 10;
const TURN_MS = 500;
/** What the feed has no room or no answer for now is asked for again after this. */
const ASK_AGAIN_MS = 10_000;
/** Own orders of a market that the feed refuses: one that it does not know may be known later. */
const ASK_REFUSED_AGAIN_MS = 60_000;
/** Books and trades of one connection, which has 100 topics: the others are for own orders. */
const MARKET_TOPICS_MAX = 80;

/** A subscription, in the words of the feed. */
export interface FeedTopic {
  readonly channel: 'orders' | 'orderbook' | 'trades';
  readonly symbol: string;
  readonly depth?: number;
}

export interface FeedListener {
  message(message: ServerMessage): void;
  /** The exchange tells nothing more of a topic, and will not when it is asked again. @param why its code and text */
  ended(topic: FeedTopic, why: { readonly code: string; readonly message: string }): void;
  /** Every topic is subscribed on a new connection: what happened before is to be read elsewhere. */
  resumed(): void;
  /** The connection broke. */
  lost(): void;
}

/** The feed of one caller, on one socket that is opened anew when it breaks. It rests while its session is not connected. */
export class FeedSocket {
  readonly #url: URL;
  readonly #caller: () => CallerHeaders;
  readonly #listener: FeedListener;
  readonly #topics = new Map<string, FeedTopic>();
  #socket: WebSocket | null = null;
  #awaited = new Set<string>();
  /** What is to be said on the connection, in this order. */
  #unsaid: { readonly type: 'subscribe' | 'unsubscribe'; readonly topic: FeedTopic }[] = [];
  #room = SAID_PER_TURN;
  #turn: NodeJS.Timeout | undefined;
  #retry_ms = RETRY_MS_MIN;
  #timer: NodeJS.Timeout | undefined;
  #isResting = true;

  constructor(url: URL, caller: () => CallerHeaders, listener: FeedListener) {
    this.#url = url;
    this.#caller = caller;
    this.#listener = listener;
  }

  /** Whether every topic is being followed. */
  get isLive(): boolean {
    return this.#socket?.readyState === WebSocket.OPEN && this.#awaited.size === 0;
  }

  get isResting(): boolean {
    return this.#isResting;
  }

  /** The session is connected: what is followed from now on is. */
  wake(): void {
    this.#isResting = false;
  }

  /** Whether these books and trades can be followed beside those that are. */
  hasRoomFor(topics: readonly FeedTopic[]): boolean {
    const all = new Set([...this.#topics.keys(), ...topics.map(keyOf)].filter((key) => !key.startsWith('orders ')));
    return all.size <= MARKET_TOPICS_MAX;
  }

  follow(topic: FeedTopic): void {
    const key = keyOf(topic);
    if (this.#isResting || this.#topics.has(key)) return;
    this.#topics.set(key, topic);
    this.#awaited.add(key);
    if (this.#socket === null || this.#socket.readyState === WebSocket.CLOSING) this.#open();
    else if (this.#socket.readyState === WebSocket.OPEN) this.#saySoon('subscribe', topic);
  }

  unfollow(topic: FeedTopic): void {
    const key = keyOf(topic);
    const known = this.#topics.get(key);
    if (known === undefined) return;
    this.#topics.delete(key);
    this.#awaited.delete(key);
    const isSaid = !this.#unsaid.some((one) => one.topic === known);
    this.#unsaid = this.#unsaid.filter((one) => one.topic !== known);
    if (isSaid) this.#saySoon('unsubscribe', topic);
    if (this.#topics.size === 0) this.#socket?.close();
  }

  /** Follows nothing any more, on no connection: it is one of the five that the user may have. */
  rest(): void {
    const socket = this.#socket;
    this.#isResting = true;
    this.#topics.clear();
    this.#awaited.clear();
    this.#socket = null;
    this.#unsaid = [];
    clearTimeout(this.#timer);
    clearTimeout(this.#turn);
    this.#turn = undefined;
    socket?.close();
  }

  #open(): void {
    clearTimeout(this.#timer);
    const socket = new WebSocket(String(this.#url), {
      headers: this.#caller(),
      handshakeTimeout: HANDSHAKE_MS_MAX,
      perMessageDeflate: false,
    });
    this.#socket = socket;
    this.#awaited = new Set(this.#topics.keys());
    this.#unsaid = [];
    socket.on('open', () => {
      if (this.#socket !== socket) return;
      // Own orders first: where there are too many topics, the others have to go without.
      const isOwn = ({ channel }: FeedTopic): boolean => channel === 'orders';
      const { own = [], others = [] } = Object.groupBy(this.#topics.values(), (one) => (isOwn(one) ? 'own' : 'others'));
      for (const topic of [...own, ...others]) this.#saySoon('subscribe', topic);
    });
    socket.on('message', (data) => {
      if (this.#socket === socket) this.#received(JSON.parse(String(data)) as ServerMessage);
    });
    socket.on('error', () => undefined);
    socket.on('close', () => {
      if (this.#socket !== socket) return;
      this.#socket = null;
      if (this.#topics.size === 0) return;
      this.#listener.lost();
      this.#timer = setTimeout(() => this.#open(), this.#retry_ms);
      this.#retry_ms = Math.min(RETRY_MS_MAX, this.#retry_ms * 2);
    });
  }

  #received(message: ServerMessage): void {
    if (message.type === 'ping') {
      this.#say({ type: 'pong', id: message.id });
      return;
    }
    if (message.type === 'subscribed') {
      this.#retry_ms = RETRY_MS_MIN;
      this.#awaited.delete(keyOf(message as FeedTopic));
      if (message.channel === 'orders') this.#listener.resumed();
      return;
    }
    if (message.type === 'error') {
      const { channel, symbol } = message;
      if (channel !== undefined && symbol !== undefined) this.#refused(`${channel} ${symbol}`, message);
      return;
    }
    this.#listener.message(message);
  }

  /**
   * What has no room now may have it later. Else a book or trades have ended: of a pair that the caller may see no more, or beyond what a connection may
   * follow. Own orders are then asked for elsewhere, and told where they go on.
   */
  #refused(key: string, why: { readonly code: string; readonly message: string }): void {
    const topic = this.#topics.get(key);
    if (topic === undefined) return;
    if (why.code === 'RATE_LIMIT_EXCEEDED' || why.code === 'SERVICE_UNAVAILABLE') {
      this.#askAgain(topic, ASK_AGAIN_MS);
      return;
    }
    if (topic.channel === 'orders') {
      if (why.code !== 'INVALID_SYMBOL') return;
      // Until the account has orders there that the feed knows of, the comparison of each minute finds them.
      this.#awaited.delete(key);
      this.#askAgain(topic, ASK_REFUSED_AGAIN_MS);
      return;
    }
    this.#topics.delete(key);
    this.#awaited.delete(key);
    this.#listener.ended(topic, why);
    if (this.#topics.size === 0) this.#socket?.close();
  }

  #askAgain(topic: FeedTopic, after_ms: number): void {
    const socket = this.#socket;
    setTimeout(() => {
      if (this.#socket === socket && this.#topics.get(keyOf(topic)) === topic) this.#saySoon('subscribe', topic);
    }, after_ms).unref();
  }

  #saySoon(type: 'subscribe' | 'unsubscribe', topic: FeedTopic): void {
    this.#unsaid.push({ type, topic });
    this.#sayUnsaid();
  }

  #sayUnsaid(): void {
    if (this.#socket?.readyState !== WebSocket.OPEN) return;
    for (const { type, topic } of this.#unsaid.splice(0, this.#room)) {
      this.#room -= 1;
      this.#say({ type, ...topic });
    }
    if (this.#room === SAID_PER_TURN || this.#turn !== undefined) return;
    this.#turn = setTimeout(() => {
      this.#turn = undefined;
      this.#room = SAID_PER_TURN;
      this.#sayUnsaid();
    }, TURN_MS).unref();
  }

  #say(message: unknown): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }
}

function keyOf({ channel, symbol }: FeedTopic): string {
  return `${channel} ${symbol}`;
}
