import type { DepositPlace, Vault } from '../../domain/bridge/chains/chain-adapter.ts';
import type { Transfer } from '../../domain/bridge/transfer.ts';
import type { TransferTerms } from '../../domain/bridge/transfer-terms.ts';
import type { BridgeOutcome } from '../../domain/ledger/outcomes.ts';
import type { BridgeVaultName } from '../../domain/ledger/transactions.ts';

/** What a transfer goes by, as it stood when it began. */
interface TransferSettings {
  /** Where its sides are; null for an account. */
  readonly source: Vault | null;
  readonly destination: Vault | null;
  /** By which vault the ledger takes in or lets out, where one side is an account. */
  readonly ledgerVault: BridgeVaultName;
  /** Address of the guard, and the lane that it counts in. */
  readonly guard: string;
  readonly lane: string;
  /** Id of the ledger's asset. */
  readonly assetId: string;
  readonly coSignFrom: number | null;
  readonly queue_ms: number;
  readonly answer_ms: number;
}

export interface TransferStart {
  readonly terms: TransferTerms;
  readonly settings: TransferSettings;
  /** How to pay its funds in; null where they come from an account. */
  readonly place: DepositPlace | null;
  /** Tenant at which it was asked for. */
  readonly hostname: string;
  readonly createdAt: number;
}

/** A transfer as its object has it. */
export interface TransferView extends TransferStart {
  readonly transfer: Transfer;
  readonly commitment: string;
  /** Why it does not go on, if it does not; it tries again by itself. */
  readonly waitsFor: string | null;
  /** Why its account was not debited; null where it was, or has none. */
  readonly debitRefusal: Exclude<BridgeOutcome['type'], 'done'> | null;
  /** Numbers of signers whose shares were wrong, as often as that was seen. */
  readonly cheaters: readonly number[];
}

/** One transfer, named by its id (docs/design/bridge.md#the-object-of-a-transfer). Answers are durable. */
export interface BridgeTransferApi {
  /** Begins it, once: again, it answers as it stands. An account is debited before this answers. */
  begin(start: TransferStart): Promise<TransferView>;
  /** Does what can be done now; null where there is none. Anybody may ask for it. */
  push(): Promise<TransferView | null>;
  view(): Promise<TransferView | null>;
}

/** A fresh stub of a transfer's object. After an exception a stub stays broken, so one is made for every call. */
export function bridgeTransferOf(
  env: { readonly BRIDGE_TRANSFER: { getByName(name: string): unknown } },
  id: string,
): BridgeTransferApi {
  return env.BRIDGE_TRANSFER.getByName(id) as BridgeTransferApi;
}
