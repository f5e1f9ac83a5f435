import type { BlockHeader } from '../../domain/consensus/block.ts';
import { blockHash } from '../../domain/consensus/block.ts';
import { certificateFault, type QuorumCertificate } from '../../domain/consensus/certificate.ts';
import type { CheckpointCrypto } from '../../domain/consensus/checkpoints/checkpoint-crypto.ts';
import { type CheckpointKeys, memberCheckpointKeys } from '../../domain/consensus/checkpoints/checkpoint-keys.ts';
import { type CheckpointMember, CheckpointSigner } from '../../domain/consensus/checkpoints/checkpoint-member.ts';
import type { SignedCheckpoint } from '../../domain/consensus/checkpoints/checkpoint-vote.ts';
import { type Committee, committeeHash } from '../../domain/consensus/committee.ts';
import { memberKey, verifyEd25519 } from '../../domain/consensus/ed25519.ts';
import { memberSecrets } from '../../domain/consensus/member-secrets.ts';
import type { CheckpointStore } from './checkpoint-store.ts';

/** The members of a committee as they sign checkpoints. */
export interface Signers {
  readonly keys: CheckpointKeys;
  readonly members: readonly CheckpointMember[];
}

/**
 * Members that live all in this object, with keys that come from one seed.
 *
 * @param seed secret CONSENSUS_SEED: 32 random bytes
 * @returns null where the committee has other keys than those of the seed
 */
export async function embeddedSigners(
  seed: Uint8Array,
  committee: Committee,
  store: CheckpointStore,
  crypto: CheckpointCrypto,
): Promise<Signers | null> {
  const hash = committeeHash(committee);
  const provesFinal = finalityCheck(committee);
  const [own] = committee.keys;
  if ((await memberKey(memberSecrets(seed, committee.epoch, 0).ed25519)).publicKey !== own) return null;
  const made = await Promise.all(
    committee.keys.map(async (_, number) => {
      const secrets = memberSecrets(seed, committee.epoch, number);
      const ed25519 = await memberKey(secrets.ed25519);
      const pair = { bls: crypto.bls.keyPair(secrets.bls), mlDsa: crypto.mlDsa.keyPair(secrets.mlDsa) };
      const signed = {
        last: () => store.signed(hash, number),
        save: (last: SignedCheckpoint) => store.keepSigned(hash, number, last),
      };
      return {
        keys: await memberCheckpointKeys(hash, number, { ...pair, ed25519 }),
        member: new CheckpointSigner({ number, pair, signed, provesFinal }),
      };
    }),
  );
  const keys = { epoch: committee.epoch, committee: hash, members: made.map(({ keys: own }) => own) };
  store.keepKeys(keys);
  return { keys, members: made.map(({ member }) => member) };
}

/** Members of one object check a certificate once. */
function finalityCheck(committee: Committee) {
  const checked = new WeakMap<QuorumCertificate, Promise<string | null>>();
  return async (last: BlockHeader, certificate: QuorumCertificate | null): Promise<boolean> => {
    if (certificate === null || certificate.height !== last.height || certificate.hash !== blockHash(last))
      return false;
    const fault = checked.get(certificate) ?? certificateFault(certificate, committee, verifyEd25519);
    checked.set(certificate, fault);
    return (await fault) === null;
  };
}
