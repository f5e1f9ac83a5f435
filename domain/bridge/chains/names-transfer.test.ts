import { expect, test } from 'vitest';
import { CHAIN_NAMES } from './chain-name.ts';
import { namesTransfer } from './names-transfer.ts';

const MUXED = 'MA7QYNF7SOWQ3GLR2BGMZEHXAVIRZA4KVWLTJJFC7MGXUA74P7UJVAAAAAAAAAAAAAJLK';

test('a payment says whose it is, but on chains without room for that, and where a memo of the payee stands in its place', () => {
  const payee = { to: 'payee' };
  expect(CHAIN_NAMES.filter((chain) => !namesTransfer({ chain }, payee)).toSorted()).toEqual([
    'aptos',
    'near',
    'polkadot',
    'tezos',
  ]);
  const named = CHAIN_NAMES.filter((chain) => namesTransfer({ chain }, payee));
  expect(named.filter((chain) => !namesTransfer({ chain }, { ...payee, memo: '7' })).toSorted()).toEqual([
    'cosmos',
    'stellar',
  ]);
  expect(namesTransfer({ chain: 'stellar' }, { to: MUXED })).toBe(false);
  const custody = { provider: 'p', account: '0', asset: 'NEAR' };
  expect(namesTransfer({ chain: 'near', custody }, payee)).toBe(true);
});
