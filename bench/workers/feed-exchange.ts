import { uuidv7 } from 'uuidv7';
import { placeOrder } from '../../application/order-entry/place-order.ts';
import { database } from '../../data/database.ts';
import { findKeyHolder } from '../../data/identity/gate-facts.ts';
import type { Principal } from '../../domain/identity/principal.ts';
import { gateOf } from '../../durable-objects/gate/api.ts';
import { userGateName } from '../../protocol/object-names/gate-name.ts';
import exchange, { type BenchKey } from './http-exchange.ts';

export * from './exchange-objects.ts';

const SYMBOL = 'COIN-USD';
const MID_CENTS = 10_000;

/** Prices of both sides lie within some cents of the middle, so that about a third of the orders trade at once. */
const ONE_SIDE_CENTS = 12;
const CROSSING_CENTS = 3;
/** Orders in a row before sockets and timers have their turn: all of this runs on one thread, and would not look at them in between. */
const ORDERS_IN_A_ROW = 8;

let traders: Principal[] = [];

async function principalOf(env: Env, { id, secret }: BenchKey): Promise<Principal> {
  const holder = await findKeyHolder(database(env.DB), id);
  if (holder === null) throw new Error(`bench key ${id} is nobody's`);
  const gate = gateOf(env, userGateName(holder.owner, holder.userId));
  const draw = { bucket: 'private', cost: 1, clientAddress: '127.0.0.1' } as const;
  const answer = await gate.admitKey({ keyId: id, proof: { type: 'secret', secret } }, draw);
  if (answer.type !== 'admitted') throw new Error(`bench key ${id} is ${answer.type}`);
  return answer.principal;
}

/** Places limit orders, one when the last is answered, by the function that all doors place orders with. */
async function trade(env: Env, orders: number, every_ms: number): Promise<void> {
  for (let i = 0; i < orders; i++) {
    const side = Math.random() < 0.5 ? 'buy' : 'sell';
    const away = Math.floor(Math.random() * ONE_SIDE_CENTS) - CROSSING_CENTS;
    const outcome = await placeOrder(
      { env, principal: traders[i % traders.length] as Principal },
      {
        orderId: uuidv7(),
        instrument: { symbol: SYMBOL },
        clientOrderId: null,
        preIpo: false,
        side,
        type: 'limit',
        timeInForce: null,
        quantity: 1 + Math.floor(Math.random() * 20),
        price: (side === 'buy' ? MID_CENTS - away : MID_CENTS + away) / 100,
        stopPrice: null,
        expiresAt: null,
        selfTradePrevention: null,
        hidden: false,
        displayQuantity: null,
      },
    );
    if (!outcome.ok) throw new Error(`bench order refused: ${JSON.stringify(outcome.error.failure)}`);
    if (every_ms > 0 || (i + 1) % ORDERS_IN_A_ROW === 0) await new Promise((resolve) => setTimeout(resolve, every_ms));
  }
}

export default {
  async fetch(request, env, ctx) {
    const { pathname, searchParams } = new URL(request.url);
    if (pathname === '/trade') {
      await trade(env, Number(searchParams.get('orders')), Number(searchParams.get('every_ms')));
      return new Response(null, { status: 204 });
    }
    const response = await exchange.fetch(request, env, ctx);
    if (pathname === '/setup') {
      const keys = (await response.clone().json()) as BenchKey[];
      traders = await Promise.all(keys.map((key) => principalOf(env, key)));
    }
    return response;
  },
} satisfies ExportedHandler<Env>;
