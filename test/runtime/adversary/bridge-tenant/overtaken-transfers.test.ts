import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { bridgeOrganizations } from '../../../../data/schema/bridge.ts';
import { DAY_MS, HOUR_MS } from '../../../../domain/calendar/durations.ts';
import { VENUE_OWNER } from '../../../../domain/identity/venue.ts';
import { laneTurnsOf } from '../../../../durable-objects/chain-watcher/api.ts';
import { bridgeTransferOf, type TransferView } from '../../../../durable-objects/transfer/api.ts';
import { type BridgeOrganization, CUSTOMER, createBridgeOrganization } from '../../fixtures/bridge-organization.ts';
import { call } from '../../fixtures/call.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { hasChains, onChains } from '../../fixtures/on-chains.ts';
import { createApp, signIn } from '../../fixtures/sign-in.ts';

const LIMIT = 10_000_000;
const TURNS_MAX = 40;

describe('who waits in a lane', () => {
  const until = Date.now() + 3_600_000;
  const asks = (commitment: string, amount: number) => ({
    commitment,
    customer: commitment,
    amount,
    limit: LIMIT,
    held: LIMIT,
  });

  test('B-10: is counted against by each that passes, and by none that had no room', async () => {
    const lane = laneTurnsOf(env, { guard: '0xAB', lane: 'one' });
    await lane.waits({ commitment: 'large', amount: 8_000_000, until }, false);
    expect(await lane.turnOf(asks('a', 1_500_000))).toBe('passes');
    expect(await lane.turnOf(asks('b', 600_000))).toBe('others_first');
    expect(await lane.turnOf(asks('c', 500_000))).toBe('passes');
    // The guard had no room for it: nothing was taken.
    await lane.waits({ commitment: 'c', amount: 500_000, until }, true);
    expect(await lane.turnOf(asks('d', 500_000))).toBe('passes');
    expect(await lane.turnOf(asks('large', 8_000_000))).toBe('passes');
    await lane.leaves('large');
    // Behind those that still wait.
    expect(await lane.turnOf(asks('e', 9_000_000))).toBe('passes');
    expect(await lane.turnOf(asks('f', 100_000))).toBe('others_first');
  });

  test('B-10: is overtaken once by one that asks again because an answer was lost', async () => {
    const lane = laneTurnsOf(env, { guard: '0xab', lane: 'three' });
    await lane.waits({ commitment: 'large', amount: 8_000_000, until }, false);
    for (let again = 0; again < 3; again++) expect(await lane.turnOf(asks('a', 1_500_000))).toBe('passes');
    expect(await lane.turnOf(asks('b', 500_000))).toBe('passes');
    expect(await lane.turnOf(asks('c', 1))).toBe('others_first');
    // Had no room, and had none again: it is taken back once.
    for (let again = 0; again < 2; again++) await lane.waits({ commitment: 'a', amount: 1_500_000, until }, true);
    expect(await lane.turnOf(asks('large', 8_000_000))).toBe('passes');
    await lane.leaves('a');
    expect(await lane.turnOf(asks('d', 1_500_000))).toBe('passes');
    expect(await lane.turnOf(asks('e', 1))).toBe('others_first');
  });

  test('B-10: holds up nobody once its time is over, and is told once however often it is said', async () => {
    const lane = laneTurnsOf(env, { guard: '0xab', lane: 'two' });
    await lane.waits({ commitment: 'large', amount: LIMIT, until }, false);
    await lane.waits({ commitment: 'large', amount: LIMIT, until }, false);
    expect(await lane.turnOf(asks('a', 1))).toBe('others_first');
    await lane.leaves('large');
    expect(await lane.turnOf(asks('a', 1))).toBe('passes');
    await lane.waits({ commitment: 'late', amount: LIMIT, until: 1 }, false);
    expect(await lane.turnOf(asks('a', 1))).toBe('passes');
  });
});

