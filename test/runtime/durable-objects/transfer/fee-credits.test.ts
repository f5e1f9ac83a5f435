import { runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { eq } from 'drizzle-orm';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { type Database, database } from '../../../../data/database.ts';
import { bridgeOrganizations } from '../../../../data/schema/bridge.ts';
import type { Transfer } from '../../../../domain/bridge/transfer.ts';
import { DAY_MS, HOUR_MS } from '../../../../domain/calendar/durations.ts';
import { ledgerOf } from '../../../../durable-objects/ledger/api.ts';
import { bridgeTransferOf, type TransferView } from '../../../../durable-objects/transfer/api.ts';
import { type BridgeOrganization, createBridgeOrganization } from '../../fixtures/bridge-organization.ts';
import { call } from '../../fixtures/call.ts';
import { initiated, OUTSIDE, paidIn, reached, until, withRecord } from '../../fixtures/carry-transfer.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { bridgeFaults, clearBridgeFaults } from '../../fixtures/faulty-transfer.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { hasChains, onChains } from '../../fixtures/on-chains.ts';

let db: Database;
let acme: BridgeOrganization;
let feeAccount: string;

beforeAll(async () => {
  db = database(env.DB);
  await migrate();
  if (!hasChains) return;
  acme = await createBridgeOrganization(db, { feeBps: 10 });
  feeAccount = (await createTrader(db, { owner: acme.organization })).accountId;
});

afterEach(clearBridgeFaults);

async function has(account: string): Promise<number> {
  const balances = await ledgerOf(env).balances(account);
  return balances.find(({ asset }) => asset === 'usdc')?.available ?? 0;
}

const stated = (account: string | null) =>
  db
    .update(bridgeOrganizations)
    .set({ feeAccount: account })
    .where(eq(bridgeOrganizations.organization, acme.organization));

/** A deposit that has ended. */
async function broughtIn(amount: number, state: 'confirmed' | 'refunded' = 'confirmed', paid?: string) {
  const transfer = await initiated(acme, OUTSIDE, { account: acme.account }, amount);
  await paidIn(transfer, paid);
  return reached(transfer.terms.id, state);
}

const aDayOn = (view: TransferView) =>
  withRecord(view, (transfer: Transfer) => {
    const history = transfer.history.map((each) => ({ ...each, at: each.at - DAY_MS }));
    return { transfer: { ...transfer, history } };
  });

const pushed = async ({ terms }: TransferView) => {
  const view = await bridgeTransferOf(env, terms.id).push();
  if (view === null) throw new Error('nothing has begun');
  return view;
};
const isCredited = ({ feeCreditedAt }: TransferView) => feeCreditedAt !== null;

/** In how long it is looked at by itself. */
async function nextLookIn({ terms }: TransferView): Promise<number | null> {
  const object = env.BRIDGE_TRANSFER.getByName(terms.id);
  const at = await runInDurableObject(object, (_, { storage }) => storage.getAlarm());
  return at === null ? null : at - Date.now();
}

describe.skipIf(!hasChains)('what a transfer of the bridge earns', () => {
  test('is credited once, a day after its end, leaves the vault what is out, and is paid out as any', async () => {
    await stated(feeAccount);
    const done = await broughtIn(25);
    expect((await pushed(done)).feeCreditedAt).toBeNull();
    const shown = async () =>
      (await call(`GET /bridge/api/v1/transfer/${done.terms.id}?hostname=${acme.hostname}`, { headers: acme.headers }))
        .body;
    const credit = { account_id: feeAccount, amount: '25000' };
    expect(await shown()).toMatchObject({ fee_credit: { ...credit, credited_at: null } });
    expect(await has(feeAccount)).toBe(0);
    await aDayOn(done);
    // Lost between the ledger's answer and the note of it, it is asked for again, and credited once.
    bridgeFaults.kills = ['after fee'];
    await until(done.terms.id, isCredited);
    expect(bridgeFaults.kills).toEqual([]);
    await pushed(done);
    expect(await nextLookIn(done)).toBeNull();
    expect(await shown()).toMatchObject({ fee_credit: { ...credit, credited_at: expect.any(String) } });
    expect([await has(feeAccount), await has(acme.account)]).toEqual([25_000, 24_975_000]);
    const inVault = () => onChains<string>({ do: 'balance', chain: 'ethereum', token: acme.token, holder: acme.vault });
    expect(await inVault()).toBe('25000000');
    expect(await call(`GET /bridge/api/tenant?hostname=${acme.hostname}`)).toMatchObject({
      body: { fee_account: feeAccount },
    });

    const outward = await initiated(acme, { account: feeAccount }, OUTSIDE, 0.02);
    await reached(outward.terms.id, 'confirmed');
    expect([await has(feeAccount), await inVault()]).toEqual([5_000, '24980020']);
  });

  test('is credited for an account’s debit as well, as soon as the ledger takes it', async () => {
    await stated(feeAccount);
    await broughtIn(5);
    const before = await has(feeAccount);
    const done = await initiated(acme, { account: acme.account }, OUTSIDE, 4);
    await reached(done.terms.id, 'confirmed');
    await aDayOn(done);
    bridgeFaults.isLedgerAway = true;
    expect(await pushed(done)).toMatchObject({
      feeCreditedAt: null,
      waitsFor: 'its fee is not credited: the ledger does not answer',
    });
    const rest = await nextLookIn(done);
    expect(rest).toBeGreaterThan(HOUR_MS - 60_000);
    expect(rest).toBeLessThanOrEqual(HOUR_MS);
    bridgeFaults.isLedgerAway = false;
    expect(await pushed(done)).toMatchObject({ feeCreditedAt: expect.any(Number), waitsFor: null });
    expect((await has(feeAccount)) - before).toBe(4_000);
  });

  test('is nothing while its funds are lost, where they went back, and where no account is stated', async () => {
    await stated(feeAccount);
    const before = await has(feeAccount);
    const lost = await broughtIn(3);
    await aDayOn(lost);
    bridgeFaults.answers.deposits = [[]];
    expect(await pushed(lost)).toMatchObject({ feeCreditedAt: null, transfer: { isUncovered: true } });
    expect(await has(feeAccount)).toBe(before);
    // They are back.
    await until(lost.terms.id, isCredited);
    expect((await has(feeAccount)) - before).toBe(3_000);

    const back = await broughtIn(3, 'refunded', '2999999');
    await aDayOn(back);
    expect(await pushed(back)).toMatchObject({ feeCreditedAt: null });

    await stated(null);
    const kept = await broughtIn(3);
    await aDayOn(kept);
    expect(await pushed(kept)).toMatchObject({ feeCreditedAt: null });
    expect(await nextLookIn(kept)).toBeNull();
    const path = `/bridge/api/v1/transfer/${kept.terms.id}?hostname=${acme.hostname}`;
    expect(await call(`GET ${path}`, { headers: acme.headers })).toMatchObject({ body: { fee_credit: null } });
    expect((await has(feeAccount)) - before).toBe(3_000);
  });
});
