import type { BlockHeader } from '../block.ts';
import { firstMembers, SigningCommittee } from '../chain.fixtures.ts';
import { QUORUM } from '../committee.ts';
import { memberSecrets } from '../member-secrets.ts';
import { type Checkpoint, checkpointOf } from './checkpoint.ts';
import { type CheckpointCertificate, checkpointCertificate } from './checkpoint-certificate.ts';
import type { BlsKeyPair, CheckpointCrypto, MlDsaKeyPair } from './checkpoint-crypto.ts';
import { type CheckpointKeys, checkpointKeysHash, memberCheckpointKeys } from './checkpoint-keys.ts';
import { type CheckpointVote, checkpointVote } from './checkpoint-vote.ts';

/** A committee whose keys for checkpoints are known, and what it signs. */
export class CheckpointCommittee {
  readonly signing: SigningCommittee;
  readonly pairs: readonly { readonly bls: BlsKeyPair; readonly mlDsa: MlDsaKeyPair }[];
  readonly keys: CheckpointKeys;
  readonly #crypto: CheckpointCrypto;

  private constructor(
    signing: SigningCommittee,
    pairs: CheckpointCommittee['pairs'],
    keys: CheckpointKeys,
    crypto: CheckpointCrypto,
  ) {
    this.signing = signing;
    this.pairs = pairs;
    this.keys = keys;
    this.#crypto = crypto;
  }

  /** @param first byte of the first member's seed */
  static async of(crypto: CheckpointCrypto, first = 1, epoch = 1): Promise<CheckpointCommittee> {
    const signing = await SigningCommittee.of(first, epoch);
    const pairs = signing.keys.map((_, member) => {
      const secrets = memberSecrets(new Uint8Array(32).fill(first + member), epoch, member);
      return { bls: crypto.bls.keyPair(secrets.bls), mlDsa: crypto.mlDsa.keyPair(secrets.mlDsa) };
    });
    const members = signing.keys.map((ed25519, member) => {
      const pair = pairs[member];
      if (pair === undefined) throw new Error(`no member ${member}`);
      return memberCheckpointKeys(signing.hash, member, { ...pair, ed25519 });
    });
    const keys = { epoch, committee: signing.hash, members: await Promise.all(members) };
    return new CheckpointCommittee(signing, pairs, keys, crypto);
  }

  checkpoint(parent: Checkpoint | null, blocks: readonly BlockHeader[]): Checkpoint {
    return checkpointOf(checkpointKeysHash(this.keys), parent, blocks);
  }

  vote(member: number, checkpoint: Checkpoint): CheckpointVote {
    const pair = this.pairs[member];
    if (pair === undefined) throw new Error(`no member ${member}`);
    return checkpointVote(checkpoint, member, pair);
  }

  certificate(checkpoint: Checkpoint, members: readonly number[] = firstMembers(QUORUM)): CheckpointCertificate {
    const votes = members.map((member) => this.vote(member, checkpoint));
    const certificate = checkpointCertificate(votes, this.#crypto);
    if (certificate === null) throw new Error('no certificate');
    return certificate;
  }
}
