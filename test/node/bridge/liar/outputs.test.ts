import { describe, it, vi } from 'vitest';
import { CHAINS_OF_OUTPUTS } from '../../../../domain/bridge/chains/chain-name.ts';
import { KNOWN_FAULTS } from './known-faults.ts';
import { outputsChain } from './outputs.ts';
import { casesOf, isLiarChain, runHonest, runLiar } from './run-liar.ts';

vi.setConfig({ testTimeout: 3_600_000 });

const CASES = 24;
const HONEST_CASES = 5;

describe('a coordinator that lies on a chain with outputs', () => {
  it.each(CHAINS_OF_OUTPUTS.filter(isLiarChain))(
    'takes from a vault no more than is owed and its fees: %s',
    async (chain) => {
      await runLiar(outputsChain(chain), KNOWN_FAULTS, casesOf(CASES));
    },
  );
  it.each(CHAINS_OF_OUTPUTS.filter(isLiarChain))('is paid what it orders where it does not lie: %s', async (chain) => {
    await runHonest(outputsChain(chain), KNOWN_FAULTS, casesOf(HONEST_CASES));
  });
});
