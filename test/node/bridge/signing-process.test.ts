import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, readdirSync, readFileSync, rmSync, statSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { RecordFolder } from '../../../containers/bridge-signer/record-folder.ts';
import { readPlaces, readSettings } from '../../../containers/bridge-signer/settings.ts';
import { startSigner } from '../../../containers/bridge-signer/start-signer.ts';
import { RpcRefusal } from '../../../domain/bridge/chains/chain-adapter.ts';
import { ORGANIZATION } from '../../../domain/bridge/signing/ceremony/ceremony.fixtures.ts';
import type { CeremonyTerms } from '../../../domain/bridge/signing/ceremony/ceremony.ts';
import { runCeremony } from '../../../domain/bridge/signing/ceremony/run-ceremony.ts';
import { signPayment } from '../../../domain/bridge/signing/coordinator.ts';
import { clusterKeys, type PublicCluster, tweakedCluster } from '../../../domain/bridge/signing/key-share.ts';
import { JOB, TERMS, World } from '../../../domain/bridge/signing/signing.fixtures.ts';
import { verifySignature } from '../../../domain/bridge/signing/verify-signature.ts';
import { termsCommitment } from '../../../domain/bridge/transfer-terms.ts';
import { remoteSigner } from '../../../durable-objects/signer/remote-signer.ts';
import { httpTransport } from '../../../protocol/bridge/http-transport.ts';
import { placesOf } from '../../../protocol/bridge/signer-places.ts';
import { portOf } from '../fixtures/port-of.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const TOKEN = 'a-token-of-the-tests-0123456789abcdef';
const folder = mkdtempSync(join(tmpdir(), 'signers-'));

