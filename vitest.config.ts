import { availableParallelism } from 'node:os';
import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin';
import { kCurrentWorker } from 'miniflare';
import { defineConfig, type Plugin } from 'vitest/config';
import { BaseSequencer, type TestSpecification } from 'vitest/node';
import { unstable_readConfig } from 'wrangler';
import { anvilPath } from './scripts/contracts/devnet.ts';
import { prepareStaticFiles } from './scripts/web/static-files.ts';
import { answerBridgeChains } from './test/node/fixtures/bridge-test-chains.ts';
import { startInferenceStandIn } from './test/node/fixtures/inference-stand-in.ts';
import { ownModulesInChunks } from './test/node/fixtures/own-modules-in-chunks.ts';
import { startTestCustody } from './test/node/fixtures/test-custody.ts';
import { startTestDevnet } from './test/node/fixtures/test-devnet.ts';
import { startTestHardwareModule } from './test/node/fixtures/test-hardware-module.ts';
import { startWebhookReceiver } from './test/node/fixtures/webhook-receiver.ts';

/** What every project has: waits for an event, and tests in plain Node, have time on a busy machine. A test that hangs still ends. */
const PATIENT = {
  setupFiles: ['./test/patient-waits.ts'],
  provide: { caseSeed: Number(process.env.CASE_SEED ?? 1) },
  expect: { poll: { timeout: 120_000, interval: 20 } },
};

/** And files in plain Node: properties with the same cases each time. Those in the runtime import it where they need it: each file there would be sent fast-check. */
const IN_NODE = { ...PATIENT, setupFiles: [...PATIENT.setupFiles, './test/same-cases.ts'] };

/** Files that take minutes: they begin first, so that no core waits for one of them at the end. */
const LONG = ['order-book/faults.test.ts', 'transfer/transfer.test.ts', 'middleware/access-matrix.test.ts'];

class LongestFirst extends BaseSequencer {
  override async sort(files: TestSpecification[]): Promise<TestSpecification[]> {
    const sorted = await super.sort(files);
    const isLong = ({ moduleId }: TestSpecification) => LONG.some((file) => moduleId.endsWith(file));
    return [...sorted.filter(isLong), ...sorted.filter((file) => !isLong(file))];
  }
}

/** The library of pictures sets a variable of the process that loads it. */
const SETS_ENVIRONMENT = ['test/adversary/camera/**/*.test.ts'];

const { vars } = unstable_readConfig({ config: './wrangler.toml' });

/** What a test in the runtime wants to be read in the log of CI, where the output of passed tests is hidden. */
async function writtenOut(request: { text(): Promise<string> }): Promise<Response> {
  process.stdout.write(`${await request.text()}\n`);
  return new Response();
}

/**
 * Packages that the tests in the runtime get in one bundle each, made once and kept in node_modules/.vite: otherwise each test file is sent each
 * module of them by itself. A package that is missing here works, and costs each file that imports it its modules.
 */
