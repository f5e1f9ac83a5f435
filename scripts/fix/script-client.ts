import { connect, type Socket } from 'node:net';
import { Framer } from '../../containers/fix-gateway/codec/framer.ts';

/** A bare connection of a script: what it received, in sequence, and whether it was closed. */
export class ScriptClient {
  readonly #socket: Socket;
  readonly #received: string[] = [];
  #closed = false;
  #wake: () => void = () => undefined;

  constructor(port: number) {
    const framer = new Framer();
    this.#socket = connect({ port, host: '127.0.0.1', noDelay: true });
    this.#socket.setEncoding('latin1');
    this.#socket.on('data', (bytes: string) => {
      this.#received.push(...framer.push(bytes));
      this.#wake();
    });
    this.#socket.on('error', () => undefined);
    this.#socket.on('close', () => {
      this.#closed = true;
      this.#wake();
    });
  }

  send(text: string): void {
    this.#socket.write(text, 'latin1');
  }

  /** The next message, or null when there is none in time or the connection is closed before. */
  async next(wait_ms: number): Promise<string | null> {
    await this.#until(() => this.#received.length > 0 || this.#closed, wait_ms);
    return this.#received.shift() ?? null;
  }

  /** Whether the server has closed the connection in time, with nothing left unread. */
  async closed(wait_ms: number): Promise<boolean> {
    await this.#until(() => this.#closed, wait_ms);
    return this.#closed && this.#received.length === 0;
  }

  close(): void {
    this.#socket.destroy();
  }

  async #until(met: () => boolean, wait_ms: number): Promise<void> {
    const deadline = Date.now() + wait_ms;
    while (!met() && Date.now() < deadline) {
      await new Promise<void>((resolve) => {
        const timer = setTimeout(resolve, deadline - Date.now());
        this.#wake = () => {
          clearTimeout(timer);
          resolve();
        };
      });
    }
  }
}
