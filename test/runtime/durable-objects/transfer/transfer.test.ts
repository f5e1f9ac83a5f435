import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { and, eq } from 'drizzle-orm';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { initiateTransfer, type StatedPlace } from '../../../../application/bridge/initiate-transfer.ts';
import { lookAtChangedPlaces } from '../../../../application/bridge/look-at-places.ts';
import { tenantAt } from '../../../../application/bridge/tenant-at.ts';
import { withdraw } from '../../../../application/ledger/transfers.ts';
import { findShownTransfer } from '../../../../data/bridge/transfers.ts';
import { type Database, database } from '../../../../data/database.ts';
import { bridgeOrganizations, bridgeVaults } from '../../../../data/schema/bridge.ts';
import { ledgerMovement } from '../../../../domain/bridge/ledger-movement.ts';
import { isBridgeEvent } from '../../../../domain/bridge/told-changes.ts';
import type { Transfer } from '../../../../domain/bridge/transfer.ts';
import { DAY_MS } from '../../../../domain/calendar/durations.ts';
import { bridgeMovementId } from '../../../../domain/ledger/bridge-movement-id.ts';
import { chainsOf } from '../../../../durable-objects/bridge-chains/chains-of.ts';
import { ledgerSight } from '../../../../durable-objects/bridge-chains/ledger-sight.ts';
import { ledgerOf } from '../../../../durable-objects/ledger/api.ts';
import { bridgeTransferOf, type TransferView } from '../../../../durable-objects/transfer/api.ts';
import { type BridgeOrganization, CUSTOMER, createBridgeOrganization } from '../../fixtures/bridge-organization.ts';
import { call } from '../../fixtures/call.ts';
import {
  INSIDE,
  initiated as initiatedBy,
  OUTSIDE,
  paidIn,
  reached,
  until,
  withRecord,
} from '../../fixtures/carry-transfer.ts';
import { bridgeFaults, clearBridgeFaults } from '../../fixtures/faulty-transfer.ts';
import { giveBalance } from '../../fixtures/give-balance.ts';
import { MODULE_REFUSES, MODULE_SIGNS_WRONGLY } from '../../fixtures/hardware-module-amounts.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { hasChains, onChains } from '../../fixtures/on-chains.ts';
import { createPartner } from '../../fixtures/partner-client.ts';
import { type ToldTransfer, toldTransfers } from '../../fixtures/told-transfers.ts';
import { outsideReceiver, verified } from '../../fixtures/webhook-receiver.ts';

if (!hasChains) console.warn('transfers of the bridge are not tested: there is no devnet for this machine');

let db: Database;
let acme: BridgeOrganization;

beforeAll(async () => {
  db = database(env.DB);
  await migrate();
  if (hasChains) acme = await createBridgeOrganization(db);
});

afterEach(clearBridgeFaults);

const initiated = (source: StatedPlace, destination: StatedPlace, amount?: number, by = acme) =>
  initiatedBy(by, source, destination, amount);

async function has(account: string): Promise<number> {
  const balances = await ledgerOf(env).balances(account);
  return balances.find(({ asset }) => asset === 'usdc')?.available ?? 0;
}

async function takeBalance(account: string, amount: number): Promise<void> {
  const of = { id: uuidv7(), account, asset: 'usdc', amount, reference: null, createdAt: Date.now(), action: null };
  const taken = await withdraw(env, of);
  if (!taken.ok) throw new Error(JSON.stringify(taken.error));
}

const outside = () => onChains<string>({ do: 'balance', chain: 'ethereum', token: acme.token, holder: CUSTOMER });
const inside = () => onChains<string>({ do: 'balance', chain: 'exchange', token: acme.wrapped, holder: CUSTOMER });
/** Of a coin, in the asset's units. */
const UNIT = 1_000_000;
const steps = ({ history }: Transfer) => history.map(({ to }) => to);
/** States that a tenant is told of a transfer, by what it has gone through. */
const toldSteps = (transfer: Transfer) =>
  ['awaiting_funds', ...steps(transfer)].filter((state) => isBridgeEvent(`bridge.transfer.${state}`));

/** That the transfer's tenant was told of each of its changes once, in order. */
function expectTold(all: readonly ToldTransfer[], { terms, transfer }: TransferView): void {
  const told = all.filter(({ transfer_id: id }) => id === terms.id);
  const came = told.filter(({ state, webhook_event: { event_type: type } }) => type === `bridge.transfer.${state}`);
  expect(came.map(({ state }) => state)).toEqual(toldSteps(transfer));
  expect(told.map(({ sequence }) => sequence)).toEqual(told.map((_, at) => at + 1));
  expect(new Set(told.map(({ webhook_event: { event_id: id } }) => id)).size).toBe(told.length);
}

/** Whether the vault of the source has the transfer's funds for good, and how many references its payments still take there. */
async function atSource({ terms, settings: { source }, commitment }: TransferView) {
  if (source === null) throw new Error('an account has no vault');
  const name = `${terms.organization}/${await chainsOf(env).referencesOf(source)}`;
  return runInDurableObject(env.CHAIN_WATCHER.getByName(name), (_, { storage: { sql } }) => ({
    deposits: sql.exec('SELECT 1 FROM deposits WHERE commitment = ?', commitment).toArray().length,
    taken: sql.exec('SELECT 1 FROM payments WHERE commitment = ? AND is_over = 0', commitment).toArray().length,
  }));
}

const whose = (change: Partial<Transfer>) => (transfer: Transfer) => ({ transfer: { ...transfer, ...change } });

