import { partnerText } from '../../protocol/feeds/partner-message.ts';
import type { Caller } from './caller.ts';

/** What a socket carries through hibernation (at most 16 KiB). */
export interface Attachment {
  readonly id: string;
  /** A feed object speaks the inner protocol and is trusted; its callers are its own business. */
  readonly role: 'client' | 'feed';
  readonly caller: Caller;
  /** Keys of the topics it follows. */
  readonly topics: readonly string[];
  /** When it began to follow nothing, or may ask again, Unix milliseconds; counts only while it follows nothing. */
  readonly idleSince: number;
}

/** Bytes between two looks at what a client has left unread, and how many it may leave. */
const LOOK_EVERY_BYTES = 1 << 20;
const UNREAD_BYTES_MAX = 8 << 20;
/** Pings whose answer still counts. */
const PINGS_KEPT = 16;
/** What a client may say in a second; more is a mistake or an attack. */
const MESSAGES_PER_SECOND_MAX = 50;

/**
 * One socket. A consumer that has left 8 MiB unread is closed (docs/design/feeds.md#slow-consumers): the runtime says how much waits in its queue.
 * One of before November 2026 does not; there a ping is sent after every mebibyte, which nobody has to answer, and a client that has
 * answered one and stops is closed. What is sent in the running turn has not left the object yet, and says nothing of its reader.
 */
export class Connection {
  readonly socket: WebSocket;
  #attachment: Attachment;
  #sentBytes = 0;
  #lookedAt = 0;
  /** The turn that sends, by the clock, which stands still in it; and what had been sent before it. */
  #turn_ms = 0;
  #sentBefore = 0;
  /** What the last answered ping proves to be read; null while none was answered. */
  #confirmed: number | null = null;
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

  /** Sends what a feed says, a stream of partners in its own words; false once the socket is of no more use. */
  say(text: string): boolean {
    const { stream } = this.#attachment.caller;
    const said = stream === undefined ? text : partnerText(text, stream.securityId);
    return said === null || this.send(said);
  }

  /** False once the socket is of no more use. */
  send(text: string): boolean {
    try {
      this.socket.send(text);
    } catch {
      return false;
    }
    const now_ms = Date.now();
    if (now_ms !== this.#turn_ms) {
      this.#turn_ms = now_ms;
      this.#sentBefore = this.#sentBytes;
    }
    this.#sentBytes += text.length;
    if (this.#attachment.role === 'feed' || this.#sentBytes - this.#lookedAt < LOOK_EVERY_BYTES) return true;
    this.#lookedAt = this.#sentBytes;
    const ofThisTurn = this.#sentBytes - this.#sentBefore;
    if (this.#unreadBytes() - ofThisTurn <= UNREAD_BYTES_MAX) return true;
    this.close(1013, 'too slow: 8 MiB are unread');
    return false;
  }

  #unreadBytes(): number {
    const queued = this.socket.bufferedAmount as number | undefined;
    if (queued !== undefined) return queued;
    this.#ping();
    return this.#confirmed === null ? 0 : this.#sentBytes - this.#confirmed;
  }

  #ping(): void {
    this.#pings.push(this.#sentBytes);
    if (this.#pings.length > PINGS_KEPT) this.#pings.shift();
    this.socket.send(JSON.stringify({ type: 'ping', id: this.#sentBytes }));
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
