import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { initiateTransfer, type StatedPlace } from '../../../../application/bridge/initiate-transfer.ts';
import { tenantAt } from '../../../../application/bridge/tenant-at.ts';
import { type Database, database } from '../../../../data/database.ts';
import type { TransferState } from '../../../../domain/bridge/transfer.ts';
import { ledgerOf } from '../../../../durable-objects/ledger/api.ts';
import { bridgeTransferOf, type TransferView } from '../../../../durable-objects/transfer/api.ts';
import { type BridgeOrganization, createBridgeOrganization } from '../../fixtures/bridge-organization.ts';
import { atCustody, createCustodyTenant } from '../../fixtures/custody-tenant.ts';
import { bridgeFaults, clearBridgeFaults } from '../../fixtures/faulty-transfer.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { hasChains, onChains } from '../../fixtures/on-chains.ts';
import { patience } from '../../fixtures/patience.ts';

if (!hasChains) console.warn('transfers of a custody provider are not tested: there is no devnet for this machine');

const WALLET = 'bcrt1qw508d6qejxtdg4y5r3zarvary0c5xw7kygt080';
const OUTSIDE = { chain: 'bitcoin-segwit', address: WALLET } as const;
const BTC = 100_000_000;

let db: Database;
let acme: BridgeOrganization;
let hostname: string;

beforeAll(async () => {
  db = database(env.DB);
  await migrate();
  if (!hasChains) return;
  acme = await createBridgeOrganization(db);
  hostname = await createCustodyTenant(db, acme);
});

afterEach(clearBridgeFaults);

async function initiated(source: StatedPlace, destination: StatedPlace, amount: number): Promise<TransferView> {
  const tenant = await tenantAt(env, hostname);
  if (tenant?.organization == null) throw new Error('no tenant');
  const of = { ...tenant, organization: tenant.organization };
  const begun = await initiateTransfer(env, of, { id: uuidv7(), asset: 'BTC', amount, source, destination });
  if (!begun.ok) throw new Error(JSON.stringify(begun.error));
  return begun.value;
}

const inward = (amount: number) => initiated(OUTSIDE, { account: acme.account }, amount);
const outward = (amount: number) => initiated({ account: acme.account }, OUTSIDE, amount);
const paidIn = ({ place, terms }: TransferView, amount = terms.amountIn) =>
  atCustody({ do: 'deposit', address: place?.address ?? '', amount });

async function until(id: string, isThere: (view: TransferView) => boolean): Promise<TransferView> {
  let last: TransferView | null = null;
  for (const isOver = patience(); !isOver(); ) {
    last = await bridgeTransferOf(env, id)
      .push()
      .catch(() => null);
    if (last !== null && isThere(last)) return last;
    await new Promise((resolve) => setTimeout(resolve, 50));
  }
  throw new Error(`${last?.transfer.state} ${last?.waitsFor} ${JSON.stringify(last?.transfer.history)}`);
}

const reached = (id: string, state: TransferState) => until(id, ({ transfer }) => transfer.state === state);

async function has(): Promise<number> {
  const balances = await ledgerOf(env).balances(acme.account);
  return balances.find(({ asset }) => asset === 'btc')?.available ?? 0;
}

/** What the wallet was paid, what the vault has, and how many payments the provider was asked for. */
const look = () => atCustody<{ paid: string; total: string; asked: number }>({ do: 'look', address: WALLET });

