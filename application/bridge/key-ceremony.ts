import { type BridgeClusterRow, findCluster, noteCluster } from '../../data/bridge/tenants.ts';
import { database } from '../../data/database.ts';
import type { ClusterKeys, SigningScheme } from '../../domain/bridge/chains/chain-adapter.ts';
import { accountOf } from '../../domain/bridge/signing/account-of.ts';
import type { CeremonyTerms, Dealer } from '../../domain/bridge/signing/ceremony/ceremony.ts';
import { runCeremony } from '../../domain/bridge/signing/ceremony/run-ceremony.ts';
import type { HostedSigner } from '../../domain/bridge/signing/hosted-signer.ts';
import { clusterKeys, type PublicCluster } from '../../domain/bridge/signing/key-share.ts';
import { CLUSTER_THRESHOLD } from '../../domain/bridge/transfer.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { signersOf } from '../../durable-objects/signer/api.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { keyRefusal } from './tenant-signers.ts';

type KeysEnv = Pick<Env, 'DB' | 'ENVIRONMENT' | 'BRIDGE_SIGNER' | 'BRIDGE_SIGNERS' | 'BRIDGE_SIGNER_TOKEN'>;

/**
 * Has an organization's five signers make a key together, once for each scheme: no dealer, and nobody sees a share but who it is for. Asked for again it goes on where it was, and
 * answers the key that there is.
 */
export async function makeKey(
  env: KeysEnv,
  organization: string,
  scheme: SigningScheme,
): Promise<Result<BridgeClusterRow, ApiError>> {
  const fault = await keyRefusal(env, organization);
  if (fault !== null) return err(fault);
  const known = await findCluster(database(env.DB), organization, scheme);
  const signers = signersOf(env, organization);
  if (known !== null) return (await isOfOthers(signers, known)) ? err(ofOthers(scheme)) : ok(known);
  const roster = await rosterOf(signers);
  if (roster === null) return err(away());
  const dealers = roster.map((key, signer): Dealer => ({ signer, key }));
  return carryOut(env, signers, { ...ceremonyOf(organization, scheme, 1), kind: 'make', roster, dealers, from: null });
}

/** The same key on other shares: those of before open nothing together with these, and are destroyed. */
export async function reshareKey(
  env: KeysEnv,
  organization: string,
  scheme: SigningScheme,
): Promise<Result<BridgeClusterRow, ApiError>> {
  const fault = await keyRefusal(env, organization);
  if (fault !== null) return err(fault);
  const signers = signersOf(env, organization);
  const roster = await rosterOf(signers);
  if (roster === null) return err(away());
  // One that was cut short: some signers have its shares in use, others not yet.
  const open = (await Promise.all(signers.map((signer) => signer.unfinished().catch(() => [])))).flat();
  const cutShort = open.find((terms) => terms.scheme === scheme && terms.kind === 'reshare');
  if (cutShort !== undefined) {
    const carriedOn = await carryOut(env, signers, cutShort);
    if (carriedOn.ok) return carriedOn;
  }
  const held = await Promise.all(signers.map((signer) => signer.clusters().catch(() => [])));
  const latest = held.flat().filter((cluster) => cluster.scheme === scheme);
  const from = latest.toSorted((one, other) => other.generation - one.generation)[0];
  if (from === undefined) return err(apiError('NOT_FOUND', 'the organization has no such key', { scheme }));
  const dealers = held.flatMap((clusters, signer): Dealer[] => {
    const key = roster[signer];
    return key !== undefined && clusters.some((cluster) => isSame(cluster, from)) ? [{ signer, key }] : [];
  });
  if (dealers.length < CLUSTER_THRESHOLD) return err(away());
  return carryOut(env, signers, {
    ...ceremonyOf(organization, scheme, from.generation + 1),
    kind: 'reshare',
    roster,
    dealers,
    from,
  });
}

export interface SignerSeen {
  readonly signer: number;
  /** Null while it does not answer. */
  readonly identity: string | null;
  /** As an address. */
  readonly account: string | null;
}

/** Who signs for an organization. */
export async function readSigners(env: KeysEnv, organization: string): Promise<SignerSeen[]> {
  const signers = signersOf(env, organization);
  return Promise.all(
    signers.map(async (of, signer) => {
      const identity = await of.identity().catch(() => null);
      return { signer, identity, account: identity === null ? null : accountOf(identity) };
    }),
  );
}

async function carryOut(
  env: KeysEnv,
  signers: readonly HostedSigner[],
  terms: CeremonyTerms,
): Promise<Result<BridgeClusterRow, ApiError>> {
  const dealers = terms.dealers.map(({ signer }) => signers[signer] as HostedSigner);
  const outcome = await runCeremony(terms, dealers, signers);
  if (!outcome.ok) return err(apiError('CONFLICT', 'the signers have not agreed on a key', { faults: outcome.faults }));
  const { organization, scheme, generation } = terms;
  const { groupKey, signerKeys } = clusterKeys(outcome.cluster);
  const row = { organization, scheme, generation, groupKey, signerKeys, createdAt: Date.now() };
  await noteCluster(database(env.DB), row);
  return ok(row);
}

/** Runs of one ceremony share its id, so that a run that was cut short is gone on with. */
function ceremonyOf(organization: string, scheme: SigningScheme, generation: number) {
  return { id: `${scheme}.${generation}`, organization, scheme, generation };
}

/** Whether a key was made by other signers than those of now: three of these answer, and do not have it. */
async function isOfOthers(signers: readonly HostedSigner[], known: ClusterKeys): Promise<boolean> {
  const held = await Promise.all(signers.map((signer) => signer.clusters().catch(() => null)));
  const lacking = held.filter(
    (clusters) => clusters !== null && !clusters.some((cluster) => isKey(clusterKeys(cluster), known)),
  );
  return lacking.length >= CLUSTER_THRESHOLD;
}

function isKey(one: ClusterKeys, other: ClusterKeys): boolean {
  const [first, second] = [one, other].map(({ scheme, groupKey, signerKeys }) => [scheme, groupKey, ...signerKeys]);
  return String(first) === String(second);
}

function ofOthers(scheme: SigningScheme): ApiError {
  return apiError('CONFLICT', 'the key that there is was made by other signers than those of now', { scheme });
}

/** Null where one of the five is away. */
async function rosterOf(signers: readonly HostedSigner[]): Promise<string[] | null> {
  try {
    return await Promise.all(signers.map((signer) => signer.identity()));
  } catch {
    return null;
  }
}

function isSame(one: PublicCluster, other: PublicCluster): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function away(): ApiError {
  return apiError('SERVICE_UNAVAILABLE', 'not all signers that are needed answer');
}
