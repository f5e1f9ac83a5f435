import { execFileSync, fork } from 'node:child_process';
import { createPrivateKey, generateKeyPairSync, randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { appendFileSync, existsSync, mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, describe, expect, test } from 'vitest';
import { kmsModule } from '../../../containers/hardware-module/kms-module.ts';
import { readSettings } from '../../../containers/hardware-module/settings.ts';
import { softwareModule } from '../../../containers/hardware-module/software-module.ts';
import { startModule } from '../../../containers/hardware-module/start-module.ts';
import { ORGANIZATION } from '../../../domain/bridge/signing/ceremony/ceremony.fixtures.ts';
import { runCeremony } from '../../../domain/bridge/signing/ceremony/run-ceremony.ts';
import { coSignatureDigest, isCoSignature } from '../../../domain/bridge/signing/co-signature.ts';
import { signPayment } from '../../../domain/bridge/signing/coordinator.ts';
import { isEcdsaRight } from '../../../domain/bridge/signing/ecdsa.ts';
import { hostSigner } from '../../../domain/bridge/signing/hosted-signer.ts';
import { clusterKeys } from '../../../domain/bridge/signing/key-share.ts';
import { PlainMemory } from '../../../domain/bridge/signing/memory/plain-memory.fixtures.ts';
import { TERMS } from '../../../domain/bridge/signing/signing.fixtures.ts';
import { coSignerOf } from '../../../durable-objects/bridge-chains/hardware-module.ts';
import { placedEyes } from '../../../protocol/bridge/placed-eyes.ts';
import { signerPlaces } from '../../../protocol/bridge/signer-places.ts';
import { portOf } from '../fixtures/port-of.ts';
import { hasDevnet } from './bridge.fixtures.ts';
import { BridgeChains, CUSTOMER } from './bridge-chains.fixtures.ts';
import { ceremonyOf, organizationPlaces, paidIn, placesText } from './inward-transfer.fixtures.ts';

const ROOT = join(import.meta.dirname, '..', '..', '..');
const TOKEN = 'a-token-of-the-tests-0123456789abcdef';
const SECRET = '11'.repeat(32);
const folder = mkdtempSync(join(tmpdir(), 'hardware-'));
afterAll(() => rmSync(folder, { recursive: true, force: true }));

const RULES = {
  organizations: ['acme'],
  assets: { BTC: { transferMax: 100_000_000, windowMax: 250_000_000 } },
  window_ms: 3_600_000,
  countMax: 10,
};
const environment = (log: string) => {
  const rules = join(folder, 'rules.json');
  writeFileSync(rules, JSON.stringify(RULES));
  return {
    BRIDGE_HARDWARE_TOKEN: TOKEN,
    HARDWARE_PORT: '0',
    HARDWARE_RULES: rules,
    HARDWARE_LOG: join(folder, log),
    HARDWARE_MODULE: 'software',
    HARDWARE_SOFTWARE_KEY: SECRET,
  };
};
const transfer = (number: number) => ({ ...TERMS, id: `0192f0c1-2f3a-7000-8000-00000000000${number}` });
const coSignatureOf = (env: Parameters<typeof coSignerOf>[0], terms: typeof TERMS) => coSignerOf(env)(terms);
const KEY = await softwareModule(Buffer.from(SECRET, 'hex')).publicKey();

describe('the hardware module behind HTTP', () => {
  test('signs the commitment of a transfer by its own rules, and remembers what it has signed when it is killed', {
    timeout: 400_000,
  }, async () => {
    const start = async () => {
      const child = fork(join(ROOT, 'containers', 'hardware-module', 'main.ts'), {
        env: { ...process.env, ...environment('killed.jsonl') },
        stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      });
      const port = await portOf(child, 'the module');
      return {
        child,
        env: {
          BRIDGE_HARDWARE_URL: `http://127.0.0.1:${port}`,
          BRIDGE_HARDWARE_TOKEN: TOKEN,
          BRIDGE_HARDWARE_KEY: KEY,
        },
      };
    };
    let running = await start();
    const first = await coSignatureOf(running.env, transfer(1));
    expect(isCoSignature([KEY], transfer(1), first as string)).toBe(true);
    expect(isCoSignature([KEY], transfer(2), first as string)).toBe(false);
    expect(isCoSignature([KEY], { ...transfer(1), amountOut: '1' }, first as string)).toBe(false);
    expect(await coSignatureOf(running.env, transfer(1))).toBe(first);
    expect(await coSignatureOf(running.env, transfer(2))).not.toBeNull();
    running.child.kill('SIGKILL');
    await once(running.child, 'exit');
    appendFileSync(join(folder, 'killed.jsonl'), '{"commitment":"torn');
    running = await start();
    expect(await coSignatureOf(running.env, transfer(3))).toBeNull();
    expect(await coSignatureOf(running.env, transfer(2))).not.toBeNull();
    expect(await coSignatureOf(running.env, { ...transfer(4), organization: 'other' })).toBeNull();
    await expect(coSignatureOf({ ...running.env, BRIDGE_HARDWARE_TOKEN: 'another' }, transfer(1))).rejects.toThrow(
      '401',
    );
    await expect(
      coSignatureOf({ ...running.env, BRIDGE_HARDWARE_KEY: `02${'11'.repeat(32)}` }, transfer(1)),
    ).rejects.toThrow('another key');
    running.child.kill('SIGTERM');
    await once(running.child, 'exit');
    expect(await coSignatureOf({ ...running.env, BRIDGE_HARDWARE_URL: '' }, transfer(1))).toBeNull();
  });

  test('gives signatures with a low S whatever the module gives, and none that are wrong', async () => {
    const settings = readSettings(environment('low.jsonl'));
    const real = softwareModule(Buffer.from(SECRET, 'hex'));
    const order = 0xfffffffffffffffffffffffffffffffebaaedce6af48a03bbfd25e8cd0364141n;
    const high = async (digest: string) => {
      const signature = await real.sign(digest);
      return signature.slice(0, 64) + (order - BigInt(`0x${signature.slice(64)}`)).toString(16).padStart(64, '0');
    };
    for (const [module, isRight] of [
      [{ ...real, sign: high }, true],
      [{ ...real, sign: async () => real.sign('22'.repeat(32)) }, false],
    ] as const) {
      const server = await startModule({ ...settings, openModule: async () => module });
      const env = {
        BRIDGE_HARDWARE_URL: `http://127.0.0.1:${server.port}`,
        BRIDGE_HARDWARE_TOKEN: TOKEN,
        BRIDGE_HARDWARE_KEY: KEY,
      };
      if (isRight) expect(isCoSignature([KEY], TERMS, (await coSignatureOf(env, TERMS)) as string)).toBe(true);
      else await expect(coSignatureOf(env, TERMS)).rejects.toThrow('signs wrongly');
      await server.stop();
    }
  });

  test('says what of its settings is missing or wrong', () => {
    expect(() => readSettings({})).toThrow(/TOKEN[\s\S]*RULES[\s\S]*LOG[\s\S]*LIBRARY[\s\S]*PIN/);
    const good = environment('x.jsonl');
    expect(() => readSettings({ ...good, HARDWARE_SOFTWARE_KEY: '11' })).toThrow('64 hexadecimal digits');
    writeFileSync(join(folder, 'bad.json'), '{"organizations":[]}');
    expect(() => readSettings({ ...good, HARDWARE_RULES: join(folder, 'bad.json') })).toThrow('HARDWARE_RULES');
    expect(() => readSettings({ ...good, HARDWARE_MODULE: 'paper' })).toThrow('HARDWARE_MODULE');
  });
});

test('a key of a cloud’s modules signs by its interface', async () => {
  const pair = generateKeyPairSync('ec', { namedCurve: 'secp256k1' });
  const server = createServer(async (request, response) => {
    let text = '';
    for await (const chunk of request) text += chunk;
    if (request.headers.authorization !== 'Bearer short-lived') return void response.writeHead(401).end('{}');
    if (request.url?.endsWith('/publicKey')) {
      const pem = pair.publicKey.export({ type: 'spki', format: 'pem' });
      return void response.end(JSON.stringify({ pem, algorithm: 'EC_SIGN_SECP256K1_SHA256' }));
    }
    // The service signs digests; Node signs what it hashes itself, so the stand-in signs by another library.
    const { secp256k1 } = await import('@noble/curves/secp256k1.js');
    const d = createPrivateKey(pair.privateKey.export({ type: 'pkcs8', format: 'pem' })).export({ format: 'jwk' }).d;
    const digest = Buffer.from(JSON.parse(text).digest.sha256, 'base64');
    const signature = secp256k1.sign(digest, Buffer.from(d ?? '', 'base64url'), { prehash: false, format: 'der' });
    response.end(JSON.stringify({ signature: Buffer.from(signature).toString('base64') }));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const key = `http://127.0.0.1:${(server.address() as AddressInfo).port}/v1/projects/p/cryptoKeyVersions/1`;
  const module = kmsModule({ key, tokenOf: async () => 'short-lived' });
  const digest = coSignatureDigest(TERMS);
  expect(isEcdsaRight(await module.publicKey(), digest, await module.sign(digest))).toBe(true);
  await expect(kmsModule({ key, tokenOf: async () => 'old' }).sign(digest)).rejects.toThrow('401');
  server.close();
});

/** SoftHSM, a module in software that speaks PKCS #11 as hardware does. */
const LIBRARY = [
  '/usr/lib/softhsm/libsofthsm2.so',
  '/usr/lib/x86_64-linux-gnu/softhsm/libsofthsm2.so',
  '/usr/local/lib/softhsm/libsofthsm2.so',
].find(existsSync);
const BINDING = process.env.HARDWARE_PKCS11_BINDING || 'pkcs11js';
const missing = await missingForPkcs11();
if (missing !== null) process.stdout.write(`PKCS #11 is not tried: ${missing}\n`);

async function missingForPkcs11(): Promise<string | null> {
  if (LIBRARY === undefined) return 'no SoftHSM here (Debian: softhsm2)';
  try {
    await import(BINDING);
    return null;
  } catch {
    return 'the package pkcs11js is not here (npm install --no-save pkcs11js@2.1.7)';
  }
}

test.skipIf(missing !== null)(
  'a key that is made inside a module by PKCS #11 signs, also after a restart, and cannot be taken out',
  { timeout: 400_000 },
  async () => {
    const tokens = join(folder, 'tokens');
    mkdirSync(tokens);
    const configuration = join(folder, 'softhsm2.conf');
    writeFileSync(configuration, `directories.tokendir = ${tokens}\nobjectstore.backend = file\n`);
    process.env.SOFTHSM2_CONF = configuration;
    const pins = ['--so-pin', '5678', '--pin', '1234'];
    execFileSync('softhsm2-util', ['--init-token', '--free', '--label', 'bridge', ...pins], { stdio: 'ignore' });
    const { HARDWARE_SOFTWARE_KEY: _, ...others } = environment('pkcs11.jsonl');
    const env = {
      ...others,
      HARDWARE_MODULE: 'pkcs11',
      HARDWARE_PKCS11_BINDING: BINDING,
      HARDWARE_PKCS11_LIBRARY: LIBRARY as string,
      HARDWARE_PKCS11_TOKEN: 'bridge',
      HARDWARE_PKCS11_KEY: 'co-signer',
      HARDWARE_PKCS11_PIN: '1234',
      HARDWARE_PKCS11_MAKES_KEY: '1',
    };
    await expect(readSettings({ ...env, HARDWARE_PKCS11_MAKES_KEY: '' }).openModule()).rejects.toThrow('not one key');
    await expect(readSettings({ ...env, HARDWARE_PKCS11_TOKEN: 'other' }).openModule()).rejects.toThrow(
      'no token other',
    );
    const keys = new Set<string>();
    for (let round = 0; round < 2; round++) {
      const module = await readSettings(env).openModule();
      keys.add(await module.publicKey());
      await module.close();
      const server = await startModule(readSettings(env));
      const place = {
        BRIDGE_HARDWARE_URL: `http://127.0.0.1:${server.port}`,
        BRIDGE_HARDWARE_TOKEN: TOKEN,
        BRIDGE_HARDWARE_KEY: [...keys][0] as string,
      };
      const signature = await coSignatureOf(place, TERMS);
      expect(isCoSignature([...keys], TERMS, signature as string)).toBe(true);
      await server.stop();
    }
    expect(keys.size).toBe(1);
  },
);

/** The module as its operator runs it, on a token of SoftHSM of its own. */
async function startSoftHsm(name: string) {
  const tokens = join(folder, `${name}-tokens`);
  mkdirSync(tokens);
  const configuration = join(folder, `${name}.conf`);
  writeFileSync(configuration, `directories.tokendir = ${tokens}\nobjectstore.backend = file\n`);
  const pins = ['--so-pin', '5678', '--pin', '1234'];
  execFileSync('softhsm2-util', ['--init-token', '--free', '--label', name, ...pins], {
    stdio: 'ignore',
    env: { ...process.env, SOFTHSM2_CONF: configuration },
  });
  const rules = join(folder, `${name}.json`);
  writeFileSync(
    rules,
    JSON.stringify({
      ...RULES,
      organizations: [ORGANIZATION],
      assets: { USDC: { transferMax: 1_000, windowMax: 1_500 } },
    }),
  );
  const { HARDWARE_SOFTWARE_KEY: _, ...others } = environment(`${name}.jsonl`);
  // A process of its own: SoftHSM reads its configuration once.
  const child = fork(join(ROOT, 'containers', 'hardware-module', 'main.ts'), {
    env: {
      ...process.env,
      ...others,
      SOFTHSM2_CONF: configuration,
      HARDWARE_RULES: rules,
      HARDWARE_MODULE: 'pkcs11',
      HARDWARE_PKCS11_BINDING: BINDING,
      HARDWARE_PKCS11_LIBRARY: LIBRARY as string,
      HARDWARE_PKCS11_TOKEN: name,
      HARDWARE_PKCS11_KEY: 'co-signer',
      HARDWARE_PKCS11_PIN: '1234',
      HARDWARE_PKCS11_MAKES_KEY: '1',
    },
    stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
  });
  const [{ port }] = (await once(child, 'message')) as [{ port: number }];
  const url = `http://127.0.0.1:${port}`;
  const answered = await fetch(`${url}/v1/publicKey`, {
    method: 'POST',
    headers: { authorization: `Bearer ${TOKEN}` },
    body: '[]',
  });
  const key = (await answered.json()) as string;
  const stop = async () => {
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    await ended;
  };
  return { key, stop, place: { BRIDGE_HARDWARE_URL: url, BRIDGE_HARDWARE_TOKEN: TOKEN, BRIDGE_HARDWARE_KEY: key } };
}

/**
 * A transfer from chain to chain, from its deposit to its payout, of which signers ask for the module's signature.
 *
 * @param module whose key signers know
 */
async function paysByModule({ key, place }: Omit<Awaited<ReturnType<typeof startSoftHsm>>, 'stop'>): Promise<void> {
  const memories = Array.from({ length: 5 }, () => new PlainMemory());
  const five = (places: string | null) =>
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
  const outcome = await runCeremony(await ceremonyOf(five(null)), five(null), five(null));
  if (!outcome.ok) throw new Error(JSON.stringify(outcome.faults));
  const { cluster } = outcome;
  const chains = await BridgeChains.start(ORGANIZATION, clusterKeys(cluster).groupKey);
  try {
    const hardware = { coSignFrom: 1_000, moduleKeys: [key] };
    const places = placesText(chains, { [ORGANIZATION]: organizationPlaces(chains, hardware) });
    const job = await paidIn(chains);
    const unsigned = chains.adapterOf(chains.wrapped).build(chains.wrapped, job.payment);
    const sign = (coSignature: string | null) =>
      signPayment({ cluster, signers: five(places), job: { ...job, coSignature }, unsigned, newSession: randomUUID });
    const other = softwareModule(Buffer.from('22'.repeat(32), 'hex'));
    for (const none of [null, await other.sign(coSignatureDigest(job.terms))])
      expect(await sign(none)).toMatchObject({ ok: false });
    const signed = await sign(await coSignatureOf(place, job.terms));
    if (!signed.ok) throw new Error(signed.reason);
    const payment = chains.adapterOf(chains.wrapped).complete(chains.wrapped, job.payment, signed.signatures);
    await chains.handIn(chains.wrapped, payment);
    expect(await chains.balance(chains.wrapped, CUSTOMER.address)).toBe(990n);
    // The rules of the module are its own: the next one of the hour is above them.
    expect(await coSignatureOf(place, { ...job.terms, id: randomUUID() })).toBeNull();
  } finally {
    await chains.stop();
  }
}

test.skipIf(missing !== null || !hasDevnet)(
  'a transfer above the threshold is paid by the signature of a key inside SoftHSM, and by none without it',
  async () => {
    const module = await startSoftHsm('payouts');
    try {
      await paysByModule(module);
    } finally {
      await module.stop();
    }
  },
);

test.skipIf(!hasDevnet)(
  'a transfer above the threshold is paid by the module’s signature, and by none without it',
  async () => {
    const rules = {
      ...RULES,
      organizations: [ORGANIZATION],
      assets: { USDC: { transferMax: 1_000, windowMax: 1_500 } },
    };
    const server = await startModule({ ...readSettings(environment('paid.jsonl')), rules });
    const place = {
      BRIDGE_HARDWARE_URL: `http://127.0.0.1:${server.port}`,
      BRIDGE_HARDWARE_TOKEN: TOKEN,
      BRIDGE_HARDWARE_KEY: KEY,
    };
    try {
      await paysByModule({ key: KEY, place });
    } finally {
      await server.stop();
    }
  },
);
