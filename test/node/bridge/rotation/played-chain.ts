import type {
  Deposit,
  MessageSignature,
  PaymentOrder,
  PaymentStatus,
  UnsignedPayment,
} from '../../../../domain/bridge/chains/chain-adapter.ts';
import type { TransferPlaces } from '../../../../domain/bridge/places/transfer-places.ts';
import {
  clusterKeys,
  type PublicCluster,
  tweakableKey,
  tweakedCluster,
} from '../../../../domain/bridge/signing/key-share.ts';
import type { Clearance } from '../../../../domain/bridge/signing/signer-eyes.ts';
import { statementDigest } from '../../../../domain/bridge/signing/signer-identity.ts';
import { NOW, World } from '../../../../domain/bridge/signing/signing.fixtures.ts';
import { transferTweak } from '../../../../domain/bridge/signing/transfer-tweak.ts';
import { verifySignature } from '../../../../domain/bridge/signing/verify-signature.ts';
import { type TransferTerms, termsCommitment } from '../../../../domain/bridge/transfer-terms.ts';

/** Deep enough for everybody. */
const DEEP = 6;

/**
 * A chain with a vault for each key of the cluster, which takes each reference once and what the vault's key has signed alone; and a guard that lists payments. All signers see it as it is.
 */
export class PlayedChain extends World {
  readonly #vaults = new Map<string, PublicCluster>();
  readonly #listed = new Map<string, string[]>();
  readonly #used = new Map<string, PaymentOrder>();
  /** By commitment, what it has paid. */
  readonly paid = new Map<string, PaymentOrder[]>();

  /** From now on transfers begin by the vault of this key. */
  begin(terms: TransferTerms, cluster: PublicCluster): void {
    this.#vaults.set(terms.id, cluster);
  }

  list(commitment: string, digest: string): void {
    const listed = this.#listed.get(commitment) ?? [];
    if (!listed.includes(digest)) this.#listed.set(commitment, [...listed, digest]);
  }

  /** Takes what is signed by the vault's key for a reference that nothing has used. */
  async handIn(terms: TransferTerms, payment: PaymentOrder, signatures: readonly MessageSignature[]): Promise<void> {
    const cluster = this.#clusterOf(terms);
    const { messages } = await this.build(terms, 'destination', payment);
    const isSigned = messages.every(({ bytes, tweak }, index) => {
      const signature = signatures[index];
      const { groupKey } = clusterKeys(tweakedCluster(cluster, tweak));
      return signature?.kind === 'group' && verifySignature(cluster.scheme, groupKey, bytes, signature.signature);
    });
    const reference = this.#placeOf(terms, payment);
    if (!isSigned || this.#used.has(reference)) return;
    this.#used.set(reference, payment);
    if (payment.kind === 'cancel') return;
    this.paid.set(payment.commitment, [...(this.paid.get(payment.commitment) ?? []), payment]);
  }

  override async places(terms?: TransferTerms): Promise<TransferPlaces> {
    const keys = clusterKeys(this.#clusterOf(terms as TransferTerms));
    const shared = { network: 'local', keys, token: null, decimals: 8 } as const;
    return {
      source: { ...shared, chain: 'exchange', contract: this.wrapped },
      destination: { ...shared, chain: 'bitcoin-taproot', contract: null },
      guard: 'guard',
      scale: 8,
    };
  }

  override async funds(terms?: TransferTerms): Promise<Deposit[]> {
    return [{ reference: `burn ${terms?.id}`, amount: terms?.amountIn ?? '0', confirmations: DEEP }];
  }

  override async clearance(): Promise<Clearance | null> {
    return { amount: this.cleared?.amount ?? 0, clearAt: NOW, isVetoed: false };
  }

  override async announced(terms: TransferTerms): Promise<readonly string[]> {
    return this.#listed.get(termsCommitment(terms)) ?? [];
  }

  override async status(terms: TransferTerms, _: string, payment: PaymentOrder): Promise<PaymentStatus> {
    const used = this.#used.get(this.#placeOf(terms, payment));
    if (used === undefined) return { state: 'unspent' };
    const isIt = used.kind === payment.kind && used.commitment === payment.commitment;
    const transaction = `spends ${payment.reference}`;
    return { state: isIt ? 'paid' : 'void', transaction, confirmations: DEEP };
  }

  override async build(terms: TransferTerms, side: string, payment: PaymentOrder): Promise<UnsignedPayment> {
    const keys = clusterKeys(this.#clusterOf(terms));
    const tweak = transferTweak(keys.scheme, tweakableKey(keys), payment.commitment);
    const said = [side, keys.groupKey, payment.kind, payment.commitment, payment.reference, payment.to, payment.amount];
    return {
      messages: [null, tweak].map((each, index) => ({ bytes: statementDigest([...said, index]), tweak: each })),
    };
  }

  override async vaultKeys(terms?: TransferTerms) {
    return clusterKeys(this.#clusterOf(terms as TransferTerms));
  }

  #clusterOf({ id }: TransferTerms): PublicCluster {
    return this.#vaults.get(id) ?? this.cluster;
  }

  /** References are of a vault. */
  #placeOf(terms: TransferTerms, { reference }: PaymentOrder): string {
    return `${clusterKeys(this.#clusterOf(terms)).groupKey} ${reference}`;
  }
}
