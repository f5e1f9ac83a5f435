import type {
  MessageSignature,
  SigningScheme,
  UnsignedPayment,
} from '../../../../domain/bridge/chains/chain-adapter.ts';
import { makeTerms, testSigners } from '../../../../domain/bridge/signing/ceremony/ceremony.fixtures.ts';
import { runCeremony } from '../../../../domain/bridge/signing/ceremony/run-ceremony.ts';
import { ecdsaSign } from '../../../../domain/bridge/signing/ecdsa.ts';
import { frostShare, frostSignature, newNonces } from '../../../../domain/bridge/signing/frost-signing.ts';
import {
  clusterKeys,
  type KeyShare,
  tweakedCluster,
  tweakedShare,
} from '../../../../domain/bridge/signing/key-share.ts';
import { sharesOf } from '../../../../domain/bridge/signing/memory/key-ring.ts';

const made = new Map<SigningScheme, ReturnType<typeof newCluster>>();

/** Five signers that have made a key together, without those rules of theirs that are tested elsewhere. One a scheme: making it takes a while. */
export function utxoCluster(scheme: SigningScheme): ReturnType<typeof newCluster> {
  const known = made.get(scheme) ?? newCluster(scheme);
  made.set(scheme, known);
  return known;
}

async function newCluster(scheme: SigningScheme) {
  const signers = testSigners();
  const outcome = await runCeremony(await makeTerms(signers, scheme), signers.hosts, signers.hosts);
  if (!outcome.ok) throw new Error('the ceremony failed');
  const { cluster } = outcome;
  const shares = signers.memories.map((memory) => sharesOf(memory, scheme)[0] as KeyShare);
  const sign = ({ messages }: UnsignedPayment, by: readonly number[] = [0, 2, 4]): MessageSignature[] =>
    messages.map(({ bytes, tweak }) => {
      const own = by.map((n) => tweakedShare(shares[n] as KeyShare, tweak));
      if (scheme === 'multisig-secp256k1')
        return {
          kind: 'each',
          signatures: own.map(({ signer, secret }) => ({ signer, signature: ecdsaSign(secret, bytes) })),
        };
      const nonces = own.map((share) => newNonces(share));
      const offered = own.map(({ signer }, n) => ({ signer, ...(nonces[n] as (typeof nonces)[number]).commitment }));
      const parts = own.map((share, n) => ({
        signer: share.signer,
        share: frostShare(share, (nonces[n] as (typeof nonces)[number]).secret, offered, bytes),
      }));
      return { kind: 'group', signature: frostSignature(tweakedCluster(cluster, tweak), offered, bytes, parts) };
    });
  return { keys: clusterKeys(cluster), shares, sign };
}
