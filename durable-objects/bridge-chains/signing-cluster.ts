import type { ClusterKeys, Vault } from '../../domain/bridge/chains/chain-adapter.ts';
import type {
  Attestation,
  EarnedFees,
  PaidOutTransfer,
  SignerAnswer,
  SigningJob,
  SigningOutcome,
} from '../../domain/bridge/signing/bridge-signer.ts';
import { signPayment } from '../../domain/bridge/signing/coordinator.ts';
import type { HostedSigner } from '../../domain/bridge/signing/hosted-signer.ts';
import { clusterKeys, type PublicCluster } from '../../domain/bridge/signing/key-share.ts';
import { CLUSTER_SIZE, CLUSTER_THRESHOLD } from '../../domain/bridge/transfer.ts';
import type { TransferTerms } from '../../domain/bridge/transfer-terms.ts';
import type { ChainCalls } from '../../protocol/bridge/chains-api.ts';
import { heardSoFar } from './heard-so-far.ts';

/** How long who is slower than three others is waited for. */
const LATE_MS_MAX = 1_000;
const SILENT = { ok: false, kind: 'not_yet', reason: 'it has not answered yet' } as const;

/** The five signers of an organization, as whoever coordinates asks them. */
export interface SigningCluster {
  /** What each says of the funds, by its number; null where it is away. @param deposit as of a job */
  attest(terms: TransferTerms, deposit?: string): Promise<readonly (SignerAnswer<Attestation> | null)[]>;
  /** How many have written down that a transfer is paid out. */
  notePaidOut(paidOut: PaidOutTransfer): Promise<number>;
  /** What three signers at least have seen of a vault's fees and not seen paid: of the third that has seen the most. Null where fewer than three say it. */
  earnedFees(terms: TransferTerms): Promise<EarnedFees | null>;
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
      const asked = signers.map((signer) => signer.notePaidOut(paidOut).catch(away));
      const isThree = (heard: readonly (SignerAnswer<true> | undefined)[]) => counted(heard, true) >= CLUSTER_THRESHOLD;
      // Whoever has not answered by then may write it down all the same, and is told again.
      const heard = await heardSoFar(asked, isThree).then(() => lateOnes(asked));
      return counted(heard, true);
    },
    async referenceFault(job) {
      const asked = signers.map((signer) => signer.knowsReference(job).catch(away));
      const isClear = (answers: readonly (SignerAnswer<true> | undefined)[]) =>
        [true, false].some((ok) => counted(answers, ok) >= CLUSTER_THRESHOLD);
      const heard = await heardSoFar(asked, isClear);
      if (counted(heard, true) >= CLUSTER_THRESHOLD) return null;
      const reasons = heard.flatMap((answer = SILENT, signer) =>
        answer.ok ? [] : [`signer ${signer}: ${answer.reason}`],
      );
      return `too few signers know its reference: ${reasons.join('; ')}`;
    },
    async earnedFees(terms) {
      const asked = signers.map((signer) => signer.earnedFees(terms).catch(away));
      const isThree = (answers: readonly (SignerAnswer<EarnedFees> | undefined)[]) =>
        counted(answers, true) >= CLUSTER_THRESHOLD;
      await heardSoFar(asked, isThree);
      const known = (await lateOnes(asked)).flatMap((answer) => (answer?.ok === true ? [answer.value] : []));
      const left = ({ earned, paid }: EarnedFees) => BigInt(earned) - BigInt(paid);
      const most = known.toSorted((one, other) => (left(other) > left(one) ? 1 : left(other) < left(one) ? -1 : 0));
      return most[CLUSTER_THRESHOLD - 1] ?? null;
    },
    async sign(job, vault) {
      return signPayment({
        cluster: await agreedCluster(signers, await chains.keysInForce(vault)),
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

/** How many have answered so. */
function counted(heard: readonly (SignerAnswer<unknown> | undefined)[], ok: boolean): number {
  return heard.filter((answer) => answer?.ok === ok).length;
}

/** Once enough have answered, the others have a moment: mostly all five answer at once. */
async function lateOnes<Answer>(asked: readonly Promise<Answer>[]): Promise<readonly (Answer | undefined)[]> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const heard: (Answer | undefined)[] = asked.map(() => undefined);
  const all = Promise.all(
    asked.map(async (one, index) => {
      heard[index] = await one;
    }),
  );
  const late = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, LATE_MS_MAX);
  });
  await Promise.race([all, late]);
  clearTimeout(timer);
  return [...heard];
}

/** The public side of the vault's key as three signers have it: it says what shares are checked against, and no more. */
async function agreedCluster(signers: readonly HostedSigner[], keys: ClusterKeys): Promise<PublicCluster> {
  const heard = await Promise.all(signers.map((signer) => signer.clusters().catch(() => [])));
  const votes = new Map<string, { readonly cluster: PublicCluster; count: number }>();
  for (const clusters of heard) {
    for (const cluster of clusters) {
      if (cluster.scheme !== keys.scheme || !isKeyOf(cluster, keys)) continue;
      const text = JSON.stringify(cluster);
      const vote = votes.get(text) ?? { cluster, count: 0 };
      votes.set(text, { ...vote, count: vote.count + 1 });
    }
  }
  const agreed = [...votes.values()].find(({ count }) => count >= CLUSTER_THRESHOLD);
  if (agreed === undefined) throw new Error('fewer than three signers have the key of the vault');
  return agreed.cluster;
}

function isKeyOf(cluster: PublicCluster, { groupKey, signerKeys }: ClusterKeys): boolean {
  const own = clusterKeys(cluster);
  return own.groupKey === groupKey && own.signerKeys.join() === signerKeys.join();
}
