import { describe, it, vi } from 'vitest';
import { ACCOUNT_CHAINS } from './accounts.ts';
import { KNOWN_FAULTS } from './known-faults.ts';
import { casesOf, isLiarChain, runHonest, runLiar } from './run-liar.ts';

vi.setConfig({ testTimeout: 3_600_000 });

const CASES = 24;
const HONEST_CASES = 5;

describe('a coordinator that lies on a chain of accounts', () => {
  for (const chain of ACCOUNT_CHAINS) {
    const isPlayed = isLiarChain(chain.name);
    it.runIf(isPlayed)(`takes from a vault no more than is owed and its fees: ${chain.name}`, async () => {
      await runLiar(chain, KNOWN_FAULTS, casesOf(CASES));
    });
    it.runIf(isPlayed)(`is paid what it orders where it does not lie: ${chain.name}`, async () => {
      await runHonest(chain, KNOWN_FAULTS, casesOf(HONEST_CASES));
    });
  }
});
