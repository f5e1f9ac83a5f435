import type { FeedMessage } from '../../../protocol/feeds/server-message.ts';
import { LocalBook } from './local-book.ts';

export type FeedState =
  | { readonly is: 'connecting' }
  | { readonly is: 'live' }
  /** What is shown is as old as `since`. */
  | { readonly is: 'lost'; readonly since: number };

/** The part of a WebSocket that is used; a test has its own. */
export interface Socket {
  onopen: (() => void) | null;
  onclose: (() => void) | null;
  onmessage: ((event: { readonly data: unknown }) => void) | null;
  send(text: string): void;
  close(): void;
}

export interface Topic {
  readonly channel: string;
  readonly symbol?: string;
  readonly depth?: number;
  readonly interval?: string;
}

/** Time, timers and sockets, so that a test owns them. */
export interface FeedSeams {
  open(): Socket;
  now(): number;
  later(run: () => void, ms: number): () => void;
}

type Listener = (message: FeedMessage) => void;

interface Subscription {
  readonly topic: Topic;
  readonly listeners: Set<Listener>;
}

const WAIT_FIRST_MS = 500;
const WAIT_MOST_MS = 15_000;
/** The feed pings well within it: a connection that says nothing for so long is dead, though nobody has closed it. */
const SILENCE_MS = 45_000;

/**
 * One connection for all that a page follows. It connects again by itself, and then subscribes to everything anew; a book heals by its
 * snapshot. Whoever shows something of it marks that as old while the state is `lost`.
 */
export class FeedConnection {
  readonly #seams: FeedSeams;
  readonly #subscriptions = new Map<string, Subscription>();
  readonly #watchers = new Set<() => void>();
  #state: FeedState = { is: 'connecting' };
  #socket: Socket | null = null;
  #tries = 0;
  #stopWait: () => void = () => {};
  #stopSilence: () => void = () => {};

  constructor(seams: FeedSeams) {
    this.#seams = seams;
  }

  get state(): FeedState {
    return this.#state;
  }

  /** Told of each change of the state; returns the way to end that. */
  watch(watcher: () => void): () => void {
    this.#watchers.add(watcher);
    return () => this.#watchers.delete(watcher);
  }

  start(): void {
    if (this.#socket === null) this.#connect();
  }

  stop(): void {
    this.#stopWait();
    this.#stopSilence();
    const socket = this.#socket;
    this.#socket = null;
    if (socket !== null) {
      socket.onclose = null;
      socket.close();
    }
    this.#become({ is: 'connecting' });
  }

  /** Now instead of after the wait. */
  retry(): void {
    if (this.#state.is !== 'lost') return;
    this.#stopWait();
    this.#connect();
  }

  follow(topic: Topic, listener: Listener): () => void {
    const key = keyOf(topic);
    const known = this.#subscriptions.get(key);
    if (known === undefined) {
      this.#subscriptions.set(key, { topic, listeners: new Set([listener]) });
      this.#say({ type: 'subscribe', ...topic });
    } else {
      known.listeners.add(listener);
      // Another page has the snapshot already: this one asks for its own.
      this.#say({ type: 'subscribe', ...topic });
    }
    return () => {
      const subscription = this.#subscriptions.get(key);
      subscription?.listeners.delete(listener);
      if (subscription?.listeners.size !== 0) return;
      this.#subscriptions.delete(key);
      const { channel, symbol } = topic;
      if (!this.#isFollowed(channel, symbol)) this.#say({ type: 'unsubscribe', ...topic });
    };
  }

  /** A book that is right, or known to be old. `changed` is called after each message that changes it. */
  followBook(symbol: string, depth: number, changed: (book: LocalBook) => void): () => void {
    const book = new LocalBook(depth);
    const topic = { channel: 'orderbook', symbol, depth };
    const again = () => this.#say({ type: 'subscribe', ...topic });
    return this.follow(topic, (message) => {
      if (message.type === 'orderbook_snapshot' || message.type === 'orderbook_update') {
        const applied = book.apply(message);
        if (applied === 'gap' || applied === 'checksum') again();
        else changed(book);
      } else if (message.type === 'heartbeat' && book.sequence < message.sequence) again();
    });
  }

  #isFollowed(channel: string, symbol: string | undefined): boolean {
    return [...this.#subscriptions.values()].some(({ topic }) => topic.channel === channel && topic.symbol === symbol);
  }

  #connect(): void {
    const socket = this.#seams.open();
    this.#socket = socket;
    socket.onopen = () => {
      this.#tries = 0;
      this.#become({ is: 'live' });
      for (const { topic } of this.#subscriptions.values()) this.#say({ type: 'subscribe', ...topic });
      this.#listen();
    };
    socket.onmessage = ({ data }) => {
      this.#listen();
      this.#receive(JSON.parse(String(data)) as FeedMessage);
    };
    socket.onclose = () => this.#lost(socket);
  }

  /** Waits for the next message, whatever it is. */
  #listen(): void {
    this.#stopSilence();
    const socket = this.#socket;
    this.#stopSilence = this.#seams.later(() => {
      if (socket === null) return;
      socket.onclose = null;
      socket.close();
      this.#lost(socket);
    }, SILENCE_MS);
  }

  #lost(socket: Socket): void {
    if (this.#socket !== socket) return;
    this.#stopSilence();
    this.#socket = null;
    if (this.#state.is !== 'lost') this.#become({ is: 'lost', since: this.#seams.now() });
    const ms = Math.min(WAIT_MOST_MS, WAIT_FIRST_MS * 2 ** this.#tries);
    this.#tries += 1;
    this.#stopWait = this.#seams.later(() => this.#connect(), ms);
  }

  #receive(message: FeedMessage): void {
    if (message.type === 'ping') {
      this.#say({ type: 'pong', id: message.id });
      return;
    }
    if (!('channel' in message)) return;
    const symbol = 'symbol' in message ? message.symbol : undefined;
    for (const { topic, listeners } of this.#subscriptions.values()) {
      if (topic.channel !== message.channel) continue;
      if (topic.symbol !== undefined && topic.symbol !== symbol) continue;
      if ('interval' in message && topic.interval !== undefined && topic.interval !== message.interval) continue;
      for (const listener of listeners) listener(message);
    }
  }

  #say(message: object): void {
    if (this.#state.is === 'live') this.#socket?.send(JSON.stringify(message));
  }

  #become(state: FeedState): void {
    this.#state = state;
    for (const watcher of this.#watchers) watcher();
  }
}

function keyOf({ channel, symbol = '*', depth = 0, interval = '' }: Topic): string {
  return `${channel} ${symbol} ${depth} ${interval}`;
}
