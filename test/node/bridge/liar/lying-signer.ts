import type { UnsignedPayment } from '../../../../domain/bridge/chains/chain-adapter.ts';
import type {
  BridgeSigner,
  NonceOffer,
  SignerAnswer,
  SignerShare,
  SigningJob,
} from '../../../../domain/bridge/signing/bridge-signer.ts';
import { ecdsaSign } from '../../../../domain/bridge/signing/ecdsa.ts';
import { frostShare, newNonces, type SecretNonces } from '../../../../domain/bridge/signing/frost-signing.ts';
import { type KeyShare, tweakedShare } from '../../../../domain/bridge/signing/key-share.ts';

/** A signer that signs whatever it is asked, by its true share. It checks nothing, and forgets everything. */
export class LyingSigner implements Pick<BridgeSigner, 'offer' | 'sign'> {
  readonly #share: KeyShare;
  readonly #build: (job: SigningJob) => UnsignedPayment;
  readonly #nonces = new Map<string, readonly SecretNonces[]>();

  constructor(share: KeyShare, build: (job: SigningJob) => UnsignedPayment) {
    this.#share = share;
    this.#build = build;
  }

  async offer(job: SigningJob, session: string): Promise<SignerAnswer<NonceOffer>> {
    const { signer, cluster } = this.#share;
    const { messages } = this.#build(job);
    const made = cluster.scheme === 'multisig-secp256k1' ? [] : messages.map(() => newNonces(this.#share));
    this.#nonces.set(
      session,
      made.map(({ secret }) => secret),
    );
    const commitments = made.map(({ commitment }) => commitment);
    return { ok: true, value: { signer, session, generation: cluster.generation, commitments } };
  }

  async sign(job: SigningJob, session: string, offers: readonly NonceOffer[]): Promise<SignerAnswer<SignerShare>> {
    const { messages } = this.#build(job);
    if (this.#share.cluster.scheme === 'multisig-secp256k1') {
      const signatures = messages.map(({ bytes, tweak }) => ecdsaSign(tweakedShare(this.#share, tweak).secret, bytes));
      return { ok: true, value: { kind: 'ecdsa', signatures } };
    }
    const nonces = this.#nonces.get(session) ?? [];
    const shares = messages.map(({ bytes, tweak }, index) => {
      const offered = offers.map(({ signer, commitments }) => ({
        signer,
        hiding: commitments[index]?.hiding ?? '',
        binding: commitments[index]?.binding ?? '',
      }));
      const own = nonces[index] ?? { hiding: '', binding: '' };
      return frostShare(tweakedShare(this.#share, tweak), own, offered, bytes);
    });
    return { ok: true, value: { kind: 'share', shares } };
  }
}
