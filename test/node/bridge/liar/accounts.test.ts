import { describe, expect, it, vi } from 'vitest';
import type { PaymentOrder } from '../../../../domain/bridge/chains/chain-adapter.ts';
import { ACCOUNT_CHAINS } from './accounts.ts';
import { KNOWN_FAULTS } from './known-faults.ts';
import type { LiarChain } from './liar-chain.ts';
import { faultsOf } from './liar-faults.ts';
import { LiarWorld, type Transfer } from './liar-world.ts';
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

const SWEPT = ['near', 'polkadot', 'aptos', 'sui', 'tezos'];

describe('a vault that begins empty, on a chain where transfers have accounts of their own', () => {
  for (const chain of ACCOUNT_CHAINS.filter(({ name }) => SWEPT.includes(name))) {
    it(`pays out what was paid in, and sweeps nothing that may go back: ${chain.name}`, () =>
      paysFromDeposit(chain, false));
    it(`pays out what has become wrapped tokens: ${chain.name}`, () => paysFromDeposit(chain, true));
  }
});

/** Two signers lie, and are asked first: each thing is signed by one honest signer more. */
async function paysFromDeposit(chain: LiarChain, isWrapped: boolean): Promise<void> {
  const world = await LiarWorld.open(chain, { liars: 2, first: 3, isEmpty: true });
  const { scene } = world;
  const [most = 0n, usual = 0n] = scene.amounts;
  const sweepOf = async (transfer: Transfer) => {
    const sweep = world.orderOf(transfer, 'sweep');
    const reference = await world.referenceFor(transfer, sweep, { taken: [] });
    return reference === null ? null : { ...sweep, reference };
  };
  const paidIn = await world.payIn(most, true, isWrapped);
  const toGoBack = await world.payIn(usual, false, isWrapped);
  const early = (await sweepOf(toGoBack)) as PaymentOrder;
  expect(await world.sign(toGoBack, early)).toBeNull();

  const out = world.begin(0, scene.payees[0], usual, { isBooked: true, isCleared: true });
  const payout = world.orderOf(out, 'payout');
  expect(await world.referenceFor(out, payout, { taken: [] })).toBeNull();

  const sweep = (await sweepOf(paidIn)) as PaymentOrder;
  for (const change of [{ to: scene.payees[1] }, { amount: String(BigInt(sweep.amount) / 2n) }])
    expect(await world.sign(paidIn, { ...sweep, ...change })).toBeNull();
  const signed = await world.sign(paidIn, sweep);
  if (signed === null) throw new Error('nobody sweeps');
  for (let times = 0; times < 2; times += 1) {
    await world.handIn(signed);
    scene.settle();
  }
  expect(await world.transactionPaying(signed)).not.toBeNull();
  expect(await sweepOf(paidIn)).toBeNull();

  const reference = await world.referenceFor(out, payout, { taken: [] });
  if (reference === null) throw new Error('the vault is empty');
  const paying = await world.sign(out, { ...payout, reference });
  if (paying === null) throw new Error('nobody pays');
  await world.handIn(paying);
  scene.settle();
  expect(await world.transactionPaying(paying)).not.toBeNull();
  expect(await faultsOf(world)).toEqual([]);
}
