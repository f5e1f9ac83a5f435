import { bytesToHex, hexToBytes } from '@noble/curves/utils.js';
import { sha512 } from '@noble/hashes/sha2.js';
import { isValidXAddress } from 'ripple-address-codec';
import { encode, encodeForSigning } from 'ripple-binary-codec';
import { isHex32, referenceRecord, WHOLE_NUMBER } from '../accounts/reference-record.ts';
import { wholeUnits } from '../accounts/whole-units.ts';
import type { PaymentOrder, Vault } from '../chain-adapter.ts';
import { isXrplTag, xrplAccountOf, xrplRecipient, xrplSigningKey } from './xrpl-address.ts';
import { DROPS_MAX, ISSUED_UNITS_MAX, issuedToken, xrplAmount } from './xrpl-amount.ts';

/** Sequence of the vault's account, fee in drops, and the ledger from which on the payment is looked for. */
export const XRPL_REFERENCE = referenceRecord({ sequence: WHOLE_NUMBER, fee: WHOLE_NUMBER, ledger: WHOLE_NUMBER });

/** The most that a payment pays for itself, in drops. */
export const FEE_MAX = 20_000n;
/** A cancelled payment was not taken for its fee: what takes its place pays so many times as much. */
const CANCEL_FEE_FACTOR = 10n;
const SEQUENCE_MAX = 2n ** 32n - 1n;
/** `tfFullyCanonicalSig`: nobody can change the signature, and with it the hash. */
const FULLY_CANONICAL = 0x8000_0000;
const HASH_PREFIX = Uint8Array.of(0x54, 0x58, 0x4e, 0x00);

export type XrplTransaction = Readonly<Record<string, unknown>>;

/** The transaction without its signature. A cancelled one changes nothing, or opens the trust line of the vault's token. */
export function xrplPayment(vault: Vault, order: PaymentOrder): XrplTransaction {
  const reference = XRPL_REFERENCE.read(order.reference);
  const fee = wholeUnits(reference.fee, FEE_MAX);
  if (!isHex32(vault.keys.groupKey) || !isHex32(order.commitment)) throw new RangeError('a key of another form');
  const shared = {
    Account: xrplAccountOf(vault.keys.groupKey),
    Sequence: Number(wholeUnits(reference.sequence, SEQUENCE_MAX)),
    SigningPubKey: xrplSigningKey(vault.keys.groupKey),
    Flags: FULLY_CANONICAL,
  };
  if (order.kind === 'cancel') {
    const cancelled = { ...shared, Fee: String(fee * CANCEL_FEE_FACTOR) };
    if (vault.token === null) return { ...cancelled, TransactionType: 'AccountSet' };
    const limit = { ...issuedToken(vault.token), value: '9999999999999999e80' };
    return { ...cancelled, TransactionType: 'TrustSet', LimitAmount: limit };
  }
  const recipient = xrplRecipient(order.to, vault.network);
  if (recipient === null) throw new RangeError('no address of this network');
  // The ledger takes no such payment, and its sequence would stay unused.
  if (recipient.account === shared.Account) throw new RangeError('the vault does not pay itself');
  const tag = order.memo === undefined ? recipient.tag : statedTag(order);
  const amount = wholeUnits(order.amount, vault.token === null ? DROPS_MAX : ISSUED_UNITS_MAX);
  return {
    ...shared,
    TransactionType: 'Payment',
    Fee: String(fee),
    Destination: recipient.account,
    ...(tag === null ? {} : { DestinationTag: tag }),
    Amount: xrplAmount(vault, amount),
    InvoiceID: order.commitment.toUpperCase(),
  };
}

/** @throws RangeError where it is no tag, or stands beside an X-address, which says itself whether there is one */
function statedTag({ to, memo = '' }: PaymentOrder): number {
  if (!isXrplTag(memo) || isValidXAddress(to)) throw new RangeError('no destination tag');
  return Number(memo);
}

export function xrplMessage(transaction: XrplTransaction): Uint8Array {
  return hexToBytes(encodeForSigning(transaction).toLowerCase());
}

/** As the ledger takes it, and the hash by which it knows it. */
export function xrplSigned(transaction: XrplTransaction, signature: Uint8Array): { raw: string; hash: string } {
  const raw = encode({ ...transaction, TxnSignature: bytesToHex(signature).toUpperCase() });
  const hashed = sha512.create().update(HASH_PREFIX).update(hexToBytes(raw.toLowerCase())).digest();
  return { raw, hash: bytesToHex(hashed.subarray(0, 32)).toUpperCase() };
}
