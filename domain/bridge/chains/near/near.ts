import { KeyType } from '@near-js/crypto';
import { Signature, SignedTransaction } from '@near-js/transactions';
import { bytesToHex } from '@noble/curves/utils.js';
import { base58 } from '@scure/base';
import { z } from 'zod';
import { answerOf } from '../accounts/answer-of.ts';
import { groupSignature } from '../accounts/group-signature.ts';
import { nextNumber } from '../accounts/next-number.ts';
import { ofSameAccount } from '../accounts/of-same-account.ts';
import { fromOf } from '../accounts/paying-account.ts';
import { transferKey, vaultKey } from '../accounts/paying-key.ts';
import { requireCoin } from '../accounts/require-coin.ts';
import { spentBy } from '../accounts/spent-by.ts';
import { wholeUnits } from '../accounts/whole-units.ts';
import {
  type ChainAdapter,
  type ChainTransport,
  type ChainView,
  type Deposit,
  InsufficientFunds,
  type PaymentOrder,
  type PaymentStatus,
  type ReferenceCheck,
  RpcRefusal,
} from '../chain-adapter.ts';
import { checkedReference, farAhead, neverSo } from '../reference-check.ts';
import { nearPayeeFault } from './near-payee.ts';
import { isNearAccount, NEAR_REFERENCE, nearHash, nearHome, nearKey, nearPayment, YOCTO_MAX } from './near-payment.ts';

/** Left in the vault for gas and storage. */
const FEES = 10n ** 22n;
/** Blocks after which a transaction is too old: the chain's rule, and so many more that no node is behind by. */
const VALIDITY_BLOCKS = 86_400n;
const LAG_BLOCKS = 1_200n;

const Account = z.object({ amount: z.string().regex(/^[0-9]{1,39}$/) });
const AccessKey = z.object({ nonce: z.int().nonnegative() });
const Block = z.object({ header: z.object({ hash: z.string(), height: z.int().positive() }) });
const Outcome = z.object({
  final_execution_status: z.string(),
  status: z.union([z.object({ SuccessValue: z.string() }), z.object({ Failure: z.unknown() })]).optional(),
});

/**
 * NEAR, with its own coin. Each transfer has an account of its own, whose balance is the deposit; a payment uses a nonce of a key. What a node calls final is final.
 */
export const near: ChainAdapter = {
  scheme: 'frost-ed25519',
  confirmations: 1,

  addressOf: (text, network) => (isNearAccount(text, network) ? text : null),

  async payeeFault({ vault, transport }, to) {
    if (to === nearHome(vault)) return 'own';
    const ask = (request_type: string, account_id: string, more: object, unknown: RegExp) =>
      known(transport, 'query', { request_type, finality: 'final', account_id, ...more }, unknown);
    return nearPayeeFault(
      {
        keysOf: (account) => ask('view_access_key_list', account, {}, /UNKNOWN_ACCOUNT/),
        view: (account, method_name) => ask('call_function', account, { method_name, args_base64: '' }, NO_METHOD),
      },
      to,
    );
  },

  countsBy: nearHome,

  depositPlace: ({ vault }, commitment, amount) => {
    requireCoin(vault);
    wholeUnits(amount, YOCTO_MAX);
    return { address: transferKey(vault, commitment).key, memo: null, call: null };
  },

  deposits,

  sweepable: async ({ vault, transport }, commitment) =>
    String((await balanceOf(transport, transferKey(vault, commitment).key)) ?? 0n),

  async referenceFor({ vault, transport }, order, taken) {
    requireCoin(vault);
    const from = fromOf(order.kind);
    const { key } = from === 'vault' ? vaultKey(vault) : transferKey(vault, order.commitment);
    const balance = await balanceOf(transport, key);
    const needed = wholeUnits(order.amount, YOCTO_MAX) + (from === 'vault' ? FEES : 0n);
    if (balance === null || balance < needed)
      throw new InsufficientFunds(`the account has ${balance ?? 0n} yoctoNEAR of ${needed}`);
    const nonce = await nonceOf(transport, key);
    const { header } = answerOf(Block, await transport.rpc('block', { finality: 'final' }), 'block');
    return NEAR_REFERENCE.write({
      from,
      nonce: nextNumber(
        BigInt(nonce) + 1n,
        ofSameAccount(from, NEAR_REFERENCE.readAll(taken)).map((one) => one.nonce),
      ),
      block: bytesToHex(base58.decode(header.hash)),
      height: String(header.height),
    });
  },

  build(vault, order) {
    requireCoin(vault);
    const { transaction, paying } = nearPayment(vault, order);
    return { messages: [{ bytes: bytesToHex(nearHash(transaction)), tweak: paying.tweak }] };
  },

  complete(vault, order, signatures) {
    requireCoin(vault);
    const { transaction, paying } = nearPayment(vault, order);
    const hash = nearHash(transaction);
    const data = groupSignature(signatures, hash, paying.key);
    const signature = new Signature({ keyType: KeyType.ED25519, data });
    const raw = Buffer.from(new SignedTransaction({ transaction, signature }).encode()).toString('base64');
    return { raw, transaction: base58.encode(hash) };
  },

  /** The node does not wait for what comes of it: the status says that. */
  async broadcast({ transport }, { raw, transaction }) {
    if (transaction === null) throw new RangeError('a payment without its signature');
    await transport.rpc('send_tx', { signed_tx_base64: raw, wait_until: 'NONE' });
    return transaction;
  },

  statusOf,
  checkReference,
};

/** A contract that is none, has no such method, or ends by an error of its own. */
const NO_METHOD =
  /MethodNotFound|MethodResolveError|CONTRACT_EXECUTION_ERROR|NO_CONTRACT_CODE|CodeDoesNotExist|UNKNOWN_ACCOUNT/;

