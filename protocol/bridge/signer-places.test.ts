import { expect, test } from 'vitest';
import type { TransferTerms } from '../../domain/bridge/transfer-terms.ts';
import { placesOf, type SignerPlaces, signerPlaces } from './signer-places.ts';

const keys = { scheme: 'frost-secp256k1', groupKey: `02${'11'.repeat(32)}`, signerKeys: [] };
const vault = (origin: string, chain: string, contract: string) => ({
  ...{ origin, chain, network: 'local', keys, contract, token: null, decimals: 6 },
});

/** A signer's places of one asset, which lies where it is stated. */
const placesWith = (...vaults: object[]): SignerPlaces => {
  const assets = { USDC: { scale: 6, coSignFrom: null, vaults } };
  const acme = { guard: '0x4', stake: null, moduleKeys: [], assets };
  return signerPlaces(JSON.stringify({ nodes: {}, organizations: { acme } }));
};

const side = (chain: TransferTerms['asset']) =>
  (chain === 'account'
    ? { kind: 'account', account: 'a' }
    : { kind: 'chain', chain, address: '0x9' }) as TransferTerms['source'];
const termsOf = (source: string, destination: string): TransferTerms => ({
  id: '0192f0c1-2f3a-7000-8000-000000000001',
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
    const { source, destination } = placesOf(places, terms);
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
  expect(() => placesOf(placesWith(...OF_ETHEREUM, OF_SOLANA), termsOf(source, destination))).toThrow('not one vault');
});
