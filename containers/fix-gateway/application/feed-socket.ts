import { WebSocket } from 'ws';
import type { ServerMessage } from '../../../protocol/feeds/server-message.ts';
import type { CallerHeaders } from './exchange.ts';

const RETRY_MS_MIN = 100;
const RETRY_MS_MAX = 5_000;
const HANDSHAKE_MS_MAX = 10_000;

/** A subscription, in the words of the feed. */
export interface FeedTopic {
  readonly channel: 'orders' | 'orderbook' | 'trades';
  readonly symbol: string;
  readonly depth?: number;
}

export interface FeedListener {
  message(message: ServerMessage): void;
  /** The exchange tells nothing more of a topic, and will not when it is asked again. @param text why */
  ended(topic: FeedTopic, text: string): void;
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

  follow(topic: FeedTopic): void {
    const key = keyOf(topic);
    if (this.#isResting || this.#topics.has(key)) return;
    this.#topics.set(key, topic);
    this.#awaited.add(key);
    if (this.#socket === null || this.#socket.readyState === WebSocket.CLOSING) this.#open();
    else if (this.#socket.readyState === WebSocket.OPEN) this.#say({ type: 'subscribe', ...topic });
  }

  unfollow(topic: FeedTopic): void {
    if (!this.#topics.delete(keyOf(topic))) return;
    this.#awaited.delete(keyOf(topic));
    this.#say({ type: 'unsubscribe', ...topic });
    if (this.#topics.size === 0) this.#socket?.close();
  }

  /** Follows nothing any more, on no connection: it is one of the five that the user may have. */
  rest(): void {
    const socket = this.#socket;
    this.#isResting = true;
    this.#topics.clear();
    this.#awaited.clear();
    this.#socket = null;
    clearTimeout(this.#timer);
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
    socket.on('open', () => {
      for (const topic of this.#topics.values()) this.#say({ type: 'subscribe', ...topic });
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
    if (message.type === 'error' && message.code === 'INVALID_SYMBOL') {
      this.#refused(keyOf(message as FeedTopic), message.message);
      return;
    }
    this.#listener.message(message);
  }

  /** What a pair that the caller may see no more tells of its book and trades ends. Own orders there go on. */
  #refused(key: string, text: string): void {
    const topic = this.#topics.get(key);
    if (topic === undefined || topic.channel === 'orders') return;
    this.#topics.delete(key);
    this.#awaited.delete(key);
    this.#listener.ended(topic, text);
    if (this.#topics.size === 0) this.#socket?.close();
  }

  #say(message: unknown): void {
    if (this.#socket?.readyState === WebSocket.OPEN) this.#socket.send(JSON.stringify(message));
  }
}

function keyOf({ channel, symbol }: FeedTopic): string {
  return `${channel} ${symbol}`;
}