const BUNDLED_PACKAGES = [
  '@aptos-labs/ts-sdk',
  '@bufbuild/protobuf',
  '@bufbuild/protobuf/wire',
  '@cfworker/json-schema',
  '@connectrpc/connect',
  '@connectrpc/connect/protocol',
  '@cosmjs/amino',
  '@cosmjs/encoding',
  '@cosmjs/proto-signing',
  '@hono/zod-openapi',
  '@modelcontextprotocol/sdk/server/index.js',
  '@modelcontextprotocol/sdk/server/webStandardStreamableHttp.js',
  '@modelcontextprotocol/sdk/shared/transport.js',
  '@modelcontextprotocol/sdk/types.js',
  '@mysten/sui/bcs',
  '@mysten/sui/cryptography',
  '@mysten/sui/transactions',
  '@near-js/crypto',
  '@near-js/transactions',
  '@noble/curves/abstract/frost.js',
  '@noble/curves/bls12-381.js',
  '@noble/curves/ed25519.js',
  '@noble/curves/secp256k1.js',
  '@noble/curves/utils.js',
  '@noble/hashes/blake2.js',
  '@noble/hashes/legacy.js',
  '@noble/hashes/sha2.js',
  '@noble/hashes/sha3.js',
  '@noble/post-quantum/ml-dsa.js',
  '@polkadot-api/substrate-bindings',
  '@scalar/hono-api-reference',
  '@scure/base',
  '@scure/btc-signer/payment.js',
  '@scure/btc-signer/script.js',
  '@scure/btc-signer/transaction.js',
  '@simplewebauthn/server',
  '@solana/kit',
  '@stellar/stellar-base',
  '@taquito/local-forging',
  '@taquito/utils',
  '@ton/core',
  'algosdk',
  'cosmjs-types/cosmos/auth/v1beta1/auth',
  'cosmjs-types/cosmos/auth/v1beta1/query',
  'cosmjs-types/cosmos/bank/v1beta1/query',
  'cosmjs-types/cosmos/bank/v1beta1/tx',
  'cosmjs-types/cosmos/crypto/multisig/v1beta1/multisig',
  'cosmjs-types/cosmos/tx/signing/v1beta1/signing',
  'cosmjs-types/cosmos/tx/v1beta1/tx',
  'cosmjs-types/google/protobuf/any',
  'drizzle-orm',
  'drizzle-orm/d1',
  'drizzle-orm/sqlite-core',
  'fast-check',
  'hono',
  'hono/http-exception',
  'hono/utils/url',
  'jose',
  'otpauth',
  'ripple-address-codec',
  'ripple-binary-codec',
  'standardwebhooks',
  'uqr',
  'uuidv7',
  'viem',
  'viem/accounts',
  'viem/utils',
  'zod',
];

/**
 * A test file in the runtime gets its module graph in one message, each module twice, and the runtime closes at 32 MiB: half of it would
 * be source maps of packages, which carry their sources.
 */
const packagesWithoutSourceMaps: Plugin = {
  name: 'packages-without-source-maps',
  enforce: 'post',
  transform: (code, id) => (id.includes('/node_modules/') ? { code, map: { mappings: '' } } : undefined),
};

/**
 * Three layers (docs/decisions/tests-and-benches.md#three-layers-of-tests):
 * - pure: `*.test.ts` beside the code in domain/ and protocol/, in plain Node; web: the same beside the console's; node-shared: beside the code of Workers and objects; node: beside containers,
 *   and with processes, chains and models;
 * - workers: `test/runtime/**`, inside the Workers runtime with real D1 and Durable Objects;
 * - black-box: `test/black-box/**`, a started system and real clients.
 */
