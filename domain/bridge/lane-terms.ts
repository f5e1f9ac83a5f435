import { err, ok, type Result } from '../result.ts';
import type { Vault } from './chains/chain-adapter.ts';
import type { ChainName } from './chains/chain-name.ts';
import type { PayoutCost } from './chains/payout-cost.ts';
import type { QuoteTerms } from './quote.ts';

/** What an organization takes on a lane. Amounts are scaled integers of the ledger. */
export interface LaneTerms {
  readonly origin: ChainName;
  /** Symbol. */
  readonly asset: string;
  /** A transfer of less is refused. */
  readonly leastAmount: number;
  /** Of each transfer: what it costs on the exchange's chain, and whatever the organization takes beside that. */
  readonly flatFee: number;
  /** What a whole coin of the origin is worth: so a payout of a token pays for what its chain asks. Null where it is not told. */
  readonly coinPrice: number | null;
  /** Part of the daily limit, in percent, up to which room is held for a transfer that waits; `ROOM_HELD_PERCENT` where it is not stated. */
  readonly roomHeldPercent?: number | undefined;
}

/** What signers go by of a lane: they pay out nothing below. */
export type LaneFloor = Pick<LaneTerms, 'origin' | 'asset' | 'leastAmount' | 'flatFee'>;

/** One that waits for more holds up nobody: half of a lane is there for others every day, whoever waits. */
export const ROOM_HELD_PERCENT = 50;

/** Why a lane quotes nothing. */
export type UnquotedLane = 'unstated' | 'unpriced';

/** Lanes of one organization whose terms are stated. */
export const LANE_TERMS_MAX = 500;

/**
 * What a quote goes by: the fee covers what the chain asks of a payout at that time. Coins of a network that is not `mainnet` are worth nothing, so nothing has to cover them.
 *
 * What is paid in needs no price: a refund is at the vault's cost, and the stated least amount bounds that. Where it lies in an account of its own, bringing it into the vault's costs what a payout of the coin does. At a custody provider the provider's fee is the tenant's.
 *
 * @param lane what is stated of it, if anything
 * @param paysOut whether something is paid out on the external chain
 * @param payout what a payout, or the sweep of a deposit, costs; null where there is neither, or it is not asked yet
 * @returns err `unstated` where nothing is stated of a lane whose coins cost something, `unpriced` where nobody has said what a coin is worth that the vault or the relayer would pay with
 */
export function quoteTerms(
  {
    feeBps,
    lane,
    scale,
    vault,
    paysOut,
  }: {
    readonly feeBps: number;
    readonly lane: LaneTerms | undefined;
    /** Decimals of the ledger's asset. */
    readonly scale: number;
    /** The external one. */
    readonly vault: Pick<Vault, 'network' | 'token' | 'custody'>;
    readonly paysOut: boolean;
  },
  payout: PayoutCost | null,
): Result<QuoteTerms, UnquotedLane> {
  const { leastAmount = 1, flatFee = 0, coinPrice = null } = lane ?? {};
  const isCoin = vault.token === null && vault.custody === undefined;
  const price = isCoin ? 10n ** BigInt(scale) : coinPrice === null ? null : BigInt(coinPrice);
  if (price === null && vault.network === 'mainnet') {
    if (lane === undefined) return err('unstated');
    if (paysOut && vault.custody === undefined) return err('unpriced');
  }
  if (price === null || payout === null) return ok({ feeBps, flatFee, leastAmount });
  const inAsset = (units: string) => Number(ceilDiv(BigInt(units) * price, 10n ** BigInt(payout.decimals)));
  const all = flatFee + inAsset(payout.cost);
  const least = isCoin ? inAsset(payout.least) : 0;
  return ok({ feeBps, flatFee: all, leastAmount: Math.max(leastAmount, all + least) });
}

/** Floors of lanes, in one order; of a lane that takes whatever comes there is none. */
export function floorsOf(lanes: readonly LaneTerms[]): readonly LaneFloor[] {
  return lanes
    .filter(({ leastAmount, flatFee }) => leastAmount > 1 || flatFee > 0)
    .map(({ origin, asset, leastAmount, flatFee }) => ({ origin, asset, leastAmount, flatFee }))
    .toSorted((one, other) => laneName(one).localeCompare(laneName(other)));
}

/** Lanes with floors that hold, and what coins are worth as it was stated last. */
export function withFloors(floors: readonly LaneFloor[], stated: readonly LaneTerms[]): readonly LaneTerms[] {
  const rest = (lane: LaneFloor) => {
    const { coinPrice = null, roomHeldPercent } = laneTermsOf(stated, lane) ?? {};
    return { coinPrice, roomHeldPercent };
  };
  const free = stated
    .filter((lane) => !floors.some((floor) => laneName(floor) === laneName(lane)))
    .map((lane) => ({ ...lane, leastAmount: 1, flatFee: 0 }));
  return [...floors.map((floor) => ({ ...floor, ...rest(floor) })), ...free];
}

function laneName({ origin, asset }: Pick<LaneTerms, 'origin' | 'asset'>): string {
  return `${origin} ${asset}`;
}

/** Up to which amount room is held for a transfer that waits, scaled integer of the ledger. */
export function roomHeldUpTo(limit: number, percent: number = ROOM_HELD_PERCENT): number {
  return Number((BigInt(limit) * BigInt(percent)) / 100n);
}

export function laneTermsOf(
  lanes: readonly LaneTerms[],
  { origin, asset }: Pick<LaneTerms, 'origin' | 'asset'>,
): LaneTerms | undefined {
  return lanes.find((lane) => lane.origin === origin && lane.asset === asset);
}

function ceilDiv(a: bigint, b: bigint): bigint {
  return (a + b - 1n) / b;
}
