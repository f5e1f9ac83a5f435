import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import { payFees } from '../../../../application/bridge/pay-fees.ts';
import { tenantAt } from '../../../../application/bridge/tenant-at.ts';
import type { Database } from '../../../../data/database.ts';
import { VENUE_OWNER } from '../../../../domain/identity/venue.ts';
import { bridgeTransferOf, type TransferView } from '../../../../durable-objects/transfer/api.ts';
import { type BridgeOrganization, createBridgeOrganization } from '../../fixtures/bridge-organization.ts';
import { call } from '../../fixtures/call.ts';
import { initiated, OUTSIDE, paidIn, reached, until } from '../../fixtures/carry-transfer.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { bridgeFaults, clearBridgeFaults } from '../../fixtures/faulty-transfer.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { hasChains, onChains } from '../../fixtures/on-chains.ts';
import { createPartner } from '../../fixtures/partner-client.ts';
import { createApp, type SignedIn, signIn } from '../../fixtures/sign-in.ts';

/** Where the tenant's fees go: an account of the devnets that nobody else is paid at. */
const TENANT = '0x976EA74026E726554dB657fA54763abd0C3a0aa9';
/** No test waits for room in its lane. */
const MUCH = { limit: 1_000_000_000_000 } as const;
const LANE = { asset: 'USDC', chain: 'ethereum' } as const;

