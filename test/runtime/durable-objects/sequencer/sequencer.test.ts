import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { uuidv7 } from 'uuidv7';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { receiptOf } from '../../../../application/finality/receipt-of.ts';
import { adjustTrade } from '../../../../application/ledger/adjust-trade.ts';
import type { Database } from '../../../../data/database.ts';
import { findTradeOf } from '../../../../data/settlements/settled-trades.ts';
import { type BlockHeader, blockHash, GENESIS } from '../../../../domain/consensus/block.ts';
import { blockOf, settlement } from '../../../../domain/consensus/chain.fixtures.ts';
import { COMMITTEE_SIZE, type Committee, committeeHash, QUORUM } from '../../../../domain/consensus/committee.ts';
import { memberKey, verifyEd25519 } from '../../../../domain/consensus/ed25519.ts';
import { equivocationFault } from '../../../../domain/consensus/equivocation.ts';
import { handoverFault, trustedCommittees } from '../../../../domain/consensus/handover.ts';
import { memberSecrets } from '../../../../domain/consensus/member-secrets.ts';
import { rootByPath } from '../../../../domain/consensus/merkle-tree.ts';
import { receiptFault } from '../../../../domain/consensus/receipt.ts';
import type { StoredRow } from '../../../../domain/ledger/journal-chain.ts';
import { journalRows } from '../../../../domain/ledger/journal-source.ts';
import { LEDGER_SHARD, ledgerOf } from '../../../../durable-objects/ledger/api.ts';
import { FINALITIES_MAX, type SequencerApi, sequencerOf } from '../../../../durable-objects/sequencer/api.ts';
import { BlockStore } from '../../../../durable-objects/sequencer/block-store.ts';
import { CommitteesDocument } from '../../../../protocol/receipts/committees-document.ts';
import { type BuyerAndSeller, createBuyerAndSeller } from '../../fixtures/buyer-and-seller.ts';
import { callWorker } from '../../fixtures/call-worker.ts';
import { checkpointerFaults, clearCheckpointerFaults } from '../../fixtures/faulty-checkpointer.ts';
import { clearLedgerFaults, planLedgerFaults } from '../../fixtures/faulty-ledger.ts';
import { sequencerFaults } from '../../fixtures/faulty-sequencer.ts';
import { endInstance, restart, sourceOf } from '../../fixtures/ledger-client.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { settle } from '../../fixtures/settle.ts';
import { onlySkipTime, skipTime } from '../../fixtures/skip-time.ts';

let db: Database;
let traders: BuyerAndSeller;

beforeAll(async () => {
  // Segments of a few rows, and few rows beside them: the sequencer reads both.
  planLedgerFaults({ settings: { segmentRows: 4, sealAfter_ms: 1, alarmAfter_ms: 5, checkpointRows: 6 } });
  db = await migrate();
  traders = await createBuyerAndSeller(db, 'SEQ');
});

afterEach(() => {
  clearLedgerFaults();
  clearCheckpointerFaults();
  Object.assign(sequencerFaults, { kills: [], away: 0, epoch: null, isLedgerAway: false, liar: null });
  sequencerFaults.isPatientFor = null;
});

const sequencer = () => sequencerOf(env);
const place = () => env.SEQUENCER.getByName('sequencer');

/** One share changes hands; the trade's id. */
async function trade(symbol: string): Promise<string> {
  const order = { symbol, type: 'limit', size: 1, price: 10, time_in_force: 'GTC' };
  expect((await traders.seller.client.post('/v1/orders', { ...order, side: 'sell' })).status).toBe(200);
  expect((await traders.buyer.client.post('/v1/orders', { ...order, side: 'buy' })).status).toBe(200);
  await settle(symbol);
  const last = 'SELECT id FROM trades WHERE book = ?1 ORDER BY sequence DESC LIMIT 1';
  return (await env.DB.prepare(last).bind(symbol).first<{ id: string }>())?.id ?? '';
}

/** The receipt of one of the buyer's trades, as it proves itself. */
async function provedReceipt(id: string) {
  const settled = await findTradeOf(db, traders.buyer.accountId, id);
  if (settled === null) throw new Error(`no trade ${id}`);
  const receipt = await receiptOf(env, settled, ['buyer', 'seller']);
  if (receipt === null) throw new Error(`trade ${id} is not final`);
  expect(await receiptFault(receipt, verifyEd25519)).toBeNull();
  return receipt;
}

