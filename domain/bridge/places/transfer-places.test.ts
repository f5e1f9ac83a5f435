import { expect, test } from 'vitest';
import type { Vault } from '../chains/chain-adapter.ts';
import { isEnough, isInScale, placesDigest } from './transfer-places.ts';

const keys = { scheme: 'frost-secp256k1', groupKey: '02aa', signerKeys: [] } as const;
const vault: Vault = { chain: 'ethereum', network: 'local', keys, contract: '0xAb', token: '0xCd', decimals: 6 };
const keyed: Vault = { ...vault, contract: null };
const custody = { provider: 'p', account: '7', asset: 'BTC' };
const at = { source: vault, destination: null, guard: '0xEf', scale: 6 };

test('places have the same digest in other capitals, and with another key of a contract', () => {
  const other = { ...vault, contract: '0xaB', token: '0xcd', keys: { ...keys, groupKey: '02bb' } };
  expect(placesDigest(at)).toMatch(/^[0-9a-f]{64}$/);
  expect(placesDigest({ ...at, source: other, guard: '0xef' })).toBe(placesDigest(at));
});

test('any other place has another digest', () => {
  const vaults: readonly (Vault | null)[] = [
    null,
    vault,
    keyed,
    ...(
      [{ chain: 'base' }, { network: 'testnet' }, { contract: '0xac' }, { token: null }, { decimals: 7 }] as const
    ).map((change) => ({ ...vault, ...change })),
    { ...keyed, keys: { ...keys, groupKey: '02bb' } },
    { ...keyed, keys: { ...keys, scheme: 'frost-taproot' } },
    { ...keyed, keys: { ...keys, signerKeys: ['02cc'] } },
    { ...keyed, custody },
    ...['provider', 'account', 'asset'].map((name) => ({ ...keyed, custody: { ...custody, [name]: 'x' } })),
  ];
  const digests = vaults.flatMap((place) => [
    placesDigest({ ...at, source: place }),
    placesDigest({ ...at, source: null, destination: place }),
    placesDigest({ ...at, source: place, guard: '0xff' }),
    placesDigest({ ...at, source: place, scale: 7 }),
  ]);
  // Nothing on both sides, by the first guard, is there twice.
  expect(new Set(digests).size).toBe(digests.length - 1);
});

test('terms are in the scale of their places where what comes and goes is what is counted', () => {
  const out: Vault = { ...vault, decimals: 8 };
  const places = { source: vault, destination: out, guard: '0xEf', scale: 4 };
  const terms = { amount: 1_000, fee: 10, amountIn: '100000', amountOut: '9900000' };
  expect(isInScale(terms, places)).toBe(true);
  for (const change of [
    { amountIn: '100001' },
    { amountOut: '9900001' },
    { amountOut: '10000000' },
    { amount: 1_001 },
    { fee: 9 },
  ])
    expect([change, isInScale({ ...terms, ...change }, places)]).toEqual([change, false]);
  for (const change of [{ scale: 5 }, { source: out }, { destination: vault }, { source: null }])
    expect([change, isInScale(terms, { ...places, ...change })]).toEqual([change, false]);
  // An account has the ledger's decimals.
  expect(isInScale({ ...terms, amountIn: '1000' }, { ...places, source: null })).toBe(true);
  expect(isInScale({ ...terms, amountOut: '990' }, { ...places, destination: null })).toBe(true);
});

test('a transfer is of so much, and costs so much, as its lane asks for', () => {
  const least = { leastAmount: 1_000, flatFee: 10 };
  expect(isEnough({ amount: 1, fee: 0 }, at)).toBe(true);
  expect(isEnough({ amount: 1_000, fee: 10 }, { ...at, least })).toBe(true);
  expect(isEnough({ amount: 999, fee: 10 }, { ...at, least })).toBe(false);
  expect(isEnough({ amount: 1_000, fee: 9 }, { ...at, least })).toBe(false);
});

test('a payout of a coin brings what its chain may ask for at most, beside what is stated, and one of a token what is stated', () => {
  const coin: Vault = { ...keyed, chain: 'xrpl', token: null, decimals: 6 };
  const places = { ...at, destination: coin, least: { leastAmount: 1, flatFee: 5 } };
  // 20,000 drops, in two decimals of the ledger: rounded up.
  expect(isEnough({ amount: 100, fee: 7 }, { ...places, scale: 2 })).toBe(true);
  expect(isEnough({ amount: 100, fee: 6 }, { ...places, scale: 2 })).toBe(false);
  expect(isEnough({ amount: 100_000, fee: 20_005 }, places)).toBe(true);
  expect(isEnough({ amount: 100_000, fee: 20_004 }, places)).toBe(false);
  for (const other of [
    { ...coin, token: 'USD.rIssuer' },
    { ...coin, custody },
    { ...coin, chain: 'exchange' },
    { ...coin, chain: 'bitcoin-segwit' },
    { ...coin, chain: 'ethereum' },
    null,
  ] as const)
    expect(isEnough({ amount: 100, fee: 5 }, { ...places, destination: other })).toBe(true);
});
