import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { type Address, createPublicClient, type Hex, http } from 'viem';
import { afterEach, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { adjustTrade } from '../../../../application/ledger/adjust-trade.ts';
import { runAudit } from '../../../../data/audit/run-audit.ts';
import type { Database } from '../../../../data/database.ts';
import { followSettlements } from '../../../../data/partner/settlements.ts';
import { VENUE_OWNER } from '../../../../domain/identity/venue.ts';
import { registryOf, writableRegistryOf } from '../../../../durable-objects/chain/registry-client.ts';
import { checkpointerOf } from '../../../../durable-objects/checkpointer/api.ts';
import { ledgerOf } from '../../../../durable-objects/ledger/api.ts';
import { recorderOf } from '../../../../durable-objects/recorder/api.ts';
import type { RecorderPoint } from '../../../../durable-objects/recorder/recorder.ts';
import { sequencerOf, wakeSequencer } from '../../../../durable-objects/sequencer/api.ts';
import { REGISTRY_ABI } from '../../../../protocol/registry/registry-abi.ts';
import { createKeyHolder, type KeyHolder } from '../../fixtures/book-client.ts';
import { createCurrency } from '../../fixtures/create-currency.ts';
import { createPair } from '../../fixtures/create-pair.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { signedIn } from '../../fixtures/exchange-client.ts';
import { random as randomBy } from '../../fixtures/fault-run.ts';
import { checkpointerFaults, clearCheckpointerFaults } from '../../fixtures/faulty-checkpointer.ts';
import { clearRecorderFaults, recorderFaults } from '../../fixtures/faulty-recorder.ts';
import { sequencerFaults } from '../../fixtures/faulty-sequencer.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { createPartner, createSecurity, type Partner } from '../../fixtures/partner-client.ts';
import { patience } from '../../fixtures/patience.ts';
import { settle } from '../../fixtures/settle.ts';
import { onlySkipTime, skipTime } from '../../fixtures/skip-time.ts';
import { createTestEndpoint, outsideReceiver, verified } from '../../fixtures/webhook-receiver.ts';

const hasDevnet = env.REGISTRY_RPC_URL !== '';
if (!hasDevnet) console.warn('recorder tests are skipped: there is no devnet for this machine');

let db: Database;
let lister: Partner;
let agent: Partner;
let seller: KeyHolder;
let buyer: KeyHolder;
let symbol: string;

/** Calls the devnet itself. */
async function devnet(method: string, ...params: unknown[]): Promise<unknown> {
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method, params });
  const answer = await fetch(env.REGISTRY_RPC_URL, {
    method: 'POST',
    body,
    headers: { 'content-type': 'application/json' },
  });
  const { result, error } = await answer.json<{ result?: unknown; error?: { message: string } }>();
  if (error !== undefined) throw new Error(error.message);
  return result;
}

const place = () => env.RECORDER.getByName('recorder');
const recorder = () => recorderOf(env);

async function trade(quantity = 1): Promise<string> {
  const order = { symbol, type: 'limit', size: quantity, price: 10, time_in_force: 'GTC' };
  expect((await seller.client.post('/v1/orders', { ...order, side: 'sell' })).status).toBeLessThan(300);
  expect((await buyer.client.post('/v1/orders', { ...order, side: 'buy' })).status).toBeLessThan(300);
  await settle(symbol);
  // It may be killed: then it goes on by itself.
  await wakeSequencer(env).catch(() => undefined);
  const last = 'SELECT id FROM trades WHERE book = ?1 ORDER BY sequence DESC LIMIT 1';
  const id = (await env.DB.prepare(last).bind(symbol).first<{ id: string }>())?.id ?? '';
  await followSettlements(db, [id], Date.now());
  return id;
}

/** Whether all that is final stands in the registry. */
async function isDone(): Promise<boolean> {
  const { finalHeight } = await sequencerOf(env).status();
  const { height, waiting, waitsFor } = await recorder().status();
  return height === finalHeight && waiting === 0 && waitsFor === null;
}

/** Rings the recorder's alarm, whenever it is due, until this is so. */
async function ringUntil(isSo: () => Promise<boolean>): Promise<void> {
  for (const isOver = patience(); !isOver(); ) {
    if (await isSo().catch(() => false)) return;
    const killed = () => undefined;
    await recorder().wake().catch(killed);
    await runDurableObjectAlarm(place()).catch(killed);
    await new Promise((resolve) => setTimeout(resolve, 5));
  }
  throw new Error(`fixture: the recorder does not come so far: ${JSON.stringify(await recorder().status())}`);
}

