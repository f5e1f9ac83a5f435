import { createTestClient, http } from 'viem';
import { describe, expect, test } from 'vitest';
import { type Devnet, startDevnet } from '../../../scripts/contracts/devnet.ts';
import { CHAINS, deployRegistry, type RegistryTerms } from '../../../scripts/contracts/registry-deployment.ts';
import { ADMIN, HEIR, hasDevnet, RECORDER } from './registry.fixtures.ts';

const TERMS: RegistryTerms = { admin: ADMIN.address, recorder: RECORDER.address, adminDelay: 60 };
const DEPLOYER = '0x4e59b44847b379578588920cA78FbF26c0B4956C';

async function on<Result>(chainId: number, run: (chain: Devnet) => Promise<Result>): Promise<Result> {
  const chain = await startDevnet({ chainId });
  try {
    return await run(chain);
  } finally {
    await chain.stop();
  }
}

const clock = ({ url }: Devnet) => createTestClient({ mode: 'anvil', transport: http(url) });

describe.skipIf(!hasDevnet)('deployment of the registry', () => {
  test('gives one address on the chains 8675309, 8675310 and 8675311, whoever pays', async () => {
    expect(CHAINS).toEqual({ mainnet: 8_675_309, testnet: 8_675_310, devnet: 8_675_311 });
    const payers = [ADMIN, HEIR, ADMIN];
    const deployed = await Promise.all(
      Object.values(CHAINS).map((chainId, at) =>
        on(chainId, ({ url }) => deployRegistry(url, payers[at] ?? ADMIN, TERMS)),
      ),
    );
    expect(deployed.map(({ chainId }) => chainId)).toEqual(Object.values(CHAINS));
    expect(new Set(deployed.map(({ address }) => address)).size).toBe(1);
    expect(deployed.every(({ transaction }) => transaction !== null)).toBe(true);
  });

  test('leaves one that is there as it is; other terms are another registry', async () => {
    await on(CHAINS.devnet, async ({ url }) => {
      const { address } = await deployRegistry(url, ADMIN, TERMS);
      expect(await deployRegistry(url, ADMIN, TERMS)).toEqual({ address, chainId: CHAINS.devnet, transaction: null });
      expect((await deployRegistry(url, ADMIN, { ...TERMS, adminDelay: 61 })).address).not.toBe(address);
    });
  });

  test('fails where the chain has no deployer, and where something else stands at the address', async () => {
    await on(CHAINS.devnet, async (chain) => {
      const { address } = await deployRegistry(chain.url, ADMIN, TERMS);
      await clock(chain).setCode({ address, bytecode: '0x6001' });
      await expect(deployRegistry(chain.url, ADMIN, TERMS)).rejects.toThrow(`other code stands at ${address}`);
      await clock(chain).setCode({ address: DEPLOYER, bytecode: '0x' });
      await expect(deployRegistry(chain.url, ADMIN, { ...TERMS, adminDelay: 62 })).rejects.toThrow(
        `chain ${CHAINS.devnet} has no deterministic deployer`,
      );
    });
  });
});
