import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { convertV4MiniflareOptions, Miniflare } from 'miniflare';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { unstable_getMiniflareWorkerOptions } from 'wrangler';
import { ORGANIZATION } from '../../../domain/bridge/signing/ceremony/ceremony.fixtures.ts';
import { runCeremony } from '../../../domain/bridge/signing/ceremony/run-ceremony.ts';
import { signPayment } from '../../../domain/bridge/signing/coordinator.ts';
import { type HostedSigner, hostSigner } from '../../../domain/bridge/signing/hosted-signer.ts';
import { clusterKeys } from '../../../domain/bridge/signing/key-share.ts';
import { PlainMemory } from '../../../domain/bridge/signing/memory/plain-memory.fixtures.ts';
import { JOB } from '../../../domain/bridge/signing/signing.fixtures.ts';
import { remoteSigner } from '../../../durable-objects/signer/remote-signer.ts';
import { placedEyes } from '../../../protocol/bridge/placed-eyes.ts';
import { signerPlaces } from '../../../protocol/bridge/signer-places.ts';
import { runWrangler } from '../../../scripts/deploy/run-wrangler.ts';
import { hasDevnet } from './bridge.fixtures.ts';
import { BridgeChains, CUSTOMER } from './bridge-chains.fixtures.ts';
import { ceremonyOf, organizationPlaces, paidIn, placesText } from './inward-transfer.fixtures.ts';

const TOKEN = 'a-token-of-the-tests-0123456789abcdef';
const CONFIG = 'wrangler.signer.toml';
/** Of the five: one is the Worker. */
const NUMBER = 1;
/** A variable of Cloudflare's holds no more. */
const VARIABLE_BYTES_MAX = 5_000;

const folder = mkdtempSync(join(tmpdir(), 'signing-worker-'));
const SETTINGS = {
  BRIDGE_SIGNER_ORGANIZATIONS: `${ORGANIZATION},other`,
  BRIDGE_SIGNER_NUMBER: String(NUMBER),
  BRIDGE_SIGNER_TOKEN: TOKEN,
  BRIDGE_SIGNER_KEY: Buffer.alloc(32, 7).toString('base64url'),
};

/** The Worker as it is deployed, in workerd, on a storage that outlives it. */
class RunningWorker {
  #miniflare: Miniflare | null = null;
  url = '';

  async start(bindings: Readonly<Record<string, string>> = {}, storage = 'storage'): Promise<void> {
    await this.stop();
    const { workerOptions } = unstable_getMiniflareWorkerOptions(CONFIG);
    this.#miniflare = new Miniflare({
      ...convertV4MiniflareOptions({
        ...workerOptions,
        bindings: { ...(workerOptions.bindings as Record<string, string>), ...bindings },
        modules: [{ type: 'ESModule', path: join(folder, 'bundle', 'index.js') }],
        modulesRoot: join(folder, 'bundle'),
      }),
      resourcePersistencePath: join(folder, storage),
    });
    this.url = String(await this.#miniflare.ready);
  }

  async stop(): Promise<void> {
    await this.#miniflare?.dispose();
    this.#miniflare = null;
  }
}

const worker = new RunningWorker();

beforeAll(() => {
  runWrangler('deploy', '--dry-run', `--config=${CONFIG}`, `--outdir=${join(folder, 'bundle')}`);
});
afterAll(async () => {
  await worker.stop();
  rmSync(folder, { recursive: true, force: true });
});

describe('a signer that is a Worker', () => {
  test('says at its health what of its settings is missing, and answers nobody before', async () => {
    const { BRIDGE_SIGNER_KEY: _, ...without } = SETTINGS;
    await worker.start({ ...without, BRIDGE_SIGNER_NUMBER: '5', BRIDGE_SIGNER_PLACES: '{"nodes":1}' }, 'none');
    for (const path of ['healthz', `v1/${ORGANIZATION}/identity`]) {
      const answer = await fetch(`${worker.url}${path}`, { headers: { authorization: `Bearer ${TOKEN}` } });
      expect(answer.status).toBe(503);
      const { error } = (await answer.json()) as { error: string };
      for (const name of ['KEY', 'NUMBER', 'PLACES']) expect(error).toContain(`BRIDGE_SIGNER_${name}`);
      expect(error).not.toContain(TOKEN);
    }
  });

  test('answers who shows its token, of its own organizations, what it understands', async () => {
    await worker.start(SETTINGS, 'asked');
    const post = async (path: string, body: string, token: string | null = TOKEN) => {
      const headers = token === null ? {} : { authorization: `Bearer ${token}` };
      return (await fetch(`${worker.url}v1/${path}`, { method: 'POST', headers, body })).status;
    };
    const identity = `${ORGANIZATION}/identity`;
    expect(await post(identity, '[]')).toBe(200);
    for (const token of ['another', null, '']) expect(await post(identity, '[]', token)).toBe(401);
    expect(await post(identity, '[1]')).toBe(400);
    expect(await post(identity, '{')).toBe(400);
    expect(await post(`${ORGANIZATION}/offer`, JSON.stringify([{ ...JOB, side: 'left' }, 'x']))).toBe(400);
    expect(await post(identity, `[${' '.repeat(300_000)}]`)).toBe(413);
    for (const path of ['identity', 'nobody/identity', `${ORGANIZATION}/constructor`, `${ORGANIZATION}/identity/x`, ''])
      expect(await post(path, '[]')).toBe(404);
    expect((await fetch(`${worker.url}v1/${identity}`, { headers: { authorization: `Bearer ${TOKEN}` } })).status).toBe(
      404,
    );
    expect((await fetch(`${worker.url}healthz`)).status).toBe(200);
    const [own, other] = [ORGANIZATION, 'other'].map((of) => remoteSigner(worker.url, of, TOKEN));
    expect(await own?.identity()).not.toBe(await other?.identity());
  });
});

