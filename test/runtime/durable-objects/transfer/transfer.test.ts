import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { initiateTransfer, type StatedPlace } from '../../../../application/bridge/initiate-transfer.ts';
import { tenantAt } from '../../../../application/bridge/tenant-at.ts';
import { findShownTransfer } from '../../../../data/bridge/transfers.ts';
import { type Database, database } from '../../../../data/database.ts';
import type { Transfer, TransferState } from '../../../../domain/bridge/transfer.ts';
import { ledgerOf } from '../../../../durable-objects/ledger/api.ts';
import { bridgeTransferOf, type TransferView } from '../../../../durable-objects/transfer/api.ts';
import {
  type BridgeOrganization,
  CUSTOMER,
  createBridgeOrganization,
  hasChains,
  onChains,
} from '../../fixtures/bridge-organization.ts';
import { bridgeFaults, clearBridgeFaults } from '../../fixtures/faulty-transfer.ts';
import { migrate } from '../../fixtures/migrate.ts';

if (!hasChains) console.warn('transfers of the bridge are not tested: there is no devnet for this machine');

const OUTSIDE = { chain: 'ethereum', address: CUSTOMER } as const;
const INSIDE = { chain: 'exchange', address: CUSTOMER } as const;
const WALLET = 3;

let db: Database;
let acme: BridgeOrganization;

beforeAll(async () => {
  db = database(env.DB);
  await migrate();
  if (hasChains) acme = await createBridgeOrganization(db);
});

afterEach(clearBridgeFaults);

async function initiated(source: StatedPlace, destination: StatedPlace, amount = 10, by = acme): Promise<TransferView> {
  const tenant = await tenantAt(env, by.hostname);
  if (tenant?.organization == null) throw new Error('no tenant');
  const of = { ...tenant, organization: tenant.organization };
  const begun = await initiateTransfer(env, of, { id: uuidv7(), asset: 'USDC', amount, source, destination });
  if (!begun.ok) throw new Error(JSON.stringify(begun.error));
  return begun.value;
}

async function paidIn(view: TransferView, amount = view.terms.amountIn): Promise<void> {
  const call = view.place?.call;
  if (call == null || view.terms.source.kind !== 'chain') throw new Error('nothing to pay in');
  const word = (units: string) => BigInt(units).toString(16).padStart(64, '0');
  const data = call.data.replace(word(view.terms.amountIn), word(amount));
  const chain = view.terms.source.chain as 'ethereum' | 'exchange';
  await onChains({ do: 'pay', chain, call: { ...call, data }, amount, by: WALLET });
}

/** Pushes until the transfer is in a state, through whatever happens to its object. */
async function until(id: string, isThere: (view: TransferView) => boolean, pushes = 60): Promise<TransferView> {
  let last: TransferView | null = null;
  for (let push = 0; push < pushes; push++) {
    last = await bridgeTransferOf(env, id)
      .push()
      .catch(() => null);
    if (last !== null && isThere(last)) return last;
  }
  throw new Error(`${last?.transfer.state} ${last?.waitsFor} ${JSON.stringify(last?.transfer.history)}`);
}

const reached = (id: string, state: TransferState) => until(id, ({ transfer }) => transfer.state === state);

async function has(account: string): Promise<number> {
  const balances = await ledgerOf(env).balances(account);
  return balances.find(({ asset }) => asset === 'usdc')?.available ?? 0;
}

const outside = () => onChains<string>({ do: 'balance', chain: 'ethereum', token: acme.token, holder: CUSTOMER });
const inside = () => onChains<string>({ do: 'balance', chain: 'exchange', token: acme.wrapped, holder: CUSTOMER });
const steps = ({ history }: Transfer) => history.map(({ to }) => to);

/** Whether the vault of the source has the transfer's funds for good, and how many references its payments still take there. */
async function atSource({ terms, settings: { source }, commitment }: TransferView) {
  if (source === null) throw new Error('an account has no vault');
  const name = [terms.organization, source.chain, source.contract ?? source.keys.groupKey, source.token ?? ''];
  return runInDurableObject(env.CHAIN_WATCHER.getByName(name.join('/')), (_, { storage: { sql } }) => ({
    deposits: sql.exec('SELECT 1 FROM deposits WHERE commitment = ?', commitment).toArray().length,
    taken: sql.exec('SELECT 1 FROM payments WHERE commitment = ? AND is_over = 0', commitment).toArray().length,
  }));
}

