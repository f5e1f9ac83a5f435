import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SessionFile } from '../store/session-file.ts';
import type { Exchange } from './exchange.ts';
import { ExchangeApplication } from './exchange-application.ts';
import { OrderDesk } from './order-desk.ts';
import { OrderNames } from './order-names.ts';
import { NOTHING_EXECUTED } from './tracked-order.ts';
import type { WireOrder } from './wire.ts';

const ORDER: WireOrder = {
  order_id: 'o1',
  client_order_id: 'c1',
  symbol: 'ACME-USD',
  side: 'buy',
  type: 'limit',
  time_in_force: 'GTC',
  price: 10,
  stop_price: null,
  size: 5,
  filled_size: 0,
  remaining_size: 5,
  average_price: null,
  status: 'open',
  reason: null,
  expires_at: null,
  updated_at: 1,
};
const OPEN = 'GET /v1/orders?status=open';
const CANCEL = 'DELETE /v1/orders/batch';

it('X-01: cancels the orders that it knows when a connection has ended before it asks which others are open', async () => {
  const store = new SessionFile(join(mkdtempSync(join(tmpdir(), 'fix-application-')), 'session.jsonl'), 0);
  const port = { store, send: () => undefined, answer: () => undefined };
  const names = new SessionFile(join(mkdtempSync(join(tmpdir(), 'fix-names-')), 'names.jsonl'), 0);
  const desk = new OrderDesk(port, new OrderNames(names));
  for (const order_id of ['o1', 'o2'])
    desk.track({ ...ORDER, order_id }, { clOrdId: order_id, executed: NOTHING_EXECUTED });
  desk.take({
    ...desk.track({ ...ORDER, order_id: 'o3' }, { clOrdId: 'o3', executed: NOTHING_EXECUTED }),
    ended: true,
  });
  store.putState('connected', true);
  const calls: string[] = [];
  const bodies: unknown[] = [];
  const exchange: Exchange = {
    call: async (method, path, _caller, body) => {
      calls.push(`${method} ${path}`);
      if (method === 'DELETE') bodies.push(body);
      const orders = calls.filter((call) => call === OPEN).length > 1 ? [{ ...ORDER, order_id: 'o3' }] : [];
      const isOne = path.startsWith('/v1/orders/') && method === 'GET';
      return { type: 'ok', body: isOne ? ORDER : { orders, fills: [], results: [] }, next: null };
    },
    feedUrl: new URL('ws://127.0.0.1:1'),
    isHealthy: async () => true,
    close: async () => undefined,
  };
  const application = new ExchangeApplication(port, exchange, new OrderNames(names));
  application.admitted({});
  application.loggedOn({ senderCompId: 'CLIENT', cancelOnDisconnect: false, dropCopy: false });
  application.disconnected();
  await application.close();
  expect(calls.slice(0, calls.indexOf(CANCEL)).filter((call) => call === OPEN)).toHaveLength(1);
  expect(bodies).toEqual([{ order_ids: ['o1', 'o2'] }, { order_ids: ['o3'] }]);
});
