import { statementDigest } from '../../signing/signer-identity.ts';
import type { CustodyAccount, PaymentOrder } from '../chain-adapter.ts';

/** A transfer as the provider is asked for it (`POST /v1/transactions`). */
export interface TransferRequest {
  readonly operation: 'TRANSFER';
  readonly assetId: string;
  readonly source: { readonly type: 'VAULT_ACCOUNT'; readonly id: string };
  readonly destination:
    | { readonly type: 'VAULT_ACCOUNT'; readonly id: string }
    | {
        readonly type: 'ONE_TIME_ADDRESS';
        readonly oneTimeAddress: { readonly address: string; readonly tag?: string };
      };
  readonly amount: string;
  /** The recipient gets the whole amount; the fee is the vault's. */
  readonly treatAsGrossAmount: false;
  /** At most one transaction goes through under it. */
  readonly externalTxId: string;
  /** What was approved, and by whom (`custody-approval.ts`). */
  readonly note: string;
}

/** What of a request the signers approve: all that decides what is paid, and for what. */
export type ApprovedTransfer = Omit<TransferRequest, 'note'> & Pick<PaymentOrder, 'kind' | 'commitment'>;

/** 32 bytes in hexadecimal that stand for it at that provider, and nowhere else. */
export function approvalDigest(provider: CustodyAccount['provider'], transfer: ApprovedTransfer): string {
  const { operation, assetId, source, destination, amount, treatAsGrossAmount, externalTxId } = transfer;
  const { kind, commitment } = transfer;
  const to =
    destination.type === 'VAULT_ACCOUNT'
      ? ['vault', destination.id]
      : ['address', destination.oneTimeAddress.address, destination.oneTimeAddress.tag ?? ''];
  const paid = [operation, assetId, source.id, to, amount, treatAsGrossAmount];
  return statementDigest(['edge.bridge.custody.v1', provider, kind, commitment, externalTxId, paid]);
}
