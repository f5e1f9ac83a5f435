import type { HeldCredential, RequestId, RequestType } from '../../protocol/order-entry/socket-message.ts';
import type { SwitchHolder } from '../cancel-switch/api.ts';
import type { OrderCaller } from './api.ts';

/** What a socket carries through hibernation. */
export interface OrderAttachment {
  readonly id: string;
  readonly caller: OrderCaller;
  readonly openedAt: number;
  /** Until when it was told to wait before it proves somebody, Unix milliseconds; 0 when it was not. */
  readonly waitsUntil: number;
  /** Whose open orders its end cancels; null for nobody's. */
  readonly cancelsFor: SwitchHolder | null;
}

/** A request as it came, and what must be known of it to send it on its way. */
export interface PendingRequest {
  readonly id: RequestId;
  readonly type: RequestType;
  /** Market of a single placement. */
  readonly symbol: string;
  readonly text: string;
}

/** A connection that proves nobody is closed after this. */
const UNPROVED_MS_MAX = 10_000;
/** Requests of a connection that wait or run; more end the connection. */
const IN_FLIGHT_MAX = 256;
/** Characters of what a connection has in flight, and of what all of an object have. */
const IN_FLIGHT_LENGTH_MAX = 1 << 20;
const OBJECT_LENGTH_MAX = 16 << 20;
/** Messages of a connection in a second that draw on no rate limit. */
const TALK_PER_SECOND_MAX = 50;
/** Requests of a connection that run together. */
const TOGETHER_MAX = 100;
const LOOK_EVERY_BYTES = 1 << 18;
const UNREAD_BYTES_MAX = 8 << 20;

/** What the connections of one object hold together. */
export interface InFlight {
  length: number;
}

/** `too_many`: the connection has as much in flight as it may. `full`: the object has. */
export type Taken = 'taken' | 'too_many' | 'full';

/** One socket of order entry. Its requests run in their order: those that follow wait until what was asked before is answered. */
export class OrderConnection {
  readonly socket: WebSocket;
  #attachment: OrderAttachment;
  #waiting: PendingRequest[] = [];
  #running = 0;
  #waitingLength = 0;
  #runningLength = 0;
  readonly #inFlight: InFlight;
  #second = 0;
  #talk = 0;
  isAuthenticating = false;
  #sentBytes = 0;
  isClosed = false;

  constructor(socket: WebSocket, attachment: OrderAttachment, inFlight: InFlight) {
    this.socket = socket;
    this.#inFlight = inFlight;
    this.#attachment = attachment;
  }

  get attachment(): OrderAttachment {
    return this.#attachment;
  }

  get credential(): HeldCredential | null {
    return this.#attachment.caller.credential;
  }

  set credential(credential: HeldCredential) {
    this.#keep({ caller: { ...this.#attachment.caller, credential } });
  }

  set cancelsFor(cancelsFor: SwitchHolder | null) {
    this.#keep({ cancelsFor });
  }

  /** When it is closed unless somebody has proved who they are, Unix milliseconds. */
  get unprovedUntil(): number {
    const { openedAt, waitsUntil } = this.#attachment;
    return Math.max(openedAt, waitsUntil) + UNPROVED_MS_MAX;
  }

  letWait(until_ms: number): void {
    this.#keep({ waitsUntil: until_ms });
  }

  #keep(change: Partial<OrderAttachment>): void {
    this.#attachment = { ...this.#attachment, ...change };
    this.socket.serializeAttachment(this.#attachment);
  }

  /** Whether requests wait, and none run. */
  get isReady(): boolean {
    return this.#running === 0 && this.#waiting.length > 0;
  }

  ask(request: PendingRequest): Taken {
    const { length } = request.text;
    if (this.#waiting.length + this.#running >= IN_FLIGHT_MAX) return 'too_many';
    if (this.#waitingLength + this.#runningLength + length > IN_FLIGHT_LENGTH_MAX) return 'too_many';
    if (this.#inFlight.length + length > OBJECT_LENGTH_MAX) return 'full';
    this.#waiting.push(request);
    this.#waitingLength += length;
    this.#inFlight.length += length;
    return 'taken';
  }

  /** Whether the client may say one more thing in this second that draws on no rate limit. */
  mayTalk(now_ms: number): boolean {
    const second = Math.floor(now_ms / 1_000);
    if (second !== this.#second) {
      this.#second = second;
      this.#talk = 0;
    }
    this.#talk += 1;
    return this.#talk <= TALK_PER_SECOND_MAX;
  }

  /** Those that run next: single placements on one market, as far as they follow each other, or one request of another type. */
  take(): PendingRequest[] {
    const [first] = this.#waiting;
    if (first === undefined) return [];
    let count = 1;
    while (first.type === 'place' && count < TOGETHER_MAX) {
      const next = this.#waiting[count];
      if (next?.type !== 'place' || next.symbol !== first.symbol) break;
      count += 1;
    }
    const taken = this.#waiting.splice(0, count);
    this.#running = count;
    this.#runningLength = taken.reduce((length, { text }) => length + text.length, 0);
    this.#waitingLength -= this.#runningLength;
    return taken;
  }

  answered(): void {
    this.#running = 0;
    this.#inFlight.length -= this.#runningLength;
    this.#runningLength = 0;
  }

  /** Of a connection that has ended: what waits is never run. */
  forgetWaiting(): void {
    this.#inFlight.length -= this.#waitingLength;
    this.#waitingLength = 0;
    this.#waiting = [];
  }

  close(code: number, reason: string): void {
    this.isClosed = true;
    try {
      this.socket.close(code, reason);
    } catch {
      // Closed already.
    }
  }

  /** False once the socket is of no more use. */
  send(text: string): boolean {
    if (this.isClosed) return false;
    try {
      this.socket.send(text);
    } catch {
      return false;
    }
    const before = this.#sentBytes;
    this.#sentBytes += text.length;
    if (Math.floor(before / LOOK_EVERY_BYTES) === Math.floor(this.#sentBytes / LOOK_EVERY_BYTES)) return true;
    return ((this.socket.bufferedAmount as number | undefined) ?? 0) <= UNREAD_BYTES_MAX;
  }
}
