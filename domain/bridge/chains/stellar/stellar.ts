import { ed25519 } from '@noble/curves/ed25519.js';
import { bytesToHex, hexToBytes } from '@noble/curves/utils.js';
import { extractBaseAddress, StrKey } from '@stellar/stellar-base';
import { z } from 'zod';
import { answerOf } from '../accounts/answer-of.ts';
import { boundedFee } from '../accounts/bounded-fee.ts';
import { getKnown } from '../accounts/get-known.ts';
import { groupSignature } from '../accounts/group-signature.ts';
import { nextNumber } from '../accounts/next-number.ts';
import { foundIn, SearchCut } from '../accounts/search-cut.ts';
import { spentBy } from '../accounts/spent-by.ts';
import { wholeUnits } from '../accounts/whole-units.ts';
import {
  type ChainAdapter,
  type ChainTransport,
  type ChainView,
  type Deposit,
  InsufficientFunds,
  type PayeeMemo,
  type PaymentOrder,
  type PaymentStatus,
  type ReferenceCheck,
  RpcRefusal,
  Unbuildable,
  VaultClosed,
} from '../chain-adapter.ts';
import { checkedReference, farAhead, notSo } from '../reference-check.ts';
import { stellarAccountFault } from './stellar-payee.ts';
import {
  DECIMALS,
  FEE_MAX,
  isStellarAddress,
  STELLAR_REFERENCE,
  STROOPS_MAX,
  stellarAccountOf,
  stellarAsset,
  stellarMemo,
  stellarPayment,
  stroopsOf,
} from './stellar-payment.ts';

const DEPOSITS_MAX = 20;
const PAGE_RECORDS = 200;
/** Pages that a deposit, or the use of a sequence, is looked for in. */
const PAGES_MAX = 50;
const FEE_MIN = 100n;
/** What an account has to keep for each of its entries, in stroops. */
const ENTRY_RESERVE = 5_000_000n;
/** Positions of a ledger's operations in a cursor. */
const CURSOR_OF_LEDGER = 2n ** 32n;
/** SEP-29: what an account says that asks for a memo, and how. */
const MEMO_REQUIRED = 'config.memo_required';
const YES = Buffer.from('1').toString('base64');
const PAYMENT_TYPES = ['payment', 'path_payment_strict_receive', 'path_payment_strict_send'];

const Balance = z.object({
  balance: z.string(),
  selling_liabilities: z.string().optional(),
  asset_type: z.string(),
  asset_code: z.string().optional(),
  asset_issuer: z.string().optional(),
});
const Account = z.object({
  sequence: z.string().regex(/^[0-9]{1,19}$/),
  subentry_count: z.int().nonnegative(),
  num_sponsoring: z.int().nonnegative().default(0),
  num_sponsored: z.int().nonnegative().default(0),
  last_modified_ledger: z.int().nonnegative(),
  balances: z.array(Balance),
  /** By name, in Base64. */
  data: z.record(z.string(), z.string()).default({}),
});
const Fees = z.object({
  last_ledger: z.string().regex(/^[0-9]{1,10}$/),
  fee_charged: z.object({ p90: z.string().regex(/^[0-9]{1,18}$/) }),
});
const Page = z.object({ _embedded: z.object({ records: z.array(z.looseObject({ paging_token: z.string() })) }) });
const Payment = z.object({
  type: z.string(),
  transaction_successful: z.boolean(),
  transaction_hash: z.string(),
  paging_token: z.string().regex(/^[0-9]{1,20}$/),
  from: z.string(),
  to: z.string(),
  amount: z.string(),
  asset_type: z.string(),
  asset_code: z.string().optional(),
  asset_issuer: z.string().optional(),
  transaction: z.object({ memo_type: z.string(), memo: z.string().optional() }),
});
const Sent = z.object({
  hash: z.string(),
  source_account: z.string(),
  source_account_sequence: z.string(),
  successful: z.boolean(),
  signatures: z.array(z.string()),
  inner_transaction: z.object({ hash: z.string(), signatures: z.array(z.string()) }).optional(),
});

const MEMO: PayeeMemo = {
  form: '`text:` and up to 28 bytes, `id:` and a number below 2^64, or `hash:` or `return:` and 64 hexadecimal digits; or the customer’s own address (`M…`) without one',
  isRight: (memo) => stellarMemo(memo) !== null,
  isInAddress: (address) => StrKey.isValidMed25519PublicKey(address),
  isAskedFor: async ({ transport }, address) =>
    StrKey.isValidEd25519PublicKey(address) && asksForMemo(await accountOf(transport, address)),
  tagOf: (memo) => (memo.startsWith('text:') ? memo.slice('text:'.length) : null),
};

/**
 * Stellar, with lumens and issued assets, by Horizon. A deposit carries its commitment as MEMO_HASH; a payment uses a sequence of the account. A ledger that is closed
 * is final.
 */
