import { connect, type Socket } from 'node:net';
import { connect as connectTls } from 'node:tls';
import { signature } from '../signing/sign.ts';

const SOH = '\x01';

export type Field = readonly [tag: number, value: string | number];

/** A message received: its fields in order. */
export interface Received {
  readonly type: string;
  /** The first field of a tag. */
  get(tag: number): string | undefined;
  readonly fields: readonly (readonly [tag: number, value: string])[];
}

export interface FixClientOptions {
  readonly host: string;
  readonly port: number;
  readonly tls?: boolean;
  readonly senderCompId: string;
  readonly targetCompId: string;
  /** API key id and secret. */
  readonly username: string;
  readonly password: string;
  /** Signs the logon in place of sending the secret: the path of the exchange's key sessions, `/book/v1/key-sessions`. */
  readonly signedPath?: string;
  readonly heartbeat_s?: number;
  /** Fields of the Logon beyond the usual, as 141=Y. */
  readonly logon?: readonly Field[];
  /** Where the session stands, from an earlier connection. */
  readonly sequences?: Sequences;
}

export interface Sequences {
  readonly nextSender: number;
  readonly nextTarget: number;
  /** Orders and other requests that were sent, by number: the server may ask for them again. */
  readonly sent?: ReadonlyMap<number, Sent>;
}

interface Sent {
  readonly type: string;
  readonly body: readonly Field[];
  readonly time_ms: number;
}

const ADMINISTRATIVE = ['0', '1', '2', '3', '4', '5', 'A'];

/**
 * A small FIX 4.4 initiator: logs on, answers test requests, asks for what it missed, ignores what it has seen, sends again
 * what the server missed. It stores nothing on disk: keep `sequences` to go on with a session later.
 */
export class FixClient {
  readonly #options: FixClientOptions;
  readonly #socket: Socket;
  readonly #received: Received[] = [];
  #buffer = '';
  readonly #sent: Map<number, Sent>;
  #nextSender: number;
  #nextTarget: number;
  #resendAsked = false;
  #closed = false;
  readonly #waiting = new Set<() => void>();
  #listener: ((message: Received) => void) | null = null;
  readonly #timer: NodeJS.Timeout;

  constructor(options: FixClientOptions) {
    this.#options = options;
    this.#sent = new Map(options.sequences?.sent);
    this.#nextSender = options.sequences?.nextSender ?? 1;
    this.#nextTarget = options.sequences?.nextTarget ?? 1;
    const { host, port } = options;
    this.#socket =
      options.tls === true ? connectTls({ host, port, rejectUnauthorized: false }) : connect({ host, port });
    this.#socket.setNoDelay(true);
    this.#socket.setEncoding('latin1');
    this.#socket.on('data', (bytes: string) => this.#read(bytes));
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => {
      this.#closed = true;
      clearInterval(this.#timer);
      this.#wake();
    });
    const heartbeat_s = options.heartbeat_s ?? 30;
    this.#timer = setInterval(() => this.send('0', []), heartbeat_s * 1_000);
    const now_ms = Date.now();
    const logon: Field[] = [[98, 0], [108, heartbeat_s], ...proof(options, now_ms), ...(options.logon ?? [])];
    this.#socket.write(this.#numbered('A', logon, now_ms), 'latin1');
  }

