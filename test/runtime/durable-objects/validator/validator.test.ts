import { runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test';
import { env } from 'cloudflare:workers';
import { afterEach, beforeAll, describe, expect, test } from 'vitest';
import { receiptOf } from '../../../../application/finality/receipt-of.ts';
import type { Database } from '../../../../data/database.ts';
import { findTradeOf } from '../../../../data/settlements/settled-trades.ts';
import { blockHash } from '../../../../domain/consensus/block.ts';
import blsModule from '../../../../domain/consensus/checkpoints/bls.wasm';
import { wasmBls } from '../../../../domain/consensus/checkpoints/bls-wasm.ts';
import { nobleMlDsa } from '../../../../domain/consensus/checkpoints/ml-dsa-noble.ts';
import {
  COMMITTEE_SIZE,
  type Committee,
  committeeHash,
  EPOCHS_AHEAD_MAX,
  QUORUM,
} from '../../../../domain/consensus/committee.ts';
import { memberKey, verifyEd25519 } from '../../../../domain/consensus/ed25519.ts';
import { handoverFault } from '../../../../domain/consensus/handover.ts';
import { type HostedMember, STRANGERS_DAYS } from '../../../../domain/consensus/member-host.ts';
import { memberSecrets } from '../../../../domain/consensus/member-secrets.ts';
import { receiptFinality } from '../../../../domain/consensus/receipt.ts';
import { sequencerOf } from '../../../../durable-objects/sequencer/api.ts';
import { hostedMember } from '../../../../durable-objects/validator/api.ts';
import { type BuyerAndSeller, createBuyerAndSeller } from '../../fixtures/buyer-and-seller.ts';
import { checkpointerFaults, clearCheckpointerFaults } from '../../fixtures/faulty-checkpointer.ts';
import { sequencerFaults } from '../../fixtures/faulty-sequencer.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { settle } from '../../fixtures/settle.ts';
import { onlySkipTime, skipTime } from '../../fixtures/skip-time.ts';

const crypto = { bls: wasmBls(blsModule), mlDsa: nobleMlDsa };
const DAY_MS = 86_400_000;
const MEMBERS = Array.from({ length: COMMITTEE_SIZE }, (_, member) => member);
/** Where members are from the tenth committee on. */
const WITH_OTHER_3: readonly string[] = MEMBERS.map((member) => (member === 3 ? 'object:3b' : 'object'));
let db: Database;
let traders: BuyerAndSeller;
let symbol: string;

beforeAll(async () => {
  db = await migrate();
  traders = await createBuyerAndSeller(db, 'VAL');
  symbol = await traders.freshPair();
});

afterEach(() => {
  clearCheckpointerFaults();
  Object.assign(sequencerFaults, { epoch: null, areMembersHosted: false, away: 0, isOneMember: false });
  Object.assign(sequencerFaults, { mute: [], places: null, lost: [], areHandoversLost: false, liar: null });
  sequencerFaults.isPatientFor = null;
});

/** Members of this epoch, and of those that are formed from it on, are objects. */
function inObjects(epoch: number): void {
  Object.assign(sequencerFaults, { epoch, areMembersHosted: true });
}

async function trade(): Promise<string> {
  const order = { symbol, type: 'limit', size: 1, price: 10, time_in_force: 'GTC' };
  expect((await traders.seller.client.post('/v1/orders', { ...order, side: 'sell' })).status).toBe(200);
  expect((await traders.buyer.client.post('/v1/orders', { ...order, side: 'buy' })).status).toBe(200);
  await settle(symbol);
  await sequencerOf(env).wake();
  const last = 'SELECT id FROM trades WHERE book = ?1 ORDER BY sequence DESC LIMIT 1';
  return (await env.DB.prepare(last).bind(symbol).first<{ id: string }>())?.id ?? '';
}

async function receipt(id: string) {
  const settled = await findTradeOf(db, traders.buyer.accountId, id);
  const found = settled === null ? null : await receiptOf(env, settled, ['buyer']);
  if (found === null) throw new Error(`trade ${id} is not final`);
  return found;
}

/** Of a trade whose block the committee of epoch 4 has made final. */
async function olderReceipt() {
  const first = 'SELECT id FROM trades WHERE book = ?1 ORDER BY sequence LIMIT 1';
  const found = await receipt((await env.DB.prepare(first).bind(symbol).first<{ id: string }>())?.id ?? '');
  expect(found.committee.epoch).toBeLessThan(5);
  return found;
}

const stateOf = async (id: string) => (await sequencerOf(env).finalities([id]))[0]?.state;
/** Where each of sixteen members counts, one that a busy machine keeps back for three seconds is asked again. */
const becomesFinal = (id: string) =>
  expect
    .poll(async () => {
      await sequencerOf(env).wake();
      return stateOf(id);
    })
    .toBe('final');
/** A member that a busy machine keeps back for three seconds is away for that vote. */
const absentAre = (members: readonly number[]) =>
  expect
    .poll(async () => {
      await trade();
      return (await sequencerOf(env).status()).absent;
    })
    .toEqual(members);
async function finalTrade(): Promise<string> {
  const id = await trade();
  await becomesFinal(id);
  return id;
}

/** Where a busy machine keeps a member back, the committee of before goes on with one more. */
async function finalTradeOf(epoch: number): Promise<string> {
  let id = '';
  const epochOf = async () => {
    id = await finalTrade();
    return (await receipt(id)).committee.epoch;
  };
  await expect.poll(epochOf).toBe(epoch);
  return id;
}

/** One that the committee of the last block makes final, since that of the next epoch gets no block. */
async function waitingChange(epoch: number, waitsFor: unknown): Promise<void> {
  const id = await finalTrade();
  const { committee } = await receipt(id);
  expect(committee.epoch).toBe(epoch);
  const { committee: next, epochWaitsFor, waitsFor: stopped } = await sequencerOf(env).status();
  expect({ next, epochWaitsFor, stopped }).toEqual({
    next: committeeHash(committee),
    epochWaitsFor: waitsFor,
    stopped: null,
  });
}

const proved = async (id: string) => receiptFinality(await receipt(id), verifyEd25519, crypto);

/** All that the objects have of their own goes with their instances. */
async function killMembers(): Promise<void> {
  for (let member = 0; member < COMMITTEE_SIZE; member++) {
    const kill = (_: unknown, ctx: DurableObjectState) => ctx.abort('killed by a test');
    await runInDurableObject(env.VALIDATOR.getByName(String(member)), kill).catch(() => undefined);
  }
}

describe('members in objects of their own', () => {
  test('make trades final with keys that each has made, after a committee of the seed, and after one of their own, each named by the one before', async () => {
    const before = await finalTrade();
    inObjects(2);
    const second = await finalTradeOf(2);
    inObjects(3);
    const third = await finalTradeOf(3);
    const receipts = [await receipt(before), await receipt(second), await receipt(third)];
    expect(receipts.map(({ committee }) => committee.epoch)).toEqual([1, 2, 3]);
    expect(new Set(receipts.flatMap(({ committee }) => committee.keys)).size).toBe(3 * COMMITTEE_SIZE);
    for (const id of [before, second, third]) expect(await proved(id)).toEqual({ ok: true, value: 'final' });
    const committees = await sequencerOf(env).committees(1);
    expect(committees.map(({ members }) => members)).toEqual(['embedded', 'objects', 'objects']);
    const shown = await sequencerOf(env).finalities([before, second, third]);
    expect(shown.map((of) => (of.state === 'pending' ? null : of.members))).toEqual(['embedded', 'objects', 'objects']);
    for (const [at, { handover, ...next }] of committees.entries()) {
      const named = committees[at - 1];
      if (named === undefined || handover === null) expect({ at, handover }).toEqual({ at: 0, handover: null });
      else expect(await handoverFault(handover, named, next, verifyEd25519)).toBeNull();
    }
  });

  test('killed, they are who they were: four may be away, and with five nothing is final until one is back', async () => {
    inObjects(3);
    const committee = (await receipt(await finalTrade())).committee;
    await killMembers();
    sequencerFaults.away = 4;
    const id = await finalTrade();
    const { certificate, committee: after } = await receipt(id);
    expect(after).toEqual(committee);
    expect(certificate.votes).toHaveLength(QUORUM);
    sequencerFaults.away = 5;
    const waiting = await trade();
    expect(await sequencerOf(env).finalities([waiting])).toEqual([{ state: 'pending' }]);
    await killMembers();
    sequencerFaults.away = 4;
    await becomesFinal(waiting);
    expect(await proved(waiting)).toEqual({ ok: true, value: 'final' });
  });

  test('form no committee where two have one key, and form it once each has its own: until then that of the last block goes on', async () => {
    inObjects(4);
    sequencerFaults.isOneMember = true;
    await waitingChange(3, 'no committee of epoch 4: two members have one key');
    await waitingChange(3, 'no committee of epoch 4: two members have one key');
    sequencerFaults.isOneMember = false;
    await finalTradeOf(4);
    expect((await sequencerOf(env).status()).epochWaitsFor).toBeNull();
  });

  test('are asked to form a committee after a pause that grows, however much is traded meanwhile', async () => {
    onlySkipTime();
    inObjects(5);
    const waitsFor = 'no committee of epoch 5: two members have one key';
    Object.assign(sequencerFaults, { isOneMember: true, isPatientFor: 'change', askedForKeys: 0 });
    const asked: number[] = [];
    for (const seconds of [0, 1, 3, 1, 9, 1]) {
      skipTime(seconds * 1_000);
      await waitingChange(4, waitsFor);
      asked.push(sequencerFaults.askedForKeys / COMMITTEE_SIZE);
    }
    expect(asked).toEqual([1, 1, 1, 2, 2, 3]);
  });

  test('sign checkpoints, each with keys that it has signed itself', async () => {
    checkpointerFaults.isOn = true;
    inObjects(4);
    const id = await finalTrade();
    for (let rings = 0; rings < 4; rings++) {
      skipTime(10_000);
      await runDurableObjectAlarm(env.CHECKPOINTER.getByName('checkpointer'));
    }
    expect((await receipt(id)).checkpoint?.checkpoint.committee).toBe((await receipt(id)).headers[0]?.committee);
    expect(await proved(id)).toEqual({ ok: true, value: 'checkpoint_final' });
  });

  test('form no committee while one tells nobody its keys for checkpoints, which would else have none from then on', async () => {
    inObjects(5);
    checkpointerFaults.silent = '11';
    await waitingChange(4, 'silent');
    checkpointerFaults.silent = null;
    const id = await finalTradeOf(5);
    // From here on the committee needs it no more.
    checkpointerFaults.silent = '11';
    await runInDurableObject(env.CHECKPOINTER.getByName('checkpointer'), (_, ctx) =>
      ctx.abort('killed by a test'),
    ).catch(() => undefined);
    checkpointerFaults.isOn = true;
    for (let rings = 0; rings < 6 && (await stateOf(id)) !== 'checkpoint_final'; rings++) {
      skipTime(10_000);
      await sequencerOf(env).wake();
      await runDurableObjectAlarm(env.CHECKPOINTER.getByName('checkpointer')).catch(() => false);
    }
    expect(await stateOf(id)).toBe('checkpoint_final');
  });

  test('one that has never voted believes who was before, however many committees it has met, and no other once it has voted', async () => {
    inObjects(5);
    const { headers, certificate, committee: before } = await receipt(await finalTrade());
    const final = headers.at(-1);
    if (final === undefined) throw new Error('no header');
    const fresh = () => env.VALIDATOR.getByName('fresh') as unknown as HostedMember;
    const others = Array.from({ length: COMMITTEE_SIZE - 1 }, (_, number) => number.toString(16).padStart(64, '0'));
    const committeeOf = async (epoch: number) => ({ epoch, keys: [await fresh().publicKey(epoch), ...others] });
    await fresh().endRound(await committeeOf(6), 0, []);
    const committee = await committeeOf(7);
    const follows = { height: final.height + 1, parent: blockHash(final), slot: final.slot + 1 };
    const rows = { firstRow: final.lastRow + 1, lastRow: final.lastRow + 1 };
    const next = { ...final, ...follows, ...rows, committee: committeeHash(committee) };
    const proposal = { final, certificate, chain: [next] };
    const hash = blockHash(next);
    expect(await fresh().consider(committee, before, { ...proposal, certificate: null })).toBeNull();
    const fewer = { ...certificate, votes: certificate.votes.slice(0, QUORUM - 1) };
    expect(await fresh().consider(committee, before, { ...proposal, certificate: fewer })).toBeNull();
    expect(await fresh().consider(committee, before, proposal)).toBe(hash);
    const heard = Array.from({ length: QUORUM }, (_, number) => [number, hash] as const);
    expect((await fresh().endRound(committee, 0, heard)).vote).toMatchObject({ member: 0, height: next.height });
    const { committee: older, headers: olderHeaders, certificate: olderProof } = await olderReceipt();
    const last = olderHeaders.at(-1);
    if (last === undefined) throw new Error('no header');
    const since = { ...next, height: last.height + 1, parent: blockHash(last) };
    const old = { final: last, certificate: olderProof, chain: [{ ...since, firstRow: last.lastRow + 1 }] };
    expect(await fresh().consider(committee, older, old)).toBeNull();
    expect(await fresh().consider(committee, before, proposal)).toBe(hash);
    // No committee of before moves it off its vote, whatever its keys sign.
    const beside = { ...next, slot: next.slot + 1 };
    expect(await fresh().consider(committee, before, { ...proposal, chain: [beside] })).toBeNull();
  });

  test('one believes no block to be final without a certificate, votes for no block beside one that it has voted for, and sits in one committee an epoch', async () => {
    inObjects(5);
    await trade();
    const { headers, certificate, committee } = await receipt(await finalTrade());
    const final = headers.at(-1);
    if (final === undefined) throw new Error('no header');
    const member = hostedMember(env, 7);
    const next = { ...final, height: final.height + 1, parent: blockHash(final), slot: final.slot + 1 };
    const chain = [{ ...next, firstRow: final.lastRow + 1, lastRow: final.lastRow + 1 }];
    const hash = blockHash(chain[0] ?? final);
    // It has not voted for this one, which is of the same height.
    const madeUp = { ...final, slot: final.slot + 1 };
    const onIt = [{ ...(chain[0] ?? final), parent: blockHash(madeUp) }];
    expect(await member.consider(committee, null, { final: madeUp, certificate, chain: onIt })).toBeNull();
    expect(await member.consider(committee, null, { final, certificate, chain })).toBe(hash);
    const heard = Array.from({ length: QUORUM }, (_, number) => [number, hash] as const);
    expect((await member.endRound(committee, 0, heard)).vote).toMatchObject({ member: 7, height: next.height, hash });
    await killMembers();
    const other = [{ ...(chain[0] ?? final), slot: final.slot + 2 }];
    expect(await hostedMember(env, 7).consider(committee, null, { final, certificate, chain: other })).toBeNull();
    expect(await hostedMember(env, 7).consider(committee, null, { final, certificate, chain })).toBe(hash);
    const keys = [...committee.keys];
    [keys[0], keys[1]] = [keys[1] ?? '', keys[0] ?? ''];
    const swapped = { ...committee, keys };
    expect(await hostedMember(env, 7).consider(swapped, null, { final, certificate, chain })).toBeNull();
    const stranger = { ...committee, keys: committee.keys.with(7, 'a'.repeat(64)) };
    await expect(
      (async () => hostedMember(env, 7).consider(stranger, null, { final, certificate, chain }))(),
    ).rejects.toThrow('not of the committee');
  });

  test('no block names a committee before the one of before has named it: its members are asked where they were then', async () => {
    const named = async () => {
      const shown = await sequencerOf(env).committees(5);
      return shown.flatMap(({ epoch, handover }) => (handover === null ? [] : [epoch]));
    };
    inObjects(5);
    await finalTrade();
    sequencerFaults.areHandoversLost = true;
    inObjects(6);
    const refused = `no block of epoch 6: 0 of its members would vote and not 16 (refuse: ${MEMBERS.join(' ')}; away: none)`;
    await waitingChange(5, expect.stringContaining(refused));
    sequencerFaults.areHandoversLost = false;
    await finalTradeOf(6);
    // Each of sixteen names the next one, and has voted in this one.
    await absentAre([]);
    // Four members are in other objects from here on: they have never voted, and would.
    const places = Array.from({ length: COMMITTEE_SIZE }, (_, member) =>
      member < 4 ? `object:moved-${member}` : 'object',
    );
    Object.assign(sequencerFaults, { epoch: 7, places, areHandoversLost: true });
    const tooFew = expect.stringMatching(
      /^no block of epoch 7: \d of its members would vote and not 16 \(refuse: [0-9 ]+; away/,
    );
    await waitingChange(6, tooFew);
    // Sixteen have to name it, and these are fifteen.
    Object.assign(sequencerFaults, { areHandoversLost: false, lost: ['19'] });
    await waitingChange(6, tooFew);
    expect(await named()).toEqual([5, 6]);
    sequencerFaults.lost = [];
    await finalTradeOf(7);
    expect(await named()).toEqual([5, 6, 7]);
    const [fifth, sixth, seventh] = await sequencerOf(env).committees(5);
    for (const [before, next] of [
      [fifth, sixth],
      [sixth, seventh],
    ] as const) {
      if (before === undefined || next?.handover == null) throw new Error('no handover');
      expect(await handoverFault(next.handover, before, next, verifyEd25519)).toBeNull();
    }
    expect(seventh?.handover?.signatures.map(({ member }) => member)).toEqual(
      Array.from({ length: QUORUM }, (_, at) => at + 4),
    );
    await absentAre([]);
  });

  test('votes of a committee of before are asked for where its members were, and a lower epoch is refused before a block names it', async () => {
    sequencerFaults.away = 5;
    inObjects(7);
    sequencerFaults.places = Array.from({ length: COMMITTEE_SIZE }, (_, member) =>
      member < 4 ? `object:moved-${member}` : 'object',
    );
    const waiting = await trade();
    expect(await stateOf(waiting)).toBe('pending');
    skipTime(STRANGERS_DAYS * DAY_MS);
    // While it is open no block names another committee.
    Object.assign(sequencerFaults, { epoch: 8, places: null });
    const { height } = await sequencerOf(env).status();
    await trade();
    const status = await sequencerOf(env).status();
    expect([status.height, status.waitsFor]).toEqual([height, `block ${height} has not enough votes`]);
    Object.assign(sequencerFaults, { away: 0, lost: ['19'] });
    await becomesFinal(waiting);
    expect((await receipt(waiting)).committee.epoch).toBe(7);
    Object.assign(sequencerFaults, { epoch: 6, lost: [] });
    await waitingChange(7, 'CONSENSUS_EPOCH is 6, and the last block is of epoch 7');
    sequencerFaults.epoch = 8;
    await finalTradeOf(8);
  });

  test('a member that is proved to have voted for two blocks is in no later committee: one is formed once its place is another’s', async () => {
    skipTime(STRANGERS_DAYS * DAY_MS);
    inObjects(9);
    const { committee } = await receipt(await finalTradeOf(9));
    const member = 3;
    const seedOf = (_: unknown, { storage: { sql } }: DurableObjectState) =>
      new Uint8Array(sql.exec<{ seed: ArrayBuffer }>('SELECT seed FROM seeds WHERE epoch = 9').one().seed);
    const seed = await runInDurableObject(env.VALIDATOR.getByName(String(member)), seedOf);
    const key = await memberKey(memberSecrets(seed, 9, 0).ed25519);
    expect(key.publicKey).toBe(committee.keys[member]);
    sequencerFaults.liar = { member, key, committee: committeeHash(committee) };
    await trade();
    sequencerFaults.liar = null;
    // Once it votes again: where a busy machine keeps it back, that is with a later block.
    await expect
      .poll(async () => {
        await trade();
        return (await sequencerOf(env).status()).equivocations.length;
      })
      .toBe(1);
    sequencerFaults.epoch = 10;
    const reason = (place: number) =>
      `no committee of epoch 10: member ${place} has voted for two blocks, and needs another place`;
    await waitingChange(9, reason(3));
    // At another number it is the same member.
    const places: string[] = Array(COMMITTEE_SIZE).fill('object');
    sequencerFaults.places = places.with(3, 'object:3b').with(5, 'object:3');
    await waitingChange(9, reason(5));
    sequencerFaults.places = places.with(3, 'object:3b');
    await finalTradeOf(10);
    const [shown] = await sequencerOf(env).committees(10);
    expect(shown?.handover?.signatures.map(({ member: by }) => by)).not.toContain(3);
  });

  test('members that take no part are named, while the others decide and once they do not', async () => {
    inObjects(11);
    sequencerFaults.places = (Array(COMMITTEE_SIZE).fill('object') as string[]).with(3, 'object:3b');
    await absentAre([]);
    sequencerFaults.lost = ['4', '9', '17'];
    await absentAre([4, 9, 17]);
    sequencerFaults.lost = ['4', '9', '11', '17', '18'];
    const id = await trade();
    expect(await stateOf(id)).toBe('pending');
    expect((await sequencerOf(env).status()).absent).toEqual(expect.arrayContaining([4, 9, 11, 17, 18]));
    sequencerFaults.lost = [];
    await becomesFinal(id);
    await absentAre([]);
  });

  test('members that answer and never vote are named like those that are away', async () => {
    inObjects(11);
    sequencerFaults.places = WITH_OTHER_3;
    sequencerFaults.mute = [2, 8];
    await absentAre([2, 8]);
    sequencerFaults.mute = [2, 5, 8, 12, 16];
    const id = await trade();
    expect(await stateOf(id)).toBe('pending');
    expect((await sequencerOf(env).status()).absent).toEqual(expect.arrayContaining([2, 5, 8, 12, 16]));
    sequencerFaults.mute = [];
    await becomesFinal(id);
  });

  test('where members were stays noted when the deployment names others before the epoch, and follows those that answer with their key elsewhere', async () => {
    inObjects(11);
    sequencerFaults.places = WITH_OTHER_3;
    const { committee } = await receipt(await finalTrade());
    const noted = () =>
      runInDurableObject(env.SEQUENCER.getByName('sequencer'), (_, { storage: { sql } }) => {
        const query = 'SELECT places FROM member_places WHERE hash = ?';
        return JSON.parse(sql.exec<{ places: string }>(query, committeeHash(committee)).one().places);
      });
    expect(await noted()).toEqual(WITH_OTHER_3);
    // The first is another member, the other the same one by another name.
    sequencerFaults.places = WITH_OTHER_3.with(6, 'object:6b').with(9, 'object:9');
    skipTime(300_000);
    await expect
      .poll(async () => {
        await trade();
        return noted();
      })
      .toEqual(WITH_OTHER_3.with(9, 'object:9'));
  });

  test('members that were not asked since they have voted follow no chain that others went on with: no block names them, and others go on', async () => {
    Object.assign(sequencerFaults, { epoch: 12, areMembersHosted: false });
    const { committee: embeddedOne } = await receipt(await finalTrade());
    expect(embeddedOne.epoch).toBe(12);
    /** When the members of before were last asked to name a committee, once that is through. */
    const triedOf = async (committee: Committee) => {
      await sequencerOf(env).committees(1);
      return runInDurableObject(env.SEQUENCER.getByName('sequencer'), (_, { storage: { sql } }) => {
        const query = 'SELECT tried FROM handover_tries WHERE hash = ?';
        return sql.exec<{ tried: number }>(query, committeeHash(committee)).one().tried;
      });
    };
    inObjects(11);
    sequencerFaults.places = WITH_OTHER_3;
    await waitingChange(12, 'CONSENSUS_EPOCH is 11, and the last block is of epoch 12');
    sequencerFaults.epoch = 13;
    await waitingChange(12, expect.stringContaining('no block of epoch 13: 0 of its members would vote'));
    // That leaves the pause of handovers that are missing as it is.
    const tried = await triedOf(embeddedOne);
    await waitingChange(12, expect.stringContaining('no block of epoch 13'));
    expect(await triedOf(embeddedOne)).toBe(tried);
    sequencerFaults.epoch = 13 + EPOCHS_AHEAD_MAX;
    await waitingChange(12, 'CONSENSUS_EPOCH is 113, and is 112 at most by now');
    // The operator names members that have never voted.
    Object.assign(sequencerFaults, { epoch: 14, places: MEMBERS.map((each) => `object:other-${each}`) });
    expect(await proved(await finalTradeOf(14))).toMatchObject({ ok: true });
  });

  test('where neither committee would vote no block is made, and members of a later epoch go on: a block that names those that are lost would wait for good', async () => {
    const others = MEMBERS.map((each) => `object:other-${each}`);
    Object.assign(sequencerFaults, { epoch: 14, areMembersHosted: true, places: others });
    await finalTradeOf(14);
    const { height } = await sequencerOf(env).status();
    // Five are lost with all that they knew, so nobody names the next committee.
    sequencerFaults.lost = MEMBERS.slice(0, 5).map((each) => `other-${each}`);
    sequencerFaults.epoch = 15;
    const id = await trade();
    expect(await stateOf(id)).toBe('pending');
    const status = await sequencerOf(env).status();
    expect(status.height).toBe(height);
    expect(status.waitsFor).toMatch(
      /^member other-0 is lost\. Nor does the committee of the last block go on, of epoch 14: \d+ of its members would vote and not 16 \(refuse: none; away: 0 1 2 3 4\b.*\)$/,
    );
    Object.assign(sequencerFaults, { epoch: 16, places: MEMBERS.map((each) => `object:last-${each}`) });
    await becomesFinal(id);
    expect((await receipt(id)).committee.epoch).toBe(16);
  });
});
