import type { FeedError } from '../../protocol/feeds/feed-error.ts';
import { CALLER_HEADER, type Caller } from '../fan-out/caller.ts';
import {
  closeRequest,
  INNER_HEADER,
  openRequest,
  readInnerFrame,
  TOPICS_PER_SOCKET_MAX,
} from '../fan-out/inner-protocol.ts';

export interface UpstreamHost {
  publish(key: string, texts: readonly string[]): void;
  /** Whether a client follows this topic now. */
  follows(key: string): boolean;
}

const OPEN_TIMEOUT_MS = 10_000;
const RETRY_MS_MIN = 50;
const RETRY_MS_MAX = 5_000;

/** A topic that clients follow or wait for. */
interface UpstreamTopic {
  /** Clients that wait for it. */
  awaited: number;
  /** Its last message, to know where to go on; null when nobody knows. */
  last: string | null;
  /** The socket that it came by is lost, and the topic is not taken up again yet. */
  isLost: boolean;
  takingUp: Promise<FeedError | null> | null;
}

/**
 * A feed object's socket to one book. When it is lost, it is opened again and every topic taken up where it was: what was missed is
 * sent on, or the topic begins anew, marked as a resync; the clients' own sockets stay.
 */
export class Upstream {
  readonly #env: Env;
  readonly #symbol: string;
  readonly #caller: Caller;
  readonly #host: UpstreamHost;
  readonly #topics = new Map<string, UpstreamTopic>();
  readonly #opening = new Map<number, (messages: readonly string[]) => void>();
  #socket: Promise<WebSocket> | null = null;
  #refs = 0;
  #isResuming = false;
  #isEnded = false;

  constructor(env: Env, symbol: string, name: string, host: UpstreamHost) {
    this.#env = env;
    this.#symbol = symbol;
    this.#caller = { leaseGate: name, clientAddress: '', identity: null };
    this.#host = host;
  }

  has(key: string): boolean {
    return this.#topics.has(key);
  }

  get isEmpty(): boolean {
    return this.#topics.size === 0;
  }

  get isFull(): boolean {
    return this.#topics.size >= TOPICS_PER_SOCKET_MAX;
  }

  /** Opens a topic for one more client; `join` is called before anything later of it is published. */
  async open(
    key: string,
    resumeFrom: number | null,
    join: (messages: readonly string[]) => void,
  ): Promise<FeedError | null> {
    const topic = this.#topicOf(key);
    topic.awaited += 1;
    try {
      // Followers are told first what they missed: what this client is answered stands beyond that.
      const error = await this.#takeUp(key, topic);
      return error ?? (await this.#ask(key, topic, resumeFrom, join));
    } finally {
      topic.awaited -= 1;
      this.close(key);
    }
  }

  /**
   * Ends a topic that nobody follows. A client that is still waiting counts as a follower: otherwise the book could receive the close after
   * the open. One that has left while it waited is noticed when its wait ends.
   */
  close(key: string): void {
    const topic = this.#topics.get(key);
    if (topic === undefined || topic.awaited > 0 || this.#host.follows(key)) return;
    this.#topics.delete(key);
    void this.#socket?.then((socket) => socket.send(closeRequest(key))).catch(() => undefined);
  }

  end(): void {
    this.#isEnded = true;
    void this.#socket?.then((socket) => socket.close(1000, 'nobody follows')).catch(() => undefined);
  }

  /** A topic whose clients are here already: an instance before this one was evicted. It is opened by `resume`. */
  expect(key: string): void {
    this.#topicOf(key).isLost = true;
  }

  /** Takes up all topics that are lost, until it has worked or nobody follows them. */
  async resume(): Promise<void> {
    if (this.#isResuming) return;
    this.#isResuming = true;
    let delay_ms = RETRY_MS_MIN;
    while (!this.#isEnded) {
      const lost = [...this.#topics].filter(([, { isLost }]) => isLost);
      if (lost.length === 0) break;
      const errors = await Promise.all(lost.map(([key, topic]) => this.#takeUp(key, topic)));
      if (errors.every((error) => error === null)) continue;
      await new Promise((resolve) => setTimeout(resolve, delay_ms));
      delay_ms = Math.min(RETRY_MS_MAX, delay_ms * 2);
    }
    this.#isResuming = false;
  }

  #topicOf(key: string): UpstreamTopic {
    let topic = this.#topics.get(key);
    if (topic === undefined) {
      topic = { awaited: 0, last: null, isLost: false, takingUp: null };
      this.#topics.set(key, topic);
    }
    return topic;
  }

  async #ask(
    key: string,
    topic: UpstreamTopic,
    resumeFrom: number | null,
    join: (messages: readonly string[]) => void,
  ): Promise<FeedError | null> {
    const ref = ++this.#refs;
    try {
      const socket = await this.#connected();
      return await new Promise<FeedError | null>((resolve) => {
        const timer = setTimeout(() => {
          if (this.#opening.delete(ref)) resolve(UNAVAILABLE);
        }, OPEN_TIMEOUT_MS);
        this.#opening.set(ref, (messages) => {
          clearTimeout(timer);
          const error = errorOf(messages);
          if (error === null) {
            topic.last = messages.at(-1) ?? null;
            join(messages);
          }
          resolve(error);
        });
        socket.send(openRequest(ref, resumeFrom, key));
      });
    } catch {
      this.#opening.delete(ref);
      return UNAVAILABLE;
    }
  }

  /** Nothing to do for a topic that is not lost; whoever wants a lost one waits for the same answer. */
  async #takeUp(key: string, topic: UpstreamTopic): Promise<FeedError | null> {
    if (!topic.isLost) return null;
    topic.takingUp ??= this.#resumeTopic(key, topic).finally(() => {
      topic.takingUp = null;
    });
    return topic.takingUp;
  }

