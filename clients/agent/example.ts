import { TokenSession } from '../sdk/token-session.ts';
import { connectHttp } from './connect-http.ts';
import { connectStdio } from './connect-stdio.ts';

/**
 * `npx node clients/agent/example.ts [stdio|http|sse]` against a system of `npm start`, as users of its demo: reads a quote, previews an
 * order, places it, finds it among the open orders, and cancels it.
 */
const {
  EXCHANGE_ORIGIN = 'http://localhost:8787',
  EXCHANGE_API_KEY = 'bob-key',
  EXCHANGE_API_SECRET = 'bob-secret-local-only',
  EXCHANGE_CLIENT_ID = 'demo-service',
  EXCHANGE_CLIENT_SECRET = 'demo-service-secret-local-only',
} = process.env;
const transport = process.argv[2] ?? 'stdio';

const client = transport === 'stdio' ? await overStdio() : await overHttp(transport === 'sse');
const order = { symbol: 'ACME-USD', side: 'buy', type: 'limit', quantity: '2', price: '20.25' };
await call('get_quote', { symbol: 'ACME-USD' });
await call('preview_order', order);
const { orderId } = await call('place_order', { ...order, client_order_id: `example-${Date.now()}` });
await call('get_open_orders', { symbol: 'ACME-USD' });
await call('cancel_order', { order_id: orderId, symbol: 'ACME-USD' });
await client.close();

async function call(name: string, parameters: Record<string, unknown>): Promise<Record<string, unknown>> {
  const { structuredContent, isError, content } = await client.callTool({ name, arguments: parameters });
  if (isError === true) throw new Error(`${name}: ${JSON.stringify(content)}`);
  console.log(name, JSON.stringify(structuredContent));
  return structuredContent as Record<string, unknown>;
}

function overStdio() {
  return connectStdio({ EXCHANGE_API_URL: `${EXCHANGE_ORIGIN}/book`, EXCHANGE_API_KEY, EXCHANGE_API_SECRET });
}

async function overHttp(sse: boolean) {
  const iamUrl = `${EXCHANGE_ORIGIN}/iam`;
  const tokens = new TokenSession({ iamUrl, clientId: EXCHANGE_CLIENT_ID, clientSecret: EXCHANGE_CLIENT_SECRET });
  return connectHttp({ url: `${EXCHANGE_ORIGIN}/agent/mcp`, accessToken: await tokens.accessToken(), sse });
}
