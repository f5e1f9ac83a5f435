import { readFileSync } from 'node:fs';
import { createServer, request as httpRequest, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { extname, join, normalize } from 'node:path';
import { gzipSync } from 'node:zlib';
import { WebSocket, WebSocketServer } from 'ws';
import { BusyBook } from './busy-book.ts';

const TYPES: Readonly<Record<string, string>> = {
  '.html': 'text/html',
  '.js': 'text/javascript',
  '.css': 'text/css',
  '.svg': 'image/svg+xml',
  '.woff2': 'font/woff2',
  '.json': 'application/json',
};
const API = /^\/(console|iam|exchange|book)\//;
const TICK_MS = 10;

interface Front {
  readonly origin: string;
  /** The system behind it, once there is one. */
  serve(system: string): void;
  /** Changes of the busy book that were told. */
  readonly told: { updates: number; snapshots: number };
  /** What the book is now. */
  readonly book: BusyBook;
  /** So many changes a second, until it is 0. */
  setPace(updates_per_s: number): void;
  stop(): Promise<void>;
}

/**
 * One server for both pages, so that neither has a faster one: files of the console and of the bare page from memory, gzipped; calls of the API go to the system. The feed goes there, too, but
 * for the order book of one pair, which is the busy one.
 */
export async function startFront(folders: {
  readonly console: string;
  readonly bare: string;
  readonly symbol: string;
  readonly depth: number;
}): Promise<Front> {
  let system = '';
  let pace = 0;
  const book = new BusyBook(folders.symbol, folders.depth);
  const told = { updates: 0, snapshots: 0 };
  const followers = new Set<WebSocket>();
  const files = new Map<string, Buffer | null>();

  const server = createServer((incoming, answer) => {
    const path = new URL(incoming.url ?? '/', 'http://front').pathname;
    if (API.test(path)) return forward(system, incoming, answer);
    const isBare = path.startsWith('/bare/');
    const root = isBare ? folders.bare : folders.console;
    const name = isBare ? path.slice('/bare'.length) : path;
    const found = read(files, root, name) ?? read(files, root, '/index.html');
    const type = TYPES[extname(name)] ?? 'text/html';
    answer.writeHead(found === null ? 404 : 200, { 'content-type': type, 'content-encoding': 'gzip' }).end(found);
  });
  const sockets = new WebSocketServer({ noServer: true });
  server.on('upgrade', (incoming, socket, head) => {
    sockets.handleUpgrade(incoming, socket, head, (client) => {
      const { cookie, origin, host } = incoming.headers;
      const behind = new WebSocket(`${system.replace('http', 'ws')}${incoming.url}`, {
        headers: { cookie, origin, host },
      });
      const waiting: string[] = [];
      client.on('message', (data) => {
        const text = String(data);
        const said = JSON.parse(text) as { type: string; channel?: string; symbol?: string };
        if (said.channel !== 'orderbook' || said.symbol !== folders.symbol)
          return behind.readyState === WebSocket.OPEN ? behind.send(text) : void waiting.push(text);
        if (said.type !== 'subscribe') return followers.delete(client);
        const { sequence } = book;
        client.send(JSON.stringify({ ...said, type: 'subscribed', depth: folders.depth, sequence }));
        client.send(JSON.stringify(book.snapshot()));
        told.snapshots += 1;
        followers.add(client);
      });
      behind.on('open', () => {
        for (const text of waiting.splice(0)) behind.send(text);
      });
      behind.on('message', (data) => client.send(String(data)));
      for (const end of ['close', 'error'] as const) {
        behind.on(end, () => client.close());
        client.on(end, () => {
          followers.delete(client);
          behind.close();
        });
      }
    });
  });
  let owed = 0;
  let last = performance.now();
  const ticking = setInterval(() => {
    const now = performance.now();
    owed += ((now - last) / 1_000) * pace;
    last = now;
    for (; owed >= 1; owed--) {
      const text = JSON.stringify(book.update());
      told.updates += 1;
      for (const follower of followers) follower.send(text);
    }
  }, TICK_MS);
  await new Promise<void>((resolve) => server.listen(0, 'localhost', resolve));
  return {
    origin: `http://localhost:${(server.address() as AddressInfo).port}`,
    serve: (origin) => {
      system = origin;
    },
    told,
    book,
    setPace: (updates_per_s) => {
      pace = updates_per_s;
    },
    stop: () => {
      clearInterval(ticking);
      for (const client of sockets.clients) client.terminate();
      server.closeAllConnections();
      return new Promise((resolve) => server.close(() => resolve()));
    },
  };
}

function read(files: Map<string, Buffer | null>, root: string, name: string): Buffer | null {
  const path = join(root, normalize(name));
  const known = files.get(path);
  if (known !== undefined) return known;
  let found: Buffer | null = null;
  try {
    found = gzipSync(readFileSync(path));
  } catch {
    // A page of the app, which has its index.
  }
  files.set(path, found);
  return found;
}

function forward(system: string, incoming: IncomingMessage, answer: ServerResponse): void {
  const { method, headers, url } = incoming;
  const out = httpRequest(new URL(url ?? '/', system), { method, headers }, (response) => {
    answer.writeHead(response.statusCode ?? 502, response.headers);
    response.pipe(answer);
  });
  out.on('error', () => answer.destroy());
  incoming.pipe(out);
}
