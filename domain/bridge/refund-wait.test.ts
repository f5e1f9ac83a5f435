import { expect, test } from 'vitest';
import { refundWait } from './refund-wait.ts';

test('a refund waits for good where the ledger, or the deposit itself, is all that it can be paid from', () => {
  const custody = { provider: 'p', account: '1', asset: 'BTC' };
  expect(refundWait(null, 5)).toBeNull();
  for (const chain of ['bitcoin-segwit', 'cardano', 'near', 'aptos', 'polkadot', 'tezos', 'sui'] as const)
    expect(refundWait({ chain }, 5)).toBeNull();
  for (const chain of ['ethereum', 'exchange', 'xrpl', 'stellar', 'tron', 'solana'] as const)
    expect(refundWait({ chain }, 5)).toBe(5);
  expect(refundWait({ chain: 'bitcoin-segwit', custody }, 5)).toBe(5);
});