describe.skipIf(!hasChains)('a transfer of the bridge', () => {
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
        'events written',
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
        'events written',
      ],
    };
    const ended: TransferView[] = [];
    for (const kill of points.inward) {
      const before = await has(acme.account);
      const transfer = await initiated(OUTSIDE, { account: acme.account }, 3);
      await paidIn(transfer);
      bridgeFaults.kills = [kill];
      const done = await reached(transfer.terms.id, 'confirmed');
      expect([kill, bridgeFaults.kills]).toEqual([kill, []]);
      ended.push(done);
      expect([kill, (await has(acme.account)) - before]).toEqual([kill, 3_000_000]);
      // A contract's deposit is the vault's as it comes: nobody has to offer it to payments.
      expect([kill, await atSource(done)]).toEqual([kill, { deposits: 0, taken: 0 }]);
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
        ended.push(await reached(row?.id ?? '', 'confirmed'));
      } else ended.push(await reached(id, 'confirmed'));
      expect([kill, account - (await has(acme.account))]).toEqual([kill, 2_000_000]);
      expect([kill, BigInt(await outside()) - wallet]).toEqual([kill, 2_000_000n]);
    }
    const told = await toldTransfers(acme.organization);
    for (const each of ended) expectTold(told, each);
  });

  test('is told to its organization alone, by its webhook and by the list, as it is shown', async () => {
    const [receiver, strange] = [outsideReceiver(), outsideReceiver()];
    const stranger = await createPartner(db, 'bridge_tenant');
    const events = ['bridge.transfer.confirming', 'bridge.transfer.confirmed'];
    const body = { url: receiver.url, events, ordering: 'security' };
    const { body: endpoint } = await acme.client.post<{ secret: string }>('/v1/webhooks', body);
    expect((await stranger.client.post('/v1/webhooks', { ...body, url: strange.url })).status).toBe(201);
    const transfer = await initiated(OUTSIDE, { account: acme.account }, 1);
    await paidIn(transfer);
    const done = await reached(transfer.terms.id, 'confirmed');
    const webhooks = await receiver.receives(2);
    const sent = webhooks.map((webhook) => verified(endpoint.secret, webhook) as unknown as ToldTransfer);
    expect(sent.map(({ webhook_event: { event_type: type } }) => type)).toEqual(events);

    expectTold(await toldTransfers(acme.organization), done);
    const address = `/v1/events?types=${events[1]}&after=${sent[0]?.webhook_event.event_id}`;
    const listed = (await acme.client.get<{ events: ToldTransfer[] }>(address)).body.events;
    const last = listed.find(({ transfer_id: id }) => id === transfer.terms.id);
    const head = last?.webhook_event;
    expect(sent[1]).toEqual({ ...last, webhook_event: { ...head, endpoint: receiver.url } });

    const path = `/bridge/api/v1/transfer/${transfer.terms.id}?hostname=${acme.hostname}`;
    const shown = (await call(`GET ${path}`, { headers: acme.headers })).body as Record<
      string,
      Record<string, unknown>
    >;
    const { single_operator: __, ...quote } = shown.quote ?? {};
    expect(last).toMatchObject({ transfer_id: shown.id, hostname: acme.hostname, quote, from: 'signing' });
    for (const field of ['state', 'asset', 'source', 'destination', 'commitment', 'funds', 'payment', 'other_funds'])
      expect([field, last?.[field as 'state']]).toEqual([field, shown[field]]);
    for (const field of ['returned_to', 'refund_reason', 'debit_refusal', 'is_uncovered', 'waits_until', 'created_at'])
      expect([field, last?.[field as 'state']]).toEqual([field, shown[field]]);

    expect((await stranger.client.get('/v1/events')).body).toMatchObject({ events: [], next_after: null });
    expect(await strange.received()).toEqual([]);
  });

  test('goes on by itself, and is in the list, where its object is killed as it begins', async () => {
    bridgeFaults.kills = ['begun'];
    const { terms } = await initiated(OUTSIDE, INSIDE, 1);
    expect(bridgeFaults.kills).toEqual([]);
    const object = env.BRIDGE_TRANSFER.getByName(terms.id);
    expect(await runInDurableObject(object, (_, { storage }) => storage.getAlarm())).not.toBeNull();
    expect(await runDurableObjectAlarm(object)).toBe(true);
    expect(await findShownTransfer(db, terms.organization, terms.id)).toMatchObject({ state: 'awaiting_funds' });
    const told = await toldTransfers(acme.organization);
    expect(told.filter(({ transfer_id: id }) => id === terms.id).map(({ state }) => state)).toEqual(['awaiting_funds']);
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

  test('begun again, stands where it stood', async () => {
    const transfer = await initiated(OUTSIDE, INSIDE, 1);
    await paidIn(transfer);
    const { transfer: done } = await reached(transfer.terms.id, 'confirmed');
    const { terms, settings, place, hostname, createdAt } = transfer;
    const again = await bridgeTransferOf(env, terms.id).begin({ terms, settings, place, hostname, createdAt });
    expect(again.transfer).toEqual(done);
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
    Object.assign(bridgeFaults, { of: request.id, kills: ['begun', 'before debit'] });
    await expect(initiateTransfer(env, of, request)).rejects.toThrow('killed');
    expect(await initiateTransfer(env, of, request)).toMatchObject({ ok: true });
    expect(before - (await has(acme.account))).toBe(1_000_000);
    await reached(request.id, 'confirmed');
  });

  test('has its account debited once, and goes on, where it was lost right after the debit was noted', async () => {
    const inward = await initiated(OUTSIDE, { account: acme.account }, 1);
    await paidIn(inward);
    await reached(inward.terms.id, 'confirmed');
    const tenant = await tenantAt(env, acme.hostname);
    const of = { ...tenant, organization: acme.organization } as never;
    const request = { id: uuidv7(), asset: 'USDC', amount: 1, source: { account: acme.account }, destination: OUTSIDE };
    const before = await has(acme.account);
    Object.assign(bridgeFaults, { of: request.id, kills: ['debit noted'] });
    await initiateTransfer(env, of, request).catch(() => null);
    await initiateTransfer(env, of, request);
    await reached(request.id, 'confirmed');
    expect(before - (await has(acme.account))).toBe(1_000_000);
    expect(bridgeFaults.kills).toEqual([]);
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

  test.each(['away', 'blind'] as const)('waits while three signers are %s, and pays nothing', async (fault) => {
    bridgeFaults[fault] = [0, 2, 4];
    const transfer = await initiated(OUTSIDE, INSIDE, 1);
    await paidIn(transfer);
    for (let push = 0; push < 5; push++) await bridgeTransferOf(env, transfer.terms.id).push();
    expect((await bridgeTransferOf(env, transfer.terms.id).view())?.transfer).toMatchObject({
      state: 'attesting',
      refusedBy: [],
      payment: null,
    });
    clearBridgeFaults();
    await reached(transfer.terms.id, 'confirmed');
  });

  test('begins by no vault and no guard that signers do not know, whatever D1 says of them', async () => {
    const own = await createBridgeOrganization(db);
    const before = await initiated(OUTSIDE, { account: own.account }, 3, own);
    await paidIn(before);
    await reached(before.terms.id, 'confirmed');
    const another = await createBridgeOrganization(db);
    const isVault = and(eq(bridgeVaults.organization, own.organization), eq(bridgeVaults.chain, 'ethereum'));
    const [vault] = await db.select().from(bridgeVaults).where(isVault);
    if (vault === undefined) throw new Error('there is no vault');
    const state = (contract: string, guard: string) =>
      Promise.all([
        db
          .update(bridgeVaults)
          .set({ place: { ...vault.place, contract } })
          .where(isVault),
        db.update(bridgeOrganizations).set({ guard }).where(eq(bridgeOrganizations.organization, own.organization)),
      ]);
    for (const [contract, guard] of [
      [own.vault, another.guard],
      [another.vault, own.guard],
    ] as const) {
      await state(contract, guard);
      for (const refusal of ['other places', 'too few signers'])
        await expect(initiated({ account: own.account }, OUTSIDE, 1, own)).rejects.toThrow(refusal);
      await state(own.vault, own.guard);
    }
    expect(await has(own.account)).toBe(3_000_000);
    const after = await initiated({ account: own.account }, OUTSIDE, 1, own);
    await reached(after.terms.id, 'confirmed');
  });

  test('is carried on by the guard that it began with', async () => {
    const own = await createBridgeOrganization(db);
    const transfer = await initiated(OUTSIDE, INSIDE, 2, own);
    const { guard } = await createBridgeOrganization(db);
    const change = { next: { guard, stake: own.stake, coSignFrom: {} }, nextFrom: Date.now() + 2.5 * DAY_MS };
    await db.update(bridgeOrganizations).set(change).where(eq(bridgeOrganizations.organization, own.organization));
    await lookAtChangedPlaces(env, Date.now());
    bridgeFaults.signersAhead_ms = 3 * DAY_MS;
    await paidIn(transfer);
    await reached(transfer.terms.id, 'confirmed');
  });

  test('waits, with its reference, while three signers that have attested are away', async () => {
    const transfer = await initiated(OUTSIDE, INSIDE, 1);
    await paidIn(transfer);
    bridgeFaults.at['payment fixed'] = async () => {
      bridgeFaults.away = [0, 2, 4];
    };
    const waiting = await until(transfer.terms.id, ({ waitsFor }) => waitsFor?.includes('too few signers') === true);
    expect(waiting.transfer).toMatchObject({ state: 'signing', payment: { kind: 'payout' }, refundReason: null });
    clearBridgeFaults();
    await reached(transfer.terms.id, 'confirmed');
  });

  test('goes back once signers were away for too long, and its refund by another reference', async () => {
    const before = BigInt(await outside());
    const transfer = await initiated(OUTSIDE, INSIDE, 6);
    const { id } = transfer.terms;
    await paidIn(transfer);
    for (const state of ['signing', 'refund_signing'] as const) {
      bridgeFaults.at['payment fixed'] = async () => {
        bridgeFaults.away = [0, 2, 4];
      };
      const waiting = await until(id, ({ waitsFor }) => waitsFor?.includes('too few signers') === true);
      expect(waiting.transfer).toMatchObject({ state, payment: { isAbandoned: false } });
      expect(waiting.transfer.until).toBeGreaterThan(Date.now());
      await withRecord(transfer, whose({ until: Date.now() }));
      await until(id, () => true);
      clearBridgeFaults();
    }
    const end = await reached(id, 'refunded');
    expect(end.transfer).toMatchObject({ refundReason: 'timed_out', isUncovered: false });
    expect(end.transfer.cancelled).toHaveLength(2);
    expect(BigInt(await outside()) - before).toBe(6_000_000n);
    expect(await atSource(end)).toMatchObject({ taken: 0 });
  });

  test('loses nothing where a node does not show its funds for a moment', async () => {
    const transfer = await initiated(OUTSIDE, INSIDE, 2);
    const { id } = transfer.terms;
    await paidIn(transfer);
    bridgeFaults.missing_ms = 60_000;
    bridgeFaults.at['payment fixed'] = async () => {
      bridgeFaults.at = {};
      bridgeFaults.answers.deposits = [[], []];
    };
    const missing = await until(id, ({ waitsFor }) => waitsFor === 'the source does not show its funds now');
    expect(missing.transfer).toMatchObject({ state: 'signing', funds: { isLost: false } });
    const done = await reached(id, 'confirmed');
    expect(done.transfer).toMatchObject({ cancelled: [], isUncovered: false });
    expect(steps(done.transfer)).not.toContain('awaiting_funds');
    // Missing again later, it is given the whole time again.
    bridgeFaults.answers.deposits = [[]];
    await bridgeTransferOf(env, id).push();
    expect((await bridgeTransferOf(env, id).view())?.transfer.funds?.isLost).toBe(false);
    await withRecord(transfer, () => ({ missingSince: Date.now() - 60_000 }));
    bridgeFaults.answers.deposits = [[]];
    const lost = await until(id, ({ transfer: of }) => of.isUncovered);
    expect(lost.transfer).toMatchObject({ state: 'confirmed', funds: { isLost: true } });
    expect((await until(id, ({ transfer: of }) => !of.isUncovered)).transfer.state).toBe('confirmed');
  });

  test('is paid where its funds came in time, and were shown after its quote had ended', async () => {
    const transfer = await initiated(OUTSIDE, INSIDE, 2);
    const { source } = transfer.settings;
    await paidIn(transfer);
    const [deposit] = source === null ? [] : await chainsOf(env).deposits(source, transfer.commitment, CUSTOMER);
    if (deposit?.at === undefined) throw new Error('the chain does not say when');
    const ended = { state: 'expired', funds: null, history: [] } as const;
    await withRecord(transfer, whose({ ...ended, expiresAt: deposit.at }));
    await reached(transfer.terms.id, 'confirmed');
    const late = await initiated(OUTSIDE, INSIDE, 2);
    await paidIn(late);
    await withRecord(late, whose({ ...ended, expiresAt: deposit.at - 1_000 }));
    expect((await reached(late.terms.id, 'refunded')).transfer.refundReason).toBe('late');
  });

  test('from an account does not end before the ledger has answered whether it was debited', async () => {
    const inward = await initiated(OUTSIDE, { account: acme.account }, 2);
    await paidIn(inward);
    await reached(inward.terms.id, 'confirmed');
    bridgeFaults.isLedgerAway = true;
    const transfer = await initiated({ account: acme.account }, OUTSIDE, 2);
    expect(transfer).toMatchObject({ transfer: { state: 'awaiting_funds' }, waitsFor: 'the ledger is away' });
    await withRecord(transfer, whose({ expiresAt: Date.now() - 1 }));
    const waiting = await until(transfer.terms.id, ({ waitsFor }) => waitsFor === 'the ledger is away');
    expect(waiting.transfer).toMatchObject({ state: 'awaiting_funds', history: [] });
    bridgeFaults.isLedgerAway = false;
    await reached(transfer.terms.id, 'confirmed');
  });

  test('frees a reference that was chosen and not fixed, where its funds are taken away', async () => {
    const before = BigInt(await outside());
    const transfer = await initiated(OUTSIDE, INSIDE, 4);
    const snapshot = await onChains<string>({ do: 'snapshot' });
    await paidIn(transfer, '3999999');
    bridgeFaults.kills = ['reference chosen'];
    bridgeFaults.at['reference chosen'] = async () => {
      bridgeFaults.at = {};
      await onChains({ do: 'revert', snapshot });
    };
    const without = await until(
      transfer.terms.id,
      ({ transfer: of }) => of.state === 'awaiting_funds' && of.funds?.isLost === true,
    );
    expect(without.transfer).toMatchObject({ payment: null, cancelled: [] });
    expect(await atSource(without)).toEqual({ deposits: 0, taken: 0 });
    await paidIn(transfer, '3999998');
    await reached(transfer.terms.id, 'refunded');
    expect(BigInt(await outside()) - before).toBe(3_999_998n);
  });

  test('waits until the guard shows that it was counted', async () => {
    const before = await has(acme.account);
    const transfer = await initiated(OUTSIDE, { account: acme.account }, 1);
    await paidIn(transfer);
    bridgeFaults.answers.clearance = [null];
    const waiting = await until(transfer.terms.id, ({ waitsFor }) => waitsFor?.includes('not counted') === true);
    expect([waiting.transfer.state, await has(acme.account)]).toEqual(['limit_check', before]);
    await reached(transfer.terms.id, 'confirmed');
  });

  test('has the guard count it again where that has forgotten it, and waits for room', async () => {
    const transfer = await initiated(OUTSIDE, INSIDE, 1);
    await paidIn(transfer);
    bridgeFaults.at['payment fixed'] = async () => {
      bridgeFaults.at = {};
      Object.assign(bridgeFaults.answers, { clearance: [null], requestClearance: ['over_limit'] });
    };
    const waiting = await until(transfer.terms.id, ({ waitsFor }) => waitsFor?.includes('no room') === true);
    expect(waiting.transfer).toMatchObject({ state: 'signing', payment: { kind: 'payout' }, refundReason: null });
    await reached(transfer.terms.id, 'confirmed');
  });

  test('goes by the depth that its source asks for', async () => {
    const transfer = await initiated(OUTSIDE, INSIDE, 1);
    await paidIn(transfer);
    bridgeFaults.answers.confirmationsNeeded = [1_000_000];
    const waiting = await bridgeTransferOf(env, transfer.terms.id).push();
    expect(waiting?.transfer.state).toBe('confirming');
  });

  test('is paid again, once, where a reorganization has taken its payment away after its end', async () => {
    const inward = await initiated(OUTSIDE, { account: acme.account }, 3);
    await paidIn(inward);
    await reached(inward.terms.id, 'confirmed');
    const transfer = await initiated({ account: acme.account }, OUTSIDE, 3);
    let snapshot = '';
    bridgeFaults.at['before broadcast'] = async () => {
      bridgeFaults.at = {};
      snapshot = await onChains<string>({ do: 'snapshot' });
    };
    const before = BigInt(await outside());
    await reached(transfer.terms.id, 'confirmed');
    await onChains({ do: 'revert', snapshot });
    expect(BigInt(await outside())).toBe(before);
    for (let push = 0; push < 2; push++) {
      await bridgeTransferOf(env, transfer.terms.id).push();
      expect(BigInt(await outside()) - before).toBe(3_000_000n);
    }
    expect((await bridgeTransferOf(env, transfer.terms.id).view())?.transfer.state).toBe('confirmed');
  });

  test('is not given back again where its deposit went with its refund', async () => {
    const before = BigInt(await outside());
    const transfer = await initiated(OUTSIDE, INSIDE, 3);
    const { id } = transfer.terms;
    const snapshot = await onChains<string>({ do: 'snapshot' });
    await paidIn(transfer, '2999999');
    await reached(id, 'refunded');
    await onChains({ do: 'revert', snapshot });
    const without = await until(id, ({ transfer: of }) => of.isUncovered);
    await bridgeTransferOf(env, id).push();
    expect(without.transfer).toMatchObject({ state: 'refunded', funds: { isLost: true } });
    expect(BigInt(await outside())).toBe(before);
  });

  test('has been given back once its refund has landed, whatever its source shows of its funds then', async () => {
    const transfer = await initiated(OUTSIDE, INSIDE, 3);
    await paidIn(transfer, '2999999');
    bridgeFaults.at['after broadcast'] = async () => {
      bridgeFaults.failing = ['deposits'];
    };
    const end = await reached(transfer.terms.id, 'refunded');
    expect(end.transfer).toMatchObject({ isUncovered: false });
  });

  test('fixes no reference that three signers do not know, keeps none for it, and is paid once they do', async () => {
    bridgeFaults.unknowing = [0, 2, 4];
    const transfer = await initiated(OUTSIDE, INSIDE, 3);
    await paidIn(transfer);
    const waiting = await until(transfer.terms.id, ({ waitsFor }) => waitsFor?.includes('no such coin') === true);
    expect(waiting.transfer).toMatchObject({ state: 'signing', payment: null });
    const name = `${acme.organization}/${await chainsOf(env).referencesOf(waiting.settings.destination!)}`;
    const taken = await runInDurableObject(env.CHAIN_WATCHER.getByName(name), (_, { storage: { sql } }) =>
      sql.exec('SELECT 1 FROM payments WHERE commitment = ?', waiting.commitment).toArray(),
    );
    expect(taken).toEqual([]);
    bridgeFaults.unknowing = [1, 3];
    const done = await reached(transfer.terms.id, 'confirmed');
    expect(done.transfer.cancelled).toEqual([]);
  });

  test('goes back, and takes no reference, where its payment could never be built', async () => {
    const before = BigInt(await outside());
    const transfer = await initiated(OUTSIDE, INSIDE, 3);
    await paidIn(transfer);
    bridgeFaults.at['after limit_check'] = async () => {
      bridgeFaults.isUnbuildable = true;
    };
    const waiting = await until(transfer.terms.id, ({ waitsFor }) => waitsFor === 'the payment cannot be built');
    expect(waiting.transfer).toMatchObject({ state: 'refundable', refundReason: 'unsignable', payment: null });
    bridgeFaults.isUnbuildable = false;
    await reached(transfer.terms.id, 'refunded');
    expect(BigInt(await outside()) - before).toBe(3_000_000n);
  });

  test('takes another reference where that of its refund has lapsed while signers were away', async () => {
    const transfer = await initiated(OUTSIDE, INSIDE, 3);
    const { id } = transfer.terms;
    await paidIn(transfer, '2999999');
    bridgeFaults.away = [0, 2, 4];
    const waiting = await until(id, ({ waitsFor }) => waitsFor?.includes('too few signers') === true);
    const lapsed = waiting.transfer.payment?.reference ?? '';
    bridgeFaults.answers.statusOf = [{ state: 'void', transaction: '0x', confirmations: 0 }];
    const shallow = await until(id, ({ waitsFor }) => waitsFor?.includes('not deep enough') === true);
    expect(shallow.transfer).toMatchObject({ state: 'refund_signing', payment: { reference: lapsed }, cancelled: [] });
    bridgeFaults.answers.statusOf = [{ state: 'void', transaction: '0x', confirmations: 1 }];
    const again = await until(id, ({ transfer: of }) => of.cancelled.length > 0 && of.payment !== null);
    expect(again.transfer).toMatchObject({ state: 'refund_signing', cancelled: [lapsed] });
    expect(again.transfer.payment?.reference).not.toBe(lapsed);
  });

  test('gives back what a refund that failed in its block has left, or what has come instead', async () => {
    const transfer = await initiated(OUTSIDE, INSIDE, 3);
    const { id } = transfer.terms;
    await paidIn(transfer, '2999999');
    bridgeFaults.away = [0, 2, 4];
    await until(id, ({ waitsFor }) => waitsFor?.includes('too few signers') === true);
    const { source } = transfer.settings;
    const [deposit] = source === null ? [] : await chainsOf(env).deposits(source, transfer.commitment, CUSTOMER);
    bridgeFaults.answers.statusOf = [{ state: 'void', transaction: '0x', confirmations: 1 }];
    bridgeFaults.answers.deposits = Array.from({ length: 2_000 }, () => [{ ...deposit, amount: '2999000' }]);
    // They have not seen what has come instead, and let no more go back than they have.
    const again = await until(
      id,
      ({ waitsFor }) => waitsFor?.includes('another amount than came would go back') === true,
    );
    expect(again.transfer).toMatchObject({
      state: 'refundable',
      funds: { reference: deposit?.reference, amount: '2999000' },
      refundReason: 'wrong_amount',
      payment: null,
    });
    expect(again.transfer.cancelled).toHaveLength(1);
  });

  test('goes by what its deposit has become, where more comes to the same', async () => {
    const transfer = await initiated(OUTSIDE, INSIDE, 3);
    await paidIn(transfer);
    const { source } = transfer.settings;
    const [deposit] = source === null ? [] : await chainsOf(env).deposits(source, transfer.commitment, CUSTOMER);
    bridgeFaults.answers.deposits = [[{ ...deposit, amount: '999', confirmations: 0 }]];
    const done = await reached(transfer.terms.id, 'confirmed');
    expect(done.transfer.funds).toMatchObject({ amount: '3000000', reference: deposit?.reference });
    expect(steps(done.transfer).slice(0, 3)).toEqual(['confirming', 'awaiting_funds', 'confirming']);
  });

  test('is paid, or cancelled, once that is deep enough', async () => {
    const transfer = await initiated(OUTSIDE, INSIDE, 1);
    await paidIn(transfer);
    const { id } = transfer.terms;
    bridgeFaults.at['before broadcast'] = async () => {
      bridgeFaults.at = {};
      bridgeFaults.answers.statusOf = [{ state: 'paid', transaction: '0x', confirmations: 0 }];
    };
    await reached(id, 'broadcast');
    for (const state of ['paid', 'void'] as const) {
      bridgeFaults.answers.statusOf = [{ state, transaction: '0x', confirmations: 0 }];
      await until(id, () => bridgeFaults.answers.statusOf?.length === 0);
      expect((await bridgeTransferOf(env, id).view())?.transfer.state).toBe('broadcast');
    }
    await reached(id, 'confirmed');
  });

  test('gives nothing back that was paid, whatever the coordinator takes for void', async () => {
    const before = BigInt(await outside());
    const transfer = await initiated(OUTSIDE, INSIDE, 1);
    await paidIn(transfer);
    bridgeFaults.at['after broadcast'] = async () => {
      bridgeFaults.at = {};
      bridgeFaults.answers.statusOf = [{ state: 'void', transaction: '0x', confirmations: 1 }];
    };
    const waiting = await until(transfer.terms.id, ({ waitsFor }) => waitsFor?.includes('was paid') === true);
    expect(waiting.transfer).toMatchObject({ state: 'refund_signing', refundReason: 'unpayable' });
    expect(BigInt(await outside())).toBe(before);
  });

  test('that signers refuse for good is cancelled and given back', async () => {
    const transfer = await initiated(OUTSIDE, INSIDE, 2);
    await paidIn(transfer);
    bridgeFaults.at['payment fixed'] = async () => {
      bridgeFaults.at = {};
      await onChains({ do: 'veto', guard: acme.guard, commitment: transfer.commitment });
      bridgeFaults.answers.clearance = [{ amount: transfer.terms.amount, clearAt: 0, isVetoed: false }];
    };
    const before = [BigInt(await inside()), BigInt(await outside())] as const;
    const end = await reached(transfer.terms.id, 'refunded');
    expect(end.transfer).toMatchObject({ refundReason: 'unsignable' });
    expect([BigInt(await inside()) - before[0], BigInt(await outside()) - before[1]]).toEqual([0n, 2_000_000n]);
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
    const done = await reached(transfer.terms.id, 'confirmed');
    expect(BigInt(await inside()) - before).toBe(6_000_000n);
    expect(steps(done.transfer)).toContain('awaiting_funds');
    expectTold(await toldTransfers(acme.organization), done);
  });

  test('is cancelled where its deposit is taken away, or a watchtower vetoes, between its reference and its payment', async () => {
    for (const cause of ['reorganization', 'veto'] as const) {
      const transfer = await initiated(OUTSIDE, INSIDE, 7);
      const snapshot = cause === 'veto' ? '' : await onChains<string>({ do: 'snapshot' });
      await paidIn(transfer);
      bridgeFaults.kills = ['payment fixed'];
      bridgeFaults.at['payment fixed'] = async () => {
        bridgeFaults.at = {};
        if (cause === 'veto') await onChains({ do: 'veto', guard: acme.guard, commitment: transfer.commitment });
        else await onChains({ do: 'revert', snapshot });
      };
      const before = [BigInt(await inside()), BigInt(await outside())] as const;
      const ends = cause === 'veto' ? 'refunded' : 'awaiting_funds';
      const end = await until(transfer.terms.id, ({ transfer: of }) => of.state === ends && of.cancelled.length > 0);
      const { settings, commitment, terms } = end;
      const [reference = '', ...more] = end.transfer.cancelled;
      expect(more).toEqual([]);
      // Nobody can hand in a payout of that reference any more.
      const payout = { kind: 'payout', commitment, reference, to: CUSTOMER, amount: terms.amountOut } as const;
      const status = settings.destination && (await chainsOf(env).statusOf(settings.destination, payout));
      expect(status).toMatchObject({ state: 'void' });
      expect(BigInt(await inside())).toBe(before[0]);
      if (cause === 'veto') expect(BigInt(await outside()) - before[1]).toBe(7_000_000n);
      const told = await toldTransfers(acme.organization);
      expectTold(told, end);
      const cancelling = told.filter(
        ({ transfer_id: id, webhook_event: { event_type: type } }) =>
          id === terms.id && type === 'bridge.transfer.cancelling',
      );
      const why = cause === 'veto' ? { refund_reason: 'vetoed' } : { refund_reason: null, funds: { is_lost: true } };
      expect(cancelling).toMatchObject([{ state: 'signing', payment: { kind: 'payout', reference }, ...why }]);
    }
  });

  test('that is vetoed is cancelled once that is deep, and stands where it was paid before', async () => {
    for (const state of ['void', 'paid'] as const) {
      const transfer = await initiated(OUTSIDE, INSIDE, 1);
      await paidIn(transfer);
      bridgeFaults.at['payment fixed'] = async () => {
        bridgeFaults.at = {};
        await onChains({ do: 'veto', guard: acme.guard, commitment: transfer.commitment });
        bridgeFaults.answers.statusOf = [{ state, transaction: '0x', confirmations: 0 }];
      };
      const vetoed = await until(transfer.terms.id, () => bridgeFaults.answers.statusOf?.length === 0);
      expect(vetoed.transfer).toMatchObject({ state: 'signing', refundReason: 'vetoed' });
      if (state === 'paid') bridgeFaults.answers.statusOf = [{ state, transaction: '0x', confirmations: 1 }];
      await reached(transfer.terms.id, state === 'paid' ? 'confirmed' : 'refunded');
    }
  });

  test('that was minted before it was vetoed stands, wherever its object was killed', async () => {
    const transfer = await initiated(OUTSIDE, { account: acme.account }, 3);
    await paidIn(transfer);
    bridgeFaults.kills = ['after mint'];
    bridgeFaults.at['after mint'] = async () => {
      bridgeFaults.at = {};
      await onChains({ do: 'veto', guard: acme.guard, commitment: transfer.commitment });
    };
    const before = [await has(acme.account), BigInt(await outside())] as const;
    const end = await reached(transfer.terms.id, 'confirmed');
    expect(end.transfer.cancelled).toEqual([]);
    expect([(await has(acme.account)) - before[0], BigInt(await outside())]).toEqual([3_000_000, before[1]]);
  });

  test('mints nothing where a watchtower vetoes between its reference and its mint', async () => {
    const transfer = await initiated(OUTSIDE, { account: acme.account }, 7);
    await paidIn(transfer);
    bridgeFaults.at['payment fixed'] = async () => {
      bridgeFaults.at = {};
      await onChains({ do: 'veto', guard: acme.guard, commitment: transfer.commitment });
    };
    const before = [await has(acme.account), BigInt(await outside())] as const;
    const end = await reached(transfer.terms.id, 'refunded');
    expect(end.transfer).toMatchObject({ refundReason: 'vetoed' });
    expect(end.transfer.cancelled).toHaveLength(1);
    // A mint that was under way meanwhile finds its id taken.
    const { terms, settings, createdAt } = transfer;
    const late = await ledgerOf(env).transact({
      kind: 'bridge',
      id: end.transfer.cancelled[0] ?? '',
      transfer: terms.id,
      type: 'mint',
      account: acme.account,
      asset: settings.assetId,
      amount: Number(terms.amountOut),
      vault: { organization: acme.organization, chain: 'ethereum' },
      createdAt,
    });
    expect(late).toEqual({ type: 'id_conflict' });
    expect([await has(acme.account), BigInt(await outside()) - before[1]]).toEqual([before[0], 7_000_000n]);
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
    const without = await until(
      transfer.terms.id,
      ({ transfer: of }) => of.state === 'awaiting_funds' && of.cancelled.length > 0,
    );
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
      expect([call, view?.waitsFor]).toEqual([call, `${call}: the chain does not answer as it should`]);
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

  test('gives back what is worth less than that costs by an operator’s order alone, to who has paid it in, and no push does', async () => {
    const before = BigInt(await outside());
    const transfer = await initiated(OUTSIDE, INSIDE, 3);
    const { id } = transfer.terms;
    expect(transfer.settings.refundWorth).toEqual({ coinWorth: null, flatFee: '0' });
    const refundWorth = { coinWorth: null, flatFee: '1000' };
    await withRecord(transfer, () => ({ settings: { ...transfer.settings, refundWorth } }));
    await paidIn(transfer, '999');
    const resting = await until(id, ({ restsFor }) => restsFor !== null);
    expect(resting).toMatchObject({ restsFor: CUSTOMER, waitsFor: expect.stringContaining('worth less') });
    expect((await bridgeTransferOf(env, id).push())?.transfer).toMatchObject({ state: 'refundable', payment: null });
    expect(await bridgeTransferOf(env, id).returnTo(`0x${'7'.repeat(40)}`)).toBe('not_now');
    expect(await bridgeTransferOf(env, id).returnTo(CUSTOMER)).toBe('ordered');
    const done = await reached(id, 'refunded');
    expect([done.restsFor, BigInt(await outside()) - before]).toEqual([null, 999n]);
    expect(await bridgeTransferOf(env, id).returnTo(CUSTOMER)).toBe('not_now');
  });

  test('tries two refunds that its payee has fail in blocks, and another for each order of an operator', async () => {
    const transfer = await initiated(OUTSIDE, INSIDE, 3);
    const { id } = transfer.terms;
    const failed = { raw: 'r', transaction: null };
    await withRecord(transfer, () => ({ signed: { 'refund a': failed, 'refund b': failed } }));
    await paidIn(transfer, '2999990');
    const resting = await until(id, ({ restsFor }) => restsFor !== null);
    expect(resting).toMatchObject({ restsFor: CUSTOMER, waitsFor: expect.stringContaining('come to nothing') });
    expect(await bridgeTransferOf(env, id).returnTo(CUSTOMER)).toBe('ordered');
    await reached(id, 'refunded');
  });

  test('is paid whatever specks somebody pays in beside its funds, before them or behind', async () => {
    for (const isFirst of [true, false]) {
      const before = await has(acme.account);
      const transfer = await initiated(OUTSIDE, { account: acme.account }, 8);
      if (!isFirst) await paidIn(transfer);
      const speck = { reference: 'speck', amount: '330', confirmations: 9 };
      bridgeFaults.specks = { [transfer.commitment]: [speck] };
      if (isFirst) {
        // However deep it is.
        expect((await bridgeTransferOf(env, transfer.terms.id).push())?.transfer.state).toBe('awaiting_funds');
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
    bridgeFaults.areRefundsApart = true;
    const between = await until(transfer.terms.id, ({ waitsFor }) => waitsFor?.includes('come to nothing') === true);
    expect(between.transfer).toMatchObject({ state: 'refundable', payment: null });
    expect(between.transfer.cancelled).toHaveLength(1);
    bridgeFaults.areRefundsApart = false;
    bridgeFaults.refusing = [];
    const done = await reached(transfer.terms.id, 'refunded');
    expect(done.transfer).toMatchObject({ refundReason: 'wrong_amount' });
    expect(BigInt(await outside()) - before).toBe(4_999_999n);
    expect(await atSource(done)).toMatchObject({ taken: 0 });
  });

  test('takes no reference for a payment that the guard’s list has no room for', async () => {
    const transfer = await initiated(OUTSIDE, INSIDE, 5);
    const payment = { kind: 'refund', commitment: transfer.commitment, reference: 'r', to: CUSTOMER, amount: '1' };
    await withRecord(transfer, () => ({ announced: Array.from({ length: 8 }, () => ({ side: 'source', payment })) }));
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

  test('is never paid by the ledger and given back: a signer that gives back has the ledger refuse the payout for good', async () => {
    const before = [await has(acme.account), BigInt(await outside())] as const;
    const transfer = await initiated(OUTSIDE, { account: acme.account }, 3);
    await paidIn(transfer);
    const seen: boolean[] = [];
    bridgeFaults.at['payment fixed'] = async () => {
      bridgeFaults.at = {};
      seen.push(await ledgerSight(env).voidPayout(transfer.terms));
    };
    const end = await reached(transfer.terms.id, 'refunded');
    expect(seen).toEqual([true]);
    expect(end.transfer).toMatchObject({ refundReason: 'unpayable', isUncovered: false });
    expect([await has(acme.account), BigInt(await outside()) - before[1]]).toEqual([before[0], 3_000_000n]);

    const paid = await initiated(OUTSIDE, { account: acme.account }, 2);
    await paidIn(paid);
    await reached(paid.terms.id, 'confirmed');
    expect(await ledgerSight(env).voidPayout(paid.terms)).toBe(false);
    expect((await has(acme.account)) - before[0]).toBe(2_000_000);
  });

  test('is paid out by the ledger where its own terms are, in full: not by a unit, and not by other terms of its id', async () => {
    const before = await has(acme.account);
    const sight = ledgerSight(env);
    const transfer = await initiated(OUTSIDE, { account: acme.account }, 3);
    const { terms } = transfer;
    const others = { ...terms, amountIn: '2000000' };
    const payment = {
      type: 'mint',
      purpose: 'payout',
      asset: 'usdc',
      createdAt: Date.now(),
      namesTerms: true,
    } as const;
    // Other terms of the same id take their own payout away, and no other one.
    expect(await sight.voidPayout(others)).toBe(true);
    expect(await ledgerOf(env).transact(ledgerMovement(terms, { ...payment, amount: '1' }))).toEqual({ type: 'done' });
    expect([await sight.hasPaidOut(terms), await sight.hasPaidOut(others)]).toEqual([false, false]);
    // Its id is taken by what is no payout of it, so it can be made no more.
    expect(await sight.voidPayout(terms)).toBe(true);

    const paid = { ...terms, id: uuidv7() };
    expect(await sight.voidPayout({ ...paid, amountIn: '2000000' })).toBe(true);
    const whole = ledgerMovement(paid, { ...payment, amount: paid.amountOut });
    expect(await ledgerOf(env).transact(whole)).toEqual({ type: 'done' });
    expect([await sight.hasPaidOut(paid), await sight.voidPayout(paid)]).toEqual([true, false]);
    expect(await sight.hasPaidOut({ ...paid, id: whole.id })).toBe(false);
    await takeBalance(acme.account, 1 + Number(paid.amountOut));
    expect(await has(acme.account)).toBe(before);
  });

  test('gives back what the ledger does not take, and waits where the ledger does not take that either', async () => {
    const own = await createBridgeOrganization(db);
    expect(await ledgerOf(env).projected()).toBe(true);
    const sum = `SELECT coalesce(sum(available + held), 0) AS sum FROM balances WHERE asset = 'usdc' AND boundary = 0`;
    const full = 2 ** 51 - 1 - ((await env.DB.prepare(sum).first<number>('sum')) ?? 0);
    await giveBalance({ accountId: own.account, asset: 'usdc', amount: full });
    const refused = await initiated(OUTSIDE, { account: own.account }, 5, own);
    await paidIn(refused);
    const end = await reached(refused.terms.id, 'refunded');
    expect(end.transfer).toMatchObject({ refundReason: 'unpayable' });
    await takeBalance(own.account, full);

    const inward = await initiated(OUTSIDE, { account: own.account }, 5, own);
    await paidIn(inward);
    await reached(inward.terms.id, 'confirmed');
    bridgeFaults.lying = [0, 1, 2];
    bridgeFaults.at['after debit'] = async () => {
      bridgeFaults.at = {};
      await giveBalance({ accountId: own.account, asset: 'usdc', amount: full - 1_000_000 });
    };
    const outward = await initiated({ account: own.account }, OUTSIDE, 4, own);
    const waiting = await until(
      outward.terms.id,
      ({ waitsFor }) => waitsFor?.startsWith('the ledger refuses') === true,
    );
    expect(waiting).toMatchObject({
      transfer: { state: 'refund_signing', refundReason: 'rejected' },
      waitsFor: 'the ledger refuses: balance_too_large',
    });
    expect(await ledgerSight(env).debit(outward.terms)).toMatchObject([{ amount: '4000000' }]);
    // B-04: the debit is of these terms, not of others of their id.
    const redirected = {
      ...outward.terms,
      destination: { kind: 'chain', chain: 'ethereum', address: own.account },
    } as const;
    expect(await ledgerSight(env).debit(redirected)).toEqual([]);
    // Nor of terms whose id is that of the debit itself, or of another movement of the transfer.
    for (const purpose of ['debit', 'payout', 'refund'] as const)
      for (const named of [outward.commitment, undefined]) {
        const id = bridgeMovementId(outward.terms.id, purpose, named);
        if (id === outward.terms.id) continue;
        expect(await ledgerSight(env).debit({ ...redirected, id }), `${purpose} as ${id}`).toEqual([]);
        expect(await ledgerSight(env).debit({ ...outward.terms, id }), `${purpose} as ${id}`).toEqual([]);
      }
    // One from before debits named their terms is found by its transfer's id.
    const old = { ...outward.terms, id: uuidv7() };
    const burn = { type: 'burn', purpose: 'debit', amount: '1000000', asset: 'usdc', createdAt: Date.now() } as const;
    expect(await ledgerOf(env).transact(ledgerMovement(old, burn))).toEqual({ type: 'done' });
    expect(await ledgerOf(env).projected()).toBe(true);
    expect(await ledgerSight(env).debit(old)).toMatchObject([{ amount: '1000000' }]);
    await takeBalance(own.account, 3_000_000);
    await reached(outward.terms.id, 'refunded');
    expect(await has(own.account)).toBe(full);
    // What was given back is no debit any more: no signer lets it leave.
    expect(await ledgerSight(env).debit(outward.terms)).toEqual([]);
    await takeBalance(own.account, full);
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
    const told = await toldTransfers(own.organization);
    expectTold(told, done);
    expect(told.at(-1)).toMatchObject({ state: 'refunded', refund_reason: 'queue_ended', payment: { kind: 'refund' } });
  });

  test('waits for the hardware module where its amount needs it', async () => {
    const own = await createBridgeOrganization(db, { coSignFrom: 5_000_000 });
    const transfer = await initiated(OUTSIDE, { account: own.account }, MODULE_REFUSES / UNIT, own);
    await paidIn(transfer);
    const waiting = await reached(transfer.terms.id, 'co_signing');
    expect(waiting.waitsFor).toContain('hardware module');
    expect(await has(own.account)).toBe(0);
    await onChains({ do: 'veto', guard: own.guard, commitment: transfer.commitment });
    const end = await reached(transfer.terms.id, 'refunded');
    expect(end.transfer).toMatchObject({ refundReason: 'vetoed', cancelled: [] });
    const told = await toldTransfers(own.organization);
    expectTold(told, end);
    expect(told.map(({ state, refund_reason: reason }) => [state, reason]).slice(-4)).toEqual([
      ['co_signing', null],
      ['refundable', 'vetoed'],
      ['refund_broadcast', 'vetoed'],
      ['refunded', 'vetoed'],
    ]);
  });

  test('C-03: is paid by the signature of the hardware module, in and out, and by no other key', async () => {
    const own = await createBridgeOrganization(db, { coSignFrom: 5_000_000 });
    const inward = await initiated(OUTSIDE, { account: own.account }, 6, own);
    await paidIn(inward);
    const booked = await reached(inward.terms.id, 'confirmed');
    expect(steps(booked.transfer)).toContain('co_signing');
    expect(await has(own.account)).toBe(6_000_000);
    const outward = await initiated({ account: own.account }, OUTSIDE, 6, own);
    const paid = await reached(outward.terms.id, 'confirmed');
    expect(steps(paid.transfer)).toContain('co_signing');

    const wrong = await initiated(OUTSIDE, { account: own.account }, MODULE_SIGNS_WRONGLY / UNIT, own);
    await paidIn(wrong);
    await reached(wrong.terms.id, 'co_signing');
    await until(wrong.terms.id, ({ waitsFor }) => waitsFor !== null);
    expect(await has(own.account)).toBe(0);
    await onChains({ do: 'veto', guard: own.guard, commitment: wrong.commitment });
    await reached(wrong.terms.id, 'refunded');
  });
});