  #resumeTopic(key: string, topic: UpstreamTopic): Promise<FeedError | null> {
    // What was said before an eviction is not known: no message follows −1, so the answer is a reset.
    const from = topic.last === null ? -1 : (JSON.parse(topic.last) as { sequence: number }).sequence;
    return this.#ask(key, topic, key.startsWith('orderbook ') ? null : from, (messages) => {
      topic.isLost = false;
      // The first is `subscribed`, which the clients have had.
      this.#publish(key, messages.slice(1).map(asResync));
    });
  }

  #connected(): Promise<WebSocket> {
    this.#socket ??= this.#connect().catch((error: unknown) => {
      this.#socket = null;
      throw error;
    });
    return this.#socket;
  }

  async #connect(): Promise<WebSocket> {
    const response = await this.#env.ORDER_BOOK.getByName(this.#symbol).fetch('https://book/feed', {
      headers: { upgrade: 'websocket', [CALLER_HEADER]: JSON.stringify(this.#caller), [INNER_HEADER]: '1' },
    });
    const socket = response.webSocket;
    if (socket === null) throw new Error(`the book answered ${response.status} to a feed`);
    socket.accept();
    socket.addEventListener('message', ({ data }) => this.#frame(String(data)));
    // A socket that breaks may say both; by then there may be another one.
    let isLost = false;
    const lost = () => {
      if (!isLost) this.#lost();
      isLost = true;
    };
    socket.addEventListener('close', lost);
    socket.addEventListener('error', lost);
    return socket;
  }

  #frame(data: string): void {
    const frame = readInnerFrame(data);
    if (frame.type === 'published') {
      // An answer that came too late has opened a lost topic: what it publishes comes again once it is taken up.
      if (this.#topics.get(frame.key)?.isLost === false) this.#publish(frame.key, frame.texts);
      return;
    }
    const opened = this.#opening.get(frame.ref);
    this.#opening.delete(frame.ref);
    opened?.(frame.messages);
  }

  #publish(key: string, texts: readonly string[]): void {
    const last = texts.at(-1);
    const topic = this.#topics.get(key);
    if (last === undefined || topic === undefined) return;
    topic.last = last;
    this.#host.publish(key, texts);
  }

  #lost(): void {
    this.#socket = null;
    for (const [key, topic] of this.#topics) if (this.#host.follows(key)) topic.isLost = true;
    const unanswered = [...this.#opening.values()];
    this.#opening.clear();
    for (const opened of unanswered) opened([UNAVAILABLE_TEXT]);
    if (!this.#isEnded) void this.resume();
  }
}

const UNAVAILABLE: FeedError = { code: 'SERVICE_UNAVAILABLE', message: 'the book is out of reach: try again' };
const UNAVAILABLE_TEXT = JSON.stringify({ type: 'error', ...UNAVAILABLE });

function errorOf([first = '']: readonly string[]): FeedError | null {
  if (!first.startsWith('{"type":"error"')) return null;
  const { code, message } = JSON.parse(first) as FeedError;
  return { code, message };
}

/** A snapshot in the middle of a stream replaces what the client has. */
function asResync(text: string): string {
  if (!text.startsWith('{"type":"orderbook_snapshot"')) return text;
  return JSON.stringify({ ...(JSON.parse(text) as object), resync: true });
}
