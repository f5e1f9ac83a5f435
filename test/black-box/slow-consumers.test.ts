import { once } from 'node:events';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { WebSocket } from 'ws';
import { demoKeyOf } from '../../application/seed/demo-credentials.ts';
import { type LocalSystem, localSystem } from './local-system.ts';

const SYMBOL = 'ACME-USD';
const MEBIBYTE = 1 << 20;
/** What a client asks to be told, well beyond what it may leave unread and what sockets and proxies on the way hold. */
const TOLD_BYTES = 40 * MEBIBYTE;
/** Of a market maker, whose limits are raised: each question draws on them as a request does. */
const { id, secret } = demoKeyOf('maker');
const HEADERS = { 'x-api-key': id, 'x-api-secret': secret };

let system: LocalSystem;

beforeAll(async () => {
  system = await localSystem();
  await system.start();
});

afterAll(() => system.stop('SIGTERM'));

/** So many open orders that a snapshot of the account is a hundredth of what a test wants to be told. */
async function fillAccount(): Promise<void> {
  for (let placed = 0; placed < 200; placed += 10) {
    const orders = Array.from({ length: 10 }, (_, index) => {
      const client_order_id = `unread-${placed + index}-`.padEnd(64, 'x');
      return { symbol: SYMBOL, side: 'buy', type: 'limit', size: 1, price: 24, client_order_id };
    });
    const answer = await fetch(`${system.origin}/book/v1/orders/batch`, {
      method: 'POST',
      headers: { 'content-type': 'application/json', ...HEADERS },
      body: JSON.stringify({ orders }),
    });
    expect(answer.status).toBe(200);
  }
}

/** A client over TCP that asks for snapshots of its account again and again: the server tells as much as it asks for. */
class Asker {
  bytes = 0;
  snapshots = 0;
  closed: { readonly code: number; readonly reason: string } | null = null;
  onPing: (id: number) => void = () => undefined;
  readonly #socket: WebSocket;

  private constructor(socket: WebSocket) {
    this.#socket = socket;
    socket.on('message', (data: Buffer) => {
      this.bytes += data.length;
      const text = data.toString();
      if (text.startsWith('{"type":"orders_snapshot"')) this.snapshots += 1;
      if (text.startsWith('{"type":"ping"')) this.onPing((JSON.parse(text) as { id: number }).id);
    });
    socket.on('close', (code, reason) => {
      this.closed = { code, reason: reason.toString() };
    });
  }

  static async open(): Promise<Asker> {
    // Compressed, everything that is repeated would fit into the buffers of the system.
    const socket = new WebSocket(`${system.origin.replace('http', 'ws')}/book/v1/ws`, {
      headers: HEADERS,
      perMessageDeflate: false,
    });
    const asker = new Asker(socket);
    await once(socket, 'open');
    return asker;
  }

  say(message: object): void {
    this.#socket.send(JSON.stringify(message));
  }

  ask(): void {
    this.say({ type: 'subscribe', channel: 'account' });
  }

  /** Until it has been told so many snapshots, or is closed. */
  async told(snapshots: number): Promise<void> {
    while (this.snapshots < snapshots && this.closed === null) await new Promise((resolve) => setTimeout(resolve, 1));
  }

  /** Reads nothing more from the TCP connection until `resume`. */
  pause(): void {
    this.#socket.pause();
  }

  resume(): void {
    this.#socket.resume();
  }

  end(): void {
    this.#socket.terminate();
  }
}

test('a client that reads stays connected though it answers nothing, and one that does not read is closed with 1013', async () => {
  await fillAccount();
  const [reading, stopping] = [await Asker.open(), await Asker.open()];
  // In a runtime that says nothing of unread bytes, only what a client has answered tells that it has stopped.
  stopping.onPing = (ping) => {
    stopping.say({ type: 'pong', id: ping });
    stopping.onPing = () => undefined;
  };
  let read: number | null = null;
  // The next time once the reader has its answer: a slow machine gathers no questions, of which a client may ask 50 a second.
  for (let asked = 1; reading.bytes < TOLD_BYTES && reading.closed === null; asked++) {
    reading.ask();
    stopping.ask();
    await reading.told(asked);
    await new Promise((resolve) => setTimeout(resolve, 25));
    if (read === null && reading.bytes > 2 * MEBIBYTE) {
      stopping.pause();
      read = stopping.bytes;
    }
  }
  expect(reading.closed).toBeNull();
  expect(stopping.bytes).toBe(read);

  stopping.resume();
  await expect.poll(() => stopping.closed, { timeout: 90_000 }).toMatchObject({ code: 1013 });
  expect(stopping.closed?.reason).toContain('too slow');
  expect(stopping.bytes).toBeLessThan(TOLD_BYTES);
  reading.end();
});
