import { expect, test } from 'vitest';
import { outpointsOf, spendsOutputs } from './outpoints.ts';

test('a reference of a chain with outputs says which it spends, and another names none', () => {
  const bitcoin = {
    inputs: [
      { txid: 'aa', vout: 1 },
      { txid: 'bb', vout: 0 },
    ],
    fee: '1',
  };
  expect(outpointsOf(JSON.stringify(bitcoin))).toEqual(['aa:1', 'bb:0']);
  expect(outpointsOf(JSON.stringify({ inputs: [{ tx: 'cc', index: 2 }] }))).toEqual(['cc:2']);
  for (const other of ['sequence=7 fee=12 ledger=1', '{}', '']) expect(outpointsOf(other)).toEqual([]);
});

test('payments of a custody provider spend no outputs of the vault', () => {
  const custody = { provider: 'vaults', account: '1', asset: 'BTC' };
  expect(spendsOutputs({ chain: 'bitcoin-segwit' })).toBe(true);
  expect(spendsOutputs({ chain: 'bitcoin-segwit', custody })).toBe(false);
  expect(spendsOutputs({ chain: 'xrpl' })).toBe(false);
});
