import { secp256k1 } from '@noble/curves/secp256k1.js';
import { bytesToHex, hexToBytes } from '@noble/curves/utils.js';
import type { ClusterKeys, MessageSignature, UnsignedPayment } from '../../../../domain/bridge/chains/chain-adapter.ts';
import { ecdsaSign } from '../../../../domain/bridge/signing/ecdsa.ts';

/** Five signers with keys of their own, of which three sign. The secrets are fixed, so that addresses in tests are, too. */
export function multisigCluster() {
  const secrets = [1, 2, 3, 4, 5].map((n) => (BigInt(n) * 10n ** 60n + 7n).toString(16).padStart(64, '0'));
  const signerKeys = secrets.map((secret) => bytesToHex(secp256k1.getPublicKey(hexToBytes(secret))));
  const keys: ClusterKeys = { scheme: 'multisig-secp256k1', groupKey: '', signerKeys };

  function sign({ messages }: UnsignedPayment, by: readonly number[] = [0, 2, 4]): MessageSignature[] {
    return messages.map(({ bytes, tweak }) => {
      if (tweak !== null) throw new Error('no tweaks here');
      const signatures = by.map((signer) => ({ signer, signature: ecdsaSign(secrets[signer] as string, bytes) }));
      return { kind: 'each', signatures };
    });
  }

  return { keys, sign };
}
