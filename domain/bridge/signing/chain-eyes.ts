import type {
  ChainAdapter,
  ChainView,
  ClusterKeys,
  Deposit,
  PaymentOrder,
  PaymentStatus,
  UnsignedPayment,
} from '../chains/chain-adapter.ts';
import type { ChainName } from '../chains/chain-name.ts';
import { type Place, type TransferTerms, termsCommitment } from '../transfer-terms.ts';
import { isCoSignature } from './co-signature.ts';
import type { Clearance, SignerEyes } from './signer-eyes.ts';

/** A vault as the signer itself was told of it, and the way to its chain. */
export interface KnownVault extends ChainView {
  /** The vault's own address, in the form of the chain's own programs. */
  readonly address: string;
  /** Confirmations that count; null for the chain's own rule. */
  readonly confirmations: number | null;
}

export interface ChainEyesParameters {
  readonly loadAdapter: (chain: ChainName) => Promise<ChainAdapter>;
  /** Where the organization's funds of an asset are on a chain. @throws Error where it has none there */
  readonly vaultOf: (asset: string, chain: ChainName) => Promise<KnownVault>;
  /** Debits of the ledger for a commitment, final ones alone. */
  readonly debits: (terms: TransferTerms) => Promise<readonly Deposit[]>;
  readonly clearance: (terms: TransferTerms) => Promise<Clearance | null>;
  /** Amounts of an asset from which on the hardware module has to sign; null: none. Scaled integers of the ledger. */
  readonly coSignFrom: (asset: string) => number | null;
  /** Keys of the organization's hardware modules, compressed secp256k1 in hexadecimal: any of them. */
  readonly moduleKeys: readonly string[];
}

/** A debit of the ledger is in one block, which is final. */
const LEDGER_CONFIRMATIONS = 1;

/** Sees by adapters of chains, over nodes that the signer asks itself. */
export class ChainEyes implements SignerEyes {
  readonly #by: ChainEyesParameters;

  constructor(by: ChainEyesParameters) {
    this.#by = by;
  }

  async funds(terms: TransferTerms): Promise<readonly Deposit[]> {
    if (terms.source.kind === 'account') return this.#by.debits(terms);
    const { adapter, vault } = await this.#at(terms, terms.source);
    return adapter.deposits(vault, termsCommitment(terms));
  }

  async confirmationsNeeded(terms: TransferTerms, side: 'source' | 'destination'): Promise<number> {
    if (terms[side].kind === 'account') return LEDGER_CONFIRMATIONS;
    const { adapter, vault } = await this.#at(terms, terms[side]);
    return vault.confirmations ?? adapter.confirmations;
  }

  async status(terms: TransferTerms, side: 'source' | 'destination', payment: PaymentOrder): Promise<PaymentStatus> {
    const { adapter, vault } = await this.#at(terms, terms[side]);
    return adapter.statusOf(vault, payment);
  }

  clearance(terms: TransferTerms): Promise<Clearance | null> {
    return this.#by.clearance(terms);
  }

  async build(terms: TransferTerms, side: 'source' | 'destination', payment: PaymentOrder): Promise<UnsignedPayment> {
    const { adapter, vault } = await this.#at(terms, terms[side]);
    return adapter.build(vault.vault, payment);
  }

  async vaultKeys(terms: TransferTerms, side: 'source' | 'destination'): Promise<ClusterKeys> {
    return (await this.#at(terms, terms[side])).vault.vault.keys;
  }

  async isVaultAddress(terms: TransferTerms, side: 'source' | 'destination', address: string): Promise<boolean> {
    const { adapter, vault } = await this.#at(terms, terms[side]);
    const asked = adapter.addressOf(address, vault.vault.network);
    return asked !== null && asked === adapter.addressOf(vault.address, vault.vault.network);
  }

  async isCoSigned(terms: TransferTerms, coSignature: string): Promise<boolean> {
    return isCoSignature(this.#by.moduleKeys, terms, coSignature);
  }

  needsCoSignature({ asset, amount }: TransferTerms): boolean {
    const from = this.#by.coSignFrom(asset);
    return from !== null && amount >= from;
  }

  async #at({ asset }: TransferTerms, place: Place): Promise<{ adapter: ChainAdapter; vault: KnownVault }> {
    if (place.kind === 'account') throw new RangeError('an account is on no chain');
    const [adapter, vault] = await Promise.all([
      this.#by.loadAdapter(place.chain),
      this.#by.vaultOf(asset, place.chain),
    ]);
    return { adapter, vault };
  }
}
