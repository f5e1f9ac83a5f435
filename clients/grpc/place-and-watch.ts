/**
 * `npx node clients/grpc/place-and-watch.ts`, after `npm start`: follows the trades of a pair, sells into the book what it has just bid for
 * from another key, and cancels what is left. GRPC_ADDRESS, GRPC_TLS_CA, SYMBOL, BUYER and SELLER (`id:secret`) choose others than the
 * local ones.
 */
import { Metadata } from '@grpc/grpc-js';
import { type Message, tradingClient, type UnaryMethod } from './trading-client.ts';

const {
  GRPC_ADDRESS = 'localhost:50051',
  GRPC_TLS_CA,
  SYMBOL = 'ACME-USD',
  BUYER = 'bob-key:bob-secret-local-only',
  SELLER = 'alice-key:alice-secret-local-only',
} = process.env;
const DEADLINE_MS = 10_000;

const client = tradingClient(GRPC_ADDRESS, GRPC_TLS_CA ?? null);

function credentialOf(key: string): Metadata {
  const [id = '', secret = ''] = key.split(':');
  const metadata = new Metadata();
  metadata.set('x-api-key', id);
  metadata.set('x-api-secret', secret);
  return metadata;
}

function call(method: 'PlaceOrder' | 'CancelOrder' | 'GetOrderBook', request: Message, key: string): Promise<Message> {
  const unary: UnaryMethod = client[method].bind(client);
  return new Promise((resolve, reject) =>
    unary(request, credentialOf(key), { deadline: Date.now() + DEADLINE_MS }, (error, message) =>
      error === null ? resolve(message) : reject(error),
    ),
  );
}

function limit(side: 'buy' | 'sell', size: number): Message {
  return { symbol: SYMBOL, side, type: 'limit', price: 25, size, client_order_id: crypto.randomUUID() };
}

const trades = client.StreamTrades({ symbol: SYMBOL }, credentialOf(BUYER));
const traded = new Promise<Message>((resolve, reject) => trades.once('data', resolve).once('error', reject));
await new Promise((resolve) => trades.once('metadata', resolve));

const bid = await call('PlaceOrder', limit('buy', 10), BUYER);
console.log('bid', bid);
console.log('book', await call('GetOrderBook', { symbol: SYMBOL, depth: 5 }, BUYER));
console.log('sale', await call('PlaceOrder', limit('sell', 4), SELLER));
console.log('trade', await traded);
console.log('cancelled', await call('CancelOrder', { order_id: bid.order_id }, BUYER));
trades.on('error', () => undefined).cancel();
client.close();
