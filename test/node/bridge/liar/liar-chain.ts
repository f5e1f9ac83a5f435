import type {
  ChainAdapter,
  ChainTransport,
  ClusterKeys,
  DepositPlace,
  PaymentOrder,
  Vault,
} from '../../../../domain/bridge/chains/chain-adapter.ts';
import type { SignedOrder } from './liar-world.ts';

/** What a vault has, in the chain's own units, by token; the coin stands under the empty name. */
export type Holdings = Readonly<Record<string, bigint>>;

/** A transaction of signatures that were given for several orders. */
export interface CombinedPayment {
  readonly raw: string;
  readonly of: readonly SignedOrder[];
}

/** A chain on which the coordinator lies. */
export interface LiarChain {
  readonly name: string;
  readonly adapter: ChainAdapter;
  /** A new chain with vaults of one key. @param isEmpty they have no funds, on chains whose vault is an account */
  open(keys: ClusterKeys, isEmpty?: boolean): LiarScene;
}

/** One simulated chain. It judges what is handed in as the real one does, and answers truthfully. */
export interface LiarScene {
  /** The first is of the chain's own coin. */
  readonly vaults: readonly [Vault, ...Vault[]];
  readonly transport: ChainTransport;
  readonly relayer: string | null;
  readonly payees: readonly [string, string];
  /** Whose payments in count, on chains that tell who pays. */
  readonly payer: string;
  /** What transfers are of, in units of their vault. */
  readonly amounts: readonly bigint[];
  /** What the vaults have, with what lies at the places of these transfers, as the chain counts it. */
  held(commitments: readonly string[]): Promise<Holdings>;
  payIn(vault: Vault, place: DepositPlace, amount: bigint): void;
  /** Makes all that was handed in as deep as the chain's rule. */
  settle(): void;
  /** Blocks that are not as deep yet; left out where a chain has none. */
  readonly shallow?: {
    /** What was handed in is in a block. */
    mine(): void;
    /** Takes away what is not as deep as the chain's rule. */
    reorganize(): void;
  };
  /** What the order may cost the vault beyond what it pays, in the coin: the bound that the adapter states. */
  ceiling(vault: Vault, order: PaymentOrder): bigint;
  /** Coins of the vault that go to the payee of a token at most, where the chain asks for some. */
  readonly alongMax?: bigint;
  /** What else can be made of the signatures of several orders, as the chain takes it; left out where a signature is of one payment. */
  combined?(signed: readonly SignedOrder[]): readonly CombinedPayment[];
}