const ring = () => ringUntil(isDone);

/** Transactions that the registry has of a trade. */
async function recorded(id: string): Promise<(string | null)[]> {
  return ((await registryOf(env)?.recordsOf(id)) ?? []).map(({ transaction }) => transaction);
}

const verification = async (id: string) =>
  (await lister.client.get<Record<string, unknown>>(`/v1/settlements/${id}/verify`)).body;
const transactionsOf = async (id: string) =>
  (await lister.client.get<{ transactions: { tx_hash: string; block_number: number }[] }>(`/v1/settlements/${id}/txs`))
    .body.transactions;

async function toldOf(id: string): Promise<Record<string, unknown>[]> {
  const { results } = await env.DB.prepare(
    `SELECT payload FROM domain_events WHERE type = 'settlement.recorded' AND payload ->> 'trade_id' = ?1`,
  )
    .bind(id)
    .all<{ payload: string }>();
  return results.map(({ payload }) => JSON.parse(payload) as Record<string, unknown>);
}

describe.skipIf(!hasDevnet)('the recorder', () => {
  beforeAll(async () => {
    recorderFaults.isOn = true;
    db = await migrate();
    lister = await createPartner(db, 'cross_lister');
    agent = await createPartner(db, 'transfer_agent');
    await createCurrency(db);
    seller = await createKeyHolder(db);
    buyer = await createKeyHolder(db, { cash: 100_000_00 });
    const id = uuidv7();
    ({ symbol } = await createPair(db, 'RCD', { asset: { id } }));
    const registered = { transferAgent: agent.organization, agentState: 'accepted' } as const;
    await createSecurity(db, lister, { id, state: 'listed', market: symbol, symbol: 'RCD', ...registered });
    const shares = { account_id: seller.accountId, shares: 1_000, restriction_ends_at: null };
    expect((await agent.client.post(`/v1/captable/${id}/issuances`, shares)).status).toBe(200);
  });
  beforeEach(() => {
    recorderFaults.isOn = true;
  });
  afterEach(async () => {
    clearRecorderFaults();
    recorderFaults.isOn = true;
    await devnet('evm_setAutomine', true);
    await ring();
    expect((await recorder().status()).waiting).toBe(0);
  });

  test('brings each trade into the registry, where its partner finds it verified, with its transaction and its block', async () => {
    const receiver = outsideReceiver();
    const terms = { organization: lister.organization, events: ['settlement.recorded'] as const };
    const endpoint = await createTestEndpoint(receiver.url, terms);
    const id = await trade(3);
    expect(await verification(id)).toMatchObject({ status: 'not_recorded', finality: 'final' });
    await ring();
    const [transaction] = await recorded(id);
    const { status, registry_address } = await verification(id);
    expect({ status, registry_address }).toEqual({ status: 'verified', registry_address: env.REGISTRY_ADDRESS });
    const [shown] = await transactionsOf(id);
    expect(shown).toMatchObject({ tx_hash: transaction, explorer_link: null });
    expect(await toldOf(id)).toEqual([{ trade_id: id, tx_hash: transaction, block_number: shown?.block_number }]);
    const settlement = (await lister.client.get<{ status: string }>(`/v1/settlements/${id}`)).body;
    expect(settlement.status).toBe('recorded');
    const [webhook] = await receiver.receives(1);
    if (webhook === undefined) throw new Error('no webhook');
    expect(verified(endpoint.secret, webhook)).toMatchObject({
      trade_id: id,
      tx_hash: transaction,
      block_number: shown?.block_number,
    });
  });

  test('C-19: the blockchain_transaction_id that is told of a trade leads to the transaction that has recorded it', async () => {
    const receiver = outsideReceiver();
    const events = ['trade.executed'] as const;
    const { secret } = await createTestEndpoint(receiver.url, { organization: lister.organization, events });
    const id = await trade(2);
    const [webhook] = await receiver.receives(1);
    if (webhook === undefined) throw new Error('no webhook');
    const { webhook_event } = verified(secret, webhook) as { webhook_event: { blockchain_transaction_id: string } };
    const mapped = async () =>
      ((await registryOf(env)?.recordsOf(id)) ?? [])
        .filter(({ hash }) => `0x${hash}` === webhook_event.blockchain_transaction_id)
        .map(({ transaction }) => transaction);
    await ring();
    const [transaction, ...more] = await mapped();
    expect(transaction).toMatch(/^0x[0-9a-f]{64}$/);
    expect(more).toEqual([]);
    expect((await transactionsOf(id)).map(({ tx_hash }) => tx_hash)).toEqual([transaction]);
    const receipt = await devnet('eth_getTransactionReceipt', transaction);
    expect(receipt).toMatchObject({ status: '0x1', to: env.REGISTRY_ADDRESS.toLowerCase() });
  });

  test('records what an operator makes of a trade beside it, and tells the end of the settlement with its transaction', async () => {
    const id = await trade();
    await ring();
    const action = { id: uuidv7(), actor: 'operator', requestId: uuidv7() };
    await adjustTrade(env, { tradeId: id, price: null, reason: 'erroneous', action, now: Date.now() });
    expect(await ledgerOf(env).projected()).toBe(true);
    await wakeSequencer(env);
    await ring();
    const transactions = await recorded(id);
    expect(transactions).toHaveLength(2);
    expect((await transactionsOf(id)).map(({ tx_hash }) => tx_hash)).toEqual(transactions);
    expect(await toldOf(id)).toHaveLength(1);
    expect(await verification(id)).toMatchObject({ status: 'verified' });
    expect((await runAudit(db)).filter(({ holds }) => !holds)).toEqual([]);
  });

  test('shows one transaction that has recorded a trade and its bust once', async () => {
    const id = await trade();
    const action = { id: uuidv7(), actor: 'operator', requestId: uuidv7() };
    await adjustTrade(env, { tradeId: id, price: null, reason: 'erroneous', action, now: Date.now() });
    expect(await ledgerOf(env).projected()).toBe(true);
    await wakeSequencer(env);
    await ring();
    const transactions = await recorded(id);
    expect(transactions).toEqual([transactions[0], transactions[0]]);
    expect((await transactionsOf(id)).map(({ tx_hash }) => tx_hash)).toEqual([transactions[0]]);
  });

  const POINTS: readonly RecorderPoint[] = [
    'before_keep',
    'before_broadcast',
    'after_broadcast',
    'before_note',
    'before_confirm',
  ];
  test.each(POINTS)('killed %s it goes on: each trade recorded and told once', async (point) => {
    const ids = [await trade(), await trade()];
    recorderFaults.kills = [point];
    await ring();
    expect(recorderFaults.kills).toEqual([]);
    for (const id of ids) {
      expect(await recorded(id)).toEqual([expect.stringMatching(/^0x/)]);
      expect(await toldOf(id)).toHaveLength(1);
    }
  });

  test.each(['lost', 'answer_lost'] as const)(
    'a transaction whose request or answer is lost (%s) is handed in again as it is',
    async (fate) => {
      const id = await trade();
      recorderFaults.broadcasts = [fate];
      await ring();
      expect(recorderFaults.broadcasts).toEqual([]);
      expect(await recorded(id)).toHaveLength(1);
      expect(await toldOf(id)).toHaveLength(1);
    },
  );

  test('while the RPC is away trades stay final, the recorder says how far it is behind, and then catches up', async () => {
    recorderFaults.isRpcAway = true;
    const ids = [await trade(), await trade(), await trade()];
    await ringUntil(async () => (await recorder().status()).waitsFor !== null);
    const { waiting, waitingSince, waitsFor } = await recorder().status();
    expect({ waiting, waitsFor }).toEqual({ waiting: 3, waitsFor: 'the RPC is away' });
    expect(waitingSince).toBeGreaterThan(0);
    for (const id of ids) expect(await verification(id)).toMatchObject({ status: 'not_recorded', finality: 'final' });
    recorderFaults.isRpcAway = false;
    await ring();
    const transactions = await Promise.all(ids.map(recorded));
    expect(transactions.map((of) => of.length)).toEqual([1, 1, 1]);
    expect(new Set(transactions.flat()).size).toBe(1);
  });

  test('a transaction counts once it is so many blocks deep, and one that a reorganization throws out is handed in again', async () => {
    recorderFaults.confirmations = 3;
    const id = await trade();
    const before = Number(await devnet('eth_blockNumber'));
    await ringUntil(async () => (await recorded(id)).length === 1);
    const [transaction] = await recorded(id);
    expect(transaction).toMatch(/^0x/);
    for (let rings = 0; rings < 3; rings++) await runDurableObjectAlarm(place());
    expect((await recorder().status()).waiting).toBe(1);
    expect(await toldOf(id)).toEqual([]);
    await devnet('anvil_rollback', Number(await devnet('eth_blockNumber')) - before);
    expect(await recorded(id)).toEqual([]);
    await ringUntil(async () => (await recorded(id)).length === 1);
    expect(await recorded(id)).toEqual([transaction]);
    await devnet('anvil_mine', '0x2');
    await ring();
    expect(await toldOf(id)).toMatchObject([{ tx_hash: transaction }]);
  });

  test('what waits behind a nonce that nothing has, since a reorganization was deeper than confirmed, takes that one', async () => {
    await trade();
    const before = Number(await devnet('eth_blockNumber'));
    await ring();
    const depth = Number(await devnet('eth_blockNumber')) - before;
    await devnet('evm_setAutomine', false);
    const ids: string[] = [];
    for (const inFlight of [1, 2]) {
      ids.push(await trade());
      await ringUntil(async () => (await recorder().status()).inFlight === inFlight);
      // The first has waited for a minute in the end, and the second has not.
      skipTime(31_000);
    }
    await devnet('anvil_rollback', depth);
    await devnet('anvil_dropAllTransactions');
    await devnet('evm_setAutomine', true);
    await devnet('anvil_mine', '0x1');
    const [old, young] = ids as [string, string];
    await ringUntil(async () => (await recorded(old)).length === 1);
    expect(await recorded(young)).toEqual([]);
    skipTime(31_000);
    await ring();
    for (const id of ids) {
      expect(await recorded(id)).toEqual([expect.stringMatching(/^0x/)]);
      expect(await toldOf(id)).toHaveLength(1);
    }
  });

  test('tells of a trade whose security has more trades without a settlement than one call makes', async () => {
    recorderFaults.isRpcAway = true;
    const id = await trade();
    const of = env.DB.prepare('SELECT * FROM trades WHERE id = ?1').bind(id);
    const row = (await of.first<Record<string, string | number | null>>()) ?? {};
    const before = Array.from({ length: 2_600 }, (_, at) => ({
      ...row,
      id: uuidv7(),
      sequence: Number(row.sequence) + at,
    }));
    const columns = Object.keys(row).join();
    const values = Object.keys(row).map((column) => `value ->> '${column}'`);
    const insert = `INSERT INTO trades (${columns}) SELECT ${values.join()} FROM json_each(?1)`;
    await env.DB.batch([
      env.DB.prepare('DELETE FROM partner_settlements WHERE id = ?1').bind(id),
      env.DB.prepare('UPDATE trades SET sequence = sequence + 5000 WHERE id = ?1').bind(id),
      env.DB.prepare(insert).bind(JSON.stringify(before)),
    ]);
    recorderFaults.isRpcAway = false;
    await ring();
    expect(await toldOf(id)).toHaveLength(1);
    const made = JSON.stringify(before.map((trade) => trade.id));
    await env.DB.batch([
      env.DB.prepare('DELETE FROM partner_settlements WHERE id IN (SELECT value FROM json_each(?1))').bind(made),
      env.DB.prepare('DELETE FROM trades WHERE id IN (SELECT value FROM json_each(?1))').bind(made),
      env.DB.prepare('UPDATE trades SET sequence = sequence - 5000 WHERE id = ?1').bind(id),
      env.DB.prepare('UPDATE partner_settlements SET trade_sequence = trade_sequence - 5000 WHERE id = ?1').bind(id),
    ]);
  });

  test('a transaction that the registry reverts gives its settlements to another', async () => {
    const admin = '0xf39Fd6e51aad88F6F4ce6aB8827279cffFb92266';
    const call = (data: string) =>
      devnet('eth_sendTransaction', {
        from: admin,
        to: env.REGISTRY_ADDRESS,
        data,
        maxPriorityFeePerGas: '0x2540be400',
        maxFeePerGas: '0x4a817c800',
      });
    await devnet('evm_setAutomine', false);
    const id = await trade();
    await ringUntil(async () => (await recorder().status()).inFlight === 1);
    // pause(), which pays more and so comes first in the block, and unpause() in the next.
    await call('0x8456cb59');
    await devnet('evm_mine');
    await call('0x3f4ba83a');
    await devnet('evm_mine');
    expect(await recorded(id)).toEqual([]);
    await devnet('evm_setAutomine', true);
    await ring();
    expect(await recorded(id)).toEqual([expect.stringMatching(/^0x/)]);
    expect(await toldOf(id)).toHaveLength(1);
  });

  test('a trade whose place in the registry somebody has filled keeps back no other', async () => {
    recorderFaults.isRpcAway = true;
    const [full, other] = [await trade(), await trade()];
    const writable = writableRegistryOf(env);
    if (writable === null) throw new Error('no registry');
    const entries = Array.from({ length: 8 }, (_, at) => ({ tradeId: full, hash: String(at + 1).repeat(64) }));
    const forged = await writable.sign(
      { functionName: 'record', entries },
      await writable.nonce(),
      await writable.gasPrice(),
    );
    await writable.broadcast(forged);
    recorderFaults.isRpcAway = false;
    await ring();
    expect(await recorder().status()).toMatchObject({ waiting: 0, refused: 1, waitsFor: null });
    expect(await recorded(other)).toHaveLength(1);
    expect(await toldOf(full)).toEqual([]);
    expect(await verification(full)).toMatchObject({ status: 'mismatch' });
    await runInDurableObject(place(), (_, { storage: { sql } }) => {
      sql.exec('DELETE FROM waiting');
    });
  });

  test('a transaction that gets into no block is signed anew and pays more; one of them gets in', async () => {
    await devnet('evm_setAutomine', false);
    const id = await trade();
    const tries = () =>
      runInDurableObject(place(), (_, { storage: { sql } }) =>
        sql
          .exec<{ tries: string }>('SELECT tries FROM sent')
          .toArray()
          .flatMap(({ tries: text }) => JSON.parse(text) as { hash: string; total: string }[]),
      );
    await ringUntil(async () => (await tries()).length === 1);
    const [first] = await tries();
    skipTime(61_000);
    await ringUntil(async () => (await tries()).length === 2);
    const [, second] = await tries();
    expect(BigInt(second?.total ?? 0)).toBeGreaterThan((BigInt(first?.total ?? 0) * 11n) / 10n);
    await devnet('evm_setAutomine', true);
    await devnet('anvil_mine', '0x1');
    await ring();
    expect(await recorded(id)).toEqual([second?.hash]);
    expect(await toldOf(id)).toHaveLength(1);
  });

  /** The base fee of the chain from its next block on, in gwei, which is made at once. */
  async function baseFee(gwei: number): Promise<void> {
    await devnet('anvil_setNextBlockBaseFeePerGas', `0x${(BigInt(gwei) * 1_000_000_000n).toString(16)}`);
    await devnet('evm_mine');
  }
  const triesOf = () =>
    runInDurableObject(place(), (_, { storage: { sql } }) =>
      Array.from(
        sql.exec<{ tries: string }>('SELECT tries FROM sent'),
        (row) => JSON.parse(row.tries).length as number,
      ),
    );

  test('while gas costs more than it may, nothing is handed in and the recorder says so; then it catches up', async () => {
    await baseFee(2_000);
    const id = await trade();
    await ringUntil(async () => (await recorder().status()).waitsFor !== null);
    const { waitsFor, waiting, inFlight } = await recorder().status();
    expect({ waiting, inFlight }).toEqual({ waiting: 1, inFlight: 0 });
    expect(waitsFor).toMatch(/^a unit of gas costs 240\d(\.\d+)? gwei, and REGISTRY_GAS_GWEI_MAX is 1000$/);
    await baseFee(1);
    await ring();
    expect(await recorded(id)).toHaveLength(1);
  });

  test('a transaction that waits is not signed for more than it may pay', async () => {
    await devnet('evm_setAutomine', false);
    const id = await trade();
    await ringUntil(async () => String(await triesOf()) === '1');
    await devnet('anvil_dropAllTransactions');
    await baseFee(2_000);
    skipTime(61_000);
    await ringUntil(async () => (await recorder().status()).waitsFor?.startsWith('a unit of gas costs') === true);
    expect(await triesOf()).toEqual([1]);
    await devnet('anvil_dropAllTransactions');
    await baseFee(1);
    await devnet('evm_setAutomine', true);
    await ring();
    expect(await recorded(id)).toHaveLength(1);
    expect(await toldOf(id)).toHaveLength(1);
  });

  test('a transaction that waits for funds of its account is signed for no more than before', async () => {
    const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
    const balance = await devnet('eth_getBalance', account, 'latest');
    await devnet('evm_setAutomine', false);
    const id = await trade();
    await ringUntil(async () => String(await triesOf()) === '1');
    await devnet('anvil_setBalance', account, '0x1');
    for (let minutes = 0; minutes < 3; minutes++) {
      skipTime(61_000);
      await runDurableObjectAlarm(place());
    }
    expect(await triesOf()).toEqual([1]);
    await devnet('anvil_setBalance', account, balance);
    await ringUntil(async () => String(await triesOf()) === '2');
    await devnet('evm_setAutomine', true);
    await devnet('anvil_mine', '0x1');
    await ring();
    expect(await recorded(id)).toHaveLength(1);
  });

  test('signed twenty times, a transaction is signed again where it pays less than the chain asks, and else not', async () => {
    await devnet('evm_setAutomine', false);
    const id = await trade();
    await ringUntil(async () => String(await triesOf()) === '1');
    await runInDurableObject(place(), (_, { storage: { sql } }) => {
      const { tries } = sql.exec<{ tries: string }>('SELECT tries FROM sent').one();
      const [first] = JSON.parse(tries) as unknown[];
      sql.exec('UPDATE sent SET tries = ?', JSON.stringify(new Array(20).fill(first)));
    });
    skipTime(61_000);
    await runDurableObjectAlarm(place());
    expect(await triesOf()).toEqual([20]);
    await devnet('anvil_dropAllTransactions');
    await baseFee(100);
    await ringUntil(async () => String(await triesOf()) === '21');
    await devnet('evm_setAutomine', true);
    await devnet('anvil_mine', '0x1');
    await ring();
    expect(await recorded(id)).toHaveLength(1);
    await baseFee(1);
  });

  test('asks the chain once a second, however often blocks become final', async () => {
    await devnet('evm_setAutomine', false);
    await trade();
    const isLater = async () => {
      const from = Date.now();
      await runDurableObjectAlarm(place());
      await recorder().wake();
      const alarm = await runInDurableObject(place(), (_, { storage }) => storage.getAlarm());
      // On a slow machine it may have rung by now.
      return alarm === null ? null : alarm >= from + 1_000;
    };
    await expect.poll(isLater).toBe(true);
  });

  test('what stands in the registry already, by a recorder that has lost its memory, is noted with its own transaction', async () => {
    const id = await trade();
    await ring();
    const [transaction] = await recorded(id);
    await env.DB.prepare('DELETE FROM chain_records').run();
    await runInDurableObject(place(), (_, { storage: { sql } }) => {
      sql.exec('DELETE FROM taken');
    });
    await ring();
    expect(await recorded(id)).toEqual([transaction]);
    expect(await env.DB.prepare('SELECT tx FROM chain_records WHERE id = ?1').bind(id).first('tx')).toBe(transaction);
    expect(await toldOf(id)).toHaveLength(1);
  });

  test('killed, cut off and doubled at random while trades go on, every trade is recorded once and told once', async () => {
    const random = randomBy(20_261_124);
    const of = <Value>(values: readonly Value[]): Value => values[Math.floor(random() * values.length)] as Value;
    const ids: string[] = [];
    for (let step = 0; step < 24; step++) {
      recorderFaults.isRpcAway = random() < 0.2;
      recorderFaults.broadcasts = random() < 0.4 ? [of(['lost', 'answer_lost'] as const)] : [];
      recorderFaults.kills = random() < 0.4 ? [of(POINTS)] : [];
      sequencerFaults.kills =
        random() < 0.3 ? [of(['before_append', 'before_vote', 'before_finalize', 'after_finalize'] as const)] : [];
      ids.push(await trade());
      for (let rings = 0; rings < 3; rings++) {
        await recorder()
          .wake()
          .catch(() => undefined);
        await runDurableObjectAlarm(place()).catch(() => false);
      }
    }
    clearRecorderFaults();
    recorderFaults.isOn = true;
    sequencerFaults.kills = [];
    await wakeSequencer(env);
    await ring();
    for (const id of ids) {
      expect(await recorded(id)).toEqual([expect.stringMatching(/^0x/)]);
      expect(await toldOf(id)).toHaveLength(1);
      expect(await verification(id)).toMatchObject({ status: 'verified', finality: 'final' });
    }
    const noted = 'SELECT count(*) AS n FROM chain_records WHERE id IN (SELECT value FROM json_each(?1))';
    expect(await env.DB.prepare(noted).bind(JSON.stringify(ids)).first('n')).toBe(ids.length);
  });

  test('says how many transactions its account can pay, and looks again after five minutes', async () => {
    await trade();
    await ring();
    const account = '0x70997970C51812dc3A010C7d01b50e0d17dc79C8';
    const balance = await devnet('eth_getBalance', account, 'latest');
    expect((await recorder().status()).affordable).toBeGreaterThan(1_000);
    await devnet('anvil_setBalance', account, '0xde0b6b3a7640000');
    await trade();
    await ring();
    const unchanged = (await recorder().status()).affordable ?? 0;
    expect(unchanged).toBeGreaterThan(1_000);
    skipTime(5 * 60_000);
    await trade();
    await ring();
    const { affordable } = await recorder().status();
    expect(affordable).toBeGreaterThan(0);
    expect(affordable).toBeLessThan(unchanged / 100);
    await devnet('anvil_setBalance', account, balance);
  });

  test('operators see how far blocks and registry are, and nobody else', async () => {
    recorderFaults.isRpcAway = true;
    await trade();
    await ringUntil(async () => (await recorder().status()).waitsFor !== null);
    const venue = await signedIn(await createTrader(db, { owner: VENUE_OWNER, roles: ['operator'] }));
    const { data } = (
      await venue.get<{ data: Record<string, Record<string, unknown>> }>('/v1/operator/settlement-chain')
    ).body;
    const { finalHeight, row } = await sequencerOf(env).status();
    expect(data.blocks).toMatchObject({ epoch: 1, finalHeight, journalRow: row, waitsFor: null });
    expect(data.checkpoints).toEqual({ number: 0, lastHeight: 0, waitsFor: null });
    expect(data.registry).toMatchObject({ waiting: 1, transactionsInFlight: 0, waitsFor: 'the RPC is away' });
    const trader = await signedIn(buyer);
    expect((await trader.get('/v1/operator/settlement-chain')).status).toBe(403);
    recorderFaults.isRpcAway = false;
    await ring();
  });

  describe('with checkpoints', () => {
    beforeEach(() => {
      checkpointerFaults.isOn = true;
    });
    afterEach(clearCheckpointerFaults);

    /** A trade and its checkpoint; the number of the checkpoint. */
    async function checkpointed(): Promise<number> {
      await trade();
      skipTime(10_000);
      await runDurableObjectAlarm(env.CHECKPOINTER.getByName('checkpointer'));
      return (await checkpointerOf(env).status()).number;
    }
    const isRecorded = (number: number) => async () =>
      (await isDone()) && (await recorder().status()).checkpoint === number;
    const chain = createPublicClient({ transport: http(env.REGISTRY_RPC_URL) });
    const registry = { address: env.REGISTRY_ADDRESS as Address, abi: REGISTRY_ABI } as const;
    const numbersTold = async () =>
      (await chain.getContractEvents({ ...registry, eventName: 'CheckpointRecorded', fromBlock: 'earliest' })).map(
        ({ args }) => Number(args.number),
      );

    test('brings them into the registry, which proves on chain that a trade stands in one', async () => {
      const id = await trade();
      const number = await checkpointed();
      await ringUntil(isRecorded(number));
      const proof = await sequencerOf(env).proof(id);
      const [header] = proof?.headers ?? [];
      if (proof === null || header === undefined) throw new Error('no proof');
      const checkpoint = await checkpointerOf(env).proof(header.height);
      const hex = (hash: string): Hex => `0x${hash}`;
      const isIncluded = (hash: string) =>
        chain.readContract({
          ...registry,
          functionName: 'isIncluded',
          args: [
            BigInt(number),
            hex(hash),
            BigInt(proof.inclusion.index),
            proof.inclusion.path.map(hex),
            {
              ...header,
              committee: hex(header.committee),
              parent: hex(header.parent),
              journalHash: hex(header.journalHash),
              settlementsRoot: hex(header.settlementsRoot),
              booksRoot: hex(header.booksRoot),
              height: BigInt(header.height),
              slot: BigInt(header.slot),
              firstRow: BigInt(header.firstRow),
              lastRow: BigInt(header.lastRow),
            },
            (checkpoint?.path ?? []).map(hex),
          ],
        });
      expect(await isIncluded(proof.recordHash)).toBe(true);
      expect(await isIncluded(header.parent)).toBe(false);
    });

    test.each(['before_keep', 'before_broadcast', 'after_broadcast'] as const)(
      'killed %s, it records each checkpoint once',
      async (point) => {
        await ring();
        await checkpointed();
        // The trade's own transaction passes the point first.
        recorderFaults.kills = [point, point];
        const number = await checkpointed();
        await ringUntil(isRecorded(number));
        expect(recorderFaults.kills).toEqual([]);
        expect(await numbersTold()).toEqual(Array.from({ length: number }, (_, at) => at + 1));
      },
    );

    test('brings one into the registry while as many transactions of settlements wait as there may be', async () => {
      await ring();
      await runInDurableObject(place(), (_, { storage: { sql } }) => {
        for (const nonce of [1, 2, 3, 4])
          sql.exec("INSERT INTO sent VALUES (?, '[]', ?)", 1_000_000 + nonce, Date.now());
      });
      const number = await checkpointed();
      await ringUntil(async () => (await recorder().status()).checkpoint === number);
      await runInDurableObject(place(), (_, { storage: { sql } }) => {
        sql.exec('DELETE FROM sent WHERE nonce > 1000000');
      });
      await ringUntil(isRecorded(number));
      expect((await numbersTold()).at(-1)).toBe(number);
    });

    test('a transaction of checkpoints that no block takes pays more after a minute', async () => {
      await devnet('evm_setAutomine', false);
      const number = await checkpointed();
      const inFlight = async () => (await recorder().status()).inFlight === 2;
      await ringUntil(inFlight);
      skipTime(61_000);
      const tries = () =>
        runInDurableObject(place(), (_, { storage: { sql } }) =>
          Array.from(sql.exec<{ tries: string }>('SELECT tries FROM sent'), (row) => JSON.parse(row.tries).length),
        );
      await ringUntil(async () => String(await tries()) === '2,2');
      await devnet('evm_mine');
      await devnet('evm_setAutomine', true);
      await ringUntil(isRecorded(number));
      expect(await numbersTold()).toEqual(Array.from({ length: number }, (_, at) => at + 1));
    });

    // The last one: the registry's checkpoints are no longer those of this venue.
    test('a registry that has others refuses them, and records settlements all the same', async () => {
      const number = await checkpointed();
      await ringUntil(isRecorded(number));
      const [own] = await checkpointerOf(env).checkpoints(number - 1);
      if (own === undefined) throw new Error('no checkpoint');
      const { lastHeight } = own;
      const other = { ...own, number: number + 1, firstHeight: lastHeight + 1, lastHeight: lastHeight + 1_000 };
      const writable = writableRegistryOf(env);
      if (writable === null) throw new Error('no registry');
      const call = { functionName: 'recordCheckpoints', checkpoints: [other] } as const;
      await writable.broadcast(await writable.sign(call, await writable.nonce(), await writable.gasPrice()));
      await checkpointed();
      await checkpointed();
      const id = await trade();
      await ringUntil(async () => (await recorded(id)).length === 1);
      expect(await recorder().status()).toMatchObject({
        waitsFor: null,
        checkpointsWaitFor: 'the registry refuses: CheckpointGap',
      });
      await ring();
      // However many settlements are under way, they are tried after their own pause.
      onlySkipTime();
      recorderFaults.checkpointTries = 0;
      for (let trades = 0; trades < 3; trades++) {
        const other = await trade();
        await ringUntil(async () => (await recorded(other)).length === 1);
      }
      await ring();
      expect(recorderFaults.checkpointTries).toBeLessThanOrEqual(1);
      skipTime(61_000);
      await trade();
      await ringUntil(async () => recorderFaults.checkpointTries > 0);
      await ring();
      const nextTry = () => runInDurableObject(place(), (_, { storage }) => storage.getAlarm());
      await expect.poll(nextTry, { message: 'nothing else has it try again' }).not.toBeNull();
    });
  });
});
