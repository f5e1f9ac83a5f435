import type { Vault } from '../../domain/bridge/chains/chain-adapter.ts';
import { agreedCluster } from '../../domain/bridge/signing/agreed-cluster.ts';
import type {
  Attestation,
  PaidOutTransfer,
  SignerAnswer,
  SigningJob,
  SigningOutcome,
} from '../../domain/bridge/signing/bridge-signer.ts';
import { signPayment } from '../../domain/bridge/signing/coordinator.ts';
import type { HostedSigner } from '../../domain/bridge/signing/hosted-signer.ts';
import type { PublicCluster } from '../../domain/bridge/signing/key-share.ts';
import { CLUSTER_SIZE, CLUSTER_THRESHOLD } from '../../domain/bridge/transfer.ts';
import type { TransferTerms } from '../../domain/bridge/transfer-terms.ts';
import type { ChainCalls } from '../../protocol/bridge/chains-api.ts';

/** The five signers of an organization, as whoever coordinates asks them. */
export interface SigningCluster {
  /** What each says of the funds, by its number; null where it is away. @param deposit as of a job */
  attest(terms: TransferTerms, deposit?: string): Promise<readonly (SignerAnswer<Attestation> | null)[]>;
  /** How many have written down that a transfer is paid out. */
  notePaidOut(paidOut: PaidOutTransfer): Promise<number>;
  /** Why fewer than three say that their nodes know what the reference of a payment states; null where three do. */
  referenceFault(job: SigningJob): Promise<string | null>;
  sign(job: SigningJob, vault: Vault): Promise<SigningOutcome>;
}

/** Five signers as one: whoever is away is left out. */
export function clusterOf(chains: ChainCalls, signers: readonly HostedSigner[]): SigningCluster {
  return {
    attest: (terms, deposit) => {
      const asked = (signer: HostedSigner) =>
        deposit === undefined ? signer.attestFunds(terms) : signer.attestFunds(terms, deposit);
      return Promise.all(signers.map((signer) => asked(signer).catch(() => null)));
    },
    async notePaidOut(paidOut) {
      const noted = await Promise.all(signers.map((signer) => signer.notePaidOut(paidOut).catch(() => null)));
      return noted.filter((answer) => answer?.ok === true).length;
    },
    async referenceFault(job) {
      const heard = await Promise.all(signers.map((signer) => signer.knowsReference(job).catch(away)));
      if (heard.filter(({ ok }) => ok).length >= CLUSTER_THRESHOLD) return null;
      const reasons = heard.flatMap((answer, signer) => (answer.ok ? [] : [`signer ${signer}: ${answer.reason}`]));
      return `too few signers know its reference: ${reasons.join('; ')}`;
    },
    async sign(job, vault) {
      return signPayment({
        cluster: agreedCluster(await told(signers), await chains.keysInForce(vault)),
        signers,
        job,
        unsigned: await chains.build(vault, job.payment),
        newSession: () => crypto.randomUUID(),
        first: Math.floor(Math.random() * CLUSTER_SIZE),
      });
    },
  };
}

function away(error: unknown): SignerAnswer<never> {
  return { ok: false, kind: 'not_yet', reason: error instanceof Error ? error.message : String(error) };
}

/** What each signer says of its keys. */
function told(signers: readonly HostedSigner[]): Promise<readonly (readonly PublicCluster[])[]> {
  return Promise.all(signers.map((signer) => signer.clusters().catch(() => [])));
}
