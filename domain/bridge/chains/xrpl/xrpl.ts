import { ed25519 } from '@noble/curves/ed25519.js';
import { bytesToHex, hexToBytes } from '@noble/curves/utils.js';
import { isValidXAddress } from 'ripple-address-codec';
import { z } from 'zod';
import { answerOf } from '../accounts/answer-of.ts';
import { boundedFee } from '../accounts/bounded-fee.ts';
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
import { isXrplTag, xrplAccountOf, xrplRecipient } from './xrpl-address.ts';
import { DROPS_MAX, ISSUED_DECIMALS_MAX, issuedToken, xrplUnits } from './xrpl-amount.ts';
import { xrplAccountFault } from './xrpl-payee.ts';
import { FEE_MAX, XRPL_REFERENCE, xrplMessage, xrplPayment, xrplSigned } from './xrpl-payment.ts';

const DEPOSITS_MAX = 20;
const PAGE_TRANSACTIONS = 200;
/** Pages that a deposit, or the use of a sequence, is looked for in. */
const PAGES_MAX = 50;
const FEE_MIN = 10n;
/** `lsfRequireDestTag`. */
const REQUIRES_TAG = 0x0002_0000;

const Memos = z.array(z.object({ Memo: z.object({ MemoData: z.string().optional() }) }));
const Listed = z.object({
  hash: z.string().regex(/^[0-9A-F]{64}$/),
  validated: z.boolean(),
  tx_json: z.object({
    TransactionType: z.string(),
    Account: z.string(),
    Destination: z.string().optional(),
    Sequence: z.int(),
    InvoiceID: z.string().optional(),
    TxnSignature: z.string().optional(),
    Memos: Memos.optional(),
  }),
  meta: z.object({ TransactionResult: z.string(), delivered_amount: z.unknown().optional() }),
});
type Listed = z.infer<typeof Listed>;
/** Of a transaction in another form than ours, nothing is believed; it must not hide the others. */
const Page = z.object({ transactions: z.array(z.unknown()), marker: z.unknown().optional() });
const AccountInfo = z.object({
  account_data: z.object({ Balance: z.string(), OwnerCount: z.int().nonnegative(), Sequence: z.int().positive() }),
  ledger_index: z.int().positive(),
});
/** An account that was never paid has no flags, and asks for nothing. */
const PayeeInfo = z.object({ account_data: z.object({ Flags: z.int().nonnegative().default(0) }) });
const ServerState = z.object({
  state: z.object({
    validated_ledger: z.object({ reserve_base: z.int().nonnegative(), reserve_inc: z.int().nonnegative() }),
  }),
});
const Fee = z.object({ drops: z.object({ open_ledger_fee: z.string().regex(/^[0-9]{1,18}$/) }) });
const Lines = z.object({
  lines: z.array(z.object({ account: z.string(), balance: z.string(), currency: z.string() })),
});
/** How the server names an account that it does not know. */
const NO_ACCOUNT = 'actNotFound';
const Submitted = z.object({ engine_result: z.string() });
const Refusal = z.object({ status: z.literal('error'), error: z.string() });

const MEMO: PayeeMemo = {
  form: 'a destination tag, a whole number from 0 to 4294967295; or an X-address that has it',
  isRight: isXrplTag,
  isInAddress: isValidXAddress,
  isAskedFor: asksForTag,
};

/**
 * The XRP Ledger, with XRP and issued tokens. A deposit carries its commitment as invoice or memo; a payment uses a sequence of the account. A ledger that is validated
 * is final.
 */
