import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { beforeAll, describe, expect, test } from 'vitest';
import { watchRelayer } from '../../../../application/bridge/watch-relayer.ts';
import type { Database } from '../../../../data/database.ts';
import { bridgeOrganizations, bridgeTransfers } from '../../../../data/schema/bridge.ts';
import { type BridgeOrganization, CUSTOMER, createBridgeOrganization } from '../../fixtures/bridge-organization.ts';
import { call } from '../../fixtures/call.ts';
import { giveBalance } from '../../fixtures/give-balance.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { hasChains } from '../../fixtures/on-chains.ts';
import { createApp } from '../../fixtures/sign-in.ts';

const OUTSIDE = { chain: 'ethereum', address: CUSTOMER };

describe.skipIf(!hasChains)('a tenant whose customers move dust', { timeout: 400_000 }, () => {
  let db: Database;
  let acme: BridgeOrganization;
  beforeAll(async () => {
    db = await migrate();
    await createApp();
    acme = await createBridgeOrganization(db, { feeBps: 10 });
    const lane = {
      origin: 'ethereum',
      asset: 'USDC',
      leastAmount: 1_000_000,
      flatFee: 20_000,
      coinPrice: null,
    } as const;
    await state([lane]);
  }, 400_000);

  const state = (laneTerms: (typeof bridgeOrganizations.$inferInsert)['laneTerms']) =>
    db.update(bridgeOrganizations).set({ laneTerms }).where(eq(bridgeOrganizations.organization, acme.organization));
  const initiate = (json: object) =>
    call(`POST /bridge/api/v1/transfer/initiate?hostname=${acme.hostname}`, {
      headers: acme.headers,
      json: { asset: 'USDC', source: OUTSIDE, destination: { account_id: acme.account }, ...json },
    });

  test('B-05: is refused with a code of its own and the least amount, and nothing of it is kept', async () => {
    const out = { source: { account_id: acme.account }, destination: OUTSIDE };
    for (const json of [{ amount: 0.000002 }, { amount: 0.999999 }, { amount: 0.000002, ...out }]) {
      const { status, body } = await initiate(json);
      expect([status, (body as { error: unknown }).error]).toEqual([
        400,
        expect.objectContaining({
          code: 'AMOUNT_TOO_SMALL',
          details: { field: 'amount', least_amount: 1, flat_fee: 0.02 },
        }),
      ]);
    }
    const kept = await db.select().from(bridgeTransfers).where(eq(bridgeTransfers.organization, acme.organization));
    expect(kept).toEqual([]);
  });

  test('B-05: sees the flat fee in the quote, and what a lane takes on the page of the tenant', async () => {
    const { status, body } = await initiate({ amount: 1 });
    expect(status).toBe(201);
    expect(body).toMatchObject({ quote: { amount_in: '1000000', fee: '21000', amount_out: '979000' } });
    const page = await call(`GET /bridge/api/tenant?hostname=${acme.hostname}`, {});
    expect(page.body).toMatchObject({ chains: [{ assets: [{ least_amount: 1, flat_fee: 0.02 }] }] });
  });

  test('B-05: pays for what the chain asks of the payout, at what gas costs', async () => {
    const coinPrice = 3_000_000_000;
    await state([{ origin: 'ethereum', asset: 'USDC', leastAmount: 1, flatFee: 0, coinPrice }]);
    const { status, body } = await initiate({
      amount: 0.000002,
      source: { chain: 'exchange', address: CUSTOMER },
      destination: OUTSIDE,
    });
    expect([status, body]).toEqual([400, { error: expect.objectContaining({ code: 'AMOUNT_TOO_SMALL' }) }]);
    const large = await initiate({
      amount: 500,
      source: { chain: 'exchange', address: CUSTOMER },
      destination: OUTSIDE,
    });
    const { quote } = large.body as { quote: { fee: string } };
    // A share of half a USDC, and the gas.
    expect(Number(quote.fee)).toBeGreaterThan(500_000);
  });

  test('a customer who states a most fee pays no more: what costs more now is refused with its fee, before anything is paid in', async () => {
    await state([{ origin: 'ethereum', asset: 'USDC', leastAmount: 1, flatFee: 20_000, coinPrice: null }]);
    const transfers = () =>
      db.select().from(bridgeTransfers).where(eq(bridgeTransfers.organization, acme.organization));
    const before = await transfers();
    await giveBalance({ accountId: acme.account, asset: 'usdc', amount: 1_000_000 });
    const out = { source: { account_id: acme.account }, destination: OUTSIDE };
    for (const sides of [{}, out])
      for (const most_fee of [0, 0.020999]) {
        const { status, body } = await initiate({ amount: 1, most_fee, ...sides });
        expect([status, (body as { error: unknown }).error]).toEqual([
          409,
          expect.objectContaining({ code: 'FEE_TOO_HIGH', details: { field: 'most_fee', fee: 0.021, most_fee } }),
        ]);
      }
    for (const most_fee of [-1, 0.0000001, '1']) {
      const { status, body } = await initiate({ amount: 1, most_fee });
      expect([status, body]).toEqual([400, { error: expect.objectContaining({ code: 'VALIDATION_ERROR' }) }]);
    }
    expect(await transfers()).toEqual(before);
    const { status, body } = await initiate({ amount: 1, most_fee: 0.021 });
    expect(status).toBe(201);
    expect(body).toMatchObject({ quote: { fee: '21000' } });
  });

  test('B-05: a relayer without coin is an alert for operators', async () => {
    const lines: unknown[] = [];
    const answers = { relayerRoom: async () => ({ address: '0xab', balance: '7', payments: 3 }) } as const;
    const CHAINS = {
      ask: async (name: keyof typeof answers) => ({ ok: true, value: await answers[name]() }),
    } as unknown as Env['CHAINS'];
    const told = console.warn;
    console.warn = (line: unknown) => lines.push(line);
    try {
      await watchRelayer({ DB: env.DB, CHAINS });
    } finally {
      console.warn = told;
    }
    expect(lines.map((line) => JSON.stringify(line)).join()).toContain('runs_dry');
  });
});