  get sequences(): Sequences {
    return { nextSender: this.#nextSender, nextTarget: this.#nextTarget, sent: this.#sent };
  }

  get isClosed(): boolean {
    return this.#closed;
  }

  /** Sends a message under the next sequence number. */
  send(type: string, body: readonly Field[]): void {
    this.sendAll([[type, body]]);
  }

  /** Sends messages in one write. */
  sendAll(messages: readonly (readonly [type: string, body: readonly Field[]])[]): void {
    if (this.#closed) return;
    const text = messages.map(([type, body]) => this.#numbered(type, body)).join('');
    this.#socket.write(text, 'latin1');
  }

  /** Application messages go to `listener` instead of `next`. */
  listen(listener: (message: Received) => void): void {
    this.#listener = listener;
  }

  /** The next message that `wanted` takes; the others stay. Throws when none comes in time. */
  async next(wanted: (message: Received) => boolean, wait_ms = 30_000): Promise<Received> {
    const deadline = Date.now() + wait_ms;
    for (;;) {
      const at = this.#received.findIndex(wanted);
      if (at >= 0) return this.#received.splice(at, 1)[0] as Received;
      const left_ms = deadline - Date.now();
      if (left_ms <= 0 || this.#closed) {
        const others = this.#received.map(({ fields }) => fields.map((field) => field.join('=')).join(' '));
        throw new Error(
          `no such message ${this.#closed ? 'before the end' : `in ${wait_ms} ms`}, but [${others.join('; ')}]`,
        );
      }
      await new Promise<void>((resolve) => {
        const wake = () => {
          clearTimeout(timer);
          this.#waiting.delete(wake);
          resolve();
        };
        const timer = setTimeout(wake, left_ms);
        this.#waiting.add(wake);
      });
    }
  }

  /** Logs out in good order. */
  async logout(): Promise<void> {
    this.send('5', []);
    await this.next(({ type }) => type === '5').catch(() => undefined);
    this.#socket.destroy();
  }

  /** Drops the connection without a word. */
  drop(): void {
    this.#socket.destroy();
  }

  #read(bytes: string): void {
    this.#buffer += bytes;
    for (;;) {
      const start = this.#buffer.indexOf(SOH, this.#buffer.indexOf(SOH) + 1) + 1;
      if (start === 0) return;
      const length = Number(this.#buffer.slice(this.#buffer.indexOf('9=') + 2, start - 1));
      const end = start + length + '10=000\x01'.length;
      if (this.#buffer.length < end) return;
      const text = this.#buffer.slice(0, end);
      this.#buffer = this.#buffer.slice(end);
      this.#take(parse(text));
    }
  }

  #take(message: Received): void {
    const sequence = Number(message.get(34));
    if (message.type === '4' && message.get(123) !== 'Y') {
      this.#nextTarget = Number(message.get(36));
      return;
    }
    if (message.type === 'A' && message.get(141) === 'Y') this.#nextTarget = 1;
    if (sequence < this.#nextTarget && message.type !== '5') return;
    if (sequence > this.#nextTarget) {
      if (message.type === '2') this.#resend(Number(message.get(7)), Number(message.get(16)));
      if (message.type === 'A' || message.type === '5') this.#deliver(message);
      if (!this.#resendAsked)
        this.send('2', [
          [7, this.#nextTarget],
          [16, 0],
        ]);
      this.#resendAsked = true;
      return;
    }
    this.#nextTarget = sequence + 1;
    if (message.type === '4') this.#nextTarget = Number(message.get(36));
    if (message.get(43) !== 'Y') this.#resendAsked = false;
    if (message.type === '1') this.send('0', [[112, message.get(112) ?? '']]);
    if (message.type === '2') this.#resend(Number(message.get(7)), Number(message.get(16)));
    this.#deliver(message);
  }

  #deliver(message: Received): void {
    if (this.#listener !== null) {
      this.#listener(message);
      return;
    }
    this.#received.push(message);
    this.#wake();
  }

  #numbered(type: string, body: readonly Field[], now_ms = Date.now()): string {
    const sequence = this.#nextSender++;
    if (!ADMINISTRATIVE.includes(type)) this.#sent.set(sequence, { type, body, time_ms: now_ms });
    return this.#text(type, body, sequence, now_ms);
  }

  /** Answers a ResendRequest: requests as possible duplicates, gap fills for the rest. */
  #resend(begin: number, end: number): void {
    const last = end === 0 ? this.#nextSender - 1 : Math.min(end, this.#nextSender - 1);
    const dup = (time_ms: number): Field[] => [
      [43, 'Y'],
      [122, timestamp(time_ms)],
    ];
    let text = '';
    for (let at = begin; at <= last; at++) {
      const sent = this.#sent.get(at);
      text +=
        sent === undefined
          ? this.#text('4', [...dup(Date.now()), [36, at + 1], [123, 'Y']], at)
          : this.#text(sent.type, [...dup(sent.time_ms), ...sent.body], at);
    }
    this.#socket.write(text, 'latin1');
  }

  #wake(): void {
    for (const wake of this.#waiting) wake();
  }

  #text(type: string, body: readonly Field[], sequence: number, now_ms = Date.now()): string {
    const { senderCompId, targetCompId } = this.#options;
    const fields: readonly Field[] = [
      [35, type],
      [34, sequence],
      [49, senderCompId],
      [52, timestamp(now_ms)],
      [56, targetCompId],
      ...body,
    ];
    const content = fields.map(([tag, value]) => `${tag}=${value}${SOH}`).join('');
    const message = `8=FIX.4.4${SOH}9=${content.length}${SOH}${content}`;
    let sum = 0;
    for (let at = 0; at < message.length; at++) sum += message.charCodeAt(at);
    return `${message}10=${String(sum % 256).padStart(3, '0')}${SOH}`;
  }
}

/** Username, and Password or, in RawData, a signature like that of a REST call. */
function proof({ username, password, signedPath }: FixClientOptions, now_ms: number): Field[] {
  if (signedPath === undefined)
    return [
      [553, username],
      [554, password],
    ];
  const proved = signature(password, now_ms, 'POST', signedPath, '');
  return [
    [95, proved.length],
    [96, proved],
    [553, username],
  ];
}

/** UTCTimestamp. */
export function timestamp(time_ms: number): string {
  return new Date(time_ms).toISOString().replaceAll('-', '').replace('T', '-').replace('Z', '');
}

function parse(text: string): Received {
  const fields = text
    .split(SOH)
    .slice(0, -1)
    .map((field) => {
      const at = field.indexOf('=');
      return [Number(field.slice(0, at)), field.slice(at + 1)] as const;
    });
  const get = (wanted: number) => fields.find(([tag]) => tag === wanted)?.[1];
  return { type: get(35) ?? '', get, fields };
}
