import { EdgeExchange } from '@edge-exchange/ccxt';

const { ORIGIN, KEY: apiKey, SECRET: secret, SYMBOL, PRICE } = process.env;
const base = `${ORIGIN}/book`;
const exchange = new EdgeExchange({ apiKey, secret, urls: { api: { public: base, private: base } } });
const pair = SYMBOL.replace('-', '/');
const placed = await exchange.createOrder(pair, 'limit', 'buy', 1, Number(PRICE));
const open = await exchange.fetchOpenOrders(pair);
const found = open.find(({ id }) => id === placed.id);
if (found === undefined) throw new Error('the order is not among the open ones');
const cancelled = await exchange.cancelOrder(placed.id, pair);
await exchange.close();
console.log(
  JSON.stringify({ placed: placed.id, seen: `${found.status} among ${open.length}`, cancelled: cancelled.status }),
);
