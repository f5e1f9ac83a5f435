/**
 * Follows a pair as a newcomer would: its book and trades over WebSocket, its ticker over server-sent events.
 *
 *     npx node clients/feed/example.ts ACME-USD [http://localhost:8787/book]
 */
import { FeedClient } from './feed-client.ts';

const symbol = process.argv[2] ?? 'ACME-USD';
const base = process.argv[3] ?? 'http://localhost:8787/book';

const socket = new WebSocket(`${base.replace(/^http/, 'ws')}/v1/ws`);
socket.addEventListener('open', () => {
  const client = new FeedClient(socket);
  const book = client.followBook(symbol, 10);
  socket.send(JSON.stringify({ type: 'subscribe', channel: 'trades', symbol }));
  socket.addEventListener('message', ({ data }) => {
    const message = client.receive(String(data));
    if (message.type === 'trade') console.log(`trade   ${message.side} ${message.size} at ${message.price}`);
    else if (message.type === 'error') console.error(`${message.code}: ${message.message}`);
    else if (message.type.startsWith('orderbook_'))
      console.log(`book    ${book.bids[0]?.join(' x ') ?? '-'} / ${book.asks[0]?.join(' x ') ?? '-'}`);
  });
});
socket.addEventListener('close', ({ code, reason }) => console.log(`closed  ${code} ${reason}`));

const stream = await fetch(`${base}/v1/stream?channel=ticker&symbol=${symbol}`);
if (!stream.ok || stream.body === null) throw new Error(`the stream answered ${stream.status}: ${await stream.text()}`);
for await (const text of stream.body.pipeThrough(new TextDecoderStream())) {
  for (const [, data] of text.matchAll(/^data: (\{"type":"ticker".*)$/gm)) console.log(`ticker  ${data}`);
}