const environmentOf = (number: number) => ({
  BRIDGE_SIGNER_TOKEN: TOKEN,
  BRIDGE_SIGNER_PORT: '0',
  BRIDGE_SIGNER_ORGANIZATIONS: `${ORGANIZATION},other`,
  BRIDGE_SIGNER_NUMBER: String(number),
  BRIDGE_SIGNER_KEY: Buffer.alloc(32, number + 1).toString('base64url'),
  BRIDGE_SIGNER_MEMORY: join(folder, String(number)),
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

describe('signers in processes of their own', () => {
  const processes: (ChildProcess | undefined)[] = [];
  const urls: string[] = [];
  const signers = () => urls.map((url) => remoteSigner(url, ORGANIZATION, TOKEN));

  async function start(number: number): Promise<void> {
    const child = fork(join(ROOT, 'containers', 'bridge-signer', 'main.ts'), {
      env: { ...process.env, ...environmentOf(number) },
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
    });
    processes[number] = child;
    urls[number] = `http://127.0.0.1:${await portOf(child, `signer ${number}`)}`;
  }

  async function kill(number: number): Promise<void> {
    const child = processes[number];
    if (child === undefined) return;
    const ended = once(child, 'exit');
    child.kill('SIGKILL');
    await ended;
  }

  async function termsOf(): Promise<CeremonyTerms> {
    const roster = await Promise.all(signers().map((signer) => signer.identity()));
    const dealers = roster.map((key, signer) => ({ signer, key }));
    const shape = { id: 'first', organization: ORGANIZATION, scheme: 'frost-ed25519', kind: 'make' } as const;
    return { ...shape, generation: 1, roster, dealers, from: null };
  }

  beforeAll(async () => {
    await Promise.all([0, 1, 2, 3, 4].map(start));
  });

  afterAll(async () => {
    await Promise.all([0, 1, 2, 3, 4].map(kill));
  });

  test('make a key, killed after each step they are who they were, and keep nothing in clear', {
    timeout: 400_000,
  }, async () => {
    const terms = await termsOf();
    const deals = await Promise.all(signers().map((signer) => signer.deal(terms)));
    for (const number of [1, 3]) await kill(number);
    const away = await runCeremony(terms, signers(), signers());
    expect(away).toMatchObject({ ok: false, faults: [{ culprit: 1 }, { culprit: 3 }] });
    for (const number of [1, 3]) await start(number);
    expect(await termsOf()).toEqual(terms);
    expect(await Promise.all(signers().map((signer) => signer.deal(terms)))).toEqual(deals);
    const outcome = await runCeremony(terms, signers(), signers());
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.faults));
    await kill(2);
    await start(2);
    for (const signer of signers()) expect(await signer.clusters()).toEqual([outcome.cluster]);
    expect(await remoteSigner(urls[0] as string, 'other', TOKEN).clusters()).toEqual([]);

    const own = join(folder, '0', ORGANIZATION);
    expect(statSync(own).mode & 0o077).toBe(0);
    for (const kind of ['identity', 'key', 'ceremony'])
      for (const name of readdirSync(join(own, kind))) {
        const path = join(own, kind, name);
        expect(statSync(path).mode & 0o077).toBe(0);
        expect(() => JSON.parse(readFileSync(path, 'utf8'))).toThrow();
      }
    expect(() => new RecordFolder(own)).toThrow('has the signer’s memory');
  });

  test('without chains to look at sign nothing, and say so', async () => {
    const answer = await signers()[0]?.offer(JOB, 'first');
    expect(answer).toEqual({ ok: false, kind: 'not_yet', reason: 'it cannot see: no chains are reached from here' });
  });

  test('answer who shows the token, and what they understand', async () => {
    const post = async (path: string, body: string, token = TOKEN) => {
      const headers = { authorization: `Bearer ${token}` };
      return (await fetch(`${urls[0]}${path}`, { method: 'POST', headers, body })).status;
    };
    const identity = `/v1/${ORGANIZATION}/identity`;
    expect(await post(identity, '[]')).toBe(200);
    expect(await post(identity, '[]', 'another')).toBe(401);
    expect(await post(identity, '[1]')).toBe(400);
    expect(await post(identity, '{')).toBe(400);
    expect(await post(`/v1/${ORGANIZATION}/offer`, JSON.stringify([{ ...JOB, side: 'left' }, 'x']))).toBe(400);
    expect(await post(identity, `[${' '.repeat(300_000)}]`)).toBe(413);
    for (const path of ['/v1/identity', '/v1/nobody/identity', `/v1/${ORGANIZATION}/constructor`, '/'])
      expect(await post(path, '[]')).toBe(404);
    expect((await fetch(`${urls[0]}/healthz`)).status).toBe(200);
  });
});

describe('a signer behind HTTP', () => {
  test('signs with four others across restarts, each with its own folder', async () => {
    const seen: { world: World | null } = { world: null };
    const eyes = new Proxy({} as World, {
      get:
        (_, name) =>
        (...args: never[]) =>
          (seen.world as never as Record<string | symbol, (...of: never[]) => unknown>)[name]?.(...args),
    });
    const settingsOf = (number: number) =>
      readSettings({ ...environmentOf(number), BRIDGE_SIGNER_MEMORY: join(folder, `signing-${number}`) });
    const startAll = () => Promise.all([0, 1, 2, 3, 4].map((number) => startSigner(settingsOf(number), eyes)));
    let running = await startAll();
    const signers = () => running.map(({ port }) => remoteSigner(`http://127.0.0.1:${port}`, ORGANIZATION, TOKEN));
    const restart = async () => {
      await Promise.all(running.map((server) => server.stop()));
      running = await startAll();
    };
    const roster = await Promise.all(signers().map((signer) => signer.identity()));
    const dealers = roster.map((key, signer) => ({ signer, key }));
    const shape = { id: 'first', organization: ORGANIZATION, scheme: 'frost-taproot', kind: 'make' } as const;
    const terms = { ...shape, generation: 1, roster, dealers, from: null };
    const outcome = await runCeremony(terms, signers(), signers());
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.faults));
    const cluster: PublicCluster = outcome.cluster;
    seen.world = new World(cluster);
    // Seen in time, however slow this machine is.
    const late = { ...TERMS, expiresAt: Date.now() + 3_600_000 };
    const word = await signers()[0]?.attestFunds(late);
    expect(word).toMatchObject({ ok: true, value: { signer: 0, claim: null } });
    const job = { ...JOB, terms: late, payment: { ...JOB.payment, commitment: termsCommitment(late) } };
    seen.world.cleared = { amount: TERMS.amount, clearAt: 0, isVetoed: false };
    const unsigned = await seen.world.build(job.terms, job.side, job.payment);
    let sessions = 0;
    for (let round = 0; round < 2; round++) {
      const newSession = () => `session-${sessions++}`;
      const signed = await signPayment({ cluster, signers: signers(), job, unsigned, newSession });
      if (!signed.ok) throw new Error(signed.reason);
      for (const [index, { bytes, tweak }] of unsigned.messages.entries()) {
        const signature = signed.signatures[index];
        const { groupKey } = clusterKeys(tweakedCluster(cluster, tweak));
        expect(
          signature?.kind === 'group' && verifySignature('frost-taproot', groupKey, bytes, signature.signature),
        ).toBe(true);
      }
      await restart();
    }
    const second = { ...job, payment: { ...job.payment, reference: 'nonce-2' } };
    expect(await signers()[0]?.offer(second, 'second')).toMatchObject({ kind: 'not_yet' });
    await Promise.all(running.map((server) => server.stop()));
  });
});

