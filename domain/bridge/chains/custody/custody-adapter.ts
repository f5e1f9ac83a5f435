import { threeSignatures } from '../accounts/three-signatures.ts';
import { wholeUnits } from '../accounts/whole-units.ts';
import {
  type ChainAdapter,
  type ChainView,
  type Deposit,
  type DepositPlace,
  InsufficientFunds,
  type PaymentOrder,
  type PaymentStatus,
  type SignedPayment,
  type Vault,
} from '../chain-adapter.ts';
import { REFERENCE_HOLDS } from '../reference-check.ts';
import { decimalOf, unitsBelow, unitsOf } from './custody-amount.ts';
import { type CustodyAddress, type CustodyTransaction, custodyApi } from './custody-api.ts';
import { approvalNote } from './custody-approval.ts';
import { custodyMemo, payeeOf } from './custody-payee.ts';
import { custodyOf, custodyReference, custodyTransfer, externalTxIdOf } from './custody-payment.ts';
import { hasDepositAddresses, tellsPayer } from './deposit-way.ts';
import { outcomeOf } from './transaction-outcome.ts';
import { type ApprovedTransfer, approvalDigest, type TransferRequest } from './transfer-request.ts';

const DEPOSITS_MAX = 20;

/**
 * A vault that lies with a custody provider, on whatever chain (docs/design/bridge/custody.md). The provider's keys move its funds, and only what three of five signers approve.
 * A payment is known by the id under which it was asked for. The transport is the provider's.
 *
 * @param chain of the funds: how addresses are written there, and what is final
 */
export function custodyAdapter(chain: ChainAdapter): ChainAdapter {
  const digestOf = (vault: Vault, transfer: ApprovedTransfer) => approvalDigest(custodyOf(vault).provider, transfer);
  return {
    scheme: 'multisig-secp256k1',
    confirmations: chain.confirmations,
    addressOf: chain.addressOf,
    ...(chain.payeeMemo && { payeeMemo: custodyMemo(chain.payeeMemo) }),
    countsBy: (vault) => {
      const { provider, account, asset } = custodyOf(vault);
      return [provider, account, asset].join('/');
    },

    depositPlace: (view, commitment, amount) => depositPlace(chain, view, commitment, amount),
    deposits: (view, commitment, from) => deposits(chain, view, commitment, from),
    referenceFor,
    build: (vault, order) => ({
      messages: [{ bytes: digestOf(vault, custodyTransfer(chain, vault, order)), tweak: null }],
    }),

    complete(vault, order, signatures) {
      const transfer = custodyTransfer(chain, vault, order);
      if (signatures.length !== 1) throw new RangeError('one message has one set of signatures');
      const each = threeSignatures(vault.keys.signerKeys, digestOf(vault, transfer), signatures[0]);
      const { kind: _, commitment: __, ...request } = transfer;
      const approved: TransferRequest = { ...request, note: approvalNote(order, each) };
      return { raw: JSON.stringify(approved), transaction: approved.externalTxId };
    },

    broadcast,
    statusOf: (view, order) => statusOf(chain, view, order),
    /** All of it follows from the transfer, and `build` refuses another; fees are the provider's. */
    async checkReference({ vault }, order) {
      externalTxIdOf(vault, order);
      return REFERENCE_HOLDS;
    },
  };
}

function apiOf({ vault, transport }: Pick<ChainView, 'vault' | 'transport'>) {
  return custodyApi(transport, custodyOf(vault));
}

/** The address that the provider has made for the transfer; made now where there is none. Two that are made side by side do no harm: both are its. */
async function depositPlace(
  chain: ChainAdapter,
  view: ChainView,
  commitment: string,
  amount: string,
): Promise<DepositPlace> {
  decimalOf(amount, view.vault.decimals);
  if (!hasDepositAddresses(view.vault.chain))
    throw new RangeError(`a provider has no addresses of transfers on ${view.vault.chain}`);
  const api = apiOf(view);
  const [known] = await api.addressesOf(commitment);
  const { address, tag } = known ?? (await api.createAddress(commitment));
  if (chain.addressOf(address, view.vault.network) === null)
    throw new Error(`the provider's address is none of ${view.vault.chain} ${view.vault.network}`);
  return { address, memo: tagOf(tag), call: null };
}