export default defineConfig({
  test: {
    silent: 'passed-only',
    // vitest leaves one core to itself, half the machine of CI. A file waits for its runtime and its chains a third of its time: another one goes on meanwhile.
    maxWorkers: availableParallelism() + 1,
    // Random order (`npm run test:hard`) has a sequencer of its own.
    ...(!process.argv.some((argument) => argument.includes('shuffle')) && { sequence: { sequencer: LongestFirst } }),
    projects: [
      {
        test: {
          ...IN_NODE,
          name: 'pure',
          // Their modules keep no state, so that a process goes on to the next file.
          isolate: false,
          testTimeout: 400_000,
          hookTimeout: 400_000,
          include: ['domain/**/*.test.ts', 'protocol/**/*.test.ts', 'clients/sdk/**/*.test.ts'],
        },
      },
      {
        test: {
          ...IN_NODE,
          name: 'web',
          isolate: false,
          include: ['web/src/**/*.test.ts'],
        },
      },
      {
        test: {
          ...IN_NODE,
          name: 'node-shared',
          // They start no process and no server: one goes on to the next file, and what a file leaves to it makes it red.
          setupFiles: [...IN_NODE.setupFiles, './test/leaves-nothing.ts'],
          isolate: false,
          testTimeout: 400_000,
          hookTimeout: 400_000,
          include: [
            'application/**/*.test.ts',
            'data/**/*.test.ts',
            'workers/**/*.test.ts',
            'durable-objects/**/*.test.ts',
            'test/adversary/**/*.test.ts',
          ],
          exclude: SETS_ENVIRONMENT,
        },
      },
      {
        test: {
          ...IN_NODE,
          name: 'node',
          testTimeout: 400_000,
          hookTimeout: 400_000,
          include: ['containers/**/*.test.ts', 'test/node/**/*.test.ts', ...SETS_ENVIRONMENT],
        },
      },
      {
        plugins: [
          packagesWithoutSourceMaps,
          ownModulesInChunks(import.meta.dirname, './test/runtime/main.ts', ['./workers/iam/app.ts']),
          cloudflareTest(async () => {
            prepareStaticFiles();
            const [receiver, devnet, custody] = await Promise.all([
              startWebhookReceiver(),
              startTestDevnet(),
              startTestCustody(),
            ]);
            return {
              main: './test/runtime/main.ts',
              wrangler: { configPath: './wrangler.toml' },
              miniflare: {
                serviceBindings: {
                  REPORT: writtenOut,
                  BRIDGE_CHAINS: answerBridgeChains,
                  BRIDGE_CUSTODY: custody.handle,
                  // The Worker of the chains is this one: its faults are a test's to say.
                  CHAINS: { name: kCurrentWorker, entrypoint: 'Chains' },
                },
                bindings: {
                  // Tests move clocks, and their tokens with them: whoever tests a fresh factor says so.
                  STEP_UP_MINUTES: '0',
                  CLIENT_ADDRESS_HEADER: 'cf-connecting-ip',
                  CONSOLE_ORIGIN: 'http://localhost',
                  INFERENCE_URL: await startInferenceStandIn(String(vars.INFERENCE_SECRET)),
                  TEST_MIGRATIONS: await readD1Migrations('./migrations/exchange'),
                  TEST_EVENT_MIGRATIONS: await readD1Migrations('./migrations/events'),
                  FAULT_RUNS: process.env.FAULT_RUNS ?? '100',
                  FAULT_SEED: process.env.FAULT_SEED ?? '1',
                  WEBHOOK_RESOLVER_URL: `${receiver.url}/dns-query`,
                  WEBHOOK_RECEIVER: receiver.url,
                  REGISTRY_RPC_URL: devnet.url,
                  REGISTRY_ADDRESS: devnet.registry,
                  BRIDGE_TENANT_CONFIG: JSON.stringify({
                    'Configured.Example': {
                      name: 'Configured Bridge',
                      mpcMode: 'native',
                      chains: ['ethereum', 'solana'],
                    },
                  }),
                  BRIDGE_RPC_URLS: '{}',
                  ...(await startTestHardwareModule()),
                  HAS_BRIDGE_CHAINS: anvilPath() === null ? 'no' : 'yes',
                  BRIDGE_CUSTODY_PROVIDERS: custody.providers,
                  BRIDGE_RELAYER_KEY: '0x5de4111afa1a4b94908f83103eb1f1706367c2e68ca870fc3fb9a804cdab365a',
                },
              },
            };
          }),
        ],
        test: {
          ...PATIENT,
          name: 'workers',
          deps: { optimizer: { ssr: { enabled: true, include: BUNDLED_PACKAGES } } },
          include: ['test/runtime/**/*.test.ts'],
          testTimeout: 400_000,
          hookTimeout: 400_000,
        },
      },
      {
        test: {
          ...PATIENT,
          name: 'black-box',
          // Each is a whole system.
          maxWorkers: '100%',
          globalSetup: ['./test/black-box/build-workers.ts'],
          include: ['test/black-box/**/*.test.ts'],
          testTimeout: 400_000,
          hookTimeout: 400_000,
          sequence: { groupOrder: 1 },
        },
      },
    ],
  },
});