describe('the folder of a signer', () => {
  test('has each change on disk in turn, and is one process’s alone', () => {
    const path = join(folder, 'records');
    const records = new RecordFolder(path);
    records.write([
      { kind: 'key', id: 'a/b c', text: 'one' },
      { kind: 'key', id: 'd', text: 'two' },
      { kind: 'key', id: 'd', text: null },
    ]);
    writeFileSync(join(path, 'key', 'torn.record.next'), 'half');
    records.close();
    const again = new RecordFolder(path);
    expect(again.ids('key')).toEqual(['a/b c']);
    expect(again.read('key', 'a/b c')).toBe('one');
    expect(again.read('key', 'd')).toBeNull();
    expect(again.ids('session')).toEqual([]);
    again.close();
    writeFileSync(join(path, 'lock'), '999999999');
    new RecordFolder(path).close();
  });
});

describe('settings of a signer', () => {
  test('name all that is missing or wrong', () => {
    expect(() => readSettings({})).toThrow(/TOKEN[\s\S]*KEY[\s\S]*NUMBER[\s\S]*ORGANIZATIONS[\s\S]*MEMORY/);
    const good = environmentOf(1);
    expect(readSettings(good)).toMatchObject({ number: 1, organizations: [ORGANIZATION, 'other'], places: null });
    for (const wrong of [
      { BRIDGE_SIGNER_KEY: 'c2hvcnQ' },
      { BRIDGE_SIGNER_TOKEN: 'short' },
      { BRIDGE_SIGNER_NUMBER: '5' },
      { BRIDGE_SIGNER_ORGANIZATIONS: '../etc' },
      { BRIDGE_SIGNER_ROSTERS: '{"acme":["02"]}' },
      { BRIDGE_SIGNER_ROSTERS: 'x' },
    ])
      expect(() => readSettings({ ...good, ...wrong })).toThrow(Object.keys(wrong)[0]);
  });

  test('say where its vaults are, and a transfer is nowhere else', () => {
    const path = join(folder, 'places.json');
    const keys = { scheme: 'frost-secp256k1', groupKey: `02${'11'.repeat(32)}`, signerKeys: [] };
    const vault = {
      origin: 'ethereum',
      chain: 'ethereum',
      network: 'local',
      keys,
      contract: '0x1',
      token: null,
      decimals: 18,
    };
    const wrapped = [
      { ...vault, chain: 'exchange', contract: '0x2' },
      { ...vault, origin: 'base', chain: 'exchange', contract: '0x3' },
    ];
    const lanes = [
      { origin: 'base', leastAmount: 9, flatFee: 8 },
      { origin: 'ethereum', leastAmount: 7, flatFee: 6 },
    ];
    const acme = {
      guard: '0x4',
      stake: { chainId: 1, address: '0x5' },
      moduleKeys: [],
      assets: { ETH: { scale: 8, coSignFrom: 5, vaults: [vault, ...wrapped], lanes } },
    };
    writeFileSync(path, JSON.stringify({ nodes: {}, organizations: { acme } }));
    const places = readPlaces(path);
    const side = (chain: string) => ({ kind: 'chain', chain, address: '0x9' }) as (typeof TERMS)['source'];
    const terms = { ...TERMS, asset: 'ETH', source: side('exchange'), destination: side('ethereum') };
    const known = placesOf(places, terms, Date.now());
    expect(known.source?.contract).toBe('0x2');
    expect(known).toMatchObject({
      guard: '0x4',
      scale: 8,
      coSignFrom: 5,
      least: { leastAmount: 7, flatFee: 6 },
      destination: { chain: 'ethereum' },
      stake: { wrapped: '0x2' },
    });
    expect(() => placesOf(places, { ...terms, organization: 'other' }, Date.now())).toThrow('not known');
    expect(() => placesOf(places, { ...terms, asset: 'constructor' }, Date.now())).toThrow('not known');
    expect(() => placesOf(places, { ...terms, destination: side('solana') }, Date.now())).toThrow('not one vault');
    const custody = { provider: 'fireblocks', account: '7', asset: 'BTC' };
    const kept = { ...vault, origin: 'bitcoin-segwit', chain: 'bitcoin-segwit', contract: null, custody };
    const opening = '-----BEGIN PRIVATE KEY-----\nAA==\n-----END PRIVATE KEY-----\n';
    const provider = { url: 'https://provider.example', apiKey: 'key', privateKey: opening };
    const other = { ...acme, assets: { BTC: { scale: 8, coSignFrom: null, vaults: [kept] } } };
    const stated = { nodes: {}, custody: { fireblocks: provider }, organizations: { acme: other } };
    writeFileSync(path, JSON.stringify(stated));
    expect(readPlaces(path).custody).toEqual({ fireblocks: provider });
    const inward = {
      ...TERMS,
      source: side('bitcoin-segwit'),
      destination: { kind: 'account', account: 'a' },
    } as const;
    expect(placesOf(readPlaces(path), inward, Date.now()).source).toMatchObject({ chain: 'bitcoin-segwit', custody });
    writeFileSync(path, '{}');
    expect(() => readPlaces(path)).toThrow(path);
  });
});