/** What has come to the transfer's address, and on chains that tell who pays, from that address. Until the provider has completed it, it has no confirmations. */
async function deposits(
  chain: ChainAdapter,
  view: ChainView,
  commitment: string,
  from: string | null,
): Promise<Deposit[]> {
  // Whom it may be returned to, the provider decides.
  if (from === null) return [];
  const { vault } = view;
  const api = apiOf(view);
  const addresses = await api.addressesOf(commitment);
  if (addresses.length === 0) return [];
  const payer = tellsPayer(vault.chain) ? payeeOf(chain, vault, { to: from }).address : null;
  const found: Deposit[] = [];
  for await (const transaction of api.incoming()) {
    if (!isIncoming(vault, transaction) || !addresses.some((address) => isAt(address, transaction))) continue;
    if (payer !== null && transaction.sourceAddress !== payer) continue;
    const amount = unitsOf(transaction.amountInfo.amount ?? '', vault.decimals);
    if (amount === 0n) continue;
    const confirmations = transaction.status === 'COMPLETED' ? (transaction.numOfConfirmations ?? 0) : 0;
    found.push({ reference: transaction.id, amount: String(amount), confirmations, at: transaction.createdAt });
  }
  return found.reverse().slice(0, DEPOSITS_MAX);
}

/** Of this vault's asset, on its way in or there, from elsewhere than the vault itself. */
function isIncoming(vault: Vault, { assetId, source, destination, status }: CustodyTransaction): boolean {
  const { account, asset } = custodyOf(vault);
  if (assetId !== asset || destination.type !== 'VAULT_ACCOUNT' || destination.id !== account) return false;
  if (source.type === 'VAULT_ACCOUNT' && source.id === account) return false;
  return status === 'CONFIRMING' || status === 'COMPLETED';
}

function isAt({ address, tag }: CustodyAddress, { destinationAddress, destinationTag }: CustodyTransaction): boolean {
  return destinationAddress === address && tagOf(destinationTag) === tagOf(tag);
}

function tagOf(tag: string | null | undefined): string | null {
  return tag === undefined || tag === '' ? null : tag;
}

async function referenceFor(
  view: ChainView,
  { kind, commitment, amount, attempt }: Omit<PaymentOrder, 'reference'> & { readonly attempt: number },
  taken: readonly string[],
): Promise<string> {
  const { vault } = view;
  const wanted = wholeUnits(amount, 2n ** 255n, kind === 'cancel' ? 0n : 1n);
  if (kind !== 'cancel' && unitsBelow(await apiOf(view).available(), vault.decimals) < wanted)
    throw new InsufficientFunds(`the vault has less than ${amount}`);
  const of = kind === 'refund' ? 'refund' : 'payout';
  for (let number = attempt; ; number += 1) {
    const reference = custodyReference(vault, commitment, { of, attempt: number });
    if (!taken.includes(reference)) return reference;
  }
}

/** What stands under the id already is not handed in twice; one that is to be cancelled, and stands, the provider is asked to cancel. */
async function broadcast(view: ChainView, { raw }: SignedPayment): Promise<string> {
  const request = JSON.parse(raw) as TransferRequest;
  const api = apiOf(view);
  const { externalTxId } = request;
  const standing = await api.transactionOf(externalTxId);
  const isCancel = request.destination.type === 'VAULT_ACCOUNT';
  if (standing === null) await api.submit(request);
  else if (isCancel && !staysInside(view.vault, standing) && outcomeOf(standing) === 'open')
    await api.cancel(standing.id);
  return externalTxId;
}

/** Whether it moves funds within the vault alone: it pays nobody, whatever becomes of it. */
function staysInside(vault: Vault, { source, destination }: CustodyTransaction): boolean {
  const { account } = custodyOf(vault);
  return destination.type === 'VAULT_ACCOUNT' && destination.id === account && source.id === account;
}

/**
 * By what stands under the id. That is all that ever will, so a transaction which pays nobody, or is dead, voids it.
 *
 * @throws Error where something was paid that is not this order
 */
async function statusOf(chain: ChainAdapter, view: ChainView, order: PaymentOrder): Promise<PaymentStatus> {
  const { vault } = view;
  const transaction = externalTxIdOf(vault, order);
  const found = await apiOf(view).transactionOf(transaction);
  if (found === null) return { state: 'unspent' };
  const outcome = outcomeOf(found);
  if (staysInside(vault, found) || outcome === 'dead')
    return { state: 'void', transaction, confirmations: chain.confirmations };
  if (outcome === 'open') return { state: 'unspent' };
  if (order.kind === 'cancel' || !isPaid(chain, vault, order, found))
    throw new Error('the reference was used by another payment');
  return { state: 'paid', transaction, confirmations: found.numOfConfirmations ?? 0 };
}

/** Whether the provider says that it has paid what the order says: it is not enough that the id is the order's. */
function isPaid(chain: ChainAdapter, vault: Vault, order: PaymentOrder, found: CustodyTransaction): boolean {
  const { account, asset } = custodyOf(vault);
  const { address, tag } = payeeOf(chain, vault, order);
  const { source, destinationAddress, destinationTag, amountInfo } = found;
  if (found.assetId !== asset || source.type !== 'VAULT_ACCOUNT' || source.id !== account) return false;
  const paidTo = chain.addressOf(destinationAddress ?? '', vault.network);
  if (paidTo !== address || tagOf(destinationTag) !== tag) return false;
  return unitsOf(amountInfo.amount ?? '', vault.decimals) === BigInt(order.amount);
}