async function headers(): Promise<BlockHeader[]> {
  return runInDurableObject(place(), (_, { storage: { sql } }) =>
    Array.from(
      sql.exec<{ header: string }>('SELECT header FROM blocks ORDER BY height'),
      ({ header }) => JSON.parse(header) as BlockHeader,
    ),
  );
}

async function entriesOf(...ids: string[]): Promise<number> {
  return runInDurableObject(
    place(),
    (_, { storage: { sql } }) =>
      sql
        .exec<{ n: number }>(
          'SELECT count(*) AS n FROM entries WHERE id IN (SELECT value FROM json_each(?))',
          JSON.stringify(ids),
        )
        .one().n,
  );
}

async function rows(): Promise<StoredRow[]> {
  const found: StoredRow[] = [];
  for await (const row of journalRows(sourceOf(LEDGER_SHARD))) found.push(row);
  return found;
}

async function expectWholeChain(): Promise<void> {
  const [blocks, journal] = [await headers(), await rows()];
  for (const [at, header] of blocks.entries()) {
    const parent = blocks[at - 1];
    expect(header.height).toBe(at + 1);
    expect(header.parent).toBe(parent === undefined ? GENESIS : blockHash(parent));
    expect(header.firstRow).toBe((parent?.lastRow ?? 0) + 1);
    expect(header.journalHash).toBe(journal[header.lastRow - 1]?.hash);
    expect(header.slot).toBeGreaterThanOrEqual(journal[header.lastRow - 1]?.time ?? Number.POSITIVE_INFINITY);
    expect(header.slot).toBeGreaterThan(parent?.slot ?? 0);
  }
}

