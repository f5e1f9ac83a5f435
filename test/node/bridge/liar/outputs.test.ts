import { describe, it, vi } from 'vitest';
import { CHAINS_OF_OUTPUTS } from '../../../../domain/bridge/chains/chain-name.ts';
import { KNOWN_FAULTS } from './known-faults.ts';
import { outputsChain } from './outputs.ts';
import { casesOf, isLiarChain, runHonest, runLiar } from './run-liar.ts';

vi.setConfig({ testTimeout: 3_600_000 });

const CASES = 24;
const HONEST_CASES = 5;

describe('a coordinator that lies on a chain with outputs', () => {
  for (const chain of CHAINS_OF_OUTPUTS) {
    const isPlayed = isLiarChain(chain);
    it.runIf(isPlayed)(`takes from a vault no more than is owed and its fees: ${chain}`, async () => {
      await runLiar(outputsChain(chain), KNOWN_FAULTS, casesOf(CASES));
    });
    it.runIf(isPlayed)(`is paid what it orders where it does not lie: ${chain}`, async () => {
      await runHonest(outputsChain(chain), KNOWN_FAULTS, casesOf(HONEST_CASES));
    });
  }
});
