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

/** A signer in an object: whoever has the object calls it as any signer. */
export abstract class SignerObject<ObjectEnv> extends DurableObject<ObjectEnv> implements HostedSigner {
  async identity(): Promise<string> {
    return this.signer().identity();
  }

  async clusters(): Promise<readonly PublicCluster[]> {
    return this.signer().clusters();
  }

  async knownPlaces(terms: TransferTerms): Promise<SignerAnswer<string>> {
    return this.signer().knownPlaces(terms);
  }

  async attestFunds(terms: TransferTerms, deposit?: string): Promise<SignerAnswer<Attestation>> {
    return this.signer().attestFunds(terms, deposit);
  }

  async notePaidOut(paidOut: PaidOutTransfer): Promise<SignerAnswer<true>> {
    return this.signer().notePaidOut(paidOut);
  }

  async knowsReference(job: SigningJob): Promise<SignerAnswer<true>> {
    return this.signer().knowsReference(job);
  }

  async offer(job: SigningJob, session: string): Promise<SignerAnswer<NonceOffer>> {
    return this.signer().offer(job, session);
  }

  async sign(job: SigningJob, session: string, offers: readonly NonceOffer[]): Promise<SignerAnswer<SignerShare>> {
    return this.signer().sign(job, session, offers);
  }

  async deal(terms: CeremonyTerms): Promise<CeremonyAnswer<DealPackage>> {
    return this.signer().deal(terms);
  }

  async seal(terms: CeremonyTerms, deals: readonly DealPackage[]): Promise<CeremonyAnswer<SealedShares>> {
    return this.signer().seal(terms, deals);
  }

  async take(
    terms: CeremonyTerms,
    deals: readonly DealPackage[],
    sealed: readonly SealedShares[],
  ): Promise<CeremonyAnswer<Confirmation>> {
    return this.signer().take(terms, deals, sealed);
  }

  async unfinished(): Promise<readonly CeremonyTerms[]> {
    return this.signer().unfinished();
  }

  async confirmations(terms: CeremonyTerms): Promise<CeremonyAnswer<readonly Confirmation[]>> {
    return this.signer().confirmations(terms);
  }

  async activate(terms: CeremonyTerms, confirmations: readonly Confirmation[]): Promise<CeremonyAnswer<PublicCluster>> {
    return this.signer().activate(terms, confirmations);
  }

  /** @throws Error where the object has no place among signers, or no secret */
  protected abstract signer(): HostedSigner;
}
