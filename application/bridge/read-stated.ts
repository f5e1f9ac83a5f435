import { isDeepStrictEqual } from 'node:util';
import { type BridgeVaultRow, findCluster, findStatedVault } from '../../data/bridge/tenants.ts';
import { database } from '../../data/database.ts';
import type { ClusterKeys } from '../../domain/bridge/chains/chain-adapter.ts';
import { err, ok, type Result } from '../../domain/result.ts';
import { ChainAway, chainsOf } from '../../durable-objects/bridge-chains/chains-of.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';

type StatedRow = Pick<BridgeVaultRow, 'organization' | 'origin' | 'asset' | 'chain' | 'place'>;

/** Holds what an operator states of a vault against its chain, and its keys against those that the organization has. */
export async function readStated(
  env: Pick<Env, 'DB' | 'CHAINS'>,
  row: StatedRow,
): Promise<Result<{ readonly isTold: boolean }, ApiError>> {
  try {
    const { fault, isTold } = await chainsOf(env).readPlace(row.place);
    if (fault !== null) return err(apiError('VALIDATION_ERROR', fault.reason, { field: fault.field }));
    if (await areOwn(env, row)) return ok({ isTold });
    const message = 'no cluster of the organization has these keys';
    return err(apiError('VALIDATION_ERROR', message, { field: 'place.keys' }));
  } catch (error) {
    if (!(error instanceof ChainAway)) throw error;
    return err(apiError('SERVICE_UNAVAILABLE', 'the chain does not say now what is there', { chain: row.chain }));
  }
}

/** What was stated before may be stated again: a rotation leaves vaults with the keys that they were made for. */
async function areOwn(env: Pick<Env, 'DB'>, { place, ...key }: StatedRow): Promise<boolean> {
  const db = database(env.DB);
  const cluster = await findCluster(db, key.organization, place.keys.scheme);
  if (cluster !== null && isSame(cluster, place.keys)) return true;
  const stated = await findStatedVault(db, key);
  return [stated?.value, stated?.next?.value].some((of) => of !== undefined && isSame(of.keys, place.keys));
}

/** Of a multisignature the group has no key. */
function isSame(one: Pick<ClusterKeys, 'groupKey' | 'signerKeys'>, other: ClusterKeys): boolean {
  return other.scheme === 'multisig-secp256k1'
    ? isDeepStrictEqual([...one.signerKeys], [...other.signerKeys])
    : one.groupKey === other.groupKey;
}
