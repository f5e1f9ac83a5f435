import type { FeedError } from '../../protocol/feeds/client-message.ts';
import { CALLER_HEADER, type Caller } from '../fan-out/caller.ts';
import { closeRequest, INNER_HEADER, openRequest, readInnerFrame } from '../fan-out/inner-protocol.ts';

interface UpstreamHost {
  publish(key: string, texts: readonly string[]): void;
  /** Keys of this pair that clients follow now. */
  topics(): string[];
}

const OPEN_TIMEOUT_MS = 10_000;
const RETRY_MS_MIN = 50;
const RETRY_MS_MAX = 5_000;

/**
 * A feed object's socket to one book. When it is lost, it is opened again and every topic taken up where it was: what was missed is
 * sent on, or the topic begins anew, marked as a resync; the clients' own sockets stay.
 */
export class Upstream {
  readonly #env: Env;
  readonly #symbol: string;
  readonly #caller: Caller;
  readonly #host: UpstreamHost;
  readonly #opening = new Map<number, (messages: readonly string[]) => void>();
  /** Topics that clients wait for, each with how many. */
  readonly #awaited = new Map<string, number>();
  /** Last message of each topic, to know where to go on. */
  readonly #last = new Map<string, string>();
  #socket: Promise<WebSocket> | null = null;
  #refs = 0;
  #ended = false;

  constructor(env: Env, symbol: string, name: string, host: UpstreamHost) {
    this.#env = env;
    this.#symbol = symbol;
    this.#caller = { leaseGate: name, clientAddress: '', identity: null };
    this.#host = host;
  }

  /** Whether a client waits for a topic of this pair. */
  get isAwaited(): boolean {
    return this.#awaited.size > 0;
  }

  /** Opens a topic for one more client; `join` is called before anything later of it is published. */
  async open(
    key: string,
    resumeFrom: number | null,
    join: (messages: readonly string[]) => void,
  ): Promise<FeedError | null> {
    this.#awaited.set(key, (this.#awaited.get(key) ?? 0) + 1);
    try {
      return await this.#ask(key, resumeFrom, join);
    } finally {
      const left = (this.#awaited.get(key) ?? 1) - 1;
      if (left > 0) this.#awaited.set(key, left);
      else this.#awaited.delete(key);
    }
  }

  async #ask(
    key: string,
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
            this.#last.set(key, messages.at(-1) as string);
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

  /**
   * The last client has left a topic. A client that is still waiting for it counts as a follower: otherwise the book could receive the
   * close after the open.
   */
  close(key: string): void {
    if (this.#awaited.has(key)) return;
    this.#last.delete(key);
    void this.#socket?.then((socket) => socket.send(closeRequest(key))).catch(() => undefined);
  }

  end(): void {
    this.#ended = true;
    void this.#socket?.then((socket) => socket.close(1000, 'nobody follows')).catch(() => undefined);
  }

  /** Takes up these topics again, until it has worked or nobody follows them. */
  async resume(keys: readonly string[]): Promise<void> {
    let delay_ms = RETRY_MS_MIN;
    let left = [...keys];
    while (left.length > 0 && !this.#ended) {
      const failed: string[] = [];
      for (const key of left) if ((await this.#resumeTopic(key)) !== null) failed.push(key);
      const followed = new Set(this.#host.topics());
      left = failed.filter((key) => followed.has(key));
      if (left.length === 0) return;
      await new Promise((resolve) => setTimeout(resolve, delay_ms));
      delay_ms = Math.min(RETRY_MS_MAX, delay_ms * 2);
    }
  }

  #resumeTopic(key: string): Promise<FeedError | null> {
    const last = this.#last.get(key);
    // What was said before an eviction is not known: no message follows −1, so the answer is a reset.
    const from = last === undefined ? -1 : (JSON.parse(last) as { sequence: number }).sequence;
    return this.open(key, key.startsWith('orderbook ') ? null : from, (messages) => {
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
    const lost = () => this.#lost();
    socket.addEventListener('close', lost);
    socket.addEventListener('error', lost);
    return socket;
  }

  #frame(data: string): void {
    const frame = readInnerFrame(data);
    if (frame.type === 'published') {
      this.#publish(frame.key, frame.texts);
      return;
    }
    const opened = this.#opening.get(frame.ref);
    this.#opening.delete(frame.ref);
    opened?.(frame.messages);
  }

  #publish(key: string, texts: readonly string[]): void {
    const last = texts.at(-1);
    if (last === undefined) return;
    this.#last.set(key, last);
    this.#host.publish(key, texts);
  }

  #lost(): void {
    if (this.#socket === null) return;
    this.#socket = null;
    const unanswered = [...this.#opening.values()];
    this.#opening.clear();
    for (const opened of unanswered) opened([UNAVAILABLE_TEXT]);
    if (!this.#ended) void this.resume(this.#host.topics());
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
