import { connectStdio } from '../../clients/agent/connect-stdio.ts';
import type { Door } from './door.ts';

/** The agent server over standard input and output, as an agent's host starts it. */
const agent: Door = {
  name: 'agent tools, over stdio',
  async attempt({ origin, key, symbol, price }) {
    const client = await connectStdio({
      EXCHANGE_API_URL: `${origin}/book`,
      EXCHANGE_API_KEY: key.id,
      EXCHANGE_API_SECRET: key.secret,
    });
    const call = async (name: string, parameters: Record<string, unknown>): Promise<Record<string, unknown>> => {
      const { structuredContent, isError, content } = await client.callTool({ name, arguments: parameters });
      if (isError === true) throw new Error(`${name}: ${JSON.stringify(content)}`);
      return structuredContent as Record<string, unknown>;
    };
    try {
      const client_order_id = `try-agent-${crypto.randomUUID().slice(0, 8)}`;
      const order = { symbol, side: 'buy', type: 'limit', quantity: '1', price, client_order_id };
      const { orderId } = await call('place_order', order);
      const { orders } = (await call('get_open_orders', { symbol })) as { orders: readonly { orderId: string }[] };
      if (!orders.some((each) => each.orderId === orderId)) throw new Error('the order is not among the open ones');
      const { status } = await call('cancel_order', { order_id: orderId, symbol });
      return { placed: String(orderId), seen: `among ${orders.length}`, cancelled: String(status ?? 'answered') };
    } finally {
      await client.close();
    }
  },
};

export const NEAR_DOORS: readonly Door[] = [agent];