export const stellar: ChainAdapter = {
  scheme: 'frost-ed25519',
  confirmations: 1,

  addressOf: (text, network) => (isStellarAddress(text, network) ? text : null),

  payeeMemo: MEMO,

  async payeeFault({ vault, transport }, to) {
    const account = extractBaseAddress(to);
    const issuer = vault.token === null ? null : stellarAsset(vault.token).issuer;
    if (account === issuer || account === stellarAccountOf(vault.keys.groupKey)) return 'own';
    const answer = await getKnown(transport, `/accounts/${account}`);
    return answer === null ? null : stellarAccountFault(answer);
  },

  /** Every asset has seven. */
  async readDecimals({ vault }) {
    stellarAsset(vault.token);
    return DECIMALS;
  },

  countsBy: ({ keys }) => stellarAccountOf(keys.groupKey),

  depositPlace: ({ vault }, commitment, amount) => {
    wholeUnits(amount, STROOPS_MAX);
    return { address: stellarAccountOf(vault.keys.groupKey), memo: commitment, call: null };
  },

  /** An account takes no asset without a trust line. */
  async requireVault({ vault, transport }) {
    if (vault.token === null) return;
    const account = await accountOf(transport, stellarAccountOf(vault.keys.groupKey));
    if (account === null || !account.balances.some((one) => isOf(vault.token, one)))
      throw new VaultClosed('the vault has no trust line of its token');
  },

  deposits,

  async referenceFor(view, order, taken) {
    const { vault, transport } = view;
    const account = await accountOf(transport, stellarAccountOf(vault.keys.groupKey));
    if (account === null) throw new InsufficientFunds('the vault has no account yet');
    const stats = answerOf(Fees, await transport.get('/fee_stats'), 'fee_stats');
    const fee = boundedFee(BigInt(stats.fee_charged.p90), FEE_MIN, FEE_MAX);
    requireFunds(view, order, account, fee);
    const payee = order.kind === 'cancel' ? null : await accountOf(transport, extractBaseAddress(order.to));
    if (order.kind === 'payout' && order.memo === undefined && order.to.startsWith('G') && asksForMemo(payee))
      throw new Unbuildable('the payee’s account asks for a memo, and none is stated');
    const isOpen = order.kind === 'cancel' || payee !== null;
    const used = STELLAR_REFERENCE.readAll(taken).map(({ sequence }) => sequence);
    return STELLAR_REFERENCE.write({
      sequence: nextNumber(BigInt(account.sequence) + 1n, used),
      fee: String(fee),
      opens: isOpen || vault.token !== null ? 'no' : 'yes',
      ledger: stats.last_ledger,
    });
  },

  build: (vault, order) => ({ messages: [{ bytes: bytesToHex(stellarPayment(vault, order).hash()), tweak: null }] }),

  complete(vault, order, signatures) {
    const transaction = stellarPayment(vault, order);
    const hash = transaction.hash();
    const signature = groupSignature(signatures, hash, vault.keys.groupKey);
    transaction.addSignature(stellarAccountOf(vault.keys.groupKey), Buffer.from(signature).toString('base64'));
    return { raw: transaction.toXDR(), transaction: bytesToHex(hash) };
  },

  /** A sequence that is gone was used by this payment or another: the status says which. */
  async broadcast({ transport }, { raw, transaction }) {
    if (transaction === null) throw new RangeError('a payment without its signature');
    try {
      await transport.post('/transactions', new URLSearchParams({ tx: raw }));
    } catch (refusal) {
      if (!(refusal instanceof RpcRefusal) || !refusal.message.includes('tx_bad_seq')) throw refusal;
    }
    return transaction;
  },

  statusOf,
  checkReference,
};

async function accountOf(transport: ChainTransport, account: string): Promise<z.infer<typeof Account> | null> {
  const answer = await getKnown(transport, `/accounts/${account}`);
  return answer === null ? null : answerOf(Account, answer, 'an account');
}

function asksForMemo(account: z.infer<typeof Account> | null): boolean {
  return account?.data[MEMO_REQUIRED] === YES;
}

/** Of a record in another form than ours, nothing is believed; it must not hide the others. */
async function* records<Schema extends z.ZodType>(
  transport: ChainTransport,
  path: string,
  schema: Schema,
  start: string | null,
): AsyncGenerator<z.output<Schema>> {
  let cursor = start;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const at = cursor === null ? '' : `&cursor=${cursor}`;
    const listed = answerOf(Page, await transport.get(`${path}&limit=${PAGE_RECORDS}${at}`), path);
    for (const one of listed._embedded.records) {
      const { success, data } = schema.safeParse(one);
      if (success) yield data;
    }
    cursor = listed._embedded.records.at(-1)?.paging_token ?? null;
    if (cursor === null || !/^[0-9]{1,20}$/.test(cursor)) return;
  }
  throw new SearchCut();
}

/** Several payments of one transaction have its memo: each is a deposit. */
async function deposits(view: ChainView, commitment: string, from: string | null): Promise<Deposit[]> {
  if (from !== null && !isStellarAddress(from, view.vault.network)) return [];
  const payer = from === null ? null : extractBaseAddress(from);
  return (await foundIn(newestDeposits(view, commitment, payer))).reverse().slice(0, DEPOSITS_MAX);
}

