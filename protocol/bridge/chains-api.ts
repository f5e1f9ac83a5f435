import type {
  ClusterKeys,
  Deposit,
  DepositPlace,
  KnownToWatcher,
  MessageSignature,
  PaymentOrder,
  PaymentStatus,
  ReferenceCheck,
  SignedPayment,
  TokenCall,
  UnsignedPayment,
  Vault,
} from '../../domain/bridge/chains/chain-adapter.ts';
import type { ChainName } from '../../domain/bridge/chains/chain-name.ts';
import type { RelayerRoom } from '../../domain/bridge/chains/evm/payout-gas.ts';
import type { ProofOutcome, StakeBond } from '../../domain/bridge/chains/evm/stake-client.ts';
import type { MemoFault, Payee } from '../../domain/bridge/chains/memo-fault.ts';
import type { PayeeFault } from '../../domain/bridge/chains/payees/payee-fault.ts';
import type { PayoutCost } from '../../domain/bridge/chains/payout-cost.ts';
import type { PlaceReading } from '../../domain/bridge/chains/read-place.ts';
import type { RelayedFate } from '../../domain/bridge/chains/relayed-fate.ts';
import type { LaneRules } from '../../domain/bridge/lane.ts';
import type { StakeSeat } from '../../domain/bridge/signing/judge-word.ts';
import type { LieProof } from '../../domain/bridge/signing/lie-proof.ts';
import type { Clearance } from '../../domain/bridge/signing/signer-eyes.ts';

/** Where an organization's guard is, and under which name one of its lanes counts. */
interface GuardPlace {
  readonly address: string;
  /** Chain and asset, as `laneOf` of domain/bridge writes them. What was counted in another lane is no clearance. */
  readonly lane: string;
}

/** A transfer's claim to room in the daily limit of its lane. */
interface ClearanceRequest {
  readonly commitment: string;
  /** Scaled integer of the ledger. */
  readonly amount: number;
}

/** What is asked of chains: by the main Worker through a service binding, where chain libraries are not. */
export interface ChainCalls {
  addressOf(chain: ChainName, network: Vault['network'], text: string): Promise<string | null>;
  /** What is stated of a vault, held against its chain. */
  readPlace(vault: Vault): Promise<PlaceReading>;
  /** What a payout of that vault costs now, beyond its amount. */
  payoutCost(vault: Vault): Promise<PayoutCost>;
  /** The relayer's account there; null where nobody relays. */
  relayerRoom(chain: ChainName): Promise<RelayerRoom | null>;
  confirmationsNeeded(chain: ChainName, network: Vault['network']): Promise<number>;
  /** Under which name the references of a vault's payments are chosen: those of two vaults meet where the chain counts both by one account. */
  referencesOf(vault: Vault): Promise<string>;
  depositPlace(vault: Vault, commitment: string, amount: string): Promise<DepositPlace>;
  /** What a payer has to call at the vault's token before it pays in, by what it has approved already. */
  approvals(vault: Vault, owner: string, amount: string): Promise<readonly TokenCall[]>;
  deposits(vault: Vault, commitment: string, from: string | null, known?: readonly string[]): Promise<Deposit[]>;
  /** What one payment can bring out of the account of a transfer into the vault's; 0 where transfers have none of their own. */
  sweepable(vault: Vault, commitment: string): Promise<string>;
  /** Null where the vault has too little. Throws a RangeError where the payment could never be built. */
  referenceFor(
    vault: Vault,
    order: Omit<PaymentOrder, 'reference'> & { readonly attempt: number },
    known: KnownToWatcher,
  ): Promise<string | null>;
  /** Why the payee cannot be paid there with what is stated for it; null where it can. */
  payeeMemoFault(vault: Vault, payee: Payee): Promise<MemoFault | null>;
  /** What is against paying an address there (`ChainAdapter.payeeFault`); null for nothing. */
  payeeFault(vault: Vault, to: string): Promise<PayeeFault | null>;
  build(vault: Vault, order: PaymentOrder): Promise<UnsignedPayment>;
  complete(vault: Vault, order: PaymentOrder, signatures: readonly MessageSignature[]): Promise<SignedPayment>;
  /** Throws a RangeError where the relayer would pay for more than was quoted. */
  broadcast(vault: Vault, payment: SignedPayment, before?: string): Promise<string>;
  /** What has become of a transaction of the relayer, by which a payment was handed in. */
  relayedFate(vault: Vault, transaction: string): Promise<RelayedFate>;
  statusOf(vault: Vault, order: PaymentOrder, known?: readonly string[]): Promise<PaymentStatus>;
  /** What the asker's own node says of a reference. Throws a RangeError where it is none of the chain. */
  checkReference(vault: Vault, order: PaymentOrder): Promise<ReferenceCheck>;
  /** Whether somebody has begun to give the vault another key without the cluster. */
  isRecovering(vault: Vault): Promise<boolean>;
  /** Keys by which the vault's contract takes payments now, whatever was stated; those that are stated where there is no contract. */
  keysInForce(vault: Vault): Promise<ClusterKeys>;
  /** Throws where others than the cluster may move what is in the vault, or it cannot be seen now. */
  requireVault(vault: Vault): Promise<void>;
  clearance(guard: GuardPlace, commitment: string): Promise<Clearance | null>;
  lane(guard: GuardPlace): Promise<LaneRules>;
  /** `over_limit`: there is no room now. Asked again, it counts once. */
  requestClearance(guard: GuardPlace, request: ClearanceRequest): Promise<'cleared' | 'over_limit'>;
  /** Frees the room of a transfer that goes back: nobody signs its payout any more. False where it was not counted, or a payment of it was announced. Asked again, it frees it once. */
  giveBack(guard: Pick<GuardPlace, 'address'>, commitment: string): Promise<boolean>;
  /** Payments of a transfer that all signers see, as `paymentDigest` names them, in their order. */
  announced(guard: Pick<GuardPlace, 'address'>, commitment: string): Promise<readonly string[]>;
  /** Asked again, it stands there once. */
  announce(
    guard: Pick<GuardPlace, 'address'>,
    announcement: { readonly commitment: string; readonly payment: string },
  ): Promise<void>;
  /** The five seats at SignerStake, by number. */
  seats(stake: string): Promise<readonly StakeSeat[]>;
  /** What an account has at SignerStake, whether or not it has a seat. */
  bond(stake: string, account: string): Promise<StakeBond>;
  /** Brings a proof to SignerStake. Asked again, it slashes once. */
  proveLie(proof: LieProof): Promise<ProofOutcome>;
}

export type ChainCall = keyof ChainCalls;

/** A call that failed: values cross between Workers, what is thrown is logged there as a bug. */
export type ChainAnswer =
  | { readonly ok: true; readonly value: unknown }
  /** `isOutOfRange`: what was asked for can never be, whatever a node says. */
  | { readonly ok: false; readonly reason: string; readonly isOutOfRange: boolean };

/** What the Worker of the chains offers. */
export interface ChainsService {
  ask(call: ChainCall, args: readonly unknown[]): Promise<ChainAnswer>;
}
