/**
 * `npm run check:container-starts`: starts each container's process as its image does, with production packages and the files that the image copies, and a
 * minimal environment, until it is ready. Ends it then. Says what each that is not ready has printed.
 */
import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { imageOf } from './closures/image.ts';
import { linkProductionPackages, linkTree } from './closures/production-tree.ts';

/** Loading models takes seconds, on a busy machine many. */
const READY_MS_MAX = 180_000;
const STOP_MS_MAX = 30_000;
const OUTPUT_CHARACTERS_MAX = 4_000;

const TOKEN = 'only-to-see-whether-it-starts-0123456789';
const KEY = Buffer.alloc(32, 1);
/** Nothing listens here: a process must start without those that it asks later. */
const NOWHERE = 'http://127.0.0.1:9';

type Settings = (folder: string) => Readonly<Record<string, string>>;

/** What each needs to start, and no more. */
const SETTINGS: Readonly<Record<string, Settings>> = {
  'agent-server': () => ({ EXCHANGE_API_URL: NOWHERE, EXCHANGE_API_KEY: 'key', EXCHANGE_API_SECRET: 'secret' }),
  'bridge-signer': (folder) => ({
    BRIDGE_SIGNER_PORT: '0',
    BRIDGE_SIGNER_TOKEN: TOKEN,
    BRIDGE_SIGNER_KEY: KEY.toString('base64url'),
    BRIDGE_SIGNER_NUMBER: '0',
    BRIDGE_SIGNER_ORGANIZATIONS: 'organization',
    BRIDGE_SIGNER_MEMORY: join(folder, 'memory'),
  }),
  'camera-agent': () => ({
    EVENTS_URL: NOWHERE,
    TOKEN_URL: NOWHERE,
    CLIENT_ID: 'client',
    CLIENT_SECRET: 'secret',
    CAMERA_ID: 'camera',
    SOURCE: NOWHERE,
    FFMPEG: 'true',
  }),
  'fix-gateway': (folder) => ({
    EXCHANGE_URL: NOWHERE,
    FIX_HOST: '127.0.0.1',
    FIX_PORT: '0',
    FIX_HEALTH_PORT: '0',
    FIX_STORE: join(folder, 'store'),
  }),
  'grpc-gateway': () => ({ EXCHANGE_URL: NOWHERE, GRPC_HOST: '127.0.0.1', GRPC_PORT: '0' }),
  'hardware-module': (folder) => ({
    HARDWARE_PORT: '0',
    HARDWARE_RULES: rulesIn(folder),
    HARDWARE_LOG: join(folder, 'co-signed.jsonl'),
    HARDWARE_MODULE: 'software',
    HARDWARE_SOFTWARE_KEY: KEY.toString('hex'),
    BRIDGE_HARDWARE_TOKEN: TOKEN,
  }),
  inference: () => ({ HOST: '127.0.0.1', PORT: '0', INFERENCE_SECRET: TOKEN, WORKERS: '1' }),
  validator: (folder) => ({
    VALIDATOR_PORT: '0',
    CONSENSUS_MEMBER_TOKEN: TOKEN,
    VALIDATOR_MEMORY: join(folder, 'member.json'),
  }),
};

const root = process.cwd();
const tree = mkdtempSync(join(tmpdir(), 'container-starts-'));
let failures = 0;
try {
  const packages = linkProductionPackages(root, tree);
  for (const main of globSync('containers/*/main.ts').toSorted()) {
    const name = dirname(main).replace('containers/', '');
    const problem = await startProblem(name, main);
    if (problem !== null) failures += 1;
    console.log(`container ${name}: ${problem ?? 'ready'}`);
  }
  console.log(`containers: ${packages} production packages, ${failures} not ready`);
} finally {
  rmSync(tree, { recursive: true, force: true });
}
process.exit(failures === 0 ? 0 : 1);

/** Null where it becomes ready and ends when it is asked to. */
async function startProblem(name: string, main: string): Promise<string | null> {
  const settings = SETTINGS[name];
  if (settings === undefined) return 'its settings are not named in scripts/start-containers.ts';
  const folder = join(tree, name);
  linkTree(join(root, 'package.json'), join(folder, 'package.json'));
  for (const source of imageOf(readFileSync(join(dirname(main), 'Dockerfile'), 'utf8')).copied)
    if (!source.startsWith('package') && !source.startsWith('.')) linkTree(join(root, source), join(folder, source));
  const child = spawn(process.execPath, [main], {
    cwd: folder,
    env: { PATH: process.env.PATH ?? '', NODE_ENV: 'production', ...settings(folder) },
    stdio: ['pipe', 'pipe', 'pipe', 'ipc'],
  });
  let output = '';
  const collect = (data: Buffer) => {
    output = (output + data.toString()).slice(-OUTPUT_CHARACTERS_MAX);
  };
  child.stdout?.on('data', collect);
  child.stderr?.on('data', collect);
  const ended = once(child, 'exit').then(([code, signal]) => `ended with ${code ?? signal}`);
  const ready = (name === 'agent-server' ? answersInitialize(child) : once(child, 'message')).then(() => null);
  const problem = await Promise.race([ready, ended, after(READY_MS_MAX, 'is not ready')]);
  child.kill('SIGTERM');
  const stopped = await Promise.race([ended.then(() => null), after(STOP_MS_MAX, 'does not end at SIGTERM')]);
  child.kill('SIGKILL');
  const said = problem ?? stopped;
  return said === null ? null : `${said}\n${output}`;
}

/** The agent server speaks over standard input and output. */
async function answersInitialize(child: ChildProcess): Promise<void> {
  const params = {
    protocolVersion: '2025-06-18',
    capabilities: {},
    clientInfo: { name: 'start-containers', version: '1' },
  };
  child.stdin?.write(`${JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'initialize', params })}\n`);
  let said = '';
  while (!said.includes('"serverInfo"')) {
    const [data] = (await once(child.stdout ?? child, 'data')) as [Buffer];
    said += data.toString();
  }
}

function after(ms: number, what: string): Promise<string> {
  return new Promise((resolve) => {
    setTimeout(resolve, ms, `${what} within ${ms / 1_000} s`).unref();
  });
}

function rulesIn(folder: string): string {
  const file = join(folder, 'rules.json');
  writeFileSync(file, JSON.stringify({ organizations: [], assets: {}, window_ms: 1_000, countMax: 1 }));
  return file;
}
