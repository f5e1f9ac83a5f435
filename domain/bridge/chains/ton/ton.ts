import { Address, Cell } from '@ton/core';
import { z } from 'zod';
import { answerOf } from '../accounts/answer-of.ts';
import { groupSignature } from '../accounts/group-signature.ts';
import { nextNumber } from '../accounts/next-number.ts';
import { requireCoin } from '../accounts/require-coin.ts';
import { SearchCut } from '../accounts/search-cut.ts';
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
  type Vault,
} from '../chain-adapter.ts';
import { checkedReference, farAhead, notSo } from '../reference-check.ts';
import {
  commentBody,
  isTonComment,
  NANOTONS_MAX,
  readWalletOrder,
  TON_REFERENCE,
  tonAddress,
  walletAddress,
  walletMessage,
  walletOrder,
} from './ton-wallet.ts';

const DEPOSITS_MAX = 20;
const PAGE_TRANSACTIONS = 100;
const PAGES_MAX = 20;
/** Left for the fees of a payment, which are some thousandths of a coin, and for storage. */
const FEES = 50_000_000n;

const Units = z.string().regex(/^[0-9]{1,30}$/);
const Message = z.object({
  hash: z.string(),
  source: z.string().nullish(),
  destination: z.string().nullish(),
  value: Units.nullish(),
  bounced: z.boolean().nullish(),
  message_content: z.object({ hash: z.string(), body: z.string() }).nullish(),
});
const Transaction = z.object({
  account: z.string(),
  hash: z.string(),
  lt: Units,
  mc_block_seqno: z.int().positive().nullish(),
  in_msg: Message.nullish(),
  out_msgs: z.array(Message),
});
type Transaction = z.infer<typeof Transaction>;
const Page = z.object({ transactions: z.array(z.unknown()) });
const Wallet = z.object({
  balance: Units,
  seqno: z.int().nonnegative().nullish(),
  status: z.string(),
  last_transaction_lt: Units.nullish(),
});
const Masters = z.object({ jetton_masters: z.array(z.unknown()) });
const Wallets = z.object({ jetton_wallets: z.array(z.unknown()) });
const Masterchain = z.object({ last: z.object({ seqno: z.int().positive() }) });

/**
 * TON, with its own coin, by the third API of TON Center. A deposit carries its commitment as a comment; a payment uses a sequence number of the vault's wallet contract.
 * A block of the masterchain is final.
 */
export const ton: ChainAdapter = {
  scheme: 'frost-ed25519',
  confirmations: 1,

  addressOf: (text, network) => (tonAddress(text, network) === null ? null : text),

  payeeMemo: { form: 'a comment of up to 123 bytes', isRight: isTonComment },

  /** Wallets are contracts as well; those of jettons give nothing back. */
  async payeeFault({ vault, transport }, to) {
    if (tonAddress(to, vault.network)?.equals(walletAddress(vault.keys.groupKey, vault.network)) ?? true) return 'own';
    const of = (kind: string) => transport.get(`/api/v3/jetton/${kind}?address=${to}&limit=1`);
    const { jetton_masters: masters } = answerOf(Masters, await of('masters'), 'jetton/masters');
    const { jetton_wallets: wallets } = answerOf(Wallets, await of('wallets'), 'jetton/wallets');
    return masters.length + wallets.length > 0 ? 'program' : null;
  },

  countsBy: ({ keys, network }) => walletAddress(keys.groupKey, network).toRawString(),

  depositPlace: ({ vault }, commitment, amount) => {
    requireCoin(vault);
    wholeUnits(amount, NANOTONS_MAX);
    return { address: homeOf(vault), memo: commitment, call: null };
  },

  deposits,

  async referenceFor({ vault, transport }, order, taken) {
    requireCoin(vault);
    const wallet = await walletOf(transport, vault);
    const pays = order.kind === 'cancel' ? 0n : wholeUnits(order.amount, NANOTONS_MAX);
    if (BigInt(wallet.balance) < pays + FEES)
      throw new InsufficientFunds(`the vault has ${wallet.balance} nanotons of ${pays + FEES}`);
    const used = TON_REFERENCE.readAll(taken).map(({ seqno }) => seqno);
    return TON_REFERENCE.write({
      seqno: nextNumber(BigInt(wallet.seqno ?? 0), used),
      deploys: wallet.status === 'active' ? 'no' : 'yes',
      after: wallet.last_transaction_lt ?? '0',
    });
  },

  build(vault, order) {
    requireCoin(vault);
    return { messages: [{ bytes: walletOrder(vault, order).hash().toString('hex'), tweak: null }] };
  },

  complete(vault, order, signatures) {
    requireCoin(vault);
    const signature = groupSignature(signatures, walletOrder(vault, order).hash(), vault.keys.groupKey);
    const message = walletMessage(vault, order, signature);
    return { raw: message.toBoc().toString('base64'), transaction: message.hash().toString('hex') };
  },

  /** A number that is gone was used by this payment or another, one that is ahead waits for those before: the status says which. */
  async broadcast({ transport }, { raw, transaction }) {
    if (transaction === null) throw new RangeError('a payment without its signature');
    try {
      await transport.post('/api/v3/message', { boc: raw });
    } catch (refusal) {
      if (!(refusal instanceof RpcRefusal) || !/exitcode=(33|133)\b/.test(refusal.message)) throw refusal;
    }
    return transaction;
  },

  statusOf,
  checkReference,
};

/** Not bounceable: a wallet that is not on the chain yet keeps what comes. */
function homeOf({ keys, network }: Vault): string {
  return walletAddress(keys.groupKey, network).toString({ bounceable: false, testOnly: network !== 'mainnet' });
}

