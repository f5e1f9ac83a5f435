import { describe, it, vi } from 'vitest';
import { evmLiarChain } from './evm.ts';
import { EVM_PLAYED } from './evm-played.ts';
import { KNOWN_FAULTS } from './known-faults.ts';
import { casesOf, isLiarChain, runHonest, runLiar } from './run-liar.ts';

vi.setConfig({ testTimeout: 3_600_000 });

const CASES = 24;
const HONEST_CASES = 5;

describe('a coordinator that lies on an EVM chain', () => {
  for (const name of EVM_PLAYED) {
    const isPlayed = isLiarChain(name);
    it.runIf(isPlayed)(`takes from a vault no more than is owed and its fees: ${name}`, async () => {
      await runLiar(evmLiarChain(name), KNOWN_FAULTS, casesOf(CASES));
    });
    it.runIf(isPlayed)(`is paid what it orders where it does not lie: ${name}`, async () => {
      await runHonest(evmLiarChain(name), KNOWN_FAULTS, casesOf(HONEST_CASES));
    });
  }
});
