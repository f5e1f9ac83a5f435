import { expect, test } from 'vitest';
import type { TransferTerms } from '../../domain/bridge/transfer-terms.ts';
import { firstIdOf } from '../../domain/ids/created-at-of.ts';
import { placesOf, type SignerPlaces, signerPlaces } from './signer-places.ts';

const NOW = 1_800_000_000_000;
const DAYS = 86_400_000;

const keys = { scheme: 'frost-secp256k1', groupKey: `02${'11'.repeat(32)}`, signerKeys: [] };
const vault = (origin: string, chain: string, contract: string) => ({
  ...{ origin, chain, network: 'local', keys, contract, token: null, decimals: 6 },
});

/** A signer's places of one asset, which lies where it is stated. */
const placesOfGuards = (guards: object, ...vaults: object[]): SignerPlaces => {
  const assets = { USDC: { scale: 6, coSignFrom: null, vaults } };
  const acme = { ...guards, stake: null, moduleKeys: [], assets };
  return signerPlaces(JSON.stringify({ nodes: {}, organizations: { acme } }));
};
const placesWith = (...vaults: object[]) => placesOfGuards({ guard: '0x4' }, ...vaults);

const side = (chain: TransferTerms['asset']) =>
  (chain === 'account'
    ? { kind: 'account', account: 'a' }
    : { kind: 'chain', chain, address: '0x9' }) as TransferTerms['source'];
const termsOf = (source: string, destination: string, begunAt = NOW): TransferTerms => ({
  id: firstIdOf(begunAt),
  organization: 'acme',
  asset: 'USDC',
  source: side(source),
  destination: side(destination),
  amountIn: '2',
  amountOut: '1',
  amount: 2,
  fee: 1,
  expiresAt: 1_800_000_000_000,
});

const OF_ETHEREUM = [vault('ethereum', 'ethereum', '0xE'), vault('ethereum', 'exchange', '0xW')];
const OF_SOLANA = vault('solana', 'solana', '0xS');

test('a transfer is between the vault and the wrapped token of its one external chain', () => {
  const places = placesWith(...OF_ETHEREUM, OF_SOLANA, vault('solana', 'exchange', '0xV'));
  const contracts = (terms: TransferTerms) => {
    const { source, destination } = placesOf(places, terms, NOW);
    return [source?.contract, destination?.contract];
  };
  expect(contracts(termsOf('ethereum', 'exchange'))).toEqual(['0xE', '0xW']);
  expect(contracts(termsOf('exchange', 'ethereum'))).toEqual(['0xW', '0xE']);
  expect(contracts(termsOf('exchange', 'solana'))).toEqual(['0xV', '0xS']);
  expect(contracts(termsOf('account', 'solana'))).toEqual([undefined, '0xS']);
});

test.each([
  ['solana', 'exchange'],
  ['exchange', 'solana'],
  ['solana', 'ethereum'],
  ['ethereum', 'solana'],
])('what comes from %s is not paid on %s by places of another chain', (source, destination) => {
  expect(() => placesOf(placesWith(...OF_ETHEREUM, OF_SOLANA), termsOf(source, destination), NOW)).toThrow(
    'not one vault',
  );
});

test('a transfer goes by the vault and the guard that held when it began', () => {
  const changed = NOW - 10 * DAYS;
  const guards = { guard: '0x5', guardFrom: changed, formerGuards: ['0x3', { address: '0x4' }] };
  const vaults = [vault('ethereum', 'ethereum', '0xE'), { ...vault('ethereum', 'ethereum', '0xF'), from: changed }];
  const places = placesOfGuards(guards, ...vaults);
  const of = (begunAt: number, now = NOW) => placesOf(places, termsOf('account', 'ethereum', begunAt), now);
  const former = { guard: '0x4', formerGuards: ['0x5', '0x3'], destination: { contract: '0xE' }, isOutlived: false };
  expect(of(changed - 1)).toMatchObject(former);
  expect(of(changed)).toMatchObject({ guard: '0x5', formerGuards: ['0x3', '0x4'], destination: { contract: '0xF' } });
  expect(of(changed - 1, changed + 90 * DAYS - 1)).toMatchObject({ isOutlived: false });
  expect(of(changed - 1, changed + 90 * DAYS)).toMatchObject({ isOutlived: true });
  expect(of(changed, changed + 90 * DAYS)).toMatchObject({ isOutlived: false });
  expect(() => of(NOW + DAYS)).toThrow('begins later');
});

test('a transfer of before is nobody’s where nothing is stated of its time, nor where two hold at once', () => {
  const since = { ...vault('ethereum', 'ethereum', '0xF'), from: NOW };
  const terms = termsOf('account', 'ethereum', NOW - 1);
  expect(() => placesOf(placesWith(since), terms, NOW)).toThrow('nothing is known');
  expect(() => placesOf(placesOfGuards({ guard: '0x5', guardFrom: NOW }, ...OF_ETHEREUM), terms, NOW)).toThrow(
    'nothing',
  );
  const twice = 'both hold from the same time';
  const vaults = [...OF_ETHEREUM, vault('ethereum', 'ethereum', '0xF')];
  expect(() => placesOf(placesWith(...vaults), terms, NOW)).toThrow(twice);
  const guards = { guard: '0x5', formerGuards: [{ address: '0x4' }] };
  expect(() => placesOf(placesOfGuards(guards, ...OF_ETHEREUM), terms, NOW)).toThrow(twice);
});