export const xrpl: ChainAdapter = {
  scheme: 'frost-ed25519',
  confirmations: 1,

  addressOf: (text, network) => (xrplRecipient(text, network) === null ? null : text),

  async payeeFault({ vault, transport }, to) {
    const account = xrplRecipient(to, vault.network)?.account ?? to;
    const issuer = vault.token === null ? null : issuedToken(vault.token).issuer;
    if (account === issuer || account === xrplAccountOf(vault.keys.groupKey)) return 'own';
    const answer = await known(transport, 'account_info', { account, ledger_index: 'validated', signer_lists: true });
    return answer === null ? null : xrplAccountFault(answer, vault.network);
  },

  /** An issued token has decimals of nobody: the ledger counts it in decimal digits. */
  async readDecimals({ vault }) {
    if (vault.token === null) return null;
    const { issuer } = issuedToken(vault.token);
    if (xrplRecipient(issuer, vault.network) === null) throw new RangeError('the issuer is no account');
    if (vault.decimals > ISSUED_DECIMALS_MAX) throw new RangeError(`at most ${ISSUED_DECIMALS_MAX} decimals are kept`);
    return null;
  },

  taggedAccountOf: (address, network) => {
    const recipient = xrplRecipient(address, network);
    return recipient && { address: recipient.account, tag: recipient.tag === null ? null : String(recipient.tag) };
  },

  payeeMemo: MEMO,

  countsBy: ({ keys }) => xrplAccountOf(keys.groupKey),

  depositPlace: ({ vault }, commitment, amount) => {
    wholeUnits(amount, DROPS_MAX);
    return { address: xrplAccountOf(vault.keys.groupKey), memo: commitment, call: null };
  },

  /** An account takes no token without a trust line. */
  async requireVault({ vault, transport }) {
    if (vault.token === null) return;
    if ((await trustLine(transport, vault, vault.token)) === undefined)
      throw new VaultClosed('the vault has no trust line of its token');
  },

  deposits,

  async referenceFor({ vault, transport }, order, taken) {
    if (order.kind === 'payout' && order.memo === undefined && (await asksForTag({ transport }, order.to)))
      throw new Unbuildable('the payee’s account asks for a destination tag, and no memo is stated');
    const account = xrplAccountOf(vault.keys.groupKey);
    const info = await accountInfo(transport, account);
    const { drops } = answerOf(Fee, await ask(transport, 'fee', {}), 'fee');
    const fee = boundedFee(BigInt(drops.open_ledger_fee), FEE_MIN, FEE_MAX);
    await requireFunds({ vault, transport }, order, info, fee);
    const used = XRPL_REFERENCE.readAll(taken).map(({ sequence }) => sequence);
    const sequence = nextNumber(BigInt(info.account_data.Sequence), used);
    return XRPL_REFERENCE.write({ sequence, fee: String(fee), ledger: String(info.ledger_index) });
  },

  build: (vault, order) => ({
    messages: [{ bytes: bytesToHex(xrplMessage(xrplPayment(vault, order))), tweak: null }],
  }),

  complete(vault, order, signatures) {
    const transaction = xrplPayment(vault, order);
    const signature = groupSignature(signatures, xrplMessage(transaction), vault.keys.groupKey);
    const { raw, hash } = xrplSigned(transaction, signature);
    return { raw, transaction: hash };
  },

  async broadcast({ transport }, { raw, transaction }) {
    if (transaction === null) throw new RangeError('a payment without its signature');
    const { engine_result: result } = answerOf(Submitted, await ask(transport, 'submit', { tx_blob: raw }), 'submit');
    const isTaken = /^(tes|tec|ter)/.test(result) || result === 'tefALREADY' || result === 'tefPAST_SEQ';
    if (!isTaken) throw new RpcRefusal(0, result);
    return transaction;
  },

  statusOf,
  checkReference,
};

/** The server says in its result that it refuses. */
async function ask(transport: ChainTransport, method: string, params: object): Promise<unknown> {
  const answer = await transport.rpc(method, [{ ...params, api_version: 2 }]);
  const refusal = Refusal.safeParse(answer);
  if (refusal.success) throw new RpcRefusal(0, `${method}: ${refusal.data.error}`);
  return answer;
}

/** Null where there is no such account yet. */
async function known(transport: ChainTransport, method: string, params: object): Promise<unknown> {
  try {
    return await ask(transport, method, params);
  } catch (refusal) {
    if (refusal instanceof RpcRefusal && refusal.message.includes('actNotFound')) return null;
    throw refusal;
  }
}

async function accountInfo(transport: ChainTransport, account: string): Promise<z.infer<typeof AccountInfo>> {
  const answer = await ask(transport, 'account_info', { account, ledger_index: 'validated' });
  return answerOf(AccountInfo, answer, 'account_info');
}

/** Whether the ledger takes no payment to an account without a tag. It is asked for addresses of every network: whether an address is of the vault's is not the question here. */
async function asksForTag({ transport }: Pick<ChainView, 'transport'>, address: string): Promise<boolean> {
  const recipient = xrplRecipient(address, 'mainnet') ?? xrplRecipient(address, 'testnet');
  if (recipient === null || recipient.tag !== null) return false;
  try {
    const params = { account: recipient.account, ledger_index: 'validated' };
    const answer = await ask(transport, 'account_info', params);
    const { Flags: flags } = answerOf(PayeeInfo, answer, 'account_info').account_data;
    return (flags & REQUIRES_TAG) !== 0;
  } catch (refusal) {
    if (refusal instanceof RpcRefusal && refusal.message.endsWith(NO_ACCOUNT)) return false;
    throw refusal;
  }
}

async function* transactions(transport: ChainTransport, account: string, range: object): AsyncGenerator<Listed> {
  let marker: unknown;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const params = { account, limit: PAGE_TRANSACTIONS, ...range, ...(marker === undefined ? {} : { marker }) };
    const listed = answerOf(Page, await ask(transport, 'account_tx', params), 'account_tx');
    for (const one of listed.transactions) {
      const { success, data } = Listed.safeParse(one);
      if (success && data.validated) yield data;
    }
    marker = listed.marker;
    if (marker === undefined || marker === null) return;
  }
  throw new SearchCut();
}

async function deposits(view: ChainView, commitment: string, from: string | null): Promise<Deposit[]> {
  const payer = from === null ? null : xrplRecipient(from, view.vault.network)?.account;
  if (payer === undefined) return [];
  return (await foundIn(newestDeposits(view, commitment, payer))).reverse().slice(0, DEPOSITS_MAX);
}