async function known(transport: ChainTransport, method: string, params: object, unknown: RegExp): Promise<unknown> {
  try {
    return await transport.rpc(method, params);
  } catch (refusal) {
    if (refusal instanceof RpcRefusal && unknown.test(refusal.message)) return null;
    throw refusal;
  }
}

/** Null where there is no such account. */
async function balanceOf(transport: ChainTransport, account: string): Promise<bigint | null> {
  const params = { request_type: 'view_account', finality: 'final', account_id: account };
  const answer = await known(transport, 'query', params, /UNKNOWN_ACCOUNT/);
  return answer === null ? null : BigInt(answerOf(Account, answer, 'view_account').amount);
}

async function nonceOf(transport: ChainTransport, account: string): Promise<number> {
  const params = { request_type: 'view_access_key', finality: 'final', account_id: account };
  const answer = await transport.rpc('query', { ...params, public_key: nearKey(account).toString() });
  return answerOf(AccessKey, answer, 'view_access_key').nonce;
}

/** The balance of the transfer's own account: what has come, or what a payment has left. */
async function deposits({ vault, transport }: ChainView, commitment: string): Promise<Deposit[]> {
  const { key } = transferKey(vault, commitment);
  const balance = await balanceOf(transport, key);
  if (balance === null || balance === 0n) return [];
  return [{ reference: key, amount: String(balance), confirmations: 1, isBalance: true }];
}

/** What became of a transaction; null where the node knows nothing of it. */
async function outcomeOf(
  transport: ChainTransport,
  hash: string,
  sender: string,
): Promise<{ isFinal: boolean; hasFailed: boolean } | null> {
  const params = { tx_hash: hash, sender_account_id: sender, wait_until: 'NONE' };
  const answer = await known(transport, 'tx', params, /UNKNOWN_TRANSACTION/);
  if (answer === null) return null;
  const { final_execution_status: stage, status } = answerOf(Outcome, answer, 'tx');
  return status === undefined ? null : { isFinal: stage === 'FINAL', hasFailed: 'Failure' in status };
}

/**
 * Whether a key has used no nonce as high as this by a block: a transaction raises it as it is taken into one, so none with this nonce was. That is in the newest state, whatever a node has forgotten; regular ones keep some
 * 36 hours. False also where the account is not there.
 */
async function isNonceUnused(
  transport: ChainTransport,
  account: string,
  { nonce, at }: { readonly nonce: string; readonly at: string },
): Promise<boolean> {
  const params = { request_type: 'view_access_key', block_id: at, account_id: account };
  const asked = { ...params, public_key: nearKey(account).toString() };
  const answer = await known(transport, 'query', asked, /UNKNOWN_ACCOUNT|UNKNOWN_ACCESS_KEY/);
  return answer !== null && BigInt(answerOf(AccessKey, answer, 'view_access_key').nonce) < BigInt(nonce);
}

/**
 * Its own transaction is asked for, and the one that cancels a payout. That neither is known says nothing, as nodes may be behind, until the block is too old by which its
 * time is counted, and either its nonce is unused or the node still knows that block.
 */
async function statusOf({ vault, transport }: ChainView, order: PaymentOrder): Promise<PaymentStatus> {
  const { nonce, block, height } = NEAR_REFERENCE.read(order.reference);
  const { transaction, paying } = nearPayment(vault, order);
  const hash = base58.encode(nearHash(transaction));
  const own = await outcomeOf(transport, hash, paying.key);
  if (own !== null) return spentBy(order, { isThis: true, hasFailed: own.hasFailed }, hash, own.isFinal ? 1 : 0);
  if (order.kind === 'cancel') {
    const used = await nonceOf(transport, paying.key);
    if (BigInt(used) >= BigInt(nonce)) return spentBy(order, { isThis: false, hasFailed: false }, '', 0);
  } else if (order.kind === 'payout') {
    const cancelled = nearPayment(vault, { ...order, kind: 'cancel', to: '' });
    const cancelledHash = base58.encode(nearHash(cancelled.transaction));
    const outcome = await outcomeOf(transport, cancelledHash, paying.key);
    const spender = { isThis: false, hasFailed: false };
    if (outcome !== null) return spentBy(order, spender, cancelledHash, outcome.isFinal ? 1 : 0);
  }
  const { header } = answerOf(Block, await transport.rpc('block', { finality: 'final' }), 'block');
  if (BigInt(header.height) <= BigInt(height) + VALIDITY_BLOCKS + LAG_BLOCKS) return { state: 'unspent' };
  if (!(await isNonceUnused(transport, paying.key, { nonce, at: header.hash })))
    answerOf(Block, await transport.rpc('block', { block_id: base58.encode(Buffer.from(block, 'hex')) }), 'block');
  const confirmations = header.height - Number(height) - Number(VALIDITY_BLOCKS);
  return { state: 'void', transaction: `none until block ${header.height}`, confirmations };
}

/** The height is what the payment's time is counted by: with a lower one it would seem void while it can still land. */
async function checkReference(
  { vault, transport }: ChainView,
  { reference, commitment }: PaymentOrder,
): Promise<ReferenceCheck> {
  const { from, nonce, block, height } = NEAR_REFERENCE.read(reference);
  const { key } = from === 'vault' ? vaultKey(vault) : transferKey(vault, commitment);
  const named = await transport.rpc('block', { block_id: base58.encode(Buffer.from(block, 'hex')) });
  const { header } = answerOf(Block, named, 'block');
  return checkedReference(
    neverSo(String(header.height) === height, 'its block has another height'),
    farAhead(nonce, BigInt(await nonceOf(transport, key))),
  );
}
