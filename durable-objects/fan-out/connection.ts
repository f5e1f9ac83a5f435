import type { Caller } from './caller.ts';

/** What a socket carries through hibernation (at most 16 KiB). */
export interface Attachment {
  readonly id: string;
  /** A feed object speaks the inner protocol and is trusted; its callers are its own business. */
  readonly role: 'client' | 'feed';
  readonly caller: Caller;
  /** Keys of the topics it follows. */
  readonly topics: readonly string[];
  /** When it began to follow nothing, Unix milliseconds; counts only while it does. */
  readonly idleSince: number;
}

/** Bytes between two pings to a socket, and how many may be without an answer before it counts as too slow. */
const PING_EVERY_BYTES = 1 << 20;
const UNCONFIRMED_BYTES_MAX = 8 << 20;
/** What a client may say in a second; more is a mistake or an attack. */
const MESSAGES_PER_SECOND_MAX = 50;

/**
 * One socket. The runtime buffers without telling how much, so every mebibyte is followed by a ping, and a consumer that has left
 * eight of them unanswered is closed (docs/design/feeds.md#slow-consumers).
 */
export class Connection {
  readonly socket: WebSocket;
  #attachment: Attachment;
  #sentBytes = 0;
  #pingedAt = 0;
  #confirmed = 0;
  readonly #pings: number[] = [];
  /** Settles once everything that the client has asked for so far is done. */
  #done: Promise<unknown> = Promise.resolve();
  #second = 0;
  #messages = 0;

  constructor(socket: WebSocket, attachment: Attachment) {
    this.socket = socket;
    this.#attachment = attachment;
  }

  get attachment(): Attachment {
    return this.#attachment;
  }

  update(change: Partial<Pick<Attachment, 'caller' | 'topics' | 'idleSince'>>): void {
    this.#attachment = { ...this.#attachment, ...change };
    this.socket.serializeAttachment(this.#attachment);
  }

  /** False once the socket is of no more use. */
  send(text: string): boolean {
    try {
      this.socket.send(text);
    } catch {
      return false;
    }
    this.#sentBytes += text.length;
    return this.#attachment.role === 'feed' || this.#sentBytes - this.#pingedAt < PING_EVERY_BYTES || this.#ping();
  }

  #ping(): boolean {
    if (this.#sentBytes - this.#confirmed > UNCONFIRMED_BYTES_MAX) {
      this.close(1013, 'too slow: answer each ping with a pong of the same id');
      return false;
    }
    this.#pingedAt = this.#sentBytes;
    this.#pings.push(this.#sentBytes);
    this.socket.send(JSON.stringify({ type: 'ping', id: this.#sentBytes }));
    return true;
  }

  /** The client has received everything up to the ping with this id. */
  confirm(id: number): void {
    const at = this.#pings.indexOf(id);
    if (at < 0) return;
    this.#pings.splice(0, at + 1);
    this.#confirmed = id;
  }

  /** Does what the client asks for once all that it asked for before is done. */
  inTurn(work: () => Promise<void> | void): Promise<void> {
    const turn = this.#done.then(work);
    this.#done = turn.catch(() => undefined);
    return turn;
  }

  /** Whether the client may say one more thing in this second. */
  mayTalk(now_ms: number): boolean {
    const second = Math.floor(now_ms / 1_000);
    if (second !== this.#second) {
      this.#second = second;
      this.#messages = 0;
    }
    this.#messages += 1;
    return this.#attachment.role === 'feed' || this.#messages <= MESSAGES_PER_SECOND_MAX;
  }

  close(code: number, reason: string): void {
    try {
      this.socket.close(code, reason);
    } catch {
      // Closed already.
    }
  }
}
