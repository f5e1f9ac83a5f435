import { expect, test, vi } from 'vitest';
import type { Vault } from '../chains/chain-adapter.ts';
import { laneOf } from '../lane.ts';
import { type TransferTerms, termsCommitment } from '../transfer-terms.ts';
import { ChainEyes, type KnownPlaces, type SeenChains } from './chain-eyes.ts';
import { coSignatureDigest } from './co-signature.ts';
import { ecdsaSign } from './ecdsa.ts';
import { PAYOUT, TERMS } from './signing.fixtures.ts';

// A ceremony takes half a second, and several of that where everything runs at once.
vi.setConfig({ testTimeout: 400_000 });

const SECRET = '11'.repeat(32);
/** Of that secret. */
const KEY = '034f355bdcb7cc0af728ef3cceb9615d90684bb5b2ca5f859ab0f0b704075871aa';
const keys = { scheme: 'frost-taproot', groupKey: 'ab'.repeat(32), signerKeys: [] } as const;
const vaultOn = (chain: Vault['chain']): Vault => ({
  chain,
  network: 'local',
  keys,
  contract: null,
  token: null,
  decimals: 8,
});
const PLACES: KnownPlaces = {
  source: vaultOn('exchange'),
  destination: vaultOn('bitcoin-taproot'),
  guard: '0xguard',
  stake: { chainId: 1, stake: '0xstake', wrapped: '0xwrapped' },
  scale: 8,
  coSignFrom: TERMS.amount,
  moduleKeys: [KEY],
};

function eyes(places: KnownPlaces = PLACES) {
  const asked: unknown[][] = [];
  const answer =
    (name: string, value: unknown) =>
    async (...args: unknown[]) => {
      asked.push([name, ...args]);
      return value;
    };
  const chains = {
    deposits: answer('deposits', ['coins']),
    confirmationsNeeded: answer('confirmationsNeeded', 6),
    statusOf: answer('statusOf', { state: 'unspent' }),
    build: answer('build', { messages: [] }),
    payeeMemoFault: answer('payeeMemoFault', null),
    checkReference: answer('checkReference', { fault: null, spends: [] }),
    isRecovering: answer('isRecovering', true),
    keysInForce: answer('keysInForce', { ...keys, groupKey: 'of the contract' }),
    payeeFault: answer('payeeFault', null),
    clearance: answer('clearance', null),
    announced: answer('announced', ['first', 'second']),
  } as unknown as SeenChains;
  const ledger = {
    debit: async () => [{ reference: 'debit', amount: '1', confirmations: 1 }],
    voidPayout: async () => false,
    hasPaidOut: async () => true,
  };
  return { asked, eyes: new ChainEyes({ chains, placesOf: async () => places, ledger }) };
}

test('a signer looks for itself at the places that it knows', async () => {
  const { asked, eyes: own } = eyes();
  await own.funds(TERMS);
  await own.confirmationsNeeded(TERMS, 'destination');
  await own.status(TERMS, 'destination', PAYOUT);
  await own.build(TERMS, 'destination', PAYOUT);
  await own.payeeMemoFault(TERMS, 'destination', { ...PAYOUT, memo: '12' });
  await own.checkReference(TERMS, 'destination', PAYOUT);
  expect(await own.isRecovering(TERMS, 'source')).toBe(true);
  await own.clearance(TERMS);
  await own.announced(TERMS);
  expect(asked).toEqual([
    ['deposits', PLACES.source, termsCommitment(TERMS), '0xalice', []],
    ['confirmationsNeeded', 'bitcoin-taproot', 'local'],
    ['statusOf', PLACES.destination, PAYOUT],
    ['payeeFault', PLACES.destination, PAYOUT.to],
    ['build', PLACES.destination, PAYOUT],
    ['payeeMemoFault', PLACES.destination, { address: 'bc1alice', memo: '12' }],
    ['checkReference', PLACES.destination, PAYOUT],
    ['isRecovering', PLACES.source],
    ['clearance', { address: '0xguard', lane: laneOf('bitcoin-taproot', 'BTC') }, termsCommitment(TERMS)],
    ['announced', { address: '0xguard' }, termsCommitment(TERMS)],
  ]);
  expect(await own.shownFor(TERMS, 'transaction')).toEqual(['first']);
  expect(asked.at(-1)).toEqual(['announced', { address: '0xguard' }, 'transaction']);
  expect(await own.vaultKeys(TERMS, 'source')).toEqual({ ...keys, groupKey: 'of the contract' });
  expect(asked.at(-1)).toEqual(['keysInForce', PLACES.source]);
  expect(await own.stake(TERMS)).toEqual(PLACES.stake);
  expect(await own.hasPaidOut(TERMS)).toBe(true);
});

test('a transaction is looked for at each guard that it knows, that of the transfer first', async () => {
  const formerGuards = ['0xbefore', '0xguard'];
  const { asked, eyes: own } = eyes({ ...PLACES, formerGuards });
  expect(await own.shownFor(TERMS, 'transaction')).toEqual(['first', 'first']);
  expect(asked).toEqual([
    ['announced', { address: '0xguard' }, 'transaction'],
    ['announced', { address: '0xbefore' }, 'transaction'],
  ]);
});

test('its places are those of the sides that are on a chain', async () => {
  const { source, destination, guard, scale } = PLACES;
  expect(await eyes().eyes.places(TERMS)).toEqual({ source, destination, guard, scale });
  const account = { ...TERMS, source: { kind: 'account', account: 'a' } } as const;
  expect(await eyes().eyes.places(account)).toEqual({ source: null, destination, guard, scale });
  await expect(eyes({ ...PLACES, destination: vaultOn('solana') }).eyes.places(TERMS)).rejects.toThrow();
});

test('a vault of another chain, or none, is no place of the transfer', async () => {
  await expect(
    eyes({ ...PLACES, destination: vaultOn('solana') }).eyes.build(TERMS, 'destination', PAYOUT),
  ).rejects.toThrow();
  await expect(eyes({ ...PLACES, source: null }).eyes.funds(TERMS)).rejects.toThrow();
});

test('funds from an account are the debit of the ledger', async () => {
  const terms: TransferTerms = { ...TERMS, source: { kind: 'account', account: 'a' } };
  const { asked, eyes: own } = eyes();
  expect(await own.funds(terms)).toEqual([{ reference: 'debit', amount: '1', confirmations: 1 }]);
  expect(await own.confirmationsNeeded(terms, 'source')).toBe(1);
  expect(asked).toEqual([]);
});

test('large transfers need the signature of one of the known modules', async () => {
  const { eyes: own } = eyes();
  expect(await own.needsCoSignature(TERMS)).toBe(true);
  expect(await own.needsCoSignature({ ...TERMS, amount: TERMS.amount - 1 })).toBe(false);
  expect(await eyes({ ...PLACES, coSignFrom: null }).eyes.needsCoSignature(TERMS)).toBe(false);
  const signature = ecdsaSign(SECRET, coSignatureDigest(TERMS));
  expect(await own.isCoSigned(TERMS, signature)).toBe(true);
  expect(await own.isCoSigned({ ...TERMS, amountOut: '1' }, signature)).toBe(false);
  expect(await eyes({ ...PLACES, moduleKeys: [] }).eyes.isCoSigned(TERMS, signature)).toBe(false);
});
