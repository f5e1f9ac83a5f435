import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { parseArgs } from 'node:util';
import { CHAIN_NAMES } from '../domain/bridge/chains/chain-name.ts';
import { isEvmChain } from '../domain/bridge/chains/evm/evm-chains.ts';
import { EVM_PLAYED } from '../test/node/bridge/liar/evm-played.ts';

/**
 * `npm run bridge:liar -- --cases 2000 [--chain xrpl] [--seed 7]`: what a lying coordinator can do with signers, by so many cases a chain (docs/design/bridge/signing.md#the-liars-harness). The same
 * seed makes the same cases.
 */
const { values } = parseArgs({
  options: { cases: { type: 'string', default: '2000' }, chain: { type: 'string' }, seed: { type: 'string' } },
});
for (const [name, text] of Object.entries({ cases: values.cases, seed: values.seed ?? '0' }))
  if (!/^\d{1,9}$/.test(text)) throw new Error(`--${name} is a whole number`);

const PLAYED: readonly string[] = [...CHAIN_NAMES.filter((name) => !isEvmChain(name)), ...EVM_PLAYED];
const { chain } = values;
if (chain !== undefined && !PLAYED.includes(chain))
  throw new Error(`--chain ${chain} is none that is played: ${PLAYED.join(', ')}`);

const tests = spawn(
  process.execPath,
  ['node_modules/vitest/vitest.mjs', 'run', '--project', 'node', 'test/node/bridge/liar/'],
  {
    stdio: 'inherit',
    env: {
      ...process.env,
      LIAR_CASES: values.cases,
      ...(chain === undefined ? {} : { LIAR_CHAIN: chain }),
      ...(values.seed === undefined ? {} : { LIAR_SEED: values.seed }),
    },
  },
);
const [code] = (await once(tests, 'exit')) as [number | null];
process.exitCode = code ?? 1;
