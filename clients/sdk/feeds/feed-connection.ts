import type { FeedMessage } from '../../../protocol/feeds/server-message.ts';

export type FeedState =
  | { readonly is: 'connecting' }
  | { readonly is: 'live' }
  /** What is shown is as old as `since`. */
  | { readonly is: 'lost'; readonly since: number };

/** The part of a WebSocket that is used; a test has its own. */
export interface Socket {
  onopen: (() => void) | null;
  onclose: (() => void) | null;
  /** Always set: `ws` throws an error that nobody takes, and that ends the program. */
  onerror: (() => void) | null;
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
  /** What proves who follows own channels, as fields of `auth`; left out where the handshake has it, or nobody asks. */
  auth?(): Promise<Readonly<Record<string, string>>>;
}

type Listener = (message: FeedMessage) => void;
/** The last sequence that a listener has whole; null where it wants to begin anew. */
type Resume = () => number | null;

interface Follower {
  readonly resume: Resume;
  readonly depth: number | undefined;
}

/** One for all who follow a topic, however deep: the exchange tells a connection one depth of a book. */
interface Subscription {
  readonly topic: Omit<Topic, 'depth'>;
  readonly followers: Map<Listener, Follower>;
  /** The depth that the exchange was asked for last. */
  told: number | undefined;
}

const WAIT_FIRST_MS = 500;
const WAIT_MOST_MS = 15_000;
/** The feed pings well within it: a connection that says nothing for so long is dead, though nobody has closed it. */
const SILENCE_MS = 45_000;

/**
 * One connection for all that a program or page follows. It connects again by itself, and then subscribes to everything anew, behind the last
 * sequence of whoever can resume. Whoever shows something of it marks that as old while the state is `lost`.
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
    if (this.#socket !== null) return;
    this.#stopWait();
    this.#connect();
  }

  stop(): void {
    this.#stopWait();
    this.#stopSilence();
    const socket = this.#socket;
    this.#socket = null;
    if (socket !== null) closed(socket);
    this.#become({ is: 'connecting' });
  }

  /** Now instead of after the wait. */
  retry(): void {
    if (this.#state.is !== 'lost') return;
    this.#stopWait();
    this.#connect();
  }

  /**
   * Follows a topic; returns the way to end that. `resume` says where to go on after a loss. Who follows a book hears of the greatest depth that somebody
   * follows of it, which may be more than its own.
   */
  follow({ depth, ...topic }: Topic, listener: Listener, resume: Resume = () => null): () => void {
    const key = keyOf(topic);
    const subscription = this.#subscriptions.get(key) ?? { topic, followers: new Map(), told: undefined };
    this.#subscriptions.set(key, subscription);
    subscription.followers.set(listener, { resume, depth });
    // Where another listener has the snapshot already, this one asks for its own.
    this.#subscribe(subscription);
    return () => {
      if (!subscription.followers.delete(listener)) return;
      if (subscription.followers.size > 0) {
        // What lies beyond the depth that is left is told no more: the others begin without it.
        if (depthOf(subscription) !== subscription.told) this.#subscribe(subscription);
        return;
      }
      this.#subscriptions.delete(key);
      const { channel, symbol } = topic;
      if (!this.#isFollowed(channel, symbol)) this.#say({ type: 'unsubscribe', ...topic });
    };
  }

  /** Begins a topic anew. */
  again(topic: Topic): void {
    const subscription = this.#subscriptions.get(keyOf(topic));
    if (subscription !== undefined) this.#subscribe(subscription);
  }

  #subscribe(subscription: Subscription, resumed: { readonly resume_from?: number } = {}): void {
    if (this.#state.is !== 'live') return;
    const depth = depthOf(subscription);
    subscription.told = depth;
    this.#say({ type: 'subscribe', ...subscription.topic, ...(depth !== undefined && { depth }), ...resumed });
  }

  #isFollowed(channel: string, symbol: string | undefined): boolean {
    return [...this.#subscriptions.values()].some(({ topic }) => topic.channel === channel && topic.symbol === symbol);
  }

  #connect(): void {
    const socket = this.#seams.open();
    this.#socket = socket;
    const isOurs = () => this.#socket === socket;
    socket.onopen = () => {
      if (!isOurs()) return;
      this.#listen();
      if (this.#seams.auth === undefined) this.#begin();
      else void this.#prove(socket, this.#seams.auth());
    };
    socket.onmessage = ({ data }) => {
      if (!isOurs()) return;
      this.#listen();
      const message = messageOf(data);
      if (message === null) this.#drop(socket);
      else this.#receive(message);
    };
    socket.onerror = () => this.#drop(socket);
    socket.onclose = () => this.#lost(socket);
  }

  async #prove(socket: Socket, auth: Promise<Readonly<Record<string, string>>>): Promise<void> {
    try {
      const proof = await auth;
      if (this.#socket === socket) socket.send(JSON.stringify({ type: 'auth', ...proof }));
    } catch {
      this.#drop(socket);
    }
  }

  #begin(): void {
    this.#tries = 0;
    this.#become({ is: 'live' });
    for (const subscription of this.#subscriptions.values()) {
      const sequences = [...subscription.followers.values()].map(({ resume }) => resume());
      const isWhole = sequences.every((sequence) => sequence !== null) && depthOf(subscription) === subscription.told;
      this.#subscribe(subscription, isWhole ? { resume_from: Math.min(...sequences) } : {});
    }
  }

  #drop(socket: Socket): void {
    closed(socket);
    this.#lost(socket);
  }

  /** Waits for the next message, whatever it is. */
  #listen(): void {
    this.#stopSilence();
    const socket = this.#socket;
    this.#stopSilence = this.#seams.later(() => {
      if (socket !== null) this.#drop(socket);
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
    if (message.type === 'authenticated') this.#begin();
    if (!('channel' in message)) return;
    const symbol = 'symbol' in message ? message.symbol : undefined;
    for (const { topic, followers } of this.#subscriptions.values()) {
      if (topic.channel !== message.channel) continue;
      if (topic.symbol !== undefined && topic.symbol !== symbol) continue;
      if ('interval' in message && topic.interval !== undefined && topic.interval !== message.interval) continue;
      for (const listener of [...followers.keys()]) listener(message);
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

/** Closes one that nobody listens to any more. */
function closed(socket: Socket): void {
  socket.onopen = null;
  socket.onmessage = null;
  socket.onclose = null;
  socket.onerror = () => {};
  socket.close();
}

/** Null for what is no message of the feed. */
function messageOf(data: unknown): FeedMessage | null {
  try {
    const message: unknown = JSON.parse(String(data));
    return typeof message === 'object' && message !== null && 'type' in message ? (message as FeedMessage) : null;
  } catch {
    return null;
  }
}

/** The greatest that somebody follows. */
function depthOf({ followers }: Subscription): number | undefined {
  const depths = [...followers.values()].flatMap(({ depth }) => depth ?? []);
  return depths.length === 0 ? undefined : Math.max(...depths);
}

function keyOf({ channel, symbol = '*', interval = '' }: Topic): string {
  return `${channel} ${symbol} ${interval}`;
}
