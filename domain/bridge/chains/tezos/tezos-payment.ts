import { bytesToHex, hexToBytes } from '@noble/curves/utils.js';
import { blake2b } from '@noble/hashes/blake2.js';
import { base58 } from '@scure/base';
import { CODEC, getCodec, ProtocolsHash } from '@taquito/local-forging';
import { b58Encode, PrefixV2, ValidationResult, validateBlock, validateKeyHash } from '@taquito/utils';
import { FROM, paidAccount, payingAccount } from '../accounts/paying-account.ts';
import type { PayingKey } from '../accounts/paying-key.ts';
import { isHex32, referenceRecord, WHOLE_NUMBER } from '../accounts/reference-record.ts';
import { wholeUnits } from '../accounts/whole-units.ts';
import type { PaymentOrder, Vault } from '../chain-adapter.ts';
import { isKeyless } from '../payees/is-keyless.ts';

/** Whose counter, whether its key has to be made known with the payment, and the block by whose age the payment's time is counted. */
export const TEZOS_REFERENCE = referenceRecord({
  from: FROM,
  counter: WHOLE_NUMBER,
  reveals: /yes|no/,
  branch: /B[1-9A-HJ-NP-Za-km-z]{50}/,
  level: WHOLE_NUMBER,
});

export const MUTEZ_MAX = 2n ** 63n - 1n;
/** More than what a payment costs that makes a key known and opens its recipient's account, in mutez: what leaves a transfer's own account is so much less. */
export const TRANSFER_FEE = 100_000n;
const COUNTER_MAX = 2n ** 62n;
/** Fees, gas and storage of a payment to an account, and of a key that is made known: the chain takes no more than it uses of gas and storage. */
const PAYMENT_LIMITS = { fee: '1500', gas_limit: '5000', storage_limit: '277' };
const REVEAL_LIMITS = { fee: '1000', gas_limit: '3000', storage_limit: '0' };
/** What is signed says what it is: operations of accounts. */
const WATERMARK = 3;
/** Around the hash of an address. */
const PREFIX_BYTES = 3;
const CHECKSUM_BYTES = 4;

/** An account of a key. Contracts are not paid: what they do with a payment is not known. */
export function isTezosAddress(text: string, network: Vault['network']): boolean {
  if (!/^tz[1-4]/.test(text) || validateKeyHash(text) !== ValidationResult.VALID) return false;
  return !isKeyless(
    { chain: 'tezos', network },
    { text, bytes: base58.decode(text).subarray(PREFIX_BYTES, -CHECKSUM_BYTES) },
  );
}

export function tezosAddressOf(key: string): string {
  if (!isHex32(key)) throw new RangeError('no Ed25519 key');
  return b58Encode(bytesToHex(blake2b(hexToBytes(key), { dkLen: 20 })), PrefixV2.Ed25519PublicKeyHash);
}

/** An operation before it is signed: its bytes, in hexadecimal, and what the key signs. */
export interface TezosPayment {
  readonly paying: PayingKey;
  readonly bytes: string;
  readonly digest: Uint8Array;
  /** Of the payment itself: a key that is made known has the one before. */
  readonly counter: string;
  readonly to: string;
  readonly amount: bigint;
}

/** A cancelled one gives a millionth to itself, as nothing cannot be given. */
export function tezosPayment(vault: Vault, order: PaymentOrder): TezosPayment {
  const reference = TEZOS_REFERENCE.read(order.reference);
  if (validateBlock(reference.branch) !== ValidationResult.VALID) throw new RangeError('no hash of a block');
  const paying = payingAccount(vault, order, reference.from);
  const source = tezosAddressOf(paying.key);
  const to = paidAccount(order, { own: source, home: tezosAddressOf(vault.keys.groupKey) });
  if (!isTezosAddress(to, vault.network)) throw new RangeError('no address of an account');
  const fee = reference.from === 'vault' ? 0n : TRANSFER_FEE;
  const amount = order.kind === 'cancel' ? 1n : wholeUnits(order.amount, MUTEZ_MAX) - fee;
  if (amount <= 0n) throw new RangeError('the fee would eat the amount');
  const first = wholeUnits(reference.counter, COUNTER_MAX);
  const reveal = {
    kind: 'reveal',
    source,
    ...REVEAL_LIMITS,
    counter: String(first),
    public_key: b58Encode(paying.key, PrefixV2.Ed25519PublicKey),
  };
  const counter = String(reference.reveals === 'yes' ? first + 1n : first);
  const payment = { kind: 'transaction', source, ...PAYMENT_LIMITS, counter, amount: String(amount), destination: to };
  const contents = reference.reveals === 'yes' ? [reveal, payment] : [payment];
  const bytes = getCodec(CODEC.MANAGER, ProtocolsHash.PtTALLiNt).encoder({ branch: reference.branch, contents });
  const digest = blake2b(Uint8Array.of(WATERMARK, ...hexToBytes(bytes)), { dkLen: 32 });
  return { paying, bytes, digest, counter, to, amount };
}

/** Hash by which the chain knows a signed operation. */
export function operationHash(signed: string): string {
  return b58Encode(bytesToHex(blake2b(hexToBytes(signed), { dkLen: 32 })), PrefixV2.OperationHash);
}
