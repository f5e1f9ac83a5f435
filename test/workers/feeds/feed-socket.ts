import { exports } from 'cloudflare:workers';
import { FeedClient } from '../../../clients/feed/feed-client.ts';
import type { ServerMessage } from '../../../protocol/feeds/server-message.ts';

type Of<T extends ServerMessage['type']> = Extract<ServerMessage, { type: T }>;

let addresses = 0;

/** A connection to the feeds as a client has it: through the Worker. Each comes from an address of its own, unless told. */
export class FeedSocket {
  readonly client: FeedClient;
  readonly received: ServerMessage[] = [];
  closed: { readonly code: number; readonly reason: string } | null = null;
  /** Set to lose messages on the way. */
  drop: (text: string) => boolean = () => false;
  readonly #socket: WebSocket;
  #wake: (() => void)[] = [];

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    this.client = new FeedClient(socket);
    socket.addEventListener('message', ({ data }) => {
      const text = String(data);
      if (this.drop(text)) return;
      this.received.push(this.client.receive(text));
      for (const wake of this.#wake.splice(0)) wake();
    });
    socket.addEventListener('close', ({ code, reason }) => {
      this.closed = { code, reason };
      for (const wake of this.#wake.splice(0)) wake();
    });
  }

  /** The answer to the handshake, or the connection. */
  static async open(path = '/v1/ws', headers: Readonly<Record<string, string>> = {}): Promise<FeedSocket> {
    const response = await FeedSocket.handshake(path, headers);
    if (response.webSocket === null) throw new Error(`the handshake was answered ${response.status}`);
    response.webSocket.accept();
    return new FeedSocket(response.webSocket);
  }

  static handshake(path = '/v1/ws', headers: Readonly<Record<string, string>> = {}): Promise<Response> {
    addresses += 1;
    return exports.default.fetch(`http://localhost/book${path}`, {
      headers: { upgrade: 'websocket', 'cf-connecting-ip': `10.9.${addresses >> 8}.${addresses & 255}`, ...headers },
    });
  }

  say(message: unknown): void {
    this.#socket.send(typeof message === 'string' ? message : JSON.stringify(message));
  }

  subscribe(channel: string, symbol: string, detail: Readonly<Record<string, unknown>> = {}): void {
    this.say({ type: 'subscribe', channel, symbol, ...detail });
  }

  close(): void {
    this.#socket.close(1000, 'done');
  }

  /** The first message from `from` on that fits; waits for it. */
  async next<T extends ServerMessage['type']>(
    type: T,
    fits: (message: Of<T>) => boolean = () => true,
    from = 0,
  ): Promise<Of<T>> {
    const until = Date.now() + 5_000;
    for (;;) {
      const found = this.received.slice(from).find((message) => message.type === type && fits(message as Of<T>));
      if (found !== undefined) return found as Of<T>;
      if (this.closed !== null) throw new Error(`closed ${this.closed.code} ${this.closed.reason} without ${type}`);
      if (Date.now() > until) throw new Error(`no ${type} among ${JSON.stringify(this.received)}`);
      await this.#more();
    }
  }

  async untilClosed(): Promise<{ readonly code: number; readonly reason: string }> {
    while (this.closed === null) await this.#more();
    return this.closed;
  }

  of<T extends ServerMessage['type']>(type: T): Of<T>[] {
    return this.received.filter((message): message is Of<T> => message.type === type);
  }

  #more(): Promise<void> {
    return new Promise((resolve) => {
      this.#wake.push(resolve);
      setTimeout(resolve, 100);
    });
  }
}
