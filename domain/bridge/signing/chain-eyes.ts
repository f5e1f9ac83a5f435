import type {
  ClusterKeys,
  Deposit,
  PaymentOrder,
  PaymentStatus,
  ReferenceCheck,
  UnsignedPayment,
  Vault,
} from '../chains/chain-adapter.ts';
import type { chainCalls } from '../chains/chain-calls.ts';
import type { MemoFault } from '../chains/memo-fault.ts';
import { requirePayee } from '../chains/payees/require-payee.ts';
import { externalChain } from '../external-chain.ts';
import { laneOf } from '../lane.ts';
import type { TransferPlaces } from '../places/transfer-places.ts';
import { type TransferTerms, termsCommitment, type Units } from '../transfer-terms.ts';
import { isCoSignature } from './co-signature.ts';
import type { LedgerSight } from './ledger-sight.ts';
import { shownBy } from './shown-by.ts';
import type { Clearance, SignerEyes, StakePlace } from './signer-eyes.ts';

type Side = 'source' | 'destination';

/** A transfer's places as the signer itself was told of them; nothing of it comes with a job. */
export interface KnownPlaces {
  /** Null for an account. */
  readonly source: Vault | null;
  readonly destination: Vault | null;
  /** Address of the organization's guard. */
  readonly guard: string;
  /** Guards that it had before. */
  readonly formerGuards?: readonly string[];
  readonly stake: StakePlace | null;
  /** Decimals of the ledger's asset. */
  readonly scale: number;
  /** What the lane takes at least; absent where it takes whatever comes. */
  readonly least?: TransferPlaces['least'];
  /** From so much on the hardware module has to sign, scaled integer of the ledger. Null: never. */
  readonly coSignFrom: number | null;
  /** Keys of the organization's hardware modules, compressed secp256k1 in hexadecimal: any of them. */
  readonly moduleKeys: readonly string[];
  /** As of `TransferPlaces`. */
  readonly isOutlived?: boolean;
}

/** What a signer asks of chains. */
export type SeenChains = Pick<
  ReturnType<typeof chainCalls>,
  | 'announced'
  | 'build'
  | 'checkReference'
  | 'clearance'
  | 'confirmationsNeeded'
  | 'deposits'
  | 'isRecovering'
  | 'keysInForce'
  | 'payeeFault'
  | 'payeeMemoFault'
  | 'statusOf'
  | 'sweepable'
>;

export interface ChainEyesParameters {
  readonly chains: SeenChains;
  /** @throws Error where the organization does not have the asset there */
  readonly placesOf: (terms: TransferTerms) => Promise<KnownPlaces>;
  readonly ledger: LedgerSight;
}

/** A debit of the ledger stands for good. */
const LEDGER_CONFIRMATIONS = 1;

/** Sees by the calls of chains, at places that it knows by itself. */
export class ChainEyes implements SignerEyes {
  readonly #by: ChainEyesParameters;

  constructor(by: ChainEyesParameters) {
    this.#by = by;
  }

  async funds(terms: TransferTerms, from?: string, known: readonly string[] = []): Promise<readonly Deposit[]> {
    const { source } = terms;
    if (source.kind === 'account') return this.#by.ledger.debit(terms);
    const payer = from ?? source.address;
    return this.#by.chains.deposits(await this.#vault(terms, 'source'), termsCommitment(terms), payer, known);
  }

  async sweepable(terms: TransferTerms): Promise<Units> {
    return this.#by.chains.sweepable(await this.#vault(terms, 'source'), termsCommitment(terms));
  }

  voidPayout(terms: TransferTerms): Promise<boolean> {
    return this.#by.ledger.voidPayout(terms);
  }

  hasPaidOut(terms: TransferTerms): Promise<boolean> {
    return this.#by.ledger.hasPaidOut(terms);
  }

  async confirmationsNeeded(terms: TransferTerms, side: Side): Promise<number> {
    if (terms[side].kind === 'account') return LEDGER_CONFIRMATIONS;
    const { chain, network } = await this.#vault(terms, side);
    return this.#by.chains.confirmationsNeeded(chain, network);
  }

  async places(terms: TransferTerms): Promise<TransferPlaces> {
    const at = (side: Side) => (terms[side].kind === 'account' ? null : this.#vault(terms, side));
    const [source, destination] = [await at('source'), await at('destination')];
    const { guard, scale, least, isOutlived } = await this.#by.placesOf(terms);
    return { source, destination, guard, scale, least, ...(isOutlived === true ? { isOutlived } : {}) };
  }

  async status(terms: TransferTerms, side: Side, payment: PaymentOrder): Promise<PaymentStatus> {
    return this.#by.chains.statusOf(await this.#vault(terms, side), payment);
  }

  async payeeMemoFault(
    terms: TransferTerms,
    side: Side,
    { to: address, memo }: Pick<PaymentOrder, 'to' | 'memo'>,
  ): Promise<MemoFault | null> {
    return this.#by.chains.payeeMemoFault(await this.#vault(terms, side), { address, memo });
  }

  async checkReference(terms: TransferTerms, side: Side, payment: PaymentOrder): Promise<ReferenceCheck> {
    return this.#by.chains.checkReference(await this.#vault(terms, side), payment);
  }

  async isRecovering(terms: TransferTerms, side: Side): Promise<boolean> {
    return this.#by.chains.isRecovering(await this.#vault(terms, side));
  }

  async clearance(terms: TransferTerms): Promise<Clearance | null> {
    const { guard } = await this.#by.placesOf(terms);
    const lane = laneOf(externalChain(terms), terms.asset);
    return this.#by.chains.clearance({ address: guard, lane }, termsCommitment(terms));
  }

  async announced(terms: TransferTerms): Promise<readonly string[]> {
    const { guard } = await this.#by.placesOf(terms);
    return this.#by.chains.announced({ address: guard }, termsCommitment(terms));
  }

  async shownFor(terms: TransferTerms, transaction: string): Promise<readonly (string | null)[] | null> {
    const { guard, formerGuards = [] } = await this.#by.placesOf(terms);
    return shownBy(this.#by.chains, [guard, ...formerGuards], transaction);
  }

  async build(terms: TransferTerms, side: Side, payment: PaymentOrder): Promise<UnsignedPayment> {
    const vault = await this.#vault(terms, side);
    await requirePayee(this.#by.chains, vault, payment);
    return this.#by.chains.build(vault, payment);
  }

  async vaultKeys(terms: TransferTerms, side: Side): Promise<ClusterKeys> {
    return this.#by.chains.keysInForce(await this.#vault(terms, side));
  }

  async stake(terms: TransferTerms): Promise<StakePlace | null> {
    return (await this.#by.placesOf(terms)).stake;
  }

  async isCoSigned(terms: TransferTerms, coSignature: string): Promise<boolean> {
    return isCoSignature((await this.#by.placesOf(terms)).moduleKeys, terms, coSignature);
  }

  async needsCoSignature(terms: TransferTerms): Promise<boolean> {
    const { coSignFrom } = await this.#by.placesOf(terms);
    return coSignFrom !== null && terms.amount >= coSignFrom;
  }

  /** @throws Error where the vault that it knows is of another chain */
  async #vault(terms: TransferTerms, side: Side): Promise<Vault> {
    const place = terms[side];
    const vault = (await this.#by.placesOf(terms))[side];
    if (place.kind !== 'chain' || vault?.chain !== place.chain) throw new Error(`no vault is known at the ${side}`);
    return vault;
  }
}
