import { BookClient, keyCredentials } from '@edge-exchange/sdk';
import { bookFeed, OwnAccount } from '@edge-exchange/sdk/feeds';

const { ORIGIN, KEY: key, SECRET: secret, SYMBOL: symbol, PRICE: price } = process.env;
const baseUrl = `${ORIGIN}/book`;
const book = new BookClient({ baseUrl, credentials: keyCredentials({ key, secret }) });
const feed = bookFeed({ baseUrl, auth: async () => ({ api_key: key, api_secret: secret }) });
const client_order_id = `try-sdk-${crypto.randomUUID().slice(0, 8)}`;

let tell;
const seen = new Promise((resolve) => {
  tell = resolve;
});
const account = new OwnAccount(feed, {
  order: (order) => {
    if (order.client_order_id === client_order_id) tell(`${order.status} in the feed`);
  },
});
feed.start();
const placed = await book.placeOrder({ client_order_id, symbol, side: 'buy', type: 'limit', price, size: '1' });
const told = await seen;
const cancelled = await book.cancelCalledOrder(client_order_id);
account.stop();
feed.stop();
if (cancelled?.status !== 'cancelled') throw new Error(`the order is ${cancelled?.status}`);
console.log(JSON.stringify({ placed: placed.order_id, seen: told, cancelled: cancelled.status }));
