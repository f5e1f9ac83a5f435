import { expect, test } from 'vitest';
import { CHAIN_NAMES } from './chain-name.ts';
import { namesTransfer } from './names-transfer.ts';

test('a payment says whose it is, but on chains without room for that, or where a memo of the payee takes it', () => {
  expect(CHAIN_NAMES.filter((chain) => !namesTransfer({ chain })).toSorted()).toEqual([
    'aptos',
    'cosmos',
    'near',
    'polkadot',
    'stellar',
    'tezos',
  ]);
  const custody = { provider: 'p', account: '0', asset: 'NEAR' };
  expect(namesTransfer({ chain: 'near', custody })).toBe(true);
});
