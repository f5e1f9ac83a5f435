import { WebSocket } from 'ws';

/** Runs as a process of its own: opens many sockets, follows one book on each, and reports what arrived. */

export type SubscribersRequest =
  | { readonly type: 'open'; readonly url: string; readonly sockets: number; readonly subscribe: string | null }
  /** Report once every socket has had the update with this sequence. */
  | { readonly type: 'until'; readonly sequence: number }
  | { readonly type: 'close' };

export type SubscribersReport =
  | { readonly type: 'opened' }
  | {
      readonly type: 'reached';
      /** Updates since the last report, over all sockets. */
      readonly messages: number;
      readonly reachedAt_ms: number;
      /** From an update's own timestamp to its arrival. */
      readonly latencies_ms: number[];
    };

/** Addresses take at most five connections each. */
const SOCKETS_PER_ADDRESS = 5;
const OPENING_AT_ONCE = 50;
const LATENCIES_SAMPLED = 50_000;

let sockets: WebSocket[] = [];
let last: number[] = [];
let target = Number.POSITIVE_INFINITY;
let behind = 0;
let messages = 0;
let latencies_ms: number[] = [];

function receive(socket: WebSocket, index: number, text: string): void {
  if (text.startsWith('{"type":"ping"')) {
    socket.send(text.replace('ping', 'pong'));
    return;
  }
  if (!text.startsWith('{"type":"orderbook_update"')) return;
  messages += 1;
  const at = text.indexOf('"sequence":') + 11;
  const sequence = Number.parseInt(text.slice(at, at + 16), 10);
  if (latencies_ms.length < LATENCIES_SAMPLED) {
    const stamped = Number.parseInt(text.slice(text.lastIndexOf('"timestamp":') + 12), 10);
    latencies_ms.push(Date.now() - stamped);
  }
  const before = last[index] as number;
  last[index] = sequence;
  if (before < target && sequence >= target) {
    behind -= 1;
    if (behind === 0) report();
  }
}

function report(): void {
  tell({ type: 'reached', messages, reachedAt_ms: performance.timeOrigin + performance.now(), latencies_ms });
  target = Number.POSITIVE_INFINITY;
  messages = 0;
  latencies_ms = [];
}

async function open({ url, sockets: count, subscribe }: Extract<SubscribersRequest, { type: 'open' }>): Promise<void> {
  for (let from = 0; from < count; from += OPENING_AT_ONCE) {
    const size = Math.min(OPENING_AT_ONCE, count - from);
    await Promise.all(Array.from({ length: size }, (_, i) => openOne(url, from + i, subscribe)));
  }
  tell({ type: 'opened' });
}

function openOne(url: string, index: number, subscribe: string | null): Promise<void> {
  const address = Math.floor(index / SOCKETS_PER_ADDRESS);
  const headers = { 'cf-connecting-ip': `10.${address >> 16}.${(address >> 8) & 255}.${address & 255}` };
  const socket = new WebSocket(url, { headers, perMessageDeflate: false });
  sockets[index] = socket;
  last[index] = 0;
  return new Promise((resolve, reject) => {
    socket.on('error', reject);
    socket.on('open', () => (subscribe === null ? resolve() : socket.send(subscribe)));
    socket.on('message', (data) => {
      const text = String(data);
      if (text.startsWith('{"type":"orderbook_snapshot"')) resolve();
      receive(socket, index, text);
    });
  });
}

function tell(message: SubscribersReport): void {
  process.send?.(message);
}

process.on('message', (request: SubscribersRequest) => {
  switch (request.type) {
    case 'open':
      void open(request);
      break;
    case 'until':
      target = request.sequence;
      behind = last.filter((sequence) => sequence < target).length;
      if (behind === 0) report();
      break;
    case 'close':
      for (const socket of sockets) socket.terminate();
      sockets = [];
      last = [];
  }
});
