import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';

/**
 * Runs as a process of its own: receivers of webhooks. `POST /ok/<n>` takes everything, `/fail/<n>` answers 500, `/hang/<n>` nothing.
 * `GET /taken` answers what those that take everything have got since `DELETE /taken`: how many, and when, by `webhook-id`.
 */
let count = 0;
let times = new Map<string, number[]>();

const server = createServer((request, response) => {
  const url = request.url ?? '';
  if (request.method === 'GET') {
    response.writeHead(200, { 'content-type': 'application/json' });
    response.end(JSON.stringify({ count, times: url.endsWith('/count') ? [] : [...times] }));
    return;
  }
  if (request.method === 'DELETE') {
    count = 0;
    times = new Map();
    response.writeHead(204).end();
    return;
  }
  request.resume();
  request.on('end', () => {
    if (url.startsWith('/hang/')) return;
    if (url.startsWith('/fail/')) {
      response.writeHead(500).end();
      return;
    }
    count += 1;
    const id = String(request.headers['webhook-id'] ?? 'plain');
    const seen = times.get(id);
    if (seen === undefined) times.set(id, [Date.now()]);
    else seen.push(Date.now());
    response.writeHead(204).end();
  });
});
server.listen(0, '127.0.0.1', () => process.send?.({ port: (server.address() as AddressInfo).port }));
process.on('disconnect', () => process.exit());
