import type { LaneRules } from '../lane.ts';
import type { StakeSeat } from '../signing/judge-word.ts';
import type { LieProof } from '../signing/lie-proof.ts';
import type { Clearance } from '../signing/signer-eyes.ts';
import {
  type ChainAdapter,
  type ChainTransport,
  type ChainView,
  InsufficientFunds,
  type MessageSignature,
  type PaymentOrder,
  type SignedPayment,
  Unbuildable,
  type Vault,
} from './chain-adapter.ts';
import { type ChainName, EXCHANGE_CHAIN } from './chain-name.ts';
import { isEvmChain } from './evm/evm-chains.ts';
import {
  announcePayment,
  type GuardLane,
  readAnnounced,
  readClearance,
  readLane,
  requestClearance,
} from './evm/guard-client.ts';
import { evmRelayerRoom, type RelayerRoom } from './evm/payout-gas.ts';
import { type ProofOutcome, proveLie, readBond, readSeats, type StakeBond } from './evm/stake-client.ts';
import { loadAdapter } from './load-adapter.ts';
import type { PayoutCost } from './payout-cost.ts';
import { boundedPayoutCost } from './payout-costs.ts';
import { type PlaceReading, readPlace } from './read-place.ts';

/** Of no transfer. */
const NO_COMMITMENT = '00'.repeat(32);

/** How chains are reached, and who pays where anybody may. */
export interface ChainAccess {
  /** @throws Error for a chain that is not served here */
  readonly transportOf: (chain: ChainName) => ChainTransport;
  /** @throws Error for a provider that is not known here */
  readonly custodyOf: (provider: string) => ChainTransport;
  /** Private key, `0x` and 64 digits; null for nobody's. */
  readonly relayer: string | null;
}