describe.skipIf(!hasDevnet)('a signer that is a Worker, with four others', () => {
  let chains: BridgeChains | null = null;
  afterAll(() => chains?.stop());

  test('makes a key, signs a payout and is who it was after each restart', async () => {
    const memories = [0, 1, 2, 3, 4].map(() => new PlainMemory());
    const others = (places: string | null) =>
      memories.map((memory, number) =>
        hostSigner({
          organization: ORGANIZATION,
          number,
          memory,
          eyes: placedEyes(places === null ? null : signerPlaces(places)),
          roster: null,
          now: Date.now,
        }),
      );
    const five = (places: string | null = null): HostedSigner[] =>
      others(places).with(NUMBER, remoteSigner(worker.url, ORGANIZATION, TOKEN));

    await worker.start(SETTINGS);
    const terms = await ceremonyOf(five());
    const dealt = await five()[NUMBER]?.deal(terms);
    await worker.start(SETTINGS);
    expect(await five()[NUMBER]?.deal(terms)).toEqual(dealt);
    const outcome = await runCeremony(terms, five(), five());
    if (!outcome.ok) throw new Error(JSON.stringify(outcome.faults));
    const { cluster } = outcome;
    expect(await five()[NUMBER]?.offer(JOB, 'blind')).toMatchObject({ kind: 'not_yet' });

    const started = await BridgeChains.start(ORGANIZATION, clusterKeys(cluster).groupKey);
    chains = started;
    // So many assets that the text is longer than one variable.
    const { USDC } = organizationPlaces(started).assets;
    const assets = Object.fromEntries(Array.from({ length: 12 }, (_, index) => [`T${index}`, USDC]));
    const places = placesText(started, {
      [ORGANIZATION]: organizationPlaces(started),
      other: { ...organizationPlaces(started), assets },
    });
    const seeing = { ...SETTINGS, ...inVariables(places) };
    await worker.start(seeing);
    expect(await five()[NUMBER]?.clusters()).toEqual([cluster]);

    const payout = await paidIn(started);
    const unsigned = started.adapterOf(started.wrapped).build(started.wrapped, payout.payment);
    const offered = await five(places)[NUMBER]?.offer(payout, 'first');
    expect(offered).toMatchObject({ ok: true, value: { signer: NUMBER } });
    await worker.start(seeing);
    expect(await five(places)[NUMBER]?.offer(payout, 'first')).toEqual(offered);
    const signed = await signPayment({
      cluster,
      signers: five(places),
      job: payout,
      unsigned,
      newSession: randomUUID,
      first: NUMBER,
    });
    if (!signed.ok) throw new Error(signed.reason);
    expect(signed.by).toContain(NUMBER);
    const payment = started.adapterOf(started.wrapped).complete(started.wrapped, payout.payment, signed.signatures);
    await started.handIn(started.wrapped, payment);
    expect(await started.balance(started.wrapped, CUSTOMER.address)).toBe(990n);

    // It remembers what it has signed: another payment of the transfer waits for that one.
    await worker.start(seeing);
    const second = { ...payout.payment, reference: `0x${'1'.repeat(64)}@1` };
    expect(await five(places)[NUMBER]?.offer({ ...payout, payment: second }, 'second')).toMatchObject({ ok: false });
    await worker.start(seeing, 'another storage');
    expect(await five(places)[NUMBER]?.clusters()).toEqual([]);
  });
});

/** As an operator puts a long text into variables, in order. */
function inVariables(text: string): Record<string, string> {
  const parts = text.match(new RegExp(`.{1,${VARIABLE_BYTES_MAX}}`, 'gs')) ?? [];
  expect(parts.length).toBeGreaterThan(1);
  const names = parts.map((_, index) => (index === 0 ? 'BRIDGE_SIGNER_PLACES' : `BRIDGE_SIGNER_PLACES_${index + 1}`));
  return Object.fromEntries(names.map((name, index) => [name, parts[index] ?? '']));
}
