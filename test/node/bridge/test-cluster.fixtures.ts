import { secp256k1_FROST } from '@noble/curves/secp256k1.js';
import { type ContractKey, contractKey, contractSignature } from '../../../domain/bridge/chains/evm/cluster-key.ts';
import { type ClusterAction, clusterMessage } from '../../../domain/bridge/chains/evm/cluster-message.ts';

type Key = ReturnType<typeof secp256k1_FROST.DKG.round3>;
type Round1 = ReturnType<typeof secp256k1_FROST.DKG.round1>;

/** A cluster of five keys made without a dealer, in the test's own memory: what contracts and adapters are shown signatures of. */
export class TestCluster {
  readonly #keys: Key[];

  constructor() {
    const signers = { min: 3, max: 5 };
    const ids = [1, 2, 3, 4, 5].map((n) => secp256k1_FROST.Identifier.fromNumber(n));
    const first: Round1[] = ids.map((id) => secp256k1_FROST.DKG.round1(id, signers));
    const others = (index: number) => first.filter((_, n) => n !== index).map((each) => each.public);
    const second = first.map(({ secret }, index) => secp256k1_FROST.DKG.round2(secret, others(index)));
    this.#keys = first.map(({ secret }, index) => {
      const got = second.flatMap((sent, n) => (n === index ? [] : [sent[ids[index] as string]])) as never[];
      return secp256k1_FROST.DKG.round3(secret, others(index), got);
    });
  }

  get groupKey(): string {
    return hex(this.#keys[0]?.public.commitments[0] as Uint8Array);
  }

  /** The group's key as a contract takes it. */
  get key(): ContractKey {
    return contractKey(this.groupKey);
  }

  /** The signature of an action as a contract takes it. */
  authorize(action: ClusterAction, by?: readonly number[]) {
    return contractSignature(this.sign(clusterMessage(action), by));
  }

  /** By three of the five, 65 bytes. */
  sign(message: string, by: readonly number[] = [0, 2, 4]): string {
    const bytes = Uint8Array.from(Buffer.from(message.replace(/^0x/, ''), 'hex'));
    const signing = by.map((n) => this.#keys[n] as Key);
    const made = signing.map(({ secret }) => secp256k1_FROST.commit(secret));
    const commitments = made.map((each) => each.commitments);
    const shares = Object.fromEntries(
      signing.map(({ secret, public: pub }, n) => [
        secret.identifier,
        secp256k1_FROST.signShare(secret, pub, made[n]?.nonces as never, commitments, bytes),
      ]),
    );
    const pub = (signing[0] as (typeof signing)[number]).public;
    return hex(secp256k1_FROST.aggregate(pub, commitments, bytes, shares));
  }
}

function hex(bytes: Uint8Array): string {
  return Buffer.from(bytes).toString('hex');
}
