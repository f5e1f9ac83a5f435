import type { PaymentOrder, Vault } from '../../domain/bridge/chains/chain-adapter.ts';
import type { AskingTransfer, LaneTurn } from '../../domain/bridge/lane-turns.ts';
import type { PaidOutTransfer } from '../../domain/bridge/signing/bridge-signer.ts';

/** `too_little`: the vault has not enough now. `unbuildable`: the payment could never be built, whatever its reference. */
export type ReferenceAnswer =
  | { readonly reference: string }
  | { readonly reference: null; readonly reason: 'too_little' | 'unbuildable' };

/**
 * What is under way of one account, contract or address by which a chain counts payments: which references they use, so that no two use one, and which deposits lie there. All vaults that are counted by it
 * share one object, named `organization/chain/network/account` (`ChainAdapter.countsBy`).
 */
export interface ChainWatcherApi {
  /**
   * A reference for this payment, the same however often it is asked for.
   *
   * @param deposit of a refund, what goes back
   */
  referenceFor(
    vault: Vault,
    order: Omit<PaymentOrder, 'reference'> & { readonly attempt: number },
    deposit?: string,
  ): Promise<ReferenceAnswer>;
  /** Takes a reference back that was shown to nobody but to signers who do not know it: the next time it is asked for, another may be chosen. */
  takeBack(payment: Pick<PaymentOrder, 'commitment' | 'kind' | 'reference'>): Promise<void>;
  /** A transfer is paid out: its funds are the vault's from here on. @param deposit its reference, on chains whose payments spend deposits */
  deposited(commitment: string, paidOut: PaidOutTransfer, deposit?: string): Promise<void>;
  /** Transfers of these commitments that are paid out, for signers who look at each before they spend its deposit. */
  paidOut(commitments: readonly string[]): Promise<readonly PaidOutTransfer[]>;
  /**
   * Payments of this transfer have ended: their references are spent or cancelled.
   *
   * @param by the transaction that has spent all coins of theirs, where one has: what it left to the vault is looked up by it
   */
  ended(commitment: string, by?: string): Promise<void>;
  /** Takes the coins of a payment again that was given up; false where another payment has any of them. */
  takesAgain(commitment: string, reference: string): Promise<boolean>;
}

/**
 * Who waits for room in a lane of a guard, so that none is overtaken beyond a bound. One object a lane, named `lane/guard/lane`.
 */
export interface LaneTurnsApi {
  /** Whether a transfer may ask the guard for room now. */
  turnOf(asking: AskingTransfer): Promise<LaneTurn>;
  /** It waits from now on. @param hasAsked whether it may pass, and the guard had no room */
  waits(
    waiting: { readonly commitment: string; readonly amount: number; readonly until: number },
    hasAsked: boolean,
  ): Promise<void>;
  /** It waits no longer. */
  leaves(commitment: string): Promise<void>;
  /** The guard has freed the room that it had. */
  gaveBack(transfer: Pick<AskingTransfer, 'commitment' | 'customer' | 'amount'>): Promise<void>;
}

/** A fresh stub of a lane's object. */
export function laneTurnsOf(
  env: { readonly CHAIN_WATCHER: { getByName(name: string): unknown } },
  { guard, lane }: { readonly guard: string; readonly lane: string },
): LaneTurnsApi {
  return env.CHAIN_WATCHER.getByName(`lane/${guard.toLowerCase()}/${lane}`) as LaneTurnsApi;
}

/** A fresh stub of a vault's object. */
export function chainWatcherOf(
  env: { readonly CHAIN_WATCHER: { getByName(name: string): unknown } },
  name: string,
): ChainWatcherApi {
  return env.CHAIN_WATCHER.getByName(name) as ChainWatcherApi;
}
