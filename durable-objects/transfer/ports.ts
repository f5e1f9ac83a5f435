import type { Vault } from '../../domain/bridge/chains/chain-adapter.ts';
import type { TransferEvent } from '../../domain/bridge/transfer.ts';
import type { TransferTerms } from '../../domain/bridge/transfer-terms.ts';
import type { BridgeOutcome } from '../../domain/ledger/outcomes.ts';
import type { BridgeMovement } from '../../domain/ledger/transactions.ts';
import type { ChainCalls } from '../../protocol/bridge/chains-api.ts';
import type { SigningCluster } from '../bridge-chains/signing-cluster.ts';
import type { ChainWatcherApi } from '../chain-watcher/api.ts';

/** Everything that a transfer asks others for. Each throws where nobody answers now. */
export interface TransferPorts {
  readonly chains: ChainCalls;
  readonly cluster: SigningCluster;
  /** Whoever chooses the references of a vault, and of all others that its chain counts by the same account. */
  readonly watcher: (vault: Vault) => Promise<ChainWatcherApi>;
  readonly ledger: (movement: BridgeMovement) => Promise<BridgeOutcome>;
  /** The hardware module's signature over a commitment. Null: it does not sign now. */
  readonly coSign: (terms: TransferTerms) => Promise<string | null>;
}

/** An event as a step tells it; its time is that of the turn. */
export type Happening = TransferEvent extends infer Event
  ? Event extends TransferEvent
    ? Omit<Event, 'at'>
    : never
  : never;