/** Everything that is asked of chains, by adapters that are loaded when their chain is first used. */
export function chainCalls({ transportOf, custodyOf, relayer }: ChainAccess) {
  const viewOf = (vault: Vault, deposited: readonly string[] = []): ChainView => ({
    vault,
    // What asks nobody works without a node.
    get transport() {
      return vault.custody === undefined ? transportOf(vault.chain) : custodyOf(vault.custody.provider);
    },
    relayer,
    deposited,
  });
  return {
    addressOf: async (chain: ChainName, network: Vault['network'], text: string) =>
      (await loadAdapter(chain)).addressOf(text, network),
    confirmationsNeeded: async (chain: ChainName, network: Vault['network']) =>
      network === 'local' ? 1 : (await loadAdapter(chain)).confirmations,
    readPlace: async (vault: Vault): Promise<PlaceReading> => readPlace(await loadAdapter(vault.chain), viewOf(vault)),
    payoutCost: async (vault: Vault): Promise<PayoutCost> =>
      (await (await adapterOf(vault)).payoutCost?.(viewOf(vault))) ?? boundedPayoutCost(vault),
    relayerRoom: async (chain: ChainName): Promise<RelayerRoom | null> =>
      relayer === null || !isEvmChain(chain) ? null : evmRelayerRoom(transportOf(chain), relayer),
    referencesOf: async (vault: Vault): Promise<string> =>
      [vault.chain, vault.network, countedBy(await adapterOf(vault), vault)].join('/'),
    depositPlace: async (vault: Vault, commitment: string, amount: string) =>
      (await adapterOf(vault)).depositPlace(viewOf(vault), commitment, amount),
    deposits: async (vault: Vault, commitment: string, from: string) =>
      (await adapterOf(vault)).deposits(viewOf(vault), commitment, from),
    referenceFor: async (
      vault: Vault,
      order: Omit<PaymentOrder, 'reference'> & { readonly attempt: number },
      { taken, deposited }: { readonly taken: readonly string[]; readonly deposited: readonly string[] },
    ): Promise<string | null> => {
      const adapter = await adapterOf(vault);
      try {
        const reference = await adapter.referenceFor(viewOf(vault, deposited), order, taken);
        requireBuildable(adapter, vault, { ...order, reference });
        return reference;
      } catch (error) {
        if (error instanceof InsufficientFunds) return null;
        throw error;
      }
    },
    isVaultAddress: async (vault: Vault, address: string, amount: string): Promise<boolean> => {
      if (vault.custody !== undefined) return false;
      const adapter = await adapterOf(vault);
      const accountOf = (text: string) => adapter.taggedAccountOf?.(text, vault.network)?.address ?? text;
      try {
        const place = await adapter.depositPlace(viewOf(vault), NO_COMMITMENT, amount);
        return accountOf(place.address) === accountOf(address);
      } catch (error) {
        if (error instanceof RangeError) return false;
        throw error;
      }
    },
    build: async (vault: Vault, order: PaymentOrder) => (await adapterOf(vault)).build(vault, order),
    complete: async (vault: Vault, order: PaymentOrder, signatures: readonly MessageSignature[]) =>
      (await adapterOf(vault)).complete(vault, order, signatures),
    broadcast: async (vault: Vault, payment: SignedPayment) =>
      (await adapterOf(vault)).broadcast(viewOf(vault), payment),
    statusOf: async (vault: Vault, order: PaymentOrder) => (await adapterOf(vault)).statusOf(viewOf(vault), order),
    isRecovering: async (vault: Vault): Promise<boolean> =>
      (await (await adapterOf(vault)).isRecovering?.(viewOf(vault))) ?? false,
    requireVault: async (vault: Vault) => (await adapterOf(vault)).requireVault?.(viewOf(vault)),
    clearance: (guard: GuardLane, commitment: string): Promise<Clearance | null> =>
      readClearance(transportOf(EXCHANGE_CHAIN), guard, commitment),
    lane: (guard: GuardLane): Promise<LaneRules> => readLane(transportOf(EXCHANGE_CHAIN), guard),
    requestClearance: (guard: GuardLane, request: { readonly commitment: string; readonly amount: number }) =>
      requestClearance(transportOf(EXCHANGE_CHAIN), relayer, guard, request),
    announced: (guard: Pick<GuardLane, 'address'>, commitment: string): Promise<readonly string[]> =>
      readAnnounced(transportOf(EXCHANGE_CHAIN), guard, commitment),
    announce: (
      guard: Pick<GuardLane, 'address'>,
      announcement: { readonly commitment: string; readonly payment: string },
    ): Promise<void> => announcePayment(transportOf(EXCHANGE_CHAIN), relayer, guard, announcement),
    seats: (stake: string): Promise<readonly StakeSeat[]> => readSeats(transportOf(EXCHANGE_CHAIN), stake),
    bond: (stake: string, account: string): Promise<StakeBond> => readBond(transportOf(EXCHANGE_CHAIN), stake, account),
    proveLie: (proof: LieProof): Promise<ProofOutcome> => proveLie(transportOf(EXCHANGE_CHAIN), relayer, proof),
  };
}

/** @throws Unbuildable where nobody could sign it: it would keep its reference, and hold up those behind it */
function requireBuildable(adapter: ChainAdapter, vault: Vault, order: PaymentOrder): void {
  try {
    adapter.build(vault, order);
  } catch (error) {
    if (error instanceof RangeError) throw new Unbuildable(error.message);
    throw error;
  }
}

/** What the adapter says. A vault that it says nothing of has no payments, and a name by what is stated of it. */
function countedBy(adapter: ChainAdapter, vault: Vault): string {
  try {
    return adapter.countsBy(vault);
  } catch {
    const { contract, keys, custody } = vault;
    return JSON.stringify([contract, keys.groupKey, keys.signerKeys, custody]);
  }
}

/** A vault at a provider is asked for there, on whatever chain it is. */
async function adapterOf({ chain, custody }: Vault): Promise<ChainAdapter> {
  const adapter = await loadAdapter(chain);
  return custody === undefined ? adapter : (await import('./custody/custody-adapter.ts')).custodyAdapter(adapter);
}