describe('the sequencer', () => {
  test('has each trade of each market made final by itself, in blocks that follow each other and the journal of the ledger', async () => {
    const [one, other] = [await traders.freshPair(), await traders.freshPair()];
    const ids = [await trade(one), await trade(other), await trade(one)];
    await sequencer().wake();
    const finalities = await sequencer().finalities(ids);
    expect(finalities.map(({ state }) => state)).toEqual(['final', 'final', 'final']);
    for (const id of ids) {
      const { settlement: record, headers: shown } = await provedReceipt(id);
      expect(record.tradeId).toBe(id);
      expect(finalities[ids.indexOf(id)]).toMatchObject({ block: { height: shown[0]?.height } });
    }
    expect(await entriesOf(...ids)).toBe(3);
    await expectWholeChain();
    const { journaled } = await ledgerOf(env).status();
    const { height, finalHeight, row, waitsFor } = await sequencer().status();
    expect({ height, row, waitsFor }).toEqual({ height: finalHeight, row: journaled, waitsFor: null });
  });

  test('has what an operator makes of a trade in a block of its own row', async () => {
    const id = await trade(await traders.freshPair());
    const action = { id: uuidv7(), actor: 'operator', requestId: uuidv7() };
    const made = await adjustTrade(env, { tradeId: id, price: null, reason: 'erroneous', action, now: Date.now() });
    expect(made).toMatchObject({ ok: true });
    await sequencer().wake();
    const [ofTrade, ofBust] = await sequencer().finalities([id, action.id]);
    expect([ofTrade?.state, ofBust?.state]).toEqual(['final', 'final']);
    const proof = await sequencer().proof(action.id);
    const [header] = proof?.headers ?? [];
    if (proof === null || header === undefined) throw new Error('no proof');
    const { index, path } = proof.inclusion;
    expect(rootByPath(proof.recordHash, index, header.settlements, path)).toBe(header.settlementsRoot);
    await provedReceipt(id);
  });

  test.each(['before_append', 'before_vote', 'before_finalize', 'after_finalize'] as const)(
    'killed %s it goes on by its alarm: every trade once, in the blocks that it has begun',
    async (point) => {
      const symbol = await traders.freshPair();
      const before = await headers();
      sequencerFaults.kills = [point, point];
      const ids = [await trade(symbol), await trade(symbol)];
      for (let runs = 0; runs < 4; runs++) await runDurableObjectAlarm(place()).catch(() => false);
      expect(sequencerFaults.kills).toEqual([]);
      await sequencer().wake();
      expect((await sequencer().finalities(ids)).map(({ state }) => state)).toEqual(['final', 'final']);
      expect(await entriesOf(...ids)).toBe(2);
      expect((await headers()).slice(0, before.length)).toEqual(before);
      for (const id of ids) await provedReceipt(id);
      await expectWholeChain();
    },
  );

  type Place = DurableObjectStub;
  const alarmOf = (object: () => Place) => runInDurableObject(object(), (_, { storage }) => storage.getAlarm());
  /** An object that was killed, and has nothing to do. */
  async function forgotten(stub: Place): Promise<void> {
    await runInDurableObject(stub, (_, { storage }) => storage.deleteAlarm());
    await endInstance(stub);
  }

  test('each instance tells of what was final before it: the call of one that was killed may be lost', async () => {
    await trade(await traders.freshPair());
    await sequencer().wake();
    const checkpointer = () => env.CHECKPOINTER.getByName('checkpointer');
    checkpointerFaults.isOn = true;
    await forgotten(checkpointer());
    await endInstance(place());
    await sequencer().wake();
    await expect.poll(() => alarmOf(checkpointer)).not.toBeNull();
  });

  test('with four members away a block is final by the votes of the others, with five it waits, and goes on once one is back', async () => {
    const symbol = await traders.freshPair();
    sequencerFaults.away = 4;
    const first = await trade(symbol);
    await sequencer().wake();
    const { certificate } = await provedReceipt(first);
    expect(certificate.votes.map(({ member }) => member)).toEqual(Array.from({ length: QUORUM }, (_, at) => at + 4));

    sequencerFaults.away = 5;
    const second = await trade(symbol);
    await sequencer().wake();
    expect(await sequencer().finalities([first, second])).toMatchObject([{ state: 'final' }, { state: 'pending' }]);
    expect(await sequencer().proof(second)).toBeNull();
    const { waitsFor, height, finalHeight } = await sequencer().status();
    expect(waitsFor).toBe(`block ${height} has not enough votes`);
    expect(height).toBeGreaterThan(finalHeight);

    sequencerFaults.away = 4;
    expect(await runDurableObjectAlarm(place())).toBe(true);
    await provedReceipt(second);
    expect((await sequencer().status()).waitsFor).toBeNull();
  });

  test('waits for a ledger that does not answer, and then reads what was sealed meanwhile', async () => {
    const symbol = await traders.freshPair();
    await sequencer().wake();
    const { row } = await sequencer().status();
    sequencerFaults.isLedgerAway = true;
    const ids = [await trade(symbol), await trade(symbol)];
    await sequencer().wake();
    expect(await sequencer().status()).toMatchObject({ row, waitsFor: 'the ledger is away' });
    await expect.poll(async () => (await ledgerOf(env).status()).sealed).toBeGreaterThan(row);
    expect(await sequencer().proof(ids[0] ?? '')).toBeNull();
    sequencerFaults.isLedgerAway = false;
    expect(await runDurableObjectAlarm(place())).toBe(true);
    for (const id of ids) await provedReceipt(id);
    await expectWholeChain();
  });

  test('has blocks that are there made final, while the ledger does not answer', async () => {
    sequencerFaults.away = 5;
    const id = await trade(await traders.freshPair());
    await sequencer().wake();
    const { height, finalHeight } = await sequencer().status();
    expect(height).toBeGreaterThan(finalHeight);
    sequencerFaults.away = 0;
    sequencerFaults.isLedgerAway = true;
    await sequencer().wake();
    expect(await sequencer().finalities([id])).toMatchObject([{ state: 'final' }]);
    expect((await sequencer().status()).waitsFor).toBe('the ledger is away');
  });

  test('makes no block of a segment that is not what was sealed', async () => {
    const symbol = await traders.freshPair();
    await sequencer().wake();
    const { row } = await sequencer().status();
    sequencerFaults.isLedgerAway = true;
    const id = await trade(symbol);
    await expect.poll(async () => (await ledgerOf(env).status()).sealed).toBeGreaterThan(row);
    const part = await ledgerOf(env).journalPartAfter(row);
    if (part.type !== 'segment') throw new Error('it is not sealed');
    const text = (await (await env.LEDGER_JOURNAL.get(part.key))?.text()) ?? '';
    await env.LEDGER_JOURNAL.put(part.key, text.replace('"entries":', '"entries" :'));
    sequencerFaults.isLedgerAway = false;
    await sequencer().wake();
    expect((await sequencer().status()).waitsFor).toMatch(/segment/);
    expect(await sequencer().finalities([id])).toEqual([{ state: 'pending' }]);
    await env.LEDGER_JOURNAL.put(part.key, text);
    await sequencer().wake();
    await provedReceipt(id);
    await expectWholeChain();
  });

  test('members of another epoch vote on what comes after, and receipts of both epochs prove themselves', async () => {
    const symbol = await traders.freshPair();
    const before = await trade(symbol);
    await sequencer().wake();
    sequencerFaults.epoch = 2;
    const after = await trade(symbol);
    await sequencer().wake();
    const [old, young] = [await provedReceipt(before), await provedReceipt(after)];
    expect([old.committee.epoch, young.committee.epoch]).toEqual([1, 2]);
    expect(young.committee.keys.some((key) => old.committee.keys.includes(key))).toBe(false);
    expect(young.headers[0]?.committee).toBe(committeeHash(young.committee));
    await expectWholeChain();
  });

  test('B-12: the committee before names the one after it, and both are published to anybody, with who their members are', async () => {
    const symbol = await traders.freshPair();
    const before = await trade(symbol);
    await sequencer().wake();
    sequencerFaults.epoch = 2;
    const after = await trade(symbol);
    await sequencer().wake();
    const [old, young] = [await provedReceipt(before), await provedReceipt(after)];
    const published = async (url: string) => {
      const answer = await callWorker(url);
      expect(answer.status).toBe(200);
      return CommitteesDocument.parse(await answer.json()).committees;
    };
    const committees = await published('http://localhost/.well-known/committee');
    expect(committees).toMatchObject([
      { ...old.committee, hash: committeeHash(old.committee), members: 'embedded', handover: null },
      { ...young.committee, hash: committeeHash(young.committee), members: 'embedded' },
    ]);
    const handover = committees[1]?.handover;
    if (handover == null) throw new Error('no handover');
    expect(await handoverFault(handover, old.committee, young.committee, verifyEd25519)).toBeNull();
    const trusted = await trustedCommittees(committees, [committeeHash(old.committee)], verifyEd25519);
    expect(trusted).toContain(committeeHash(young.committee));
    for (const url of [
      'http://localhost/.well-known/committee/exchange?from=2',
      'http://partner.example/.well-known/committee?from=2',
    ])
      expect(await published(url)).toEqual(committees.slice(1));
    expect((await callWorker('http://localhost/.well-known/committee?from=0')).status).toBe(400);
    // Kept at the edge: whoever reads it often asks the sequencer seldom.
    const again = await callWorker('http://localhost/.well-known/committee');
    expect(again.headers.get('cache-control')).toBe('public, max-age=30');
    const headers = { 'if-none-match': again.headers.get('etag') ?? '' };
    expect((await callWorker('http://localhost/.well-known/committee', { headers })).status).toBe(304);
  });

  test('a member that signs a block beside the chain is proved to have voted for two, once it votes for the chain', async () => {
    const symbol = await traders.freshPair();
    const { committee } = await provedReceipt(await trade(symbol));
    const member = 3;
    const seed = Uint8Array.from(Buffer.from(env.CONSENSUS_SEED, 'base64url'));
    const key = await memberKey(memberSecrets(seed, committee.epoch, member).ed25519);
    sequencerFaults.liar = { member, key, committee: committeeHash(committee) };
    const id = await trade(symbol);
    await sequencer().wake();
    sequencerFaults.liar = null;
    const { certificate } = await provedReceipt(id);
    expect(certificate.votes.map((vote) => vote.member)).not.toContain(member);
    expect((await sequencer().status()).equivocations).toEqual([]);
    await trade(symbol);
    await sequencer().wake();
    const [found, ...others] = (await sequencer().status()).equivocations;
    if (found === undefined) throw new Error('no proof');
    expect(others).toEqual([]);
    expect(found.committee).toBe(committeeHash(committee));
    expect(found.proof.votes.map((vote) => vote.member)).toEqual([member, member]);
    expect(await equivocationFault(found.proof, committee, verifyEd25519)).toBeNull();
  });

  test('votes for heights that no block has, or that are too far back to prove anything, keep no place from one that proves', async () => {
    const symbol = await traders.freshPair();
    const { committee } = await provedReceipt(await trade(symbol));
    const seed = Uint8Array.from(Buffer.from(env.CONSENSUS_SEED, 'base64url'));
    const member = 5;
    const key = await memberKey(memberSecrets(seed, committee.epoch, member).ed25519);
    const liar = { member, key, committee: committeeHash(committee) };
    const proofs = async () =>
      (await sequencer().status()).equivocations.filter(({ proof: { votes } }) => votes[0].member === member);
    for (const height of [0, 1_000_000_000]) {
      sequencerFaults.liar = { ...liar, height };
      await trade(symbol);
      await sequencer().wake();
      sequencerFaults.liar = null;
      await trade(symbol);
      await sequencer().wake();
      expect(await proofs()).toEqual([]);
    }
    // As a sequencer of before may have kept one.
    await runInDurableObject(place(), (_, { storage: { sql } }) => {
      const vote = JSON.stringify({ member, height: 1_000_000_000, hash: 'e'.repeat(64), signature: '' });
      sql.exec('INSERT INTO strays VALUES (?, ?, ?, NULL)', committeeHash(committee), member, vote);
    });
    sequencerFaults.liar = liar;
    await trade(symbol);
    await sequencer().wake();
    sequencerFaults.liar = null;
    await trade(symbol);
    await sequencer().wake();
    const [found] = await proofs();
    if (found === undefined) throw new Error('no proof');
    expect(await equivocationFault(found.proof, committee, verifyEd25519)).toBeNull();
  });

  test('blocks of two epochs that wait together are voted on by the committee of each', async () => {
    const symbol = await traders.freshPair();
    sequencerFaults.away = 5;
    sequencerFaults.epoch = 3;
    const before = await trade(symbol);
    await sequencer().wake();
    sequencerFaults.epoch = 4;
    const after = await trade(symbol);
    await sequencer().wake();
    expect((await sequencer().finalities([before, after])).map(({ state }) => state)).toEqual(['pending', 'pending']);
    sequencerFaults.away = 0;
    await sequencer().wake();
    const [old, young] = [await provedReceipt(before), await provedReceipt(after)];
    expect([old.committee.epoch, young.committee.epoch]).toEqual([3, 4]);
    await expectWholeChain();
  });

  test('what nobody has traded is pending, and proves nothing; a question has a bound', async () => {
    const id = uuidv7();
    expect(await sequencer().finalities([id])).toEqual([{ state: 'pending' }]);
    expect(await sequencer().proof(id)).toBeNull();
    const tooMany = async () => sequencer().finalities(Array.from({ length: FINALITIES_MAX + 1 }, () => id));
    await expect(tooMany()).rejects.toThrow(/more than/);
  });

  test('what fails is tried again by itself after a pause that grows, and at once where somebody calls', async () => {
    await trade(await traders.freshPair());
    // Another sequencer over the same journal, which nobody else calls.
    const alone = env.SEQUENCER.getByName('alone');
    onlySkipTime();
    // So that no alarm rings by itself before the test has it ring.
    skipTime(3_600_000);
    const pause_ms = async () => {
      const at = await runInDurableObject(alone, (_, { storage }) => storage.getAlarm());
      return (at ?? 0) - Date.now();
    };
    const ring = async () => {
      skipTime(await pause_ms());
      await runDurableObjectAlarm(alone);
      return pause_ms();
    };
    sequencerFaults.isLedgerAway = true;
    await (alone as unknown as SequencerApi).wake();
    const pauses = [await pause_ms()];
    for (let rings = 0; rings < 8; rings++) pauses.push(await ring());
    expect(pauses.map((ms) => ms / 1_000)).toEqual([5, 5, 10, 20, 40, 80, 160, 300, 300]);
    await (alone as unknown as SequencerApi).wake();
    expect([await pause_ms(), await ring(), await ring()]).toEqual([5_000, 5_000, 10_000]);
    await runInDurableObject(alone, (_, { storage }) => storage.deleteAlarm());
  });

  test('members whose votes are missing are asked again after a pause that grows to a minute, however often it is called meanwhile', async () => {
    await trade(await traders.freshPair());
    const patient = env.SEQUENCER.getByName('patient');
    const status = async () => (patient as unknown as SequencerApi).status();
    onlySkipTime();
    skipTime(3_600_000);
    Object.assign(sequencerFaults, { isPatientFor: 'votes', away: 5 });
    /** How often votes are asked for when it is called so long after the last time. */
    const askedAfter = async (seconds: number) => {
      skipTime(seconds * 1_000);
      sequencerFaults.asked = [];
      await (patient as unknown as SequencerApi).wake();
      return sequencerFaults.asked.filter((by) => by === patient.id.toString()).length;
    };
    expect(await askedAfter(0)).toBe(1);
    for (const pause of [5, 10, 20, 40, 60, 60])
      expect({ pause, asked: [await askedAfter(pause - 1), await askedAfter(1)] }).toEqual({ pause, asked: [0, 1] });
    const { height, waitsFor } = await status();
    expect(waitsFor).toBe(`block ${height} has not enough votes`);
    // It is there again, and is asked once it is time: by itself, if nobody calls.
    sequencerFaults.away = 4;
    expect([await askedAfter(59), (await status()).finalHeight]).toEqual([0, 0]);
    skipTime(1_000);
    await runDurableObjectAlarm(patient);
    const { waitsFor: reason, ...reached } = await status();
    expect([reason, reached.finalHeight]).toEqual([null, reached.height]);
    await runInDurableObject(patient, (_, { storage }) => storage.deleteAlarm());
  });

  test('handovers that are missing are asked for in turn, and a committee that no block names stands between nobody', async () => {
    const committeeOf = (epoch: number): Committee => ({
      epoch,
      keys: Array.from({ length: COMMITTEE_SIZE }, (_, member) =>
        (epoch * 100 + member).toString(16).padStart(64, '0'),
      ),
    });
    const asked = await runInDurableObject(env.SEQUENCER.getByName('store'), (_, { storage }) => {
      const store = new BlockStore(storage);
      for (let epoch = 1; epoch <= 12; epoch++) {
        const committee = committeeOf(epoch);
        store.keepCommittee(committee, 'objects', null);
        if (epoch > 10) continue;
        const block = blockOf(committeeHash(committee), store.last, [settlement(epoch)]);
        store.append([{ block, entries: [] }], { seq: block.header.lastRow, hash: block.header.journalHash });
      }
      const turns = [1, 2, 3].map((turn) => {
        const unnamed = store.unnamed(8);
        for (const committee of unnamed) store.noteHandoverTry(committeeHash(committee), turn);
        return unnamed.map(({ epoch }) => epoch);
      });
      const handover = { before: committeeHash(committeeOf(9)), signatures: [] };
      store.keepHandover(committeeHash(committeeOf(10)), handover);
      const before = [1, 2, 10, 12].map((epoch) => store.committeeBefore(committeeHash(committeeOf(epoch)))?.epoch);
      return { turns, before, shown: store.namedUpTo(12, 3).map(({ epoch }) => epoch) };
    });
    expect(asked.turns).toEqual([
      [2, 3, 4, 5, 6, 7, 8, 9],
      [10, 2, 3, 4, 5, 6, 7, 8],
      [9, 2, 3, 4, 5, 6, 7, 8],
    ]);
    expect(asked).toMatchObject({ before: [undefined, 1, 9, 10], shown: [9, 10, 12] });
  });

  // The last one: the next instance of the ledger has settings of its own.
  test('each instance of the ledger tells of what was journaled before it', async () => {
    await trade(await traders.freshPair());
    await sequencer().wake();
    await restart(LEDGER_SHARD);
    await forgotten(place());
    await ledgerOf(env).status();
    await expect.poll(() => alarmOf(place)).not.toBeNull();
  });
});