describe.skipIf(!hasChains)('a tenant whose small transfers come in a stream', { timeout: 400_000 }, () => {
  let acme: BridgeOrganization;
  beforeAll(async () => {
    const db = await migrate();
    await createApp();
    acme = await createBridgeOrganization(db, { limit: LIMIT });
  }, 400_000);

  /** Carries one on as far as it goes by itself. */
  async function carried(amount: number, by = acme): Promise<TransferView> {
    const begun = await call(`POST /bridge/api/v1/transfer/initiate?hostname=${by.hostname}`, {
      headers: by.headers,
      json: {
        asset: 'USDC',
        amount,
        source: { chain: 'ethereum', address: CUSTOMER },
        destination: { account_id: by.account },
      },
    });
    const { id, deposit, quote } = begun.body as never as {
      id: string;
      deposit: { call: { to: string; data: string; value: string; approve: null } };
      quote: { amount_in: string };
    };
    await onChains({ do: 'pay', chain: 'ethereum', call: deposit.call, amount: quote.amount_in, by: 3 });
    for (let turn = 0; turn < TURNS_MAX; turn++) {
      const view = await bridgeTransferOf(env, id).push();
      if (view !== null && ['confirmed', 'queued'].includes(view.transfer.state)) return view;
    }
    throw new Error('it did not go on');
  }

  test('B-10: a large one that waits keeps the room that opens for it', async () => {
    expect((await carried(6)).transfer.state).toBe('confirmed');
    const large = await carried(5);
    expect([large.transfer.state, large.waitsFor]).toEqual(['queued', expect.stringContaining('no room')]);
    // As much passes it as the limit has beside it.
    expect((await carried(4)).transfer.state).toBe('confirmed');
    const small = await carried(2);
    expect([small.transfer.state, small.waitsFor]).toEqual(['queued', expect.stringContaining('others wait')]);
  });

  test('B-10: one that waits for more than room is held for holds up none of the others', async () => {
    const own = await createBridgeOrganization(await migrate(), { limit: LIMIT });
    expect((await carried(1, own)).transfer.state).toBe('confirmed');
    const whole = await carried(10, own);
    expect([whole.transfer.state, whole.waitsFor]).toEqual(['queued', expect.stringContaining('no room')]);
    expect((await carried(9, own)).transfer.state).toBe('confirmed');
  });

  test('B-10: no wait is stated that ends just as room comes', async () => {
    const { organization, guard, stake } = acme;
    const operator = await createTrader(await migrate(), { owner: VENUE_OWNER, roles: ['operator'] });
    const { tenant: headers } = await signIn(operator.phone);
    const lane = { origin: 'ethereum', asset: 'USDC', leastAmount: 1, flatFee: 0, coinPrice: null };
    const state = (json: object) =>
      call(`PUT /exchange/v1/operator/bridge/organizations/${organization}`, {
        headers,
        json: { guard, stake, laneTerms: [lane], ...json },
      });
    for (const queueMs of [DAY_MS, DAY_MS - HOUR_MS + 1, DAY_MS + HOUR_MS - 1]) {
      const answer = await state({ queueMs });
      expect([answer.status, answer.body]).toMatchObject([400, { error: { code: 'VALIDATION_ERROR' } }]);
    }
    expect((await state({ queueMs: DAY_MS - HOUR_MS })).status).toBe(200);
    const stated = await state({});
    expect(stated.body).toMatchObject({ data: { queueMs: 2 * DAY_MS, laneTerms: [{ ...lane, roomHeldPercent: 50 }] } });
  });

  test('B-10: a tenant states for how much room is held', async () => {
    const db = await migrate();
    const own = await createBridgeOrganization(db, { limit: LIMIT });
    const lane = { origin: 'ethereum', asset: 'USDC', leastAmount: 1, flatFee: 0, coinPrice: null } as const;
    const laneTerms = [{ ...lane, roomHeldPercent: 100 }];
    await db
      .update(bridgeOrganizations)
      .set({ laneTerms })
      .where(eq(bridgeOrganizations.organization, own.organization));
    const shown = await call(`GET /bridge/api/tenant?hostname=${own.hostname}`);
    expect(shown.body).toMatchObject({ chains: [{ assets: [{ daily_limit: 10, room_held_up_to: 10 }] }] });
    expect((await carried(1, own)).transfer.state).toBe('confirmed');
    expect((await carried(10, own)).transfer.state).toBe('queued');
    const small = await carried(1, own);
    expect([small.transfer.state, small.waitsFor]).toEqual(['queued', expect.stringContaining('others wait')]);
  });
});
