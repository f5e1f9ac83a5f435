import { describe, it, vi } from 'vitest';
import { CARDANO } from './cardano.ts';
import { KNOWN_FAULTS } from './known-faults.ts';
import { casesOf, isLiarChain, runHonest, runLiar } from './run-liar.ts';

vi.setConfig({ testTimeout: 3_600_000 });

const CASES = 24;
const HONEST_CASES = 5;

describe.runIf(isLiarChain(CARDANO.name))('a coordinator that lies on Cardano', () => {
  it('takes from a vault no more than is owed and its fees', async () => {
    await runLiar(CARDANO, KNOWN_FAULTS, casesOf(CASES));
  });

  it('is paid what it orders where it does not lie', async () => {
    await runHonest(CARDANO, KNOWN_FAULTS, casesOf(HONEST_CASES));
  });
});
