import type { LaneRules } from '../lane.ts';
import type { StakeSeat } from '../signing/judge-word.ts';
import type { LieProof } from '../signing/lie-proof.ts';
import type { Clearance } from '../signing/signer-eyes.ts';
import {
  type ChainAdapter,
  type ChainTransport,
  type ChainView,
  type ClusterKeys,
  InsufficientFunds,
  type KnownToWatcher,
  type MessageSignature,
  MisstatedVault,
  type PaymentOrder,
  type SignedPayment,
  Unbuildable,
  type UnsignedPayment,
  type Vault,
} from './chain-adapter.ts';
import { type ChainName, EXCHANGE_CHAIN } from './chain-name.ts';
import { isEvmChain } from './evm/evm-chains.ts';
import {
  announcePayment,
  type GuardLane,
  giveBackRoom,
  readAnnounced,
  readClearance,
  readLane,
  requestClearance,
} from './evm/guard-client.ts';
import { evmRelayerRoom, type RelayerRoom } from './evm/payout-gas.ts';
import { type ProofOutcome, proveLie, readBond, readSeats, type StakeBond } from './evm/stake-client.ts';
import { loadAdapter } from './load-adapter.ts';
import { memoFault, type Payee, payeeMemoFault } from './memo-fault.ts';
import type { PayeeFault } from './payees/payee-fault.ts';
import type { PayoutCost } from './payout-cost.ts';
import { boundedPayoutCost } from './payout-costs.ts';
import { type PlaceReading, readPlace } from './read-place.ts';
import type { RelayedFate } from './relayed-fate.ts';
import { sweepsDeposits } from './sweeps-deposits.ts';

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
  const viewOf = (
    vault: Vault,
    { deposited = [], coins = [] }: Pick<ChainView, 'deposited' | 'coins'> = {},
  ): ChainView => ({
    vault,
    // What asks nobody works without a node.
    get transport() {
      return vault.custody === undefined ? transportOf(vault.chain) : custodyOf(vault.custody.provider);
    },
    relayer,
    deposited,
    coins,
  });
  /** A node is looked for once it is asked something: much of a payee is told without one. */
  const viewAsked = (vault: Vault): ChainView => {
    const view = viewOf(vault);
    const transport: ChainTransport = {
      rpc: async (method, params) => view.transport.rpc(method, params),
      get: async (path) => view.transport.get(path),
      post: async (path, body) => view.transport.post(path, body),
    };
    return { vault, transport, relayer };
  };
  const keysInForce = async (vault: Vault): Promise<ClusterKeys> =>
    (await (await adapterOf(vault)).keysInForce?.(viewOf(vault))) ?? vault.keys;
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
    approvals: async (vault: Vault, owner: string, amount: string) =>
      (await (await adapterOf(vault)).approvals?.(viewOf(vault), owner, amount)) ?? [],
    deposits: async (vault: Vault, commitment: string, from: string | null, known: readonly string[] = []) =>
      (await adapterOf(vault)).deposits(viewOf(vault), commitment, from, known),
    sweepable: async (vault: Vault, commitment: string): Promise<string> =>
      (sweepsDeposits(vault) && (await (await adapterOf(vault)).sweepable?.(viewOf(vault), commitment))) || '0',
    referenceFor: async (
      vault: Vault,
      order: Omit<PaymentOrder, 'reference'> & { readonly attempt: number },
      { taken, deposited, coins = [] }: KnownToWatcher,
    ): Promise<string | null> => {
      const adapter = await adapterOf(vault);
      try {
        const reference = await adapter.referenceFor(viewOf(vault, { deposited, coins }), order, taken);
        requireBuildable(adapter, vault, { ...order, reference });
        return reference;
      } catch (error) {
        if (error instanceof InsufficientFunds) return null;
        throw error;
      }
    },
    payeeFault: async (vault: Vault, to: string): Promise<PayeeFault | null> => {
      const adapter = await adapterOf(vault);
      if (adapter.addressOf(to, vault.network) !== to) return 'keyless';
      return (await adapter.payeeFault?.(viewAsked(vault), to)) ?? null;
    },
    payeeMemoFault: async (vault: Vault, payee: Payee) => payeeMemoFault(await adapterOf(vault), viewOf(vault), payee),
    build: async (vault: Vault, order: PaymentOrder) => built(await adapterOf(vault), vault, order),
    complete: async (vault: Vault, order: PaymentOrder, signatures: readonly MessageSignature[]) =>
      (await adapterOf(vault)).complete({ ...vault, keys: await keysInForce(vault) }, order, signatures),
    broadcast: async (vault: Vault, payment: SignedPayment, before?: string) =>
      (await adapterOf(vault)).broadcast(viewOf(vault), payment, before),
    relayedFate: async (vault: Vault, transaction: string): Promise<RelayedFate> =>
      (await (await adapterOf(vault)).relayedFate?.(viewOf(vault), transaction)) ?? 'unknown',
    statusOf: async (vault: Vault, order: PaymentOrder, known?: readonly string[]) =>
      (await adapterOf(vault)).statusOf(viewOf(vault), order, known),
    checkReference: async (vault: Vault, order: PaymentOrder) =>
      (await adapterOf(vault)).checkReference(viewOf(vault), order),
    isRecovering: async (vault: Vault): Promise<boolean> =>
      (await (await adapterOf(vault)).isRecovering?.(viewOf(vault))) ?? false,
    keysInForce,
    requireVault: async (vault: Vault) => {
      const adapter = await adapterOf(vault);
      requireStated(adapter, vault);
      await adapter.requireVault?.(viewOf(vault));
    },
    clearance: (guard: GuardLane, commitment: string): Promise<Clearance | null> =>
      readClearance(transportOf(EXCHANGE_CHAIN), guard, commitment),
    lane: (guard: GuardLane): Promise<LaneRules> => readLane(transportOf(EXCHANGE_CHAIN), guard),
    requestClearance: (guard: GuardLane, request: { readonly commitment: string; readonly amount: number }) =>
      requestClearance(transportOf(EXCHANGE_CHAIN), relayer, guard, request),
    giveBack: (guard: Pick<GuardLane, 'address'>, commitment: string): Promise<boolean> =>
      giveBackRoom(transportOf(EXCHANGE_CHAIN), relayer, guard, commitment),
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
    built(adapter, vault, order);
  } catch (error) {
    if (error instanceof RangeError) throw new Unbuildable(error.message);
    throw error;
  }
}

/** @throws RangeError where the order cannot be built, or what it has to carry would be lost */
function built(adapter: ChainAdapter, vault: Vault, order: PaymentOrder): UnsignedPayment {
  const { kind, to: address, memo } = order;
  if (kind === 'sweep' && (!sweepsDeposits(vault) || memo !== undefined))
    throw new RangeError('no deposits are swept there');
  const isOwn = kind === 'cancel' || kind === 'sweep';
  const fault = isOwn ? null : memoFault(adapter, { address, memo });
  if (fault !== null) throw new RangeError(`the memo ${fault.reason}`);
  return adapter.build(vault, order);
}

/** @throws MisstatedVault where it has no keys, or no contract, of its chain */
function requireStated(adapter: ChainAdapter, vault: Vault): void {
  try {
    adapter.countsBy(vault);
  } catch (error) {
    throw new MisstatedVault(error instanceof Error ? error.message : String(error));
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
