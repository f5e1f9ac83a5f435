import { ed25519, ed25519_FROST } from '@noble/curves/ed25519.js';
import { bytesToHex, bytesToNumberLE, hexToBytes, numberToBytesLE } from '@noble/curves/utils.js';
import type { ClusterKeys, MessageSignature, UnsignedPayment } from '../../../../domain/bridge/chains/chain-adapter.ts';

const { Point } = ed25519;
const { Fn } = Point;

/** Five signers of which three sign, as RFC 9591 says it. The secret is fixed, so that addresses in tests are, too. */
export function frostCluster(seed = 7) {
  const identifiers = [1, 2, 3, 4, 5].map((number) => ed25519_FROST.Identifier.fromNumber(number));
  let counter = 0;
  const bytes = (length = 32) =>
    new Uint8Array(length).map((_, index) => (seed * 31 + counter++ * 17 + index * 7) & 127);
  const dealt = ed25519_FROST.trustedDealer(
    { min: 3, max: 5 },
    identifiers,
    numberToBytesLE(BigInt(seed) * 10n ** 60n, 32),
    bytes,
  );
  const groupKey = bytesToHex(dealt.public.commitments[0]!);
  const keys: ClusterKeys = { scheme: 'frost-ed25519', groupKey, signerKeys: [] };

  function tweaked(tweak: string | null) {
    if (tweak === null) return dealt;
    const t = BigInt(`0x${tweak}`);
    const point = Point.BASE.multiply(t);
    const plus = (encoded: Uint8Array) => Point.fromBytes(encoded).add(point).toBytes();
    const secretShares = Object.fromEntries(
      Object.entries(dealt.secretShares).map(([identifier, share]) => {
        const signingShare = numberToBytesLE(Fn.add(bytesToNumberLE(share.signingShare), t), 32);
        return [identifier, { ...share, signingShare }];
      }),
    );
    const verifyingShares = Object.fromEntries(
      Object.entries(dealt.public.verifyingShares).map(([identifier, share]) => [identifier, plus(share)]),
    );
    const [first, ...rest] = dealt.public.commitments;
    return { public: { ...dealt.public, commitments: [plus(first!), ...rest], verifyingShares }, secretShares };
  }

  /** Signatures of three for each message. */
  function sign(payment: UnsignedPayment, by: readonly number[] = [0, 2, 4]): MessageSignature[] {
    return payment.messages.map(({ bytes: text, tweak }) => {
      const message = hexToBytes(text);
      const { public: shared, secretShares } = tweaked(tweak);
      const signers = by.map((index) => ({ id: identifiers[index]!, secret: secretShares[identifiers[index]!]! }));
      const nonces = signers.map(({ secret }) => ed25519_FROST.commit(secret));
      const commitments = nonces.map((nonce) => nonce.commitments);
      const shares = signers.map(({ id, secret }, index) => {
        const share = ed25519_FROST.signShare(secret, shared, nonces[index]!.nonces, commitments, message);
        return [id, share] as const;
      });
      const signature = ed25519_FROST.aggregate(shared, commitments, message, Object.fromEntries(shares));
      return { kind: 'group', signature: bytesToHex(signature) };
    });
  }

  return { keys, sign };
}
