import { type BridgeClusterRow, findCluster, noteCluster } from '../../data/bridge/tenants.ts';
import { database } from '../../data/database.ts';
import type { ClusterKeys, SigningScheme } from '../../domain/bridge/chains/chain-adapter.ts';
import { accountOf } from '../../domain/bridge/signing/account-of.ts';
import type { Dealer } from '../../domain/bridge/signing/ceremony/ceremony.ts';
import {
  carryOut,
  heldByThree,
  type KeyOutcome,
  makeNextKey,
  reshareKeys,
} from '../../domain/bridge/signing/ceremony/next-ceremony.ts';
import type { HostedSigner } from '../../domain/bridge/signing/hosted-signer.ts';
import { clusterKeys } from '../../domain/bridge/signing/key-share.ts';
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
  const terms = { ...ceremonyOf(organization, scheme, 1), kind: 'make', roster, dealers, from: null } as const;
  return noted(env, { organization, scheme }, await carryOut(terms, signers));
}

/**
 * The same keys on other shares: those of before open nothing together with these, and are destroyed. A signer that is lost has its place taken by another one before. Payments go on all the while: three
 * of the five have shares of one generation at any time.
 */
export async function reshareKey(
  env: KeysEnv,
  organization: string,
  scheme: SigningScheme,
): Promise<Result<BridgeClusterRow, ApiError>> {
  const fault = await keyRefusal(env, organization);
  if (fault !== null) return err(fault);
  const made = await reshareKeys({ organization, scheme, signers: signersOf(env, organization) });
  return noted(env, { organization, scheme }, made);
}

/**
 * Another key beside the one that there is, for vaults that are stated with it: what is under way goes on by the key that it began with, which stays. One that was made and not answered is answered.
 */
export async function rotateKey(
  env: KeysEnv,
  organization: string,
  scheme: SigningScheme,
): Promise<Result<BridgeClusterRow, ApiError>> {
  const fault = await keyRefusal(env, organization);
  if (fault !== null) return err(fault);
  const known = await findCluster(database(env.DB), organization, scheme);
  if (known === null) return err(apiError('NOT_FOUND', 'the organization has no such key', { scheme }));
  const signers = signersOf(env, organization);
  if (await isOfOthers(signers, known)) return err(ofOthers(scheme));
  const unnoted = (await heldByThree(signers)).find(
    (cluster) =>
      cluster.scheme === scheme && cluster.generation > known.generation && !isKey(clusterKeys(cluster), known),
  );
  const made: KeyOutcome =
    unnoted === undefined ? await makeNextKey({ organization, scheme, signers }) : { ok: true, cluster: unnoted };
  return noted(env, { organization, scheme }, made);
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

async function noted(
  env: KeysEnv,
  of: { readonly organization: string; readonly scheme: SigningScheme },
  made: KeyOutcome,
): Promise<Result<BridgeClusterRow, ApiError>> {
  if (!made.ok) {
    if (made.reason === 'faults')
      return err(apiError('CONFLICT', 'the signers have not agreed on a key', { faults: made.faults }));
    if (made.reason === 'away') return err(away());
    return err(apiError('NOT_FOUND', 'the organization has no such key', { scheme: of.scheme }));
  }
  const { generation } = made.cluster;
  const { groupKey, signerKeys } = clusterKeys(made.cluster);
  const row = { ...of, generation, groupKey, signerKeys, createdAt: Date.now() };
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

function away(): ApiError {
  return apiError('SERVICE_UNAVAILABLE', 'not all signers that are needed answer');
}