async function* newestDeposits(
  { vault, transport }: ChainView,
  commitment: string,
  from: string | null,
): AsyncGenerator<Deposit> {
  const account = stellarAccountOf(vault.keys.groupKey);
  const memo = Buffer.from(commitment, 'hex').toString('base64');
  const path = `/accounts/${account}/payments?order=desc&join=transactions`;
  for await (const payment of records(transport, path, Payment, null)) {
    if (!payment.transaction_successful || !PAYMENT_TYPES.includes(payment.type)) continue;
    if (payment.transaction.memo_type !== 'hash' || payment.transaction.memo !== memo) continue;
    const payer = payment.from;
    if (payer !== (from ?? payer) || payer === account) continue;
    if (payment.to !== account || !isOf(vault.token, payment)) continue;
    const amount = stroopsOf(payment.amount);
    if (amount === null || amount <= 0n) continue;
    const reference = `${payment.transaction_hash}:${payment.paging_token}`;
    yield { reference, amount: String(amount), confirmations: 1, payer };
  }
}

function isOf(
  token: string | null,
  asset: { asset_type: string; asset_code?: string | undefined; asset_issuer?: string | undefined },
): boolean {
  if (token === null) return asset.asset_type === 'native';
  const { code, issuer } = stellarAsset(token);
  return asset.asset_type.startsWith('credit_') && asset.asset_code === code && asset.asset_issuer === issuer;
}

function requireFunds(
  { vault }: ChainView,
  { amount, kind }: Omit<PaymentOrder, 'reference'>,
  account: z.infer<typeof Account>,
  fee: bigint,
): void {
  const held = (token: string | null) => {
    const line = account.balances.find((one) => isOf(token, one));
    const selling = stroopsOf(line?.selling_liabilities ?? '0.0000000') ?? 0n;
    return (stroopsOf(line?.balance ?? '0.0000000') ?? 0n) - selling;
  };
  const entries = 2 + account.subentry_count + account.num_sponsoring - account.num_sponsored;
  const pays = kind === 'cancel' ? 0n : wholeUnits(amount, STROOPS_MAX);
  const needed = fee + ENTRY_RESERVE * BigInt(entries) + (vault.token === null ? pays : 0n);
  if (held(null) < needed) throw new InsufficientFunds(`the vault has ${held(null)} stroops of ${needed}`);
  if (vault.token !== null && kind !== 'cancel' && held(vault.token) < pays)
    throw new InsufficientFunds(`the vault has ${held(vault.token)} of ${pays}`);
}

/** The transaction that has the account's sequence is this payment if a signature of it is one of what the order builds; others may have paid its fee. */
async function statusOf({ vault, transport }: ChainView, order: PaymentOrder): Promise<PaymentStatus> {
  const { sequence, ledger } = STELLAR_REFERENCE.read(order.reference);
  const account = stellarAccountOf(vault.keys.groupKey);
  const current = await accountOf(transport, account);
  if (current === null) throw new Error("a node does not know the vault's account");
  if (BigInt(current.sequence) < BigInt(sequence)) return { state: 'unspent' };
  const hash = stellarPayment(vault, order).hash();
  const path = `/accounts/${account}/transactions?order=asc&include_failed=true`;
  const start = String(BigInt(ledger) * CURSOR_OF_LEDGER);
  for await (const sent of records(transport, path, Sent, start)) {
    if (sent.source_account !== account || sent.source_account_sequence !== sequence) continue;
    const given = [...sent.signatures, ...(sent.inner_transaction?.signatures ?? [])];
    const isThis = given.some((signature) => isSignatureOf(signature, hash, vault.keys.groupKey));
    return spentBy(order, { isThis, hasFailed: !sent.successful }, sent.inner_transaction?.hash ?? sent.hash, 1);
  }
  throw new Error('no transaction is known that used the sequence');
}

function isSignatureOf(text: string, hash: Uint8Array, key: string): boolean {
  const signature = new Uint8Array(Buffer.from(text, 'base64'));
  return signature.length === 64 && ed25519.verify(signature, hash, hexToBytes(key));
}

/** Whether it opens an account is not held against the chain: where that is wrong, the payment fails in its block, and its reference is void. */
async function checkReference({ vault, transport }: ChainView, { reference }: PaymentOrder): Promise<ReferenceCheck> {
  const { sequence, ledger } = STELLAR_REFERENCE.read(reference);
  const account = await accountOf(transport, stellarAccountOf(vault.keys.groupKey));
  const stats = answerOf(Fees, await transport.get('/fee_stats'), 'fee_stats');
  return checkedReference(
    farAhead(sequence, BigInt(account?.sequence ?? '0')),
    notSo(BigInt(ledger) <= BigInt(stats.last_ledger), 'its ledger is none yet'),
  );
}