describe.skipIf(!hasChains)('a transfer of the bridge', { timeout: 120_000 }, () => {
  test('brings a deposit to an account, and an account’s debit to a wallet', async () => {
    const inward = await initiated(OUTSIDE, { account: acme.account }, 25);
    expect(inward).toMatchObject({ transfer: { state: 'awaiting_funds' }, waitsFor: null });
    const before = await has(acme.account);
    await paidIn(inward);
    const done = await reached(inward.terms.id, 'confirmed');
    expect(steps(done.transfer)).toEqual(['confirming', 'attesting', 'limit_check', 'signing', 'confirmed']);
    expect((await has(acme.account)) - before).toBe(25_000_000);
    const outward = await initiated({ account: acme.account }, OUTSIDE, 10);
    expect((await has(acme.account)) - before).toBe(15_000_000);
    const held = BigInt(await outside());
    await reached(outward.terms.id, 'confirmed');
    expect(BigInt(await outside()) - held).toBe(10_000_000n);
  });

  test('brings a deposit to a wallet here as wrapped tokens, and burnt ones back', async () => {
    const inward = await initiated(OUTSIDE, INSIDE, 30);
    await paidIn(inward);
    await reached(inward.terms.id, 'confirmed');
    expect(await inside()).toBe('30000000');
    const outward = await initiated(INSIDE, OUTSIDE, 20);
    const held = BigInt(await outside());
    await paidIn(outward);
    await reached(outward.terms.id, 'confirmed');
    expect([await inside(), BigInt(await outside()) - held]).toEqual(['10000000', 20_000_000n]);
  });

  test('pays once, wherever its object is killed', async () => {
    const points = {
      inward: [
        'after awaiting_funds',
        'after confirming',
        'after attesting',
        'after limit_check',
        'payment fixed',
        'after mint',
        'before end',
        'after signing',
      ],
      outward: [
        'after debit',
        'after attesting',
        'payment fixed',
        'after signing',
        'before broadcast',
        'after broadcast',
        'after broadcast',
        'before end',
      ],
    };
    for (const kill of points.inward) {
      const before = await has(acme.account);
      const transfer = await initiated(OUTSIDE, { account: acme.account }, 3);
      await paidIn(transfer);
      bridgeFaults.kills = [kill];
      const done = await reached(transfer.terms.id, 'confirmed');
      expect([kill, (await has(acme.account)) - before]).toEqual([kill, 3_000_000]);
      expect([kill, await atSource(done)]).toEqual([kill, { deposits: 1, taken: 0 }]);
    }
    for (const kill of points.outward) {
      const [account, wallet] = [await has(acme.account), BigInt(await outside())];
      bridgeFaults.kills = [kill];
      const id = await initiated({ account: acme.account }, OUTSIDE, 2).then(
        ({ terms }) => terms.id,
        () => null,
      );
      if (id === null) {
        // The answer was lost with the object: what it had begun goes on by itself, and is found by its id.
        const row = await env.DB.prepare('SELECT id FROM bridge_transfers ORDER BY id DESC LIMIT 1').first<{
          id: string;
        }>();
        await reached(row?.id ?? '', 'confirmed');
      } else await reached(id, 'confirmed');
      expect([kill, account - (await has(acme.account))]).toEqual([kill, 2_000_000]);
      expect([kill, BigInt(await outside()) - wallet]).toEqual([kill, 2_000_000n]);
    }
  });

  test('goes on by itself, and is in the list, where its object is killed as it begins', async () => {
    bridgeFaults.kills = ['begun'];
    const { terms } = await initiated(OUTSIDE, INSIDE, 1);
    expect(bridgeFaults.kills).toEqual([]);
    const object = env.BRIDGE_TRANSFER.getByName(terms.id);
    expect(await runInDurableObject(object, (_, { storage }) => storage.getAlarm())).not.toBeNull();
    expect(await runDurableObjectAlarm(object)).toBe(true);
    expect(await findShownTransfer(db, terms.organization, terms.id)).toMatchObject({ state: 'awaiting_funds' });
  });

  test('pays once, whatever becomes of what it hands in, and however many push it at once', async () => {
    for (const fates of [['lost', 'lost'], ['answer_lost'], ['answer_lost', 'lost']] as const) {
      const transfer = await initiated(OUTSIDE, INSIDE, 4);
      await paidIn(transfer);
      const before = BigInt(await inside());
      bridgeFaults.broadcasts = [...fates];
      await Promise.all(
        Array.from({ length: 8 }, () =>
          bridgeTransferOf(env, transfer.terms.id)
            .push()
            .catch(() => null),
        ),
      );
      await reached(transfer.terms.id, 'confirmed');
      expect(BigInt(await inside()) - before).toBe(4_000_000n);
    }
  });

  test('asked for again under its id, is the same one', async () => {
    const tenant = await tenantAt(env, acme.hostname);
    const of = { ...tenant, organization: acme.organization } as never;
    const request = { id: uuidv7(), asset: 'USDC', amount: 1, source: { account: acme.account }, destination: OUTSIDE };
    const before = await has(acme.account);
    await Promise.all([initiateTransfer(env, of, request), initiateTransfer(env, of, request)]);
    await initiateTransfer(env, of, { ...request, amount: 2 });
    expect(before - (await has(acme.account))).toBe(1_000_000);
    await reached(request.id, 'confirmed');
  });

  test('is shown to no other organization that names its id', async () => {
    const { terms } = await initiated(OUTSIDE, INSIDE, 1);
    const tenant = await tenantAt(env, acme.hostname);
    const another = { ...tenant, organization: 'another' } as never;
    const request = { id: terms.id, asset: 'USDC', amount: 1, source: OUTSIDE, destination: INSIDE };
    expect(await initiateTransfer(env, another, request)).toMatchObject({ ok: false, error: { code: 'CONFLICT' } });
  });

  test('has its account debited before it is answered, also where it was lost before', async () => {
    const inward = await initiated(OUTSIDE, { account: acme.account }, 1);
    await paidIn(inward);
    await reached(inward.terms.id, 'confirmed');
    const tenant = await tenantAt(env, acme.hostname);
    const of = { ...tenant, organization: acme.organization } as never;
    const request = { id: uuidv7(), asset: 'USDC', amount: 1, source: { account: acme.account }, destination: OUTSIDE };
    const before = await has(acme.account);
    bridgeFaults.kills = ['begun', 'before debit'];
    await expect(initiateTransfer(env, of, request)).rejects.toThrow('killed');
    expect(await initiateTransfer(env, of, request)).toMatchObject({ ok: true });
    expect(before - (await has(acme.account))).toBe(1_000_000);
    await reached(request.id, 'confirmed');
  });

  test('is signed with any two signers away, and with two that lie, who are named', async () => {
    for (const two of [
      [0, 1],
      [3, 4],
      [1, 3],
    ]) {
      bridgeFaults.away = two;
      const transfer = await initiated(OUTSIDE, INSIDE, 1);
      await paidIn(transfer);
      const done = await reached(transfer.terms.id, 'confirmed');
      expect(done.transfer.attestedBy).toHaveLength(3);
      clearBridgeFaults();
    }
    const named = new Set<number>();
    for (let round = 0; round < 4; round++) {
      bridgeFaults.lying = [1, 3];
      const transfer = await initiated(OUTSIDE, INSIDE, 1);
      await paidIn(transfer);
      const done = await reached(transfer.terms.id, 'confirmed');
      expect(done.transfer).toMatchObject({ attestedBy: [0, 2, 4], refusedBy: [1, 3] });
      for (const cheater of done.cheaters) named.add(cheater);
    }
    expect([...named].every((signer) => signer === 1 || signer === 3)).toBe(true);
    expect(named.size).toBeGreaterThan(0);
  });

  test('waits while three signers are away, and pays nothing', async () => {
    bridgeFaults.away = [0, 2, 4];
    const transfer = await initiated(OUTSIDE, INSIDE, 1);
    await paidIn(transfer);
    for (let push = 0; push < 5; push++) await bridgeTransferOf(env, transfer.terms.id).push();
    expect((await bridgeTransferOf(env, transfer.terms.id).view())?.transfer).toMatchObject({
      state: 'attesting',
      payment: null,
    });
    clearBridgeFaults();
    await reached(transfer.terms.id, 'confirmed');
  });

  test('is given back once three signers refuse', async () => {
    bridgeFaults.lying = [0, 1, 2];
    const before = BigInt(await outside());
    const transfer = await initiated(OUTSIDE, INSIDE, 5);
    await paidIn(transfer);
    const refundable = await reached(transfer.terms.id, 'refund_signing').catch(() =>
      reached(transfer.terms.id, 'refundable'),
    );
    expect(refundable.transfer).toMatchObject({ refundReason: 'rejected' });
    clearBridgeFaults();
    await reached(transfer.terms.id, 'refunded');
    // The wallet was given what it paid in, and has it again.
    expect(BigInt(await outside()) - before).toBe(5_000_000n);
  });

  test('begins again where a reorganization takes its deposit away before it is paid', async () => {
    const transfer = await initiated(OUTSIDE, INSIDE, 6);
    const snapshot = await onChains<string>({ do: 'snapshot' });
    await paidIn(transfer);
    bridgeFaults.away = [0, 1, 2];
    await reached(transfer.terms.id, 'attesting');
    await onChains({ do: 'revert', snapshot });
    const again = await reached(transfer.terms.id, 'awaiting_funds');
    expect(again.transfer).toMatchObject({ attestedBy: [], payment: null, funds: { isLost: true } });
    clearBridgeFaults();
    const before = BigInt(await inside());
    await paidIn(transfer);
    await reached(transfer.terms.id, 'confirmed');
    expect(BigInt(await inside()) - before).toBe(6_000_000n);
  });

  test('is cancelled where its deposit is taken away, or a watchtower vetoes, between its reference and its payment', async () => {
    for (const cause of ['reorganization', 'veto'] as const) {
      const transfer = await initiated(OUTSIDE, INSIDE, 7);
      const snapshot = await onChains<string>({ do: 'snapshot' });
      await paidIn(transfer);
      bridgeFaults.kills = ['payment fixed'];
      bridgeFaults.at['payment fixed'] = async () => {
        bridgeFaults.at = {};
        if (cause === 'veto') await onChains({ do: 'veto', guard: acme.guard, commitment: transfer.commitment });
        else await onChains({ do: 'revert', snapshot });
      };
      const before = [BigInt(await inside()), BigInt(await outside())] as const;
      const end = await reached(transfer.terms.id, cause === 'veto' ? 'refunded' : 'awaiting_funds');
      expect(end.transfer.cancelled).toHaveLength(1);
      expect(BigInt(await inside())).toBe(before[0]);
      if (cause === 'veto') expect(BigInt(await outside()) - before[1]).toBe(7_000_000n);
    }
  });

  test('is not paid to an account where a watchtower vetoes between its reference and its payment', async () => {
    const transfer = await initiated(OUTSIDE, { account: acme.account }, 7);
    await paidIn(transfer);
    bridgeFaults.kills = ['payment fixed'];
    bridgeFaults.at['payment fixed'] = async () => {
      bridgeFaults.at = {};
      await onChains({ do: 'veto', guard: acme.guard, commitment: transfer.commitment });
    };
    const before = [await has(acme.account), BigInt(await outside())] as const;
    const end = await reached(transfer.terms.id, 'refunded');
    expect(end.transfer).toMatchObject({ refundReason: 'vetoed', isUncovered: false });
    expect(await has(acme.account)).toBe(before[0]);
    expect(BigInt(await outside()) - before[1]).toBe(7_000_000n);
  });

  test('pays nothing back where its deposit is taken away before, and gives back what comes instead', async () => {
    const before = BigInt(await outside());
    const transfer = await initiated(OUTSIDE, INSIDE, 4);
    const snapshot = await onChains<string>({ do: 'snapshot' });
    await paidIn(transfer, '3999999');
    bridgeFaults.kills = ['payment fixed'];
    bridgeFaults.at['payment fixed'] = async () => {
      bridgeFaults.at = {};
      await onChains({ do: 'revert', snapshot });
    };
    const without = await reached(transfer.terms.id, 'awaiting_funds');
    expect(without.transfer).toMatchObject({ funds: { isLost: true }, payment: null });
    expect(without.transfer.cancelled).toHaveLength(1);
    expect(await atSource(without)).toEqual({ deposits: 0, taken: 0 });
    expect(BigInt(await outside())).toBe(before);
    await paidIn(transfer, '3999998');
    const end = await reached(transfer.terms.id, 'refunded');
    expect(end.transfer).toMatchObject({ refundReason: 'wrong_amount', isUncovered: false });
    expect(BigInt(await outside()) - before).toBe(3_999_998n);
  });

  test('waits for chains that are away, says so, and goes on', async () => {
    const transfer = await initiated(OUTSIDE, INSIDE, 1);
    await paidIn(transfer);
    for (const call of ['deposits', 'requestClearance', 'referenceFor', 'statusOf'] as const) {
      bridgeFaults.failing = [call];
      const view = await bridgeTransferOf(env, transfer.terms.id).push();
      expect([call, view?.waitsFor]).toEqual([call, expect.stringContaining('away')]);
      bridgeFaults.failing = [];
      if (call !== 'statusOf') await bridgeTransferOf(env, transfer.terms.id).push();
      if (call === 'deposits') break;
    }
    await reached(transfer.terms.id, 'confirmed');
  });

  test('gives back funds other than quoted, all of them', async () => {
    const before = BigInt(await outside());
    const transfer = await initiated(OUTSIDE, { account: acme.account }, 9);
    await paidIn(transfer, '8999999');
    const done = await reached(transfer.terms.id, 'refunded');
    expect(done.transfer).toMatchObject({ refundReason: 'wrong_amount' });
    expect(BigInt(await outside()) - before).toBe(8_999_999n);
  });

  test('is paid whatever specks somebody pays in beside its funds, before them or behind', async () => {
    for (const isFirst of [true, false]) {
      const before = await has(acme.account);
      const transfer = await initiated(OUTSIDE, { account: acme.account }, 8);
      if (!isFirst) await paidIn(transfer);
      bridgeFaults.specks = [{ reference: 'speck', amount: '330', confirmations: isFirst ? 0 : 9 }];
      if (isFirst) {
        expect((await bridgeTransferOf(env, transfer.terms.id).push())?.transfer.state).toBe('confirming');
        await paidIn(transfer);
      }
      const done = await reached(transfer.terms.id, 'confirmed');
      expect(done.transfer.funds).toMatchObject({ amount: transfer.terms.amountIn });
      expect((await has(acme.account)) - before).toBe(8_000_000);
    }
  });

  test('keeps no reference for a refund that three signers refuse for good, and pays it once they do not', async () => {
    const before = BigInt(await outside());
    const transfer = await initiated(OUTSIDE, INSIDE, 5);
    await paidIn(transfer, '4999999');
    bridgeFaults.refusing = [0, 1, 2];
    await until(transfer.terms.id, (view) => view.transfer.cancelled.length > 0);
    bridgeFaults.refusing = [];
    const done = await reached(transfer.terms.id, 'refunded');
    expect(done.transfer).toMatchObject({ refundReason: 'wrong_amount' });
    expect(BigInt(await outside()) - before).toBe(4_999_999n);
    expect(await atSource(done)).toMatchObject({ taken: 0 });
  });

  test('takes no reference for a payment that the guard’s list has no room for', async () => {
    const transfer = await initiated(OUTSIDE, INSIDE, 5);
    await runInDurableObject(env.BRIDGE_TRANSFER.getByName(transfer.terms.id), async (object, { storage }) => {
      const payment = { kind: 'refund', commitment: transfer.commitment, reference: 'r', to: CUSTOMER, amount: '1' };
      const announced = Array.from({ length: 8 }, () => ({ side: 'source', payment }));
      storage.kv.put('record', { ...storage.kv.get<object>('record'), announced });
      await storage.sync();
      (object as unknown as { ctx: DurableObjectState }).ctx.abort('begins again with the record');
    }).catch(() => undefined);
    await paidIn(transfer, '4999999');
    const waiting = await until(transfer.terms.id, ({ transfer: of }) => of.state === 'refundable');
    expect(waiting).toMatchObject({ transfer: { payment: null }, waitsFor: expect.stringContaining('8 payments') });
    expect(await atSource(waiting)).toMatchObject({ taken: 0 });
  });

  test('gives an account back what was taken from it, where its payment is vetoed', async () => {
    const own = await createBridgeOrganization(db, { challengeFrom: 20_000_000 });
    const inward = await initiated(OUTSIDE, { account: own.account }, 19, own);
    await paidIn(inward);
    await reached(inward.terms.id, 'confirmed');
    const large = await initiated(OUTSIDE, { account: own.account }, 20, own);
    await paidIn(large);
    expect((await reached(large.terms.id, 'challenge')).transfer.until).toBeGreaterThan(Date.now() + 3_000_000);
    await onChains({ do: 'veto', guard: own.guard, commitment: large.commitment });
    await reached(large.terms.id, 'refunded');
    expect(await has(own.account)).toBe(19_000_000);
  });

  test('queues what the day has no room for, and gives it back when that takes too long', async () => {
    const own = await createBridgeOrganization(db, { limit: 10_000_000, queue_ms: 1 });
    const first = await initiated(OUTSIDE, { account: own.account }, 6, own);
    await paidIn(first);
    await reached(first.terms.id, 'confirmed');
    const before = await has(own.account);
    const second = await initiated({ account: own.account }, OUTSIDE, 5, own);
    const done = await reached(second.terms.id, 'refunded');
    expect(done.transfer).toMatchObject({ refundReason: 'queue_ended' });
    expect(steps(done.transfer)).toContain('queued');
    expect(await has(own.account)).toBe(before);
  });

  test('waits for the hardware module where its amount needs it', async () => {
    const own = await createBridgeOrganization(db, { coSignFrom: 5_000_000 });
    const transfer = await initiated(OUTSIDE, { account: own.account }, 5, own);
    await paidIn(transfer);
    const waiting = await reached(transfer.terms.id, 'co_signing');
    expect(waiting.waitsFor).toContain('hardware module');
    expect(await has(own.account)).toBe(0);
  });
});
