import { setTimeout as wait } from 'node:timers/promises';
import { uuidv7 } from 'uuidv7';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { signIn as signInByPhone } from '../../scripts/local/session.ts';
import { type Member, seedCrowd, signIn } from './crowd.ts';
import { type LocalSystem, localSystem } from './local-system.ts';
import { type Answer, PatientClient } from './patient-client.ts';
import { type PlannedOrder, randomOrders } from './random-orders.ts';
import { RegisterDesk } from './register-desk.ts';
import { Strangers } from './strangers.ts';

const USERS = 50;
const ORDERS = Number(process.env.KILLS_ORDERS ?? 1_000);
const KILLS = Number(process.env.KILLS ?? 3);
const SEED = 20_121;
const OPERATOR_PHONE = '+15550100001';
/** Outcomes after which everything that serves is killed, in the middle of other requests. */
const KILLS_AFTER = Array.from({ length: KILLS }, (_, index) => Math.floor(((index + 1) * ORDERS) / (KILLS + 1)));
const RUN_MS_PER_ORDER = 900;
/** Two starts, and the crowd. */
const START_MS_MAX = 400_000;

interface Placement {
  readonly member: Member;
  readonly clientOrderId: string | null;
  readonly orderId: string;
  /** `acknowledged` with 200, `refused` by a check, or known only as the order that stands in the way of its own repetition. */
  readonly outcome: 'acknowledged' | 'refused' | 'stands';
  readonly filled: number;
}

interface Change {
  readonly orderId: string;
  readonly change: 'cancelled' | { readonly size: number };
}

interface ListedOrder {
  readonly order_id: string;
  readonly client_order_id: string | null;
  readonly status: string;
  readonly size: number;
  readonly filled_size: number;
}

const startedAt = Date.now();
const client = new PatientClient();
const placements: Placement[] = [];
const refusals = new Map<string, number>();
const changes: Change[] = [];
const killedAfter: number[] = [];
let outcomes = 0;
let system: LocalSystem;
let desk: RegisterDesk;
let strangers: Strangers;
let listed: ReadonlyMap<string, readonly ListedOrder[]>;

beforeAll(
  async () => {
    system = await localSystem({ SERVICES: 'chains' });
    // The first start lays out the ledger that the crowd is put into.
    await system.start();
    await system.stop('SIGTERM');
    const members = await seedCrowd(system.state, USERS);
    await system.start();
    // Beside the crowd a transfer agent works on a register, and strangers ask for nonsense, as long as it trades.
    const operator = await signInByPhone(system.origin, OPERATOR_PHONE, 'demo-app');
    desk = await RegisterDesk.open(system, client, operator);
    strangers = new Strangers(system);
    const orders = randomOrders(ORDERS, SEED);
    const trading = members.map((member, index) => {
      const share = orders.filter((_, at) => at % USERS === index);
      return tradeAs(member, share);
    });
    let isOver = false;
    const traded = Promise.all([...trading, killAgainAndAgain()]).finally(() => {
      isOver = true;
    });
    await Promise.all([traded, desk.work(SEED, () => isOver), strangers.flood(() => isOver)]);
    listed = new Map(await Promise.all(members.map(async (member) => [member.name, await ordersOf(member)] as const)));
  },
  START_MS_MAX + ORDERS * RUN_MS_PER_ORDER,
);

afterAll(async () => {
  await system.stop('SIGTERM');
});

async function killAgainAndAgain(): Promise<void> {
  for (const after of KILLS_AFTER) {
    while (outcomes < after) await wait(2);
    killedAfter.push(outcomes);
    const killed = system.kill();
    const up = killed.then(() => system.start()).then(() => undefined);
    client.holdUntil(up);
    await up;
  }
}

/** One order after the other, as a person would, whatever happens to the server. */
async function tradeAs(member: Member, orders: readonly PlannedOrder[]): Promise<void> {
  const tenant = await signIn(system.origin, member);
  for (const order of orders) {
    const headers = order.door === 'exchange' ? tenant : member.key;
    const placed = await place(member, headers, order);
    outcomes += 1;
    if (placed?.outcome === 'acknowledged') await follow(headers, order, placed.orderId);
  }
}

async function place(
  member: Member,
  headers: Readonly<Record<string, string>>,
  { door, terms, identifiedBy }: PlannedOrder,
): Promise<Placement | null> {
  const clientOrderId = identifiedBy === 'idempotency_key' ? null : uuidv7();
  const named = door === 'exchange' ? { clientOrderId } : { client_order_id: clientOrderId };
  const answer = await client.ask({
    method: 'POST',
    url: `${system.origin}/${door}/v1/orders`,
    headers: { ...headers, ...(identifiedBy === 'client_order_id' ? {} : { 'idempotency-key': uuidv7() }) },
    body: { ...terms, ...(clientOrderId === null ? {} : named) },
  });
  const placed = placementOf(member, clientOrderId, answer);
  if (placed !== null) placements.push(placed);
  return placed;
}

function placementOf(member: Member, clientOrderId: string | null, { status, body }: Answer): Placement | null {
  const given = { member, clientOrderId, filled: 0 };
  if (status === 200) {
    const order = (body.data ?? body) as { orderId?: string; order_id?: string; filled_size?: number };
    const orderId = order.orderId ?? order.order_id ?? '';
    return { ...given, orderId, outcome: 'acknowledged', filled: order.filled_size ?? 0 };
  }
  const { code, details } = body.error as { code: string; details: Record<string, string | undefined> };
  const standing = details.existingOrderId ?? details.existing_order_id;
  if (standing !== undefined) return { ...given, orderId: standing, outcome: 'stands' };
  refusals.set(code, (refusals.get(code) ?? 0) + 1);
  const refused = details.orderId ?? details.order_id;
  return refused === undefined ? null : { ...given, orderId: refused, outcome: 'refused' };
}

