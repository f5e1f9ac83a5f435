import { hexToBytes } from '@noble/curves/utils.js';
import { Address, isValidAddress, Transaction, TransactionType } from 'algosdk';
import { isPlainText } from '../accounts/plain-text.ts';
import { HEX_32, isHex32, referenceRecord, WHOLE_NUMBER } from '../accounts/reference-record.ts';
import { wholeUnits } from '../accounts/whole-units.ts';
import type { PaymentOrder, Vault } from '../chain-adapter.ts';
import { isKeyless } from '../payees/is-keyless.ts';

/**
 * The transfer's lease, which lets one transaction through from round `first` to round `last`; the fee in microalgos, and the network's first block. The lease is the
 * commitment: two payments of one transfer exclude each other whatever their rounds.
 */
export const ALGORAND_REFERENCE = referenceRecord({
  lease: HEX_32,
  first: WHOLE_NUMBER,
  last: WHOLE_NUMBER,
  fee: WHOLE_NUMBER,
  genesis: HEX_32,
});

/** Rounds that a transaction may wait at most: the chain's rule. */
export const ROUNDS_MAX = 1_000n;
/** The most that a payment pays for itself, in microalgos. */
export const FEE_MAX = 20_000n;
export const U64_MAX = 2n ** 64n - 1n;

/** Hashes of first blocks: a payment of one network is none of another. */
const GENESIS: Readonly<Partial<Record<Vault['network'], string>>> = {
  mainnet: 'c061c4d8fc1dbdded2d7604be4568e3f6d041987ac37bde4b620b5ab39248adf',
  testnet: '4863b518a4b3c84ec810f22d4f1081cb0f71f059a7ac20dec62f7f70e5093a22',
};

export function isAlgorandAddress(text: string, network: Vault['network']): boolean {
  return (
    isValidAddress(text) &&
    !isKeyless({ chain: 'algorand', network }, { text, bytes: Address.fromString(text).publicKey })
  );
}

export function algorandAddressOf(key: string): string {
  if (!isHex32(key)) throw new RangeError('the vault has no Ed25519 key');
  return new Address(hexToBytes(key)).toString();
}

/** @throws RangeError where the token is no number of an asset */
export function algorandAsset(token: string): bigint {
  return wholeUnits(token, U64_MAX);
}

export function isGenesisOf(network: Vault['network'], genesis: string): boolean {
  return (GENESIS[network] ?? genesis) === genesis;
}

/** The chain takes 1,024 bytes. No exchange asks for so many, and nothing here carries more than 256. */
const NOTE_BYTES_MAX = 256;

/** Whether a text is a note for who is paid. */
export function isAlgorandNote(memo: string): boolean {
  return isPlainText(memo, NOTE_BYTES_MAX);
}

/** What a payment carries: what its payee asks for, else the commitment. It is recognized by its lease and hash, not by this. */
function noteOf({ kind, commitment, memo }: PaymentOrder): string {
  if (kind === 'cancel' || memo === undefined) return commitment;
  if (!isAlgorandNote(memo)) throw new RangeError('no note of Algorand');
  return memo;
}

/** The transaction without its signature. A cancelled one moves nothing; of an asset, it is the vault's word that it takes it. */
export function algorandPayment(vault: Vault, order: PaymentOrder): Transaction {
  const { lease, genesis, ...reference } = ALGORAND_REFERENCE.read(order.reference);
  if (lease !== order.commitment) throw new RangeError('a reference of another transfer');
  if (!isGenesisOf(vault.network, genesis)) throw new RangeError('a reference of another network');
  const fee = wholeUnits(reference.fee, FEE_MAX);
  const firstValid = wholeUnits(reference.first, U64_MAX);
  const lastValid = wholeUnits(reference.last, U64_MAX);
  if (lastValid < firstValid || lastValid - firstValid > ROUNDS_MAX)
    throw new RangeError('a reference of other rounds');
  const isCancelled = order.kind === 'cancel';
  const sender = algorandAddressOf(vault.keys.groupKey);
  if (!isCancelled && !isAlgorandAddress(order.to, vault.network)) throw new RangeError('no address of Algorand');
  const receiver = isCancelled ? sender : order.to;
  const amount = isCancelled ? 0n : wholeUnits(order.amount, U64_MAX);
  const shared = {
    sender,
    lease: hexToBytes(lease),
    note: new TextEncoder().encode(noteOf(order)),
    suggestedParams: { flatFee: true, fee, minFee: 0n, firstValid, lastValid, genesisHash: hexToBytes(genesis) },
  };
  if (vault.token === null)
    return new Transaction({ ...shared, type: TransactionType.pay, paymentParams: { receiver, amount } });
  const assetIndex = algorandAsset(vault.token);
  return new Transaction({
    ...shared,
    type: TransactionType.axfer,
    assetTransferParams: { receiver, amount, assetIndex },
  });
}
