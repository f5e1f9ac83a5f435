import type { Vault } from './chains/chain-adapter.ts';
import { isEvmChain } from './chains/evm/evm-chains.ts';
import type { PayoutCost } from './chains/payout-cost.ts';
import type { Units } from './transfer-terms.ts';

/** Refunds of one transfer that the relayer pays for and that come to nothing, until another is an operator's decision: their payee may have it that estimates pass and blocks fail. */
export const RELAYED_REFUNDS_MAX = 2;

/** What a refund is held against, as it stood when its transfer began. Units are those of its source. */
export interface RefundWorth {
  /** What a whole coin of the source's chain is worth; null where nobody has said, and for the coin itself. */
  readonly coinWorth: Units | null;
  /** What a refund is taken to cost where that is not known: the lane's flat fee. */
  readonly flatFee: Units;
}

/** Why a refund is not begun by itself. `worth_less`: what has come is worth less than sending it back costs. `failed`: as many as are tried have come to nothing. */
export type RefundRest = 'worth_less' | 'failed';

/** Whether the relayer pays for what goes back: its payee, and whoever pays in specks, would decide what that costs. Elsewhere the vault pays what an adapter bounds, or the deposit itself. */
export function isRelayed({ chain, custody }: Pick<Vault, 'chain' | 'custody'>): boolean {
  return custody === undefined && isEvmChain(chain);
}

/**
 * Why a refund that the relayer pays for waits for an operator's order (docs/design/bridge.md#the-relayers-gas); null where it goes out by itself.
 *
 * @param amount what would go back
 * @param cost what a payment costs at the moment
 * @param tried refunds that were signed and have come to nothing
 * @param ordered after how many of them an operator has ordered another; null for none
 */
export function refundRest(
  source: Pick<Vault, 'chain' | 'custody' | 'token'>,
  { amount, worth }: { readonly amount: Units; readonly worth: RefundWorth },
  cost: PayoutCost,
  { tried, ordered }: { readonly tried: number; readonly ordered: number | null },
): RefundRest | null {
  if (!isRelayed(source) || ordered === tried) return null;
  if (tried >= RELAYED_REFUNDS_MAX) return 'failed';
  return BigInt(amount) < costInUnits(source, worth, cost) ? 'worth_less' : null;
}

function costInUnits(
  { token }: Pick<Vault, 'token'>,
  { coinWorth, flatFee }: RefundWorth,
  { cost, decimals }: PayoutCost,
): bigint {
  if (token === null) return BigInt(cost);
  return coinWorth === null ? BigInt(flatFee) : (BigInt(cost) * BigInt(coinWorth)) / 10n ** BigInt(decimals);
}

/**
 * What a refund of a transfer is held against.
 *
 * @param coinPrice of a whole coin of the source's chain; null where nobody has said, and on the exchange's own chain
 * @param scale decimals of the ledger's asset
 * @param decimals those of it on the source
 */
export function refundWorth(
  { coinPrice, flatFee }: { readonly coinPrice: number | null; readonly flatFee: number },
  { scale, decimals }: { readonly scale: number; readonly decimals: number },
): RefundWorth {
  const inUnits = (amount: number) =>
    String(
      decimals >= scale
        ? BigInt(amount) * 10n ** BigInt(decimals - scale)
        : BigInt(amount) / 10n ** BigInt(scale - decimals),
    );
  return { coinWorth: coinPrice === null ? null : inUnits(coinPrice), flatFee: inUnits(flatFee) };
}
