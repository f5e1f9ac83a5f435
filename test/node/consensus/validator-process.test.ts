import { type ChildProcess, execFileSync, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, readFileSync, rmdirSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { loadCheckpointCrypto } from '../../../containers/validator/load-checkpoint-crypto.ts';
import { MemoryFile } from '../../../containers/validator/memory-file.ts';
import { readSettings } from '../../../containers/validator/settings.ts';
import type { BlockHeader } from '../../../domain/consensus/block.ts';
import { blockHash } from '../../../domain/consensus/block.ts';
import { certificateFault } from '../../../domain/consensus/certificate.ts';
import { blockOf, SigningCommittee, settlement } from '../../../domain/consensus/chain.fixtures.ts';
import { certifyCheckpoint } from '../../../domain/consensus/checkpoints/certify-checkpoint.ts';
import { checkpointOf } from '../../../domain/consensus/checkpoints/checkpoint.ts';
import { checkpointCertificateFault } from '../../../domain/consensus/checkpoints/checkpoint-certificate.ts';
import { checkpointKeysFault, checkpointKeysHash } from '../../../domain/consensus/checkpoints/checkpoint-keys.ts';
import { COMMITTEE_SIZE, type Committee, committeeHash } from '../../../domain/consensus/committee.ts';
import { decide } from '../../../domain/consensus/decide.ts';
import { verifyEd25519 } from '../../../domain/consensus/ed25519.ts';
import { handoverMessage } from '../../../domain/consensus/handover.ts';
import { type HostedMember, MemberHost } from '../../../domain/consensus/member-host.ts';
import { remoteMember } from '../../../durable-objects/validator/remote-member.ts';
import { portOf } from '../fixtures/port-of.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const TOKEN = 'a-token-of-the-tests-0123456789abcdef';
const REMOTE = 4;
const EPOCH = 1;
/** Guards against hanging alone: processes start slowly beside others. */
const HANG_GUARD_MS = 300_000;
vi.setConfig({ testTimeout: HANG_GUARD_MS, hookTimeout: HANG_GUARD_MS });

const crypto = loadCheckpointCrypto();
const folder = mkdtempSync(join(tmpdir(), 'validators-'));
const processes: (ChildProcess | undefined)[] = [];
const urls: string[] = [];
let committee: Committee;
let first: BlockHeader;
let second: BlockHeader;
/** Of the first block. */
let certificate: Awaited<ReturnType<typeof decide>>;

const hexOf = (bytes: Uint8Array | null) => Buffer.from(bytes ?? []).toString('hex');
const memoryOf = (number: number) => join(folder, `member-${number}.json`);
/** The first four are processes, the others live here. */
const local = Array.from(
  { length: COMMITTEE_SIZE },
  (_, number) =>
    new MemberHost(
      new MemoryFile(memoryOf(number + 100)),
      () => crypto,
      () => Date.now(),
    ),
);
const memberAt = (number: number): HostedMember => {
  const host = local[number];
  if (host === undefined) throw new Error(`no member ${number}`);
  return number < REMOTE ? remoteMember(urls[number] ?? '', TOKEN, HANG_GUARD_MS) : host;
};
const members = () =>
  Array.from({ length: COMMITTEE_SIZE }, (_, number) => ({
    consider: (...[proposal]: Parameters<Parameters<typeof decide>[0][number]['consider']>) =>
      memberAt(number).consider(committee, null, proposal),
    endRound: (...args: Parameters<Parameters<typeof decide>[0][number]['endRound']>) =>
      memberAt(number).endRound(committee, ...args),
  }));

async function start(number: number): Promise<void> {
  const env = {
    ...process.env,
    CONSENSUS_MEMBER_TOKEN: TOKEN,
    VALIDATOR_PORT: '0',
    VALIDATOR_MEMORY: memoryOf(number),
  };
  const child = fork(join(ROOT, 'containers', 'validator', 'main.ts'), {
    env,
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  processes[number] = child;
  urls[number] = `http://127.0.0.1:${await portOf(child, `member ${number}`)}`;
}

async function kill(number: number): Promise<void> {
  const child = processes[number];
  if (child === undefined || child.exitCode !== null || child.signalCode !== null) return;
  const ended = once(child, 'exit');
  child.kill('SIGKILL');
  await ended;
}

const decided = (final: BlockHeader | null, proof: typeof certificate, chain: BlockHeader[]) =>
  decide(members(), committee, { final, certificate: proof, chain }, verifyEd25519);

async function post(path: string, body: string, token = TOKEN): Promise<{ status: number; body: unknown }> {
  const headers = { authorization: `Bearer ${token}` };
  const response = await fetch(`${urls[0]}${path}`, { method: 'POST', headers, body });
  return { status: response.status, body: await response.json() };
}

beforeAll(async () => {
  for (let number = 0; number < REMOTE; number++) await start(number);
  const keys = await Promise.all(
    Array.from({ length: COMMITTEE_SIZE }, (_, number) => memberAt(number).publicKey(EPOCH)),
  );
  committee = { epoch: EPOCH, keys };
  first = blockOf(committeeHash(committee), null, [settlement(1)]).header;
  second = blockOf(committeeHash(committee), first, [settlement(2)]).header;
});

afterAll(async () => {
  for (let number = 0; number < REMOTE; number++) await kill(number);
  rmSync(folder, { recursive: true, force: true });
});

describe('members in processes of their own', () => {
  test('vote with the others, killed they are who they were, and a block is final with all four of them away', async () => {
    certificate = await decided(null, null, [first]);
    expect(certificate?.votes).toHaveLength(COMMITTEE_SIZE);
    for (let number = 0; number < REMOTE; number++) {
      await kill(number);
      await start(number);
      expect(await memberAt(number).publicKey(EPOCH)).toBe(committee.keys[number]);
    }
    const next = await decided(first, certificate, [second]);
    expect(next?.votes).toHaveLength(COMMITTEE_SIZE);
    if (next === null) throw new Error('not final');
    expect(await certificateFault(next, committee, verifyEd25519)).toBeNull();
    for (let number = 0; number < REMOTE; number++) await kill(number);
    const third = blockOf(committeeHash(committee), second, [settlement(3)]).header;
    expect((await decided(second, next, [third]))?.votes.map(({ member }) => member)[0]).toBe(REMOTE);
    for (let number = 0; number < REMOTE; number++) await start(number);
  });

  test('killed after a vote, one votes for nothing beside it', async () => {
    const other = { ...second, slot: second.slot + 1 };
    const proposal = { final: first, certificate, chain: [other] };
    await kill(0);
    await start(0);
    expect(await memberAt(0).consider(committee, null, proposal)).toBeNull();
    expect(await memberAt(0).consider(committee, null, { ...proposal, chain: [second] })).toBe(blockHash(second));
  });

  test('sign checkpoints with the others', async () => {
    const told = committee.keys.map((_, number) => memberAt(number).checkpointKeys(committee));
    const keys = { epoch: EPOCH, committee: committeeHash(committee), members: await Promise.all(told) };
    expect(await checkpointKeysFault(keys, committee, crypto, verifyEd25519)).toBeNull();
    const checkpoint = checkpointOf(checkpointKeysHash(keys), null, [first]);
    const proposal = { checkpoint, parent: null, blocks: [first], certificate };
    const signers = committee.keys.map((_, number) => ({
      sign: (asked: typeof proposal) => memberAt(number).signCheckpoint(committee, asked),
    }));
    const signed = await certifyCheckpoint(signers, proposal, keys, crypto);
    if (signed === null) throw new Error('not signed');
    expect(signed.bls.members.slice(0, REMOTE)).toEqual([0, 1, 2, 3]);
    expect(checkpointCertificateFault(signed, checkpoint, keys, crypto)).toBeNull();
  });

  test('B-12: name one committee of an epoch after their own in which 16 of them go on, and no other after a kill', async () => {
    const epoch = EPOCH + 1;
    const told = committee.keys.map(async (_, member) => ({
      member,
      ...(await memberAt(member).signSuccessor(committee, epoch)),
    }));
    const successors = await Promise.all(told);
    const strangers = (await SigningCommittee.of(41, epoch)).committee.keys;
    const own = successors.map(({ key }) => key);
    const committeeOf = (fromStrangers: number) => ({
      epoch,
      keys: [...own.slice(0, COMMITTEE_SIZE - fromStrangers), ...strangers.slice(0, fromStrangers)],
    });
    const name = (next: Committee) =>
      memberAt(0).signHandover(
        committee,
        next,
        successors.filter(({ key }) => next.keys.includes(key)),
      );
    const next = committeeOf(4);
    await expect(name(committeeOf(5))).rejects.toThrow('it has 5 members of whom no committee before knows');
    const message = handoverMessage(committeeHash(committee), committeeHash(next));
    const signature = await name(next);
    expect(await verifyEd25519(committee.keys[0] ?? '', message, signature)).toBe(true);
    await kill(0);
    await start(0);
    await expect(name(committeeOf(0))).rejects.toThrow('another committee of epoch 2');
    expect(await name(next)).toBe(signature);
    const handover = { before: committeeHash(committee), signatures: [] };
    const shown = [
      { ...committee, handover: null },
      { ...next, handover },
    ];
    expect(await memberAt(0).wouldVote(committee, first, null, shown)).toBe(true);
    expect(await memberAt(0).wouldVote(next, second, committee, shown)).toBe(false);
  });

  test('answer nobody without the token, and say what is wrong with a question', async () => {
    expect(await post('/v1/publicKey', '[1]', 'another-token')).toMatchObject({ status: 401 });
    expect(await post('/v1/seed', '[1]')).toMatchObject({ status: 404 });
    expect(await post('/v1/constructor', '[1]')).toMatchObject({ status: 404 });
    expect(await post('/v1/publicKey', 'no json')).toEqual({ status: 400, body: { error: 'no JSON' } });
    expect(await post('/v1/publicKey', '[0]')).toMatchObject({ status: 400 });
    expect(await post('/v1/publicKey', JSON.stringify(['1'.repeat(2_000_001)]))).toMatchObject({ status: 413 });
    const stranger = { ...committee, keys: committee.keys.with(0, 'a'.repeat(64)) };
    expect(await post('/v1/checkpointKeys', JSON.stringify([stranger]))).toEqual({
      status: 409,
      body: { error: 'this member is not of the committee' },
    });
    expect(await post('/v1/publicKey', '[1]')).toEqual({ status: 200, body: committee.keys[0] });
  });

  test('keep their memory in a file that others may not read, and start on no other file', () => {
    expect(statSync(memoryOf(0)).mode & 0o777).toBe(0o600);
    expect(JSON.parse(readFileSync(memoryOf(0), 'utf8'))).toMatchObject({ committees: { [EPOCH]: committee } });
    writeFileSync(join(folder, 'other.json'), '{}');
    expect(() => new MemoryFile(join(folder, 'other.json'))).toThrow('is no member’s memory');
    expect(() => readSettings({ CONSENSUS_MEMBER_TOKEN: 'short', VALIDATOR_MEMORY: 'x' })).toThrow('32 characters');
    expect(() => readSettings({ CONSENSUS_MEMBER_TOKEN: TOKEN })).toThrow('VALIDATOR_MEMORY is not set');
  });

  test('give out no key, and forget nothing, while their memory cannot be written', () => {
    const path = join(folder, 'unwritable.json');
    const memory = new MemoryFile(path);
    const before = hexOf(memory.makeSeed(1));
    mkdirSync(`${path}.next`);
    for (let tries = 0; tries < 2; tries++) {
      expect(() => memory.makeSeed(2)).toThrow('EISDIR');
      expect(memory.seed(2)).toBeNull();
      expect(() => memory.meets(committee)).toThrow('EISDIR');
    }
    rmdirSync(`${path}.next`);
    const after = hexOf(memory.makeSeed(2));
    // What was not written is not kept: another committee of the epoch is the first.
    expect(memory.meets({ ...committee, keys: committee.keys.toReversed() })).toBe(true);
    const again = new MemoryFile(path);
    expect([1, 2].map((epoch) => hexOf(again.seed(epoch)))).toEqual([before, after]);
  });

  test('keep the memory that they have where a disk takes a part of the next one', () => {
    const path = join(folder, 'full.json');
    const seed = hexOf(new MemoryFile(path).makeSeed(1));
    const module = JSON.stringify(join(ROOT, 'containers', 'validator', 'memory-file.ts'));
    const script = `
      const { MemoryFile } = await import(${module});
      try {
        new MemoryFile(process.argv[1]).meets(JSON.parse(process.argv[2]));
        console.log('written');
      } catch (error) {
        console.log(error.code);
      }`;
    // A committee is longer than the kilobyte that this process may write.
    const node = `ulimit -f 1 && exec ${process.execPath} --input-type=module -e "$1" "$2" "$3"`;
    const told = execFileSync('bash', ['-c', node, 'bash', script, path, JSON.stringify(committee)], { stdio: 'pipe' });
    expect(told.toString().trim()).toBe('EFBIG');
    const memory = new MemoryFile(path);
    expect(hexOf(memory.seed(1))).toBe(seed);
    expect(memory.meets({ ...committee, keys: committee.keys.toReversed() })).toBe(true);
  });

  test('are away where their answer does not end: no more of it is read than the longest has', async () => {
    let written = 0;
    const server = createServer((_, response) => {
      const chunk = Buffer.alloc(100_000, ' ');
      const write = () => {
        for (let more = true; more && !response.destroyed; written += chunk.length) more = response.write(chunk);
      };
      response.on('drain', write);
      write();
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const endless = remoteMember(`http://127.0.0.1:${(server.address() as AddressInfo).port}`, TOKEN);
    await expect(endless.publicKey(EPOCH)).rejects.toThrow('publicKey: the answer is too long');
    expect(written).toBeLessThan(20_000_000);
    server.closeAllConnections();
    server.close();
  });
});
