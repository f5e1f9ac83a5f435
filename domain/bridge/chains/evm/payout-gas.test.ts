import { numberToHex } from 'viem';
import { expect, test } from 'vitest';
import type { ChainTransport } from '../chain-adapter.ts';
import { evmPayoutCost } from './payout-gas.ts';

const nodeAsking = (price: bigint) => ({ rpc: async () => numberToHex(price) }) as unknown as ChainTransport;

test('a payout costs what gas costs now, and never more than the relayer would pay for it', async () => {
  expect(await evmPayoutCost(nodeAsking(30n * 10n ** 9n))).toMatchObject({ cost: String(30n * 10n ** 9n * 160_000n) });
  const most = String(2_000n * 10n ** 9n * 160_000n);
  expect(await evmPayoutCost(nodeAsking(10n ** 15n))).toMatchObject({ cost: most });
});
