import type { BridgeSigner, PaidOutTransfer, SignerAnswer, SigningJob } from './bridge-signer.ts';
import type { CeremonySigner } from './ceremony/ceremony.ts';
import { CeremonyHost } from './ceremony/ceremony-host.ts';
import type { PublicCluster } from './key-share.ts';
import { SignerHost, type SignerHostParameters } from './signer-host.ts';

/** A signer as whoever coordinates reaches it, wherever it lives. An exception means that it is away. */
export interface HostedSigner extends BridgeSigner, CeremonySigner {
  /** Public halves of its keys, each in its last generation. */
  clusters(): Promise<readonly PublicCluster[]>;
  /** Looks whether a transfer is paid out, and writes it down: its deposit may be spent long after its chain has forgotten that. */
  notePaidOut(paidOut: PaidOutTransfer): Promise<SignerAnswer<true>>;
  /** Whether its own node knows what the reference of a payment states, before that is fixed. */
  knowsReference(job: SigningJob): Promise<SignerAnswer<true>>;
}

export interface HostedSignerParameters extends SignerHostParameters {
  /** Who the five are, where whoever runs the signer says so (`CeremonyHostParameters`). */
  readonly roster: readonly string[] | null;
}

/** One signer over its memory: it makes keys with the others, and signs with them. */
export function hostSigner(parameters: HostedSignerParameters): HostedSigner {
  const ceremonies = new CeremonyHost(parameters);
  const signer = new SignerHost(parameters);
  return {
    clusters: () => signer.clusters(),
    knownPlaces: (terms) => signer.knownPlaces(terms),
    attestFunds: (terms, deposit) => signer.attestFunds(terms, deposit),
    notePaidOut: (paidOut) => signer.notePaidOut(paidOut),
    knowsReference: (job) => signer.knowsReference(job),
    offer: (job, session) => signer.offer(job, session),
    sign: (job, session, offers) => signer.sign(job, session, offers),
    identity: () => ceremonies.identity(),
    deal: (terms) => ceremonies.deal(terms),
    seal: (terms, deals) => ceremonies.seal(terms, deals),
    take: (terms, deals, sealed) => ceremonies.take(terms, deals, sealed),
    unfinished: () => ceremonies.unfinished(),
    confirmations: (terms) => ceremonies.confirmations(terms),
    activate: (terms, confirmations) => ceremonies.activate(terms, confirmations),
  };
}