describe('a node over HTTP', () => {
  test('answers JSON-RPC and REST; its errors, and answers without end, are told apart', async () => {
    const server = createServer(async (request, response) => {
      let text = '';
      for await (const chunk of request) text += chunk;
      if (request.url === '/endless') {
        const more = () => response.write('x'.repeat(1_000_000), () => (response.destroyed ? undefined : more()));
        more();
        return;
      }
      if (request.url === '/gone') return void response.writeHead(404).end('nothing there');
      if (request.url === '/moved') return void response.writeHead(302, { location: '/' }).end();
      if (request.method === 'GET') return void response.end('17');
      const { id, method } = JSON.parse(text);
      if (method === 'bad')
        return void response
          .writeHead(400)
          .end(JSON.stringify({ jsonrpc: '2.0', id, error: { code: -3, message: 'no' } }));
      response.end(JSON.stringify({ id, result: method }));
    });
    server.listen(0, '127.0.0.1');
    await once(server, 'listening');
    const node = httpTransport(`http://127.0.0.1:${(server.address() as AddressInfo).port}`);
    expect(await node.rpc('good', [])).toBe('good');
    await expect(node.rpc('bad', [])).rejects.toMatchObject({ name: 'RpcRefusal', code: -3 });
    expect(await node.get('/height')).toBe(17);
    await expect(node.get('/gone')).rejects.toBeInstanceOf(RpcRefusal);
    await expect(node.get('/moved')).rejects.toThrow();
    await expect(node.get('/endless')).rejects.toThrow('too long');
    server.close();
    server.closeAllConnections();
  });
});
