import { DurableObject } from 'cloudflare:workers';
import type {
  Attestation,
  NonceOffer,
  PaidOutTransfer,
  SignerAnswer,
  SignerShare,
  SigningJob,
} from '../../domain/bridge/signing/bridge-signer.ts';
import type {
  CeremonyAnswer,
  CeremonyTerms,
  Confirmation,
  DealPackage,
  SealedShares,
} from '../../domain/bridge/signing/ceremony/ceremony.ts';
import type { HostedSigner } from '../../domain/bridge/signing/hosted-signer.ts';
import type { PublicCluster } from '../../domain/bridge/signing/key-share.ts';
import type { TransferTerms } from '../../domain/bridge/transfer-terms.ts';
import { SIGNER_CALLS, type SignerCall } from '../../protocol/bridge/signer-calls.ts';

/** A signer in an object: whoever has the object calls it as any signer, by calls of the same form (`SIGNER_CALLS`); others it refuses. */
export abstract class SignerObject<ObjectEnv> extends DurableObject<ObjectEnv> implements HostedSigner {
  async identity(): Promise<string> {
    return this.#asked('identity', []);
  }

  async clusters(): Promise<readonly PublicCluster[]> {
    return this.#asked('clusters', []);
  }

  async knownPlaces(terms: TransferTerms): Promise<SignerAnswer<string>> {
    return this.#asked('knownPlaces', [terms]);
  }

  async attestFunds(terms: TransferTerms, deposit?: string): Promise<SignerAnswer<Attestation>> {
    return this.#asked('attestFunds', deposit === undefined ? [terms] : [terms, deposit]);
  }

  async notePaidOut(paidOut: PaidOutTransfer): Promise<SignerAnswer<true>> {
    return this.#asked('notePaidOut', [paidOut]);
  }

  async knowsReference(job: SigningJob): Promise<SignerAnswer<true>> {
    return this.#asked('knowsReference', [job]);
  }

  async offer(job: SigningJob, session: string): Promise<SignerAnswer<NonceOffer>> {
    return this.#asked('offer', [job, session]);
  }

  async sign(job: SigningJob, session: string, offers: readonly NonceOffer[]): Promise<SignerAnswer<SignerShare>> {
    return this.#asked('sign', [job, session, offers]);
  }

  async deal(terms: CeremonyTerms): Promise<CeremonyAnswer<DealPackage>> {
    return this.#asked('deal', [terms]);
  }

  async seal(terms: CeremonyTerms, deals: readonly DealPackage[]): Promise<CeremonyAnswer<SealedShares>> {
    return this.#asked('seal', [terms, deals]);
  }

  async take(
    terms: CeremonyTerms,
    deals: readonly DealPackage[],
    sealed: readonly SealedShares[],
  ): Promise<CeremonyAnswer<Confirmation>> {
    return this.#asked('take', [terms, deals, sealed]);
  }

  async unfinished(): Promise<readonly CeremonyTerms[]> {
    return this.#asked('unfinished', []);
  }

  async confirmations(terms: CeremonyTerms): Promise<CeremonyAnswer<readonly Confirmation[]>> {
    return this.#asked('confirmations', [terms]);
  }

  async activate(terms: CeremonyTerms, confirmations: readonly Confirmation[]): Promise<CeremonyAnswer<PublicCluster>> {
    return this.#asked('activate', [terms, confirmations]);
  }

  /** @throws TypeError where what is asked has another form */
  async #asked<Call extends SignerCall>(
    call: Call,
    args: Parameters<HostedSigner[Call]>,
  ): Promise<Awaited<ReturnType<HostedSigner[Call]>>> {
    const read = SIGNER_CALLS[call].asked.safeParse(args);
    if (!read.success) throw new TypeError(`${call}: ${read.error.issues[0]?.message ?? 'malformed'}`);
    const signer = this.signer();
    const answer = signer[call] as (...of: never[]) => Promise<Awaited<ReturnType<HostedSigner[Call]>>>;
    return answer.apply(signer, read.data as never[]);
  }

  /** @throws Error where the object has no place among signers, or no secret */
  protected abstract signer(): HostedSigner;
}
