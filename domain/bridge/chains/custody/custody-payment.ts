import { statementDigest } from '../../signing/signer-identity.ts';
import { CLUSTER_SIZE } from '../../transfer.ts';
import { HEX_32, referenceRecord } from '../accounts/reference-record.ts';
import type { ChainAdapter, CustodyAccount, PaymentOrder, Vault } from '../chain-adapter.ts';
import { decimalOf } from './custody-amount.ts';
import { payeeOf } from './custody-payee.ts';
import type { ApprovedTransfer } from './transfer-request.ts';

/** `id` follows from the others and the transfer, so that no reference is another transfer's. */
export const CUSTODY_REFERENCE = referenceRecord({ of: /payout|refund/, attempt: /[1-9][0-9]{0,8}|0/, id: HEX_32 });

const ACCOUNT = /^[\w-]{1,64}$/;
const ASSET = /^[\w.-]{1,64}$/;

/** @throws RangeError where the vault is at no provider, or has no five signers */
export function custodyOf({ custody, keys }: Vault): CustodyAccount {
  if (custody === undefined) throw new RangeError('the vault is at no custody provider');
  if (!ACCOUNT.test(custody.account) || !ASSET.test(custody.asset)) throw new RangeError('no account of a provider');
  if (keys.scheme !== 'multisig-secp256k1' || keys.signerKeys.length !== CLUSTER_SIZE)
    throw new RangeError('five signers approve of what a provider pays');
  return custody;
}

export function custodyReference(
  vault: Vault,
  commitment: string,
  { of, attempt }: { readonly of: 'payout' | 'refund'; readonly attempt: number },
): string {
  const { provider, account, asset } = custodyOf(vault);
  const place = [provider, account, asset];
  const id = statementDigest(['edge.bridge.custody.reference.v1', place, commitment, of, attempt]);
  return CUSTODY_REFERENCE.write({ of, attempt: String(attempt), id });
}

/** The id under which the provider lets at most one transaction through. @throws RangeError where the reference is of another transfer, or kind */
export function externalTxIdOf(vault: Vault, { kind, commitment, reference }: Omit<PaymentOrder, 'to' | 'amount'>) {
  const { of, attempt, id } = CUSTODY_REFERENCE.read(reference);
  const stated = { of: of === 'refund' ? 'refund' : 'payout', attempt: Number(attempt) } as const;
  if (custodyReference(vault, commitment, stated) !== reference || (kind !== 'cancel' && kind !== of))
    throw new RangeError('a reference of another payment');
  return `edge-bridge-${id}`;
}

/** What an order asks the provider for: a cancellation moves a little within the vault, under the id that is to be used up. */
export function custodyTransfer(
  chain: Pick<ChainAdapter, 'addressOf' | 'payeeMemo' | 'taggedAccountOf'>,
  vault: Vault,
  order: PaymentOrder,
): ApprovedTransfer {
  const { account, asset } = custodyOf(vault);
  const { kind, commitment } = order;
  const shared = {
    operation: 'TRANSFER',
    assetId: asset,
    source: { type: 'VAULT_ACCOUNT', id: account },
    treatAsGrossAmount: false,
    externalTxId: externalTxIdOf(vault, order),
    kind,
    commitment,
  } as const;
  if (kind === 'cancel')
    return {
      ...shared,
      destination: { type: 'VAULT_ACCOUNT', id: account },
      amount: decimalOf(little(vault), vault.decimals),
    };
  const { address, tag } = payeeOf(chain, vault, order);
  const oneTimeAddress = { address, ...(tag !== null && { tag }) };
  const destination = { type: 'ONE_TIME_ADDRESS', oneTimeAddress } as const;
  return { ...shared, destination, amount: decimalOf(order.amount, vault.decimals) };
}

/** A ten-thousandth of a coin of eight decimals: above what chains refuse as dust, and it stays in the vault. */
function little({ decimals }: Vault): string {
  return String(10n ** BigInt(Math.ceil(decimals / 2)));
}
