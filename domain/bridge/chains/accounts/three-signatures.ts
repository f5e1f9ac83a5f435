import { isEcdsaRight } from '../../signing/ecdsa.ts';
import { CLUSTER_THRESHOLD } from '../../transfer.ts';
import type { MessageSignature } from '../chain-adapter.ts';

/** One signer's signature: 64 bytes r, s in hexadecimal. */
export interface SignerSignature {
  readonly signer: number;
  readonly signature: string;
}

/**
 * The signatures of one message for a chain's own multisignature, in the order of the signers, once each is checked.
 *
 * @param keys of the five, compressed, in hexadecimal, tweaked where the message is
 * @throws RangeError where there are not three of three signers, or one is wrong
 */
export function threeSignatures(
  keys: readonly string[],
  digest: string,
  signature: MessageSignature | undefined,
): SignerSignature[] {
  if (signature?.kind !== 'each') throw new RangeError('this chain takes signatures of signers');
  const each = signature.signatures.toSorted((one, other) => one.signer - other.signer);
  const signers = new Set(each.map(({ signer }) => signer));
  if (each.length !== CLUSTER_THRESHOLD || signers.size !== CLUSTER_THRESHOLD)
    throw new RangeError('three signatures of three signers');
  for (const { signer, signature: own } of each)
    if (!isEcdsaRight(keys[signer] ?? '', digest, own))
      throw new RangeError(`the signature of signer ${signer} is wrong`);
  return each;
}
