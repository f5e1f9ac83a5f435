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
import { type HostedSigner, hostSigner } from '../../domain/bridge/signing/hosted-signer.ts';
import type { PublicCluster } from '../../domain/bridge/signing/key-share.ts';
import { SealedMemory } from '../../domain/bridge/signing/memory/sealed-memory.ts';
import type { SignerMemory } from '../../domain/bridge/signing/memory/signer-memory.ts';
import type { SignerEyes } from '../../domain/bridge/signing/signer-eyes.ts';
import { CLUSTER_SIZE } from '../../domain/bridge/transfer.ts';
import type { TransferTerms } from '../../domain/bridge/transfer-terms.ts';
import { HOUR_MS } from '../../domain/calendar/durations.ts';
import { KeptPlaces } from '../bridge-chains/kept-places.ts';
import { workerEyes } from '../bridge-chains/worker-eyes.ts';
import { log } from '../log/log.ts';
import { SignerStore } from './signer-store.ts';

/** One of the five signers of an organization, in an object of its own: `organization/number`. Its keys never leave it. */
export class Signer extends DurableObject<Env> implements HostedSigner {
  #host: HostedSigner | null = null;

  async identity(): Promise<string> {
    return this.#signer().identity();
  }

  async clusters(): Promise<readonly PublicCluster[]> {
    return this.#signer().clusters();
  }

  async knownPlaces(terms: TransferTerms): Promise<SignerAnswer<string>> {
    return this.#signer().knownPlaces(terms);
  }

  async attestFunds(terms: TransferTerms): Promise<SignerAnswer<Attestation>> {
    return this.#signer().attestFunds(terms);
  }

  async notePaidOut(paidOut: PaidOutTransfer): Promise<SignerAnswer<true>> {
    return this.#signer().notePaidOut(paidOut);
  }

  async offer(job: SigningJob, session: string): Promise<SignerAnswer<NonceOffer>> {
    return this.#signer().offer(job, session);
  }

  async sign(job: SigningJob, session: string, offers: readonly NonceOffer[]): Promise<SignerAnswer<SignerShare>> {
    return this.#signer().sign(job, session, offers);
  }

  async deal(terms: CeremonyTerms): Promise<CeremonyAnswer<DealPackage>> {
    return this.#signer().deal(terms);
  }

  async seal(terms: CeremonyTerms, deals: readonly DealPackage[]): Promise<CeremonyAnswer<SealedShares>> {
    return this.#signer().seal(terms, deals);
  }

  async take(
    terms: CeremonyTerms,
    deals: readonly DealPackage[],
    sealed: readonly SealedShares[],
  ): Promise<CeremonyAnswer<Confirmation>> {
    return this.#signer().take(terms, deals, sealed);
  }

  async unfinished(): Promise<readonly CeremonyTerms[]> {
    return this.#signer().unfinished();
  }

  async activate(terms: CeremonyTerms, confirmations: readonly Confirmation[]): Promise<CeremonyAnswer<PublicCluster>> {
    return this.#signer().activate(terms, confirmations);
  }

  /** Looks whether places of its organization have changed: what it has not seen for days it does not go by. */
  async lookAtPlaces(): Promise<void> {
    const { organization } = placeOf(this.ctx.id.name ?? '');
    await this.#places(this.#memory()).look(organization);
  }

  override async alarm(): Promise<void> {
    await this.lookAtPlaces().catch((error: unknown) => {
      log('warn', 'a signer does not take the places that were stated', {
        signer: this.ctx.id.name,
        reason: String(error),
      });
    });
  }

  /** How it sees chains. */
  protected eyes(memory: SignerMemory): SignerEyes {
    return workerEyes(this.env, this.#places(memory));
  }

  /** Who the five are, where that is configured. */
  protected roster(): readonly string[] | null {
    return null;
  }

  protected now(): number {
    return Date.now();
  }

  /** @throws Error where the object has no place among signers, or no secret */
  #signer(): HostedSigner {
    if (this.#host !== null) return this.#host;
    const { organization, number } = placeOf(this.ctx.id.name ?? '');
    const memory = this.#memory();
    this.#host = hostSigner({
      organization,
      number,
      memory,
      eyes: this.eyes(memory),
      roster: this.roster(),
      now: () => this.now(),
    });
    return this.#host;
  }

  /** @throws Error as `#signer` */
  #memory(): SignerMemory {
    const { organization, number: signer } = placeOf(this.ctx.id.name ?? '');
    const secret = Buffer.from(this.env.BRIDGE_SIGNER_KEY ?? '', 'base64url');
    return new SealedMemory(new SignerStore(this.ctx.storage), secret, { organization, signer });
  }

  #places(memory: SignerMemory): KeptPlaces {
    const waits = () => this.ctx.waitUntil(this.#lookAgain());
    return new KeptPlaces(this.env, { memory, now: () => this.now(), waits });
  }

  /** By its own clock, not by what D1 says of itself: a change that was gone in between is found to be gone. */
  async #lookAgain(): Promise<void> {
    const { storage } = this.ctx;
    if ((await storage.getAlarm()) === null) await storage.setAlarm(Date.now() + HOUR_MS);
  }
}

function placeOf(name: string): { readonly organization: string; readonly number: number } {
  const [, organization = '', digit = ''] = /^([\w.-]{1,64})\/(\d)$/.exec(name) ?? [];
  const number = Number(digit);
  if (organization === '' || number >= CLUSTER_SIZE) throw new Error(`${name} is no signer of an organization`);
  return { organization, number };
}