/** Cancels or amends what has just been placed; a repetition may find that it has happened. */
async function follow(headers: Readonly<Record<string, string>>, order: PlannedOrder, orderId: string): Promise<void> {
  const url = `${system.origin}/${order.door}/v1/orders/${orderId}`;
  if (order.next === 'cancel') {
    const { status } = await client.ask({ method: 'DELETE', url, headers });
    if (status === 200) changes.push({ orderId, change: 'cancelled' });
  }
  if (order.next === 'amend') {
    const size = 2 * Number(order.terms.size ?? order.terms.quantity);
    const amended =
      order.door === 'exchange'
        ? await client.ask({ method: 'PUT', url, headers, body: { quantity: size } })
        : await client.ask({ method: 'PATCH', url, headers, body: { size } });
    if (amended.status === 200) changes.push({ orderId, change: { size } });
  }
}

async function ordersOf({ key }: Member): Promise<ListedOrder[]> {
  const orders: ListedOrder[] = [];
  let page: string | null = `${system.origin}/book/v1/orders`;
  while (page !== null) {
    const { body, next } = await client.ask({ method: 'GET', url: page, headers: key });
    orders.push(...(body.orders as ListedOrder[]));
    page = next === null ? null : new URL(next, system.origin).href;
  }
  return orders;
}

function outcomesOf(outcome: Placement['outcome']): Placement[] {
  return placements.filter((placement) => placement.outcome === outcome);
}

describe(`${ORDERS} random orders of ${USERS} users, with everything killed ${KILLS} times in between`, () => {
  test('every order had an outcome, and no answer was an internal error', () => {
    expect(outcomes).toBe(ORDERS);
    expect(killedAfter).toHaveLength(KILLS_AFTER.length);
    expect(client.lost).toBeGreaterThan(0);
    expect(client.bugs).toEqual([]);
    expect(outcomesOf('acknowledged').length).toBeGreaterThan(ORDERS / 2);
  });

  test('no acknowledged order is missing, none is rejected after all, and no acknowledged fill is gone', () => {
    const missing = outcomesOf('acknowledged').filter(({ member, orderId, filled }) => {
      const order = listed.get(member.name)?.find((candidate) => candidate.order_id === orderId);
      return order === undefined || order.status === 'rejected' || order.filled_size < filled;
    });
    expect(missing).toEqual([]);
  });

  test('a request that was repeated has placed one order: each that may execute was answered, each client order id is there once', () => {
    const known = new Set(placements.map(({ orderId }) => orderId));
    for (const orders of listed.values()) {
      expect(orders.filter(({ order_id, status }) => status !== 'rejected' && !known.has(order_id))).toEqual([]);
      const named = orders.flatMap(({ client_order_id }) => client_order_id ?? []);
      expect(new Set(named).size).toBe(named.length);
    }
    expect(known.size).toBe(placements.length);
  });

  test('what was answered as cancelled or amended is so', () => {
    const orders = new Map([...listed.values()].flat().map((order) => [order.order_id, order]));
    const undone = changes.filter(({ orderId, change }) =>
      change === 'cancelled' ? orders.get(orderId)?.status !== 'cancelled' : orders.get(orderId)?.size !== change.size,
    );
    expect(undone).toEqual([]);
    expect(changes.length).toBeGreaterThan(0);
  });

  test('the register has each share that its agent was told of, once, and dividends took from their payer what they paid', async () => {
    const { shares, spent, paid } = await desk.outcome();
    expect(shares).toBe(desk.shares);
    expect(spent).toBe(paid);
    for (const kind of ['issue', 'import', 'cancel'] as const)
      expect(desk.done.get(kind) ?? 0, kind).toBeGreaterThan(0);
  });

  test('strangers got no internal error, whatever they asked for', () => {
    expect(strangers.asked).toBeGreaterThan(20);
    expect(strangers.bugs).toEqual([]);
  });

  test('the audit holds, and fills were settled', async () => {
    const audit = await system.run('audit');
    expect(audit).toMatchObject({ code: 0, output: expect.stringMatching(/all \d+ checks hold/) });
    const trades =
      /the orders of each trade are a buy of its buyer and a sell of its seller, on its book\s+(\d+) rows/.exec(
        audit.output,
      );
    expect(Number(trades?.[1])).toBeGreaterThan(ORDERS / 10);
    process.stdout.write(`${report(Number(trades?.[1]))}\n`);
  });
});

function report(trades: number): string {
  const refused = [...refusals].map(([code, count]) => `${count} ${code}`).join(', ');
  const cancelled = changes.filter(({ change }) => change === 'cancelled').length;
  return [
    `kills: ${outcomes} orders of ${USERS} users in ${((Date.now() - startedAt) / 1_000).toFixed(0)} s,`,
    `killed after ${killedAfter.join(', ')} outcomes, ${client.lost} lost answers repeated;`,
    `${outcomesOf('acknowledged').length} acknowledged, ${outcomesOf('stands').length} found standing, refused: ${refused || 'none'};`,
    `${cancelled} cancelled, ${changes.length - cancelled} amended, ${trades} trades settled;`,
    `a register of ${desk.shares} shares by ${[...desk.done].map(([kind, count]) => `${count} ${kind}`).join(', ')};`,
    `${strangers.asked} requests of strangers`,
  ].join(' ');
}