async function* newestDeposits(
  { vault, transport }: ChainView,
  commitment: string,
  from: string | null,
): AsyncGenerator<Deposit> {
  const account = xrplAccountOf(vault.keys.groupKey);
  const range = { ledger_index_min: -1, ledger_index_max: -1, forward: false };
  for await (const { hash, tx_json: transaction, meta } of transactions(transport, account, range)) {
    if (transaction.TransactionType !== 'Payment' || transaction.Destination !== account) continue;
    const payer = transaction.Account;
    if (payer !== (from ?? payer) || payer === account || meta.TransactionResult !== 'tesSUCCESS') continue;
    if (commitmentOf(transaction) !== commitment) continue;
    const amount = xrplUnits(vault, meta.delivered_amount);
    if (amount === null || amount <= 0n) continue;
    yield { reference: hash, amount: String(amount), confirmations: 1, payer };
  }
}

/** By its invoice where it has one, else by its only memo: 32 bytes, or their text. */
function commitmentOf({ InvoiceID, Memos: memos = [] }: Listed['tx_json']): string | null {
  if (InvoiceID !== undefined) return InvoiceID.toLowerCase();
  const data = memos.length === 1 ? memos[0]?.Memo.MemoData?.toLowerCase() : undefined;
  if (data?.length === 64) return data;
  return data?.length === 128 ? new TextDecoder().decode(hexToBytes(data)) : null;
}

async function requireFunds(
  { vault, transport }: Pick<ChainView, 'vault' | 'transport'>,
  { amount, kind }: Omit<PaymentOrder, 'reference'>,
  { account_data: account }: z.infer<typeof AccountInfo>,
  fee: bigint,
): Promise<void> {
  const { state } = answerOf(ServerState, await ask(transport, 'server_state', {}), 'server_state');
  const { reserve_base: base, reserve_inc: more } = state.validated_ledger;
  const reserve = BigInt(base) + BigInt(more) * BigInt(account.OwnerCount);
  const pays = kind === 'cancel' ? 0n : wholeUnits(amount, DROPS_MAX);
  const needed = fee + reserve + (vault.token === null ? pays : 0n);
  const drops = wholeUnits(account.Balance, DROPS_MAX, 0n);
  if (drops < needed) throw new InsufficientFunds(`the vault has ${drops} drops of ${needed}`);
  if (vault.token === null || kind === 'cancel') return;
  const { currency, issuer } = issuedToken(vault.token);
  const line = await trustLine(transport, vault, vault.token);
  const held = xrplUnits(vault, { currency, issuer, value: line?.balance ?? '0' }) ?? 0n;
  if (held < pays) throw new InsufficientFunds(`the vault has ${held} of ${pays}`);
}

/** The vault's line to the issuer of its token; undefined where there is none. */
async function trustLine(transport: ChainTransport, { keys }: ChainView['vault'], token: string) {
  const { currency, issuer } = issuedToken(token);
  const params = { account: xrplAccountOf(keys.groupKey), peer: issuer, ledger_index: 'validated' };
  const { lines } = answerOf(Lines, await ask(transport, 'account_lines', params), 'account_lines');
  return lines.find((one) => one.account === issuer && one.currency === currency);
}

/** The transaction that has the account's sequence is this payment if its signature is one of what the order builds. */
async function statusOf({ vault, transport }: ChainView, order: PaymentOrder): Promise<PaymentStatus> {
  const { sequence, ledger } = XRPL_REFERENCE.read(order.reference);
  const account = xrplAccountOf(vault.keys.groupKey);
  const { account_data: data } = await accountInfo(transport, account);
  if (BigInt(data.Sequence) <= BigInt(sequence)) return { state: 'unspent' };
  const message = xrplMessage(xrplPayment(vault, order));
  const range = { ledger_index_min: Number(ledger), ledger_index_max: -1, forward: true };
  for await (const { hash, tx_json: transaction, meta } of transactions(transport, account, range)) {
    if (transaction.Account !== account || String(transaction.Sequence) !== sequence) continue;
    const isThis = isSignatureOf(transaction.TxnSignature, message, vault.keys.groupKey);
    return spentBy(order, { isThis, hasFailed: meta.TransactionResult !== 'tesSUCCESS' }, hash, 1);
  }
  throw new Error('no transaction is known that used the sequence');
}

function isSignatureOf(signature: string | undefined, message: Uint8Array, key: string): boolean {
  if (signature === undefined || !/^[0-9A-F]{128}$/.test(signature)) return false;
  return ed25519.verify(hexToBytes(signature.toLowerCase()), message, hexToBytes(key));
}

async function checkReference({ vault, transport }: ChainView, { reference }: PaymentOrder): Promise<ReferenceCheck> {
  const { sequence, ledger } = XRPL_REFERENCE.read(reference);
  const info = await accountInfo(transport, xrplAccountOf(vault.keys.groupKey));
  return checkedReference(
    farAhead(sequence, BigInt(info.account_data.Sequence)),
    notSo(BigInt(ledger) <= BigInt(info.ledger_index), 'its ledger is none yet'),
  );
}
