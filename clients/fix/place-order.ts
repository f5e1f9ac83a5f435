import { FixClient, timestamp } from './fix-client.ts';

/**
 * `npx node clients/fix/place-order.ts <key> <secret> [symbol] [price]`: logs on to the local gateway, bids for ten shares, prints what comes
 * back in the next seconds, cancels, and logs out.
 */
const [username, password, symbol = 'ACME-USD', price = '24.5'] = process.argv.slice(2);
if (username === undefined || password === undefined) {
  console.error('give the id and the secret of an API key');
  process.exit(1);
}

const client = new FixClient({
  host: process.env.FIX_HOST ?? '127.0.0.1',
  port: Number(process.env.FIX_PORT ?? 9876),
  tls: process.env.FIX_TLS === '1',
  senderCompId: 'EXAMPLE',
  targetCompId: 'EXCHANGE',
  username,
  password,
  logon: [[141, 'Y']],
});
await client.next(({ type }) => type === 'A');
console.log('logged on');

const clOrdId = `example-${Date.now()}`;
client.send('D', [
  [11, clOrdId],
  [55, symbol],
  [54, 1],
  [60, timestamp(Date.now())],
  [38, 10],
  [40, 2],
  [44, price],
  [59, 1],
]);
const placed = await client.next(({ type, get }) => type === '8' && get(11) === clOrdId);
console.log(`order ${placed.get(37)}: OrdStatus ${placed.get(39)} ${placed.get(58) ?? ''}`);

if (placed.get(39) !== '8') {
  const cancelId = `${clOrdId}-cancel`;
  client.send('F', [
    [41, clOrdId],
    [11, cancelId],
    [55, symbol],
    [54, 1],
    [60, timestamp(Date.now())],
  ]);
  const answer = await client.next(({ get }) => get(11) === cancelId);
  console.log(answer.type === '8' ? 'cancelled' : `not cancelled: ${answer.get(58)}`);
}
await client.logout();