describe.skipIf(!hasChains)('fees that a vault has earned', () => {
  let db: Database;
  let acme: BridgeOrganization;
  let operator: SignedIn;
  beforeAll(async () => {
    db = await migrate();
    await createApp();
    acme = await createBridgeOrganization(db, { ...MUCH, feeBps: 100, feesTo: TENANT.toLowerCase() });
    operator = await signIn((await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] })).phone);
  });
  afterEach(clearBridgeFaults);

  const read = (lane: object = LANE, headers: Readonly<Record<string, string>> = acme.headers) =>
    call(`GET /bridge/api/v1/fees?${new URLSearchParams({ hostname: acme.hostname, ...lane })}`, { headers });
  const pay = (json: object = LANE, headers: Readonly<Record<string, string>> = acme.headers) =>
    call(`POST /bridge/api/v1/fees/payout?hostname=${acme.hostname}`, {
      headers: { ...headers, 'idempotency-key': uuidv7() },
      json,
    });
  const earned = async () => ((await read()).body as { earned: string }).earned;
  const available = async () => ((await read()).body as { available: string }).available;
  const wallet = async () =>
    BigInt(await onChains<string>({ do: 'balance', chain: 'ethereum', token: acme.token, holder: TENANT }));
  /** Which organization alone asks for two people. */
  async function setTwo(organization: string | null): Promise<void> {
    const set = 'UPDATE organizations SET two_operators_since = CASE id WHEN ? THEN 1 END';
    await env.DB.prepare(set).bind(organization).run();
  }
  /** A payout whose object a test may disturb. */
  async function begun(amount: number, kills: readonly string[] = []): Promise<TransferView> {
    const tenant = await tenantAt(env, acme.hostname);
    const id = uuidv7();
    bridgeFaults.of = id;
    bridgeFaults.kills = [...kills];
    const of = { ...tenant, organization: acme.organization } as Parameters<typeof payFees>[1];
    const answer = await payFees(env, of, { id, ...LANE, amount });
    if (!answer.ok) throw new Error(JSON.stringify(answer.error));
    return answer.value;
  }
  /** A deposit and a withdrawal, both paid out, whose fees signers have counted. */
  async function earns(): Promise<void> {
    const before = BigInt(await earned());
    const inward = await initiated(acme, OUTSIDE, { account: acme.account }, 100);
    await paidIn(inward);
    await reached(inward.terms.id, 'confirmed');
    const outward = await initiated(acme, { account: acme.account }, OUTSIDE, 50);
    await reached(outward.terms.id, 'confirmed');
    await expect
      .poll(async () => {
        for (const { terms } of [inward, outward]) await bridgeTransferOf(env, terms.id).push();
        return BigInt(await earned()) - before;
      })
      .toBe(1_500_000n);
  }
  async function ended({ terms }: TransferView): Promise<void> {
    await runInDurableObject(env.BRIDGE_TRANSFER.getByName(terms.id), async (object, { storage }) => {
      const record = storage.kv.get<TransferView>('record');
      if (record === undefined) throw new Error('nothing has begun');
      const past = { until: Date.now() - 1, expiresAt: Date.now() - 1 };
      storage.kv.put('record', { ...record, transfer: { ...record.transfer, ...past } });
      await storage.sync();
      (object as unknown as { ctx: DurableObjectState }).ctx.abort('begins again with the record');
    }).catch(() => undefined);
  }

  it('are paid out to the tenant at the address that is stated, once, and nothing beyond', async () => {
    expect((await read()).body).toMatchObject({ earned: '0', available: '0', address: TENANT });
    expect([(await pay()).status, (await pay({ ...LANE, amount: 1 })).status]).toEqual([409, 409]);
    await earns();
    expect((await read()).body).toEqual({
      ...LANE,
      address: TENANT,
      earned: '1500000',
      paid: '0',
      available: '1500000',
    });
    const before = await wallet();
    const some = await pay({ ...LANE, amount: 0.5 });
    expect([some.status, some.body]).toMatchObject([201, { source: { account_id: 'fees' }, quote: { fee: '0' } }]);
    const first = (some.body as { id: string }).id;
    const done = await reached(first, 'confirmed');
    expect(done.transfer.history.map(({ to }) => to)).toEqual([
      'confirming',
      'attesting',
      'limit_check',
      'signing',
      'broadcast',
      'confirmed',
    ]);
    expect((await wallet()) - before).toBe(500_000n);
    expect(await available()).toBe('1000000');
    const refused = await pay({ ...LANE, amount: 1.000001 });
    expect([refused.status, refused.body]).toMatchObject([
      409,
      { error: { details: { reason: 'not_earned', available: '1000000' } } },
    ]);
    const rest = (await pay()).body as { id: string };
    await reached(rest.id, 'confirmed');
    expect((await wallet()) - before).toBe(1_500_000n);
    expect((await read()).body).toMatchObject({ earned: '1500000', paid: '1500000', available: '0' });
    expect((await pay()).status).toBe(409);
    // Pushed again, a payout of fees earns nothing, and pays nothing.
    await until(rest.id, ({ transfer }) => transfer.state === 'confirmed');
    expect([await available(), (await wallet()) - before]).toEqual(['0', 1_500_000n]);
  });

  it('are paid once, wherever the object of their payout is killed', async () => {
    for (const kill of [
      'after awaiting_funds',
      'payment fixed',
      'after signing',
      'before broadcast',
      'after broadcast',
      'before end',
    ]) {
      await earns();
      const before = await wallet();
      const payout = await begun(1.5, [kill]);
      await reached(payout.terms.id, 'confirmed');
      expect([kill, (await wallet()) - before, await available()]).toEqual([kill, 1_500_000n, '0']);
    }
  });

  it('are two payments where two are asked for at once, of one amount', async () => {
    await earns();
    const before = await wallet();
    bridgeFaults.broadcasts = ['lost'];
    const one = await begun(0.75);
    await until(one.terms.id, ({ transfer }) => transfer.state === 'broadcast');
    const other = await begun(0.75);
    await until(other.terms.id, ({ waitsFor }) => waitsFor === 'another payout of fees is under way');
    await reached(one.terms.id, 'confirmed');
    await reached(other.terms.id, 'confirmed');
    expect([await available(), (await wallet()) - before]).toEqual(['0', 1_500_000n]);
  });

  it('stay in the vault where nobody attests or signs, and can be asked for again', async () => {
    await earns();
    const before = await wallet();
    bridgeFaults.away = [0, 1, 2];
    const silent = await begun(1.5);
    await until(silent.terms.id, ({ transfer }) => transfer.state === 'attesting');
    await ended(silent);
    const left = await reached(silent.terms.id, 'refunded');
    expect(left.transfer).toMatchObject({ refundReason: 'timed_out', payment: null });
    bridgeFaults.away = [];
    bridgeFaults.refusing = [0, 1, 2];
    const unsigned = await begun(1.5);
    const given = await reached(unsigned.terms.id, 'refunded');
    expect(given.transfer).toMatchObject({ refundReason: 'unsignable', payment: null });
    bridgeFaults.refusing = [];
    expect([await available(), (await wallet()) - before]).toEqual(['1500000', 0n]);
    const again = await begun(1.5);
    await reached(again.terms.id, 'confirmed');
    expect([await available(), (await wallet()) - before]).toEqual(['0', 1_500_000n]);
  });

  it('wait for an operator where the venue or the tenant’s organization asks for two, and end where none approves', async () => {
    await earns();
    const before = await wallet();
    await setTwo(VENUE_OWNER);
    const waiting = await begun(0.5);
    await setTwo(acme.organization);
    const given = await begun(0.25);
    await setTwo(null);
    const path = `/exchange/v1/operator/bridge/transfers/${waiting.terms.id}/fees`;
    const ask = (of: string, json?: object) =>
      call(`${json === undefined ? 'GET' : 'POST'} ${of}`, {
        headers: operator.tenant,
        ...(json === undefined ? {} : { json }),
      });
    await until(waiting.terms.id, ({ waitsFor }) => waitsFor === 'an operator has to approve it');
    expect((await ask(path)).body).toMatchObject({ data: { needsApproval: true, isApproved: false, address: TENANT } });
    const listed = (await ask('/exchange/v1/operator/bridge/fees')).body as { data: { transferId: string }[] };
    expect(listed.data.map(({ transferId }) => transferId)).toEqual([given.terms.id, waiting.terms.id]);
    const approved = await ask(`${path}/approve`, { reason: 'the tenant asked by telephone, too' });
    expect([approved.status, approved.body]).toMatchObject([200, { data: { isApproved: true } }]);
    await reached(waiting.terms.id, 'confirmed');
    expect((await wallet()) - before).toBe(500_000n);
    await ended(given);
    await reached(given.terms.id, 'expired');
    const late = await ask(`${path.replace(waiting.terms.id, given.terms.id)}/approve`, { reason: 'too late' });
    expect([late.status, (await wallet()) - before]).toEqual([409, 500_000n]);
    const events = `SELECT count(*) AS n FROM domain_events WHERE type = 'operator.bridge_fees_approved' AND subject = ?`;
    expect(await env.DB.prepare(events).bind(waiting.terms.id).first('n')).toBe(1);
  });

  it('are counted again for signers that have lost what they had counted, and once all the same', async () => {
    await earns();
    const before = await read();
    for (const number of [0, 1, 2])
      await runInDurableObject(
        env.BRIDGE_SIGNER.getByName(`${acme.organization}/${number}`),
        (_, { storage: { sql } }) => {
          sql.exec(`DELETE FROM records WHERE kind IN ('fee', 'fees', 'paid')`);
        },
      );
    expect(await available()).toBe('0');
    expect((await pay({ ...LANE, amount: 0.5 })).status).toBe(409);
    const recount = async (after: string | null): Promise<string | null> => {
      const { status, body } = await call(
        `POST /exchange/v1/operator/bridge/organizations/${acme.organization}/fees/recount`,
        { headers: operator.tenant, json: { after } },
      );
      expect(status).toBe(200);
      return (body as { data: { after: string | null } }).data.after;
    };
    for (let after = await recount(null); after !== null; ) after = await recount(after);
    expect((await read()).body).toEqual(before.body);
  });

  it('are asked for by their tenant alone, where signers know them, and once an address is stated', async () => {
    const stranger = await createPartner(db, 'bridge_tenant');
    expect([(await read(LANE, stranger.headers)).status, (await pay(LANE, stranger.headers)).status]).toEqual([
      404, 404,
    ]);
    expect((await read({ asset: 'NONE', chain: 'ethereum' })).status).toBe(404);
    expect((await read({ asset: 'USDC', chain: 'solana' })).status).toBe(404);
    expect((await pay({ ...LANE, amount: 0.0000001 })).status).toBe(400);
    const other = await createBridgeOrganization(db, { feeBps: 100 });
    const asked = await call(`GET /bridge/api/v1/fees?${new URLSearchParams({ hostname: other.hostname, ...LANE })}`, {
      headers: other.headers,
    });
    expect([asked.status, asked.body]).toMatchObject([409, { error: { details: { reason: 'no_address' } } }]);
  });

  it('are asked for 24 times a day, since the relayer pays for each', async () => {
    await setTwo(VENUE_OWNER);
    await earns();
    const reasons: (string | null)[] = [];
    for (let tries = 0; tries < 25 && reasons.at(-1) !== 'too_many'; tries += 1) {
      const { body } = await pay({ ...LANE, amount: 0.01 });
      reasons.push((body as { error?: { details: { reason: string } } }).error?.details.reason ?? null);
    }
    await setTwo(null);
    expect([new Set(reasons.slice(0, -1)), reasons.at(-1)]).toEqual([new Set([null]), 'too_many']);
  });

  it('have an address of their own lane, which an operator states as one of an EVM chain', async () => {
    const path = `/exchange/v1/operator/bridge/organizations/${acme.organization}`;
    const lane = { origin: 'ethereum', asset: 'USDC', leastAmount: 1, flatFee: 0, coinPrice: null, feesTo: TENANT };
    const state = (change: object) =>
      call(`PUT ${path}`, {
        headers: operator.tenant,
        json: { guard: acme.guard, stake: acme.stake, feeBps: 100, laneTerms: [{ ...lane, ...change }] },
      });
    // The checksum is wrong; and signers cannot know what is left on a chain that takes its fees out of the vault.
    for (const change of [
      { feesTo: TENANT.replace('EA', 'eA') },
      { origin: 'tron' },
      { feesTo: `0x${'0'.repeat(40)}` },
    ])
      expect([JSON.stringify(change), (await state(change)).status]).toEqual([JSON.stringify(change), 400]);
    const stated = await state({ feesTo: acme.token });
    const { data } = stated.body as {
      data: { next: { lanes: { feesTo: string }[] }; laneTerms: { feesTo: string }[] };
    };
    expect(stated.status).toBe(200);
    // It holds three days later: until then fees go where they went.
    expect(data.next.lanes.map(({ feesTo }) => feesTo)).toEqual([acme.token]);
    expect(data.laneTerms.map(({ feesTo }) => feesTo)).toEqual([TENANT.toLowerCase()]);
    expect((await read()).body).toMatchObject({ address: TENANT });
  });
});
