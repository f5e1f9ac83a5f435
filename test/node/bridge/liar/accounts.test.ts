import { describe, it, vi } from 'vitest';
import { ACCOUNT_CHAINS } from './accounts.ts';
import { KNOWN_FAULTS } from './known-faults.ts';
import { casesOf, isLiarChain, runHonest, runLiar } from './run-liar.ts';

vi.setConfig({ testTimeout: 3_600_000 });

const CASES = 24;
const HONEST_CASES = 5;

describe('a coordinator that lies on a chain of accounts', () => {
  it.each(ACCOUNT_CHAINS.filter(({ name }) => isLiarChain(name)))(
    'takes from a vault no more than is owed and its fees: $name',
    async (chain) => {
      await runLiar(chain, KNOWN_FAULTS, casesOf(CASES));
    },
  );
  it.each(ACCOUNT_CHAINS.filter(({ name }) => isLiarChain(name)))(
    'is paid what it orders where it does not lie: $name',
    async (chain) => {
      await runHonest(chain, KNOWN_FAULTS, casesOf(HONEST_CASES));
    },
  );
});
