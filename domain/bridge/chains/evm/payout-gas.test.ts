import { encodeAbiParameters, numberToHex } from 'viem';
import { expect, test } from 'vitest';
import type { ChainTransport } from '../chain-adapter.ts';
import { evmPayoutCost, payoutGasMax } from './payout-gas.ts';

const nodeAsking = (price: bigint) => ({ rpc: async () => numberToHex(price) }) as unknown as ChainTransport;

test('a payout costs what gas costs now, and never more than the relayer would pay for it', async () => {
  const costAt = (price: bigint) => evmPayoutCost('ethereum', nodeAsking(price));
  expect(await costAt(30n * 10n ** 9n)).toMatchObject({ cost: String(30n * 10n ** 9n * 200_000n) });
  expect(await costAt(10n ** 15n)).toMatchObject({ cost: String(2_000n * 10n ** 9n * 200_000n) });
});

test('where gas pays for a transaction’s bytes as well, that is quoted, and given, beyond what a payee may take', async () => {
  const words = [{ type: 'uint64' }, { type: 'uint256' }, { type: 'uint256' }] as const;
  const node = (forBytes: bigint | null) =>
    ({
      rpc: async (method: string) => {
        if (method !== 'eth_call') return numberToHex(10n);
        return forBytes === null ? '0x' : encodeAbiParameters(words, [forBytes, 1n, 1n]);
      },
    }) as unknown as ChainTransport;
  const call = { to: '0x00000000000000000000000000000000000000aa', data: '0x01' } as const;
  expect(await payoutGasMax('arbitrum', node(70_000n), call)).toBe(270_000n);
  expect(await evmPayoutCost('arbitrum', node(70_000n))).toMatchObject({ cost: '2700000' });
  expect(await payoutGasMax('arbitrum', node(null), call)).toBe(200_000n);
  expect(await payoutGasMax('ethereum', node(70_000n), call)).toBe(200_000n);
});