describe.skipIf(!hasChains)('a transfer of a tenant whose funds lie with a custody provider', () => {
  test('brings a deposit to an account, and an account’s debit to a wallet', async () => {
    const begun = await inward(2);
    expect(begun.place).toEqual({ address: expect.stringMatching(/^bcrt1/), memo: null, call: null });
    expect(await bridgeTransferOf(env, begun.terms.id).view()).toEqual(begun);
    const before = await has();
    await paidIn(begun);
    await reached(begun.terms.id, 'confirmed');
    expect((await has()) - before).toBe(2 * BTC);
    const back = await outward(0.5);
    const done = await reached(back.terms.id, 'confirmed');
    expect(done.transfer).toMatchObject({ isUncovered: false, payment: { kind: 'payout' } });
    expect(await look()).toEqual({ paid: String(0.5 * BTC), total: String(1.5 * BTC), asked: 1 });
  });

  test('gives back another amount than was quoted', async () => {
    const [before, held] = [await look(), await has()];
    const begun = await inward(1);
    await paidIn(begun, String(0.3 * BTC));
    await reached(begun.terms.id, 'refunded');
    const after = await look();
    expect([BigInt(after.paid) - BigInt(before.paid), after.total]).toEqual([BigInt(0.3 * BTC), before.total]);
    expect(await has()).toBe(held);
  });

  test('pays once, whatever is lost on the way, and wherever its object is killed', async () => {
    for (const fault of ['lost', 'answer_lost', 'twice', 'failed'] as const) {
      const before = await look();
      const begun = await outward(0.01);
      await atCustody({ do: 'faults', faults: [fault] });
      await reached(begun.terms.id, 'confirmed');
      const after = await look();
      expect([fault, BigInt(after.paid) - BigInt(before.paid), after.asked - before.asked]).toEqual([
        fault,
        1_000_000n,
        1,
      ]);
    }
    for (const kill of ['payment fixed', 'after signing', 'before broadcast', 'after broadcast']) {
      const before = await look();
      const begun = await outward(0.01);
      bridgeFaults.kills = [kill];
      await reached(begun.terms.id, 'confirmed');
      const after = await look();
      expect([kill, BigInt(after.paid) - BigInt(before.paid), after.asked - before.asked]).toEqual([
        kill,
        1_000_000n,
        1,
      ]);
    }
  });

  test('gives an account its debit back where the provider refuses the payment', async () => {
    const [held, before] = [await has(), await look()];
    const begun = await outward(0.02);
    await atCustody({ do: 'fates', fates: ['rejected'] });
    const done = await reached(begun.terms.id, 'refunded');
    expect(done.transfer).toMatchObject({ refundReason: 'unpayable', cancelled: [expect.any(String)] });
    expect([await has(), (await look()).paid]).toEqual([held, before.paid]);
  });

  test('uses its id up where a watchtower vetoes before the provider has it, and pays nobody', async () => {
    const [held, before] = [await has(), await look()];
    bridgeFaults.failing = ['referenceFor'];
    const begun = await outward(0.02);
    bridgeFaults.failing = [];
    bridgeFaults.at = {
      'payment fixed': async () => {
        bridgeFaults.at = {};
        await onChains({ do: 'veto', guard: acme.guard, commitment: begun.commitment });
      },
    };
    const done = await reached(begun.terms.id, 'refunded');
    expect(done.transfer).toMatchObject({
      refundReason: expect.stringMatching(/vetoed|unsignable/),
      cancelled: [expect.any(String)],
    });
    const after = await look();
    expect([await has(), after.paid, after.total, after.asked - before.asked]).toEqual([
      held,
      before.paid,
      before.total,
      1,
    ]);
  });

  test('knows a deposit that the provider drops after it was paid', async () => {
    const begun = await inward(0.1);
    await paidIn(begun);
    await reached(begun.terms.id, 'confirmed');
    await atCustody({ do: 'drop' });
    await until(begun.terms.id, ({ transfer }) => transfer.isUncovered);
  });

  test('goes on with two signers away, and pays nothing while three are', async () => {
    const before = await look();
    bridgeFaults.away = [0, 4];
    const begun = await outward(0.01);
    await reached(begun.terms.id, 'confirmed');
    expect(BigInt((await look()).paid) - BigInt(before.paid)).toBe(1_000_000n);
    bridgeFaults.at = {
      'payment fixed': async () => {
        bridgeFaults.away = [0, 2, 4];
      },
    };
    const stuck = await outward(0.01);
    for (let push = 0; push < 3; push++) await bridgeTransferOf(env, stuck.terms.id).push();
    const waiting = await bridgeTransferOf(env, stuck.terms.id).view();
    expect(waiting).toMatchObject({
      transfer: { state: 'signing' },
      waitsFor: expect.stringContaining('too few signers'),
    });
    expect(BigInt((await look()).paid) - BigInt(before.paid)).toBe(1_000_000n);
    clearBridgeFaults();
    await reached(stuck.terms.id, 'confirmed');
  });

  test('begins by no vault of another signing mode', async () => {
    const tenant = await tenantAt(env, hostname);
    const native = await tenantAt(env, acme.hostname);
    if (tenant?.organization == null || native?.organization == null) throw new Error('no tenant');
    const destination = { account: acme.account };
    const request = { id: uuidv7(), amount: 1, destination };
    const usdc = { ...request, asset: 'USDC', source: { chain: 'ethereum', address: acme.token } } as const;
    const wrong = await initiateTransfer(env, { ...tenant, organization: tenant.organization }, usdc);
    expect(wrong).toMatchObject({ ok: false, error: { code: 'CONFLICT', details: { chain: 'ethereum' } } });
    const btc = { ...request, asset: 'BTC', source: OUTSIDE } as const;
    const of = { ...native, organization: native.organization, chains: ['bitcoin-segwit'] } as const;
    const other = await initiateTransfer(env, of, btc);
    expect(other).toMatchObject({ ok: false, error: { code: 'CONFLICT', details: { chain: 'bitcoin-segwit' } } });
  });
});
