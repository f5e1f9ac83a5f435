import { keccak_256 } from '@noble/hashes/sha3.js';
import { ecdsaRecover } from '../../signing/ecdsa.ts';
import { HEX_32, referenceRecord, WHOLE_NUMBER } from '../accounts/reference-record.ts';
import type { SignerSignature } from '../accounts/three-signatures.ts';
import { wholeUnits } from '../accounts/whole-units.ts';
import type { PaymentOrder, Vault } from '../chain-adapter.ts';
import { requireTronHex, tronPayee } from './tron-address.ts';
import { type TronContract, tokenTransfer, tronRaw, tronSigned, tronTxid } from './tron-transaction.ts';

/**
 * A block of the network, until when the payment may land (Unix ms), the number of the try, and the most that a token's call burns, in sun. With the commitment as memo they make the transaction's bytes, and the
 * chain lets those through once: two tries of one transfer differ by the number.
 */
export const TRON_REFERENCE = referenceRecord({
  block: HEX_32,
  expiration: WHOLE_NUMBER,
  attempt: WHOLE_NUMBER,
  fee: WHOLE_NUMBER,
});

/** How long a payment may land: so long a cancellation takes at most. The chain allows a day. */
export const WINDOW_MS = 3_600_000n;
/** The most that a token's call burns, in sun. */
export const FEE_LIMIT_MAX = 200_000_000n;
const SUN_MAX = 2n ** 63n - 1n;
const TOKEN_UNITS_MAX = 2n ** 256n - 1n;
const TIME_MAX = BigInt(Number.MAX_SAFE_INTEGER);
const ATTEMPT_MAX = 1_000_000n;
const CANCEL = 'edge.bridge.tron.cancel.v1';
const RECOVERY_BYTES = ['1b', '1c'] as const;

/** The vault's account, as nodes write it. */
export function tronHome({ contract }: Vault): string {
  return requireTronHex(contract);
}

/** The vault's token, as nodes write it; null for TRX. */
export function tronToken({ token }: Vault): string | null {
  return token === null ? null : requireTronHex(token);
}

export function tronAmount({ token }: Pick<Vault, 'token'>, units: string): bigint {
  return wholeUnits(units, token === null ? SUN_MAX : TOKEN_UNITS_MAX);
}

/** The bytes of a payment that are signed. @throws RangeError for a cancellation, which is no transaction */
export function tronPayment(vault: Vault, order: PaymentOrder): Uint8Array {
  if (order.kind === 'cancel') throw new RangeError('a cancellation is no transaction');
  const { block, expiration, attempt, feeLimit } = readReference(vault, order);
  const [home, token, to] = [tronHome(vault), tronToken(vault), tronPayee(order.to, vault.network)];
  if (to === null) throw new RangeError('no address of Tron');
  if (to === home) throw new RangeError('the vault pays nothing to itself');
  const amount = tronAmount(vault, order.amount);
  const contract: TronContract =
    token === null
      ? { type: 'TransferContract', owner: home, to, amount }
      : { type: 'TriggerSmartContract', owner: home, contract: token, data: tokenTransfer(to, amount) };
  const timestamp = expiration - WINDOW_MS + attempt;
  return tronRaw({ block, expiration, memo: order.commitment, contract, timestamp, feeLimit });
}

/**
 * What signers sign in place of a transaction to cancel a reference. The chain has nothing that would use it before it expires; a signer that has signed this signs no payment of it any more.
 */
export function tronStatement(vault: Vault, order: PaymentOrder): string {
  readReference(vault, order);
  tronHome(vault);
  return `${CANCEL} ${vault.contract} ${order.commitment} ${order.reference}`;
}

export function isTronStatement(raw: string): boolean {
  return raw.startsWith(`${CANCEL} `);
}

/** What each signer signs, in hexadecimal: the transaction's hash, or of a statement that of a message (TIP-191), which no transaction has. */
export function tronDigest(vault: Vault, order: PaymentOrder): string {
  return order.kind === 'cancel' ? messageDigest(tronStatement(vault, order)) : tronTxid(tronPayment(vault, order));
}

/** The digest of a message as wallets sign it. */
export function messageDigest(message: string): string {
  const bytes = new TextEncoder().encode(message);
  const prefix = new TextEncoder().encode(`\x19TRON Signed Message:\n${bytes.length}`);
  return Buffer.from(keccak_256.create().update(prefix).update(bytes).digest()).toString('hex');
}

/** A payment with its signatures, each with the byte by which nodes find its key. */
export function tronWithSignatures(
  { keys }: Vault,
  raw: Uint8Array,
  signatures: readonly SignerSignature[],
): { raw: string; txid: string } {
  const txid = tronTxid(raw);
  const whole = signatures.map(({ signer, signature }) => {
    const recovery = RECOVERY_BYTES.find((v) => ecdsaRecover(txid, signature + v) === keys.signerKeys[signer]);
    if (recovery === undefined) throw new RangeError(`the signature of signer ${signer} shows no key`);
    return signature + recovery;
  });
  return { raw: tronSigned(raw, whole), txid };
}

/** @throws RangeError where it is none of this vault */
function readReference(vault: Vault, { reference, commitment }: PaymentOrder) {
  const { block, expiration, attempt, fee } = TRON_REFERENCE.read(reference);
  if (!/^[0-9a-f]{64}$/.test(commitment)) throw new RangeError('a commitment of another form');
  return {
    block,
    expiration: wholeUnits(expiration, TIME_MAX, WINDOW_MS),
    attempt: wholeUnits(attempt, ATTEMPT_MAX, 0n),
    feeLimit: vault.token === null ? wholeUnits(fee, 0n, 0n) : wholeUnits(fee, FEE_LIMIT_MAX),
  };
}
