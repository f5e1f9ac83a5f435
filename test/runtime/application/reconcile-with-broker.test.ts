import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, beforeEach, expect, test, vi } from 'vitest';
import { runWholeAudit } from '../../../application/audit/run-whole-audit.ts';
import { reconcileWithBroker } from '../../../application/broker/reconcile-with-broker.ts';
import type { Database } from '../../../data/database.ts';
import { brokerDifferences } from '../../../data/schema/broker.ts';
import { MINUTE_MS } from '../../../domain/calendar/durations.ts';
import { venueOf } from '../../../durable-objects/broker/broker-of.ts';
import { ScriptedBroker } from '../../../durable-objects/order-book/routing/scripted-broker.fixtures.ts';
import { sandboxBrokerOf } from '../../../durable-objects/sandbox-broker/api.ts';
import { createPair } from '../fixtures/create-pair.ts';
import { clearFaults, faults } from '../fixtures/faults.ts';
import { migrate } from '../fixtures/migrate.ts';
import { limitOrder, placed } from '../fixtures/placing.ts';
import { settle } from '../fixtures/settle.ts';
import { orderOf, type TradingClient, tradingClient } from '../fixtures/trading-client.ts';

const PRICE = 400;

let db: Database;
let pairs = 0;
let name: string;
let buyer: TradingClient;

beforeAll(async () => {
  db = await migrate();
});

beforeEach(async () => {
  await db.delete(brokerDifferences);
  name = `RECON${String.fromCharCode(65 + pairs++)}`;
  await createPair(db, name, {
    asset: { category: 'stocks', rail: 'public', executionRoute: 'broker' },
    market: { route: 'broker', referencePrice: PRICE * 100 },
  });
  buyer = await tradingClient(db, { cash: 10_000_00 });
});

afterEach(() => {
  clearFaults();
});

const differences = async () =>
  (await db.select().from(brokerDifferences).orderBy(brokerDifferences.kind)).filter(
    ({ market }) => market === `${name}-USD`,
  );
const differs = async () =>
  (await runWholeAudit(env)).checks.find(({ claim }) => claim.startsWith('the broker holds what trades say'))
    ?.violation;

/** The next run of the cron. */
const reconcileLater = () => reconcileWithBroker(env, Date.now() + 5 * MINUTE_MS);

/** An order of ours at the broker that this exchange knows nothing of. */
async function submitElsewhere(quantity: string, limitPrice: string): Promise<void> {
  const terms = { clientOrderId: `elsewhere-${quantity}`, symbol: name, side: 'buy', type: 'limit' } as const;
  const answer = await venueOf(env, 'broker').submit({
    ...terms,
    timeInForce: 'gtc',
    quantity,
    limitPrice,
    stopPrice: null,
  });
  expect(answer.ok).toBe(true);
}

/** Until the broker has so many shares of ours. */
function holds(position: string): Promise<void> {
  return vi.waitFor(async () =>
    expect(await venueOf(env, 'broker').position(name)).toEqual({ ok: true, value: position }),
  );
}

test('what was bought and what is open agrees with the broker, and nothing is written', async () => {
  await placed(buyer, limitOrder(name.toLowerCase(), 'BUY', 2, 1));
  const bought = await placed(buyer, { assetId: name.toLowerCase(), side: 'BUY', orderType: 'market', quantity: 3 });
  await vi.waitFor(async () => expect((await orderOf(buyer, bought)).status).toMatch(/EXECUTED|CANCELLED/), {
    interval: 100,
  });
  await vi.waitFor(
    async () => {
      await reconcileWithBroker(env);
      expect(await differences()).toEqual([]);
    },
    { interval: 200 },
  );
  expect(await differs()).toBeNull();
});

test('a position and an order that the broker alone has are breaks once they were seen twice alike', async () => {
  await submitElsewhere('7', '100000');
  await submitElsewhere('9', '1');
  await holds('7');
  await reconcileWithBroker(env);
  expect(await differences()).toMatchObject([
    { kind: 'open_there', orderId: 'elsewhere-9' },
    { kind: 'position', orderId: '', detail: 'the broker holds 7 more than trades say' },
  ]);
  expect(await differs()).toBeNull();
  await reconcileLater();
  expect(await differs()).toContain(name);
});

test('one that changes begins anew, and one that has gone leaves no row', async () => {
  await submitElsewhere('7', '100000');
  await submitElsewhere('9', '1');
  await holds('7');
  await reconcileWithBroker(env);
  await submitElsewhere('5', '100000');
  value(await venueOf(env, 'broker').cancel(name, 'elsewhere-9'));
  await holds('12');
  await reconcileLater();
  expect(await differences()).toMatchObject([{ kind: 'position', detail: 'the broker holds 12 more than trades say' }]);
  const [row] = await differences();
  expect(row?.lastSeenAt).toBe(row?.firstSeenAt);
});

test('an order that the broker does not have, though it was taken, is a difference', async () => {
  const taking = new ScriptedBroker();
  faults.broker = taking;
  const orderId = await placed(buyer, limitOrder(name.toLowerCase(), 'BUY', 2, 1));
  await vi.waitFor(() => expect(taking.orders.has(orderId)).toBe(true));
  await reconcileWithBroker(env);
  expect(await differences()).toMatchObject([{ kind: 'open_here', orderId }]);
});

test('a market whose broker is away keeps what was found before', async () => {
  await submitElsewhere('9', '1');
  await reconcileWithBroker(env);
  const before = await differences();
  expect(before).toHaveLength(1);
  const lost = { SANDBOX_BROKER: { getByName: () => ({}) } };
  await reconcileWithBroker({ ...env, ...lost } as unknown as Env);
  expect(await differences()).toEqual(before);
});

test('a market that nobody can compare for half an hour is named by the audit, until it is compared', async () => {
  const uncompared = async () =>
    (await runWholeAudit(env)).checks.find(
      ({ claim }) => claim === 'every routed market can be compared with the broker',
    );
  const lost = { ...env, SANDBOX_BROKER: { getByName: () => ({}) } } as unknown as Env;
  const from = Date.now();
  await reconcileWithBroker(lost, from);
  await reconcileWithBroker(lost, from + 29 * MINUTE_MS);
  expect(await uncompared()).toMatchObject({ violation: null });
  await reconcileWithBroker(lost, from + 30 * MINUTE_MS);
  expect((await uncompared())?.violation).toMatch(/^RECON[A-Z]-USD was last compared /);
  await reconcileWithBroker(env, from + 35 * MINUTE_MS);
  expect(await uncompared()).toMatchObject({ violation: null });
});

test('a market whose book lands a batch meanwhile is read anew', async () => {
  await submitElsewhere('9', '1');
  const real = sandboxBrokerOf(env, name);
  let readings = 0;
  const position = async () => {
    if (readings++ === 0) {
      await placed(buyer, limitOrder(name.toLowerCase(), 'BUY', 2, 1));
      await settle(`${name}-USD`);
    }
    return real.position();
  };
  const openOrders = (page: string | null) => real.openOrders(page);
  const getByName = (symbol: string) => (symbol === name ? { position, openOrders } : sandboxBrokerOf(env, symbol));
  const busy = { SANDBOX_BROKER: { getByName } };
  await reconcileWithBroker({ ...env, ...busy } as unknown as Env);
  expect(readings).toBeGreaterThan(1);
  expect(await differences()).toContainEqual(expect.objectContaining({ orderId: 'elsewhere-9' }));
});

function value<T>(result: { readonly ok: boolean; readonly value?: T }): void {
  expect(result.ok).toBe(true);
}
