import { type ChainAdapter, type ChainView, RpcRefusal } from './chain-adapter.ts';
import { clusterKeysFault } from './cluster-keys-fault.ts';
import { coinDecimals } from './payout-costs.ts';

/** What is wrong with a place that an operator states, by its field. */
export interface PlaceFault {
  readonly field: 'place.keys' | 'place.contract' | 'place.token' | 'place.decimals' | 'place';
  readonly reason: string;
}

export interface PlaceReading {
  readonly fault: PlaceFault | null;
  /** Whether the chain has told the decimals: else they are only stated. */
  readonly isTold: boolean;
}

const NO_COMMITMENT = '00'.repeat(32);
/** An amount of a token that every chain takes in; of its coin that is a hundred. */
const SOME_TOKENS = 10n ** 10n;

/**
 * Holds what is stated of a vault against its chain: each field has one check, by the chain's adapter.
 *
 * @param adapter of the chain, whoever keeps the funds there
 * @throws Error where the chain does not answer
 */
export async function readPlace(adapter: ChainAdapter, view: ChainView): Promise<PlaceReading> {
  const { keys, token, decimals, custody, chain } = view.vault;
  const found = (field: PlaceFault['field'], reason: string) => ({ fault: { field, reason }, isTold: false });
  if (custody === undefined && keys.scheme !== adapter.scheme)
    return found('place.keys', `vaults of ${chain} are signed for by ${adapter.scheme}`);
  const fault = clusterKeysFault(keys);
  if (fault !== null) return found('place.keys', fault);
  if (custody !== undefined) return { fault: null, isTold: false };
  const strange = await refusedBy(async () => adapter.readContract?.(view));
  if (strange !== null) return found('place.contract', strange);
  const some = String(token === null ? 100n * 10n ** BigInt(coinDecimals(chain)) : SOME_TOKENS);
  const formless = await refusedBy(async () => void (await adapter.depositPlace(view, NO_COMMITMENT, some)));
  if (formless !== null) return found('place', formless);
  let told: number | null = null;
  const none = await refusedBy(async () => {
    told = (await adapter.readDecimals?.(view)) ?? null;
  });
  if (none !== null) return found('place.token', none);
  if (told !== null && told !== decimals) return found('place.decimals', `the chain says ${String(told)} decimals`);
  // Decimals of a coin are the chain's own (`vaultFault`).
  return { fault: null, isTold: told !== null || token === null };
}

/** Why something can never be; null where it can. */
async function refusedBy(look: () => Promise<void>): Promise<string | null> {
  try {
    await look();
    return null;
  } catch (error) {
    if (error instanceof RangeError) return error.message;
    if (error instanceof RpcRefusal) throw new Error(`a node refuses to say: ${error.message}`);
    throw error;
  }
}