async function walletOf(transport: ChainTransport, vault: Vault): Promise<z.infer<typeof Wallet>> {
  const path = `/api/v3/walletInformation?address=${homeOf(vault)}`;
  return answerOf(Wallet, await transport.get(path), 'walletInformation');
}

async function transactionsOf(transport: ChainTransport, query: string): Promise<Transaction[]> {
  const { transactions } = answerOf(Page, await transport.get(`/api/v3/${query}`), query);
  return transactions.flatMap((one) => Transaction.safeParse(one).data ?? []);
}

function isAt(text: string | null | undefined, address: Address): boolean {
  try {
    return typeof text === 'string' && Address.parse(text).equals(address);
  } catch {
    return false;
  }
}

function isOther(source: string | null | undefined, home: Address): boolean {
  return typeof source === 'string' && (Address.isRaw(source) || Address.isFriendly(source)) && !isAt(source, home);
}

/** As wallets write it that take what comes, whatever they are. A message from outside has no source. */
function payerOf(source: string | null | undefined, network: Vault['network']): Pick<Deposit, 'payer'> {
  if (typeof source !== 'string') return {};
  return { payer: Address.parse(source).toString({ bounceable: false, testOnly: network !== 'mainnet' }) };
}

/** Found by the hash of the comment, so that other payments to the vault hide none; with the same comment, others may be paid. */
async function deposits({ vault, transport }: ChainView, commitment: string, from: string | null): Promise<Deposit[]> {
  const payer = from === null ? null : tonAddress(from, vault.network);
  const home = walletAddress(vault.keys.groupKey, vault.network);
  if ((from !== null && payer === null) || payer?.equals(home) === true) return [];
  const hash = commentBody(commitment).hash();
  const found: Transaction[] = [];
  const query = { body_hash: hash.toString('base64'), direction: 'in', limit: String(PAGE_TRANSACTIONS) };
  let isCut = true;
  for (let page = 0; page < PAGES_MAX && isCut; page += 1) {
    const range = new URLSearchParams({ ...query, offset: String(page * PAGE_TRANSACTIONS) });
    const listed = await transactionsOf(transport, `transactionsByMessage?${range}`);
    found.push(...listed);
    isCut = listed.length > 0;
  }
  const mine = found.filter(({ account, in_msg: message, out_msgs: sent }) => {
    const isIn = isAt(account, home) && isAt(message?.destination, home);
    const isKept = message?.bounced !== true && sent.length === 0;
    const isOf = payer === null ? isOther(message?.source, home) : isAt(message?.source, payer);
    return isIn && isOf && isKept && bodyHash(message?.message_content?.body) === hash.toString('hex');
  });
  if (isCut && mine.length === 0) throw new SearchCut();
  if (mine.length === 0) return [];
  const { last } = answerOf(Masterchain, await transport.get('/api/v3/masterchainInfo'), 'masterchainInfo');
  return mine
    .filter(({ in_msg: message }) => BigInt(message?.value ?? '0') > 0n)
    .sort((a, b) => (BigInt(a.lt) < BigInt(b.lt) ? -1 : 1))
    .slice(0, DEPOSITS_MAX)
    .map(({ hash: reference, in_msg: message, mc_block_seqno: block }) => ({
      reference,
      amount: message?.value ?? '0',
      confirmations: depth(block, last.seqno),
      ...payerOf(message?.source, vault.network),
    }));
}

function depth(block: number | null | undefined, last: number): number {
  return typeof block === 'number' ? Math.max(0, last - block + 1) : 0;
}

function bodyHash(body: string | undefined): string | null {
  try {
    return body === undefined ? null : Cell.fromBase64(body).hash().toString('hex');
  } catch {
    return null;
  }
}

/** What used the wallet's number is this payment if it carried what was signed; it failed if nothing went out with it. */
async function statusOf({ vault, transport }: ChainView, order: PaymentOrder): Promise<PaymentStatus> {
  const { seqno, after } = TON_REFERENCE.read(order.reference);
  const wallet = await walletOf(transport, vault);
  if (BigInt(wallet.seqno ?? 0) <= BigInt(seqno)) return { state: 'unspent' };
  const signed = walletOrder(vault, order).hash().toString('hex');
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const query = { account: homeOf(vault), start_lt: after, sort: 'asc', limit: String(PAGE_TRANSACTIONS) };
    const range = new URLSearchParams({ ...query, offset: String(page * PAGE_TRANSACTIONS) });
    const listed = await transactionsOf(transport, `transactions?${range}`);
    for (const { in_msg: message, out_msgs: sent, mc_block_seqno: block } of listed) {
      if (typeof message?.source === 'string') continue;
      const used = readWalletOrder(message?.message_content?.body ?? '');
      if (used === null || String(used.seqno) !== seqno) continue;
      const { last } = answerOf(Masterchain, await transport.get('/api/v3/masterchainInfo'), 'masterchainInfo');
      const hasFailed = order.kind !== 'cancel' && !sent.some((one) => one.value === order.amount);
      const handedIn = Buffer.from(message?.hash ?? '', 'base64').toString('hex');
      return spentBy(order, { isThis: used.hash === signed, hasFailed }, handedIn, depth(block, last.seqno));
    }
    if (listed.length === 0) break;
  }
  throw new Error('no transaction is known that used the number');
}

async function checkReference({ vault, transport }: ChainView, { reference }: PaymentOrder): Promise<ReferenceCheck> {
  const { seqno, after } = TON_REFERENCE.read(reference);
  const wallet = await walletOf(transport, vault);
  return checkedReference(
    farAhead(seqno, BigInt(wallet.seqno ?? 0)),
    notSo(BigInt(after) <= BigInt(wallet.last_transaction_lt ?? '0'), 'its logical time is none yet'),
  );
}
