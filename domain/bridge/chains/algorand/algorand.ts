import { bytesToHex } from '@noble/curves/utils.js';
import { encodeMsgpack, SignedTransaction } from 'algosdk';
import { z } from 'zod';
import { answerOf } from '../accounts/answer-of.ts';
import { boundedFee } from '../accounts/bounded-fee.ts';
import { groupSignature } from '../accounts/group-signature.ts';
import { spentBy } from '../accounts/spent-by.ts';
import { JSON_UNITS_MAX, wholeUnits } from '../accounts/whole-units.ts';
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
  VaultClosed,
} from '../chain-adapter.ts';
import { checkedReference, neverSo, notSo } from '../reference-check.ts';
import {
  ALGORAND_REFERENCE,
  algorandAddressOf,
  algorandAsset,
  algorandPayment,
  FEE_MAX,
  isAlgorandAddress,
  isAlgorandNote,
  isGenesisOf,
  ROUNDS_MAX,
  U64_MAX,
} from './algorand-payment.ts';

const DEPOSITS_MAX = 20;
const PAGE_TRANSACTIONS = 1_000;
const PAGES_MAX = 10;
const FEE_MIN = 1_000n;
/** Payments of one transfer that the guard lists come one after another, each with rounds of its own. */
const ROUNDS_AHEAD_MAX = 8n * (ROUNDS_MAX + 1n);

/** Amounts beyond 2^53 come as JSON numbers that have lost digits: those count for nothing. */
const Amount = z.int().nonnegative();
const Params = z.object({
  'genesis-hash': z.string(),
  'last-round': z.int().positive(),
  fee: z.int().nonnegative(),
  'min-fee': z.int().nonnegative(),
});
const AssetParams = z.object({ params: z.object({ decimals: z.int().min(0).max(19) }) });
const Account = z.object({
  amount: Amount,
  'min-balance': Amount,
  assets: z.array(z.object({ 'asset-id': z.int(), amount: z.number().nonnegative() })).default([]),
});
const Rekeyed = z.object({ 'auth-addr': z.string().optional() });
const Page = z.object({
  'current-round': z.int().positive(),
  'next-token': z.string().optional(),
  transactions: z.array(z.unknown()),
});
const Sent = z.object({
  id: z.string().regex(/^[A-Z2-7]{52}$/),
  sender: z.string(),
  'confirmed-round': z.int().positive(),
  lease: z.string().optional(),
});
/** Its lease is taken from its round to the last one that it could wait for. */
const Leased = Sent.extend({ 'last-valid': z.int().positive() });
/** One in another form is no deposit; what the vault itself sent has to be understood. */
const Transfer = Sent.extend({
  note: z.string().optional(),
  'payment-transaction': z
    .object({
      amount: Amount,
      receiver: z.string(),
      'close-amount': Amount.default(0),
      'close-remainder-to': z.string().optional(),
    })
    .optional(),
  'asset-transfer-transaction': z
    .object({
      amount: Amount,
      receiver: z.string(),
      'asset-id': z.int(),
      'close-amount': Amount.default(0),
      'close-to': z.string().optional(),
    })
    .optional(),
});
type Transfer = z.infer<typeof Transfer>;

/**
 * Algorand, with algos and assets, by a node under `/algod` and an indexer under `/indexer`. A deposit carries its commitment in its note; a payment uses a lease for
 * some rounds. A round is final.
 */
export const algorand: ChainAdapter = {
  scheme: 'frost-ed25519',
  confirmations: 1,

  addressOf: (text, network) => (isAlgorandAddress(text, network) ? text : null),

  payeeMemo: { form: 'a note of up to 256 bytes', isRight: isAlgorandNote },

  /** An account that is rekeyed is signed for by the key of another. */
  async payeeFault({ vault, transport }, to) {
    if (to === algorandAddressOf(vault.keys.groupKey)) return 'own';
    const { 'auth-addr': signer } = answerOf(Rekeyed, await transport.get(`/algod/v2/accounts/${to}`), 'an account');
    return signer === undefined || isAlgorandAddress(signer, vault.network) ? null : 'locked';
  },

  async readDecimals(view) {
    const { token } = view.vault;
    if (token === null) return null;
    const path = `/algod/v2/assets/${algorandAsset(token)}`;
    try {
      return answerOf(AssetParams, await view.transport.get(path), 'an asset').params.decimals;
    } catch (error) {
      if (error instanceof RpcRefusal && error.code === 404) throw new RangeError('there is no such asset');
      throw error;
    }
  },

  countsBy: ({ keys }) => algorandAddressOf(keys.groupKey),

  depositPlace: ({ vault }, commitment, amount) => {
    wholeUnits(amount, JSON_UNITS_MAX);
    return { address: algorandAddressOf(vault.keys.groupKey), memo: commitment, call: null };
  },

  /** An account takes no asset that it has not opted in to. */
  async requireVault({ vault, transport }) {
    if (vault.token === null) return;
    const path = `/algod/v2/accounts/${algorandAddressOf(vault.keys.groupKey)}`;
    const { assets } = answerOf(Account, await transport.get(path), 'an account');
    const asset = algorandAsset(vault.token);
    if (!assets.some((one) => BigInt(one['asset-id']) === asset))
      throw new VaultClosed('the vault has not opted in to its asset');
  },

  deposits,

  async referenceFor(view, order, taken) {
    const { vault, transport } = view;
    const params = answerOf(Params, await transport.get('/algod/v2/transactions/params'), 'transactions/params');
    const genesis = Buffer.from(params['genesis-hash'], 'base64').toString('hex');
    if (!isGenesisOf(vault.network, genesis)) throw new Error('the node is of another network');
    const fee = boundedFee(BigInt(params['min-fee']), FEE_MIN, FEE_MAX);
    await requireFunds(view, order, fee);
    // The lease of an earlier payment, cancelled or not, is closed until its last round.
    const own = ALGORAND_REFERENCE.readAll(taken).filter(({ lease }) => lease === order.commitment);
    const first = own.reduce(
      (round, { last }) => (BigInt(last) >= round ? BigInt(last) + 1n : round),
      BigInt(params['last-round']),
    );
    return ALGORAND_REFERENCE.write({
      lease: order.commitment,
      first: String(first),
      last: String(first + ROUNDS_MAX),
      fee: String(fee),
      genesis,
    });
  },

  build: (vault, order) => ({
    messages: [{ bytes: bytesToHex(algorandPayment(vault, order).bytesToSign()), tweak: null }],
  }),

  complete(vault, order, signatures) {
    const txn = algorandPayment(vault, order);
    const sig = groupSignature(signatures, txn.bytesToSign(), vault.keys.groupKey);
    const raw = Buffer.from(encodeMsgpack(new SignedTransaction({ txn, sig }))).toString('hex');
    return { raw, transaction: txn.txID() };
  },

  async broadcast({ transport }, { raw, transaction }) {
    if (transaction === null) throw new RangeError('a payment without its signature');
    try {
      await transport.post('/algod/v2/transactions', Uint8Array.from(Buffer.from(raw, 'hex')));
    } catch (refusal) {
      if (!(refusal instanceof RpcRefusal) || !/already in (ledger|pool)/.test(refusal.message)) throw refusal;
    }
    return transaction;
  },

  statusOf,
  checkReference,
};

/** The indexer's transactions, with the round up to which it knows them. */
async function transactionsOf(transport: ChainTransport, query: string): Promise<{ found: unknown[]; round: number }> {
  const found: unknown[] = [];
  let next = '';
  let round = Number.MAX_SAFE_INTEGER;
  for (let page = 0; page < PAGES_MAX; page += 1) {
    const path = `/indexer/v2/transactions?${query}&limit=${PAGE_TRANSACTIONS}${next}`;
    const listed = answerOf(Page, await transport.get(path), 'transactions');
    round = Math.min(round, listed['current-round']);
    found.push(...listed.transactions);
    const token = listed['next-token'];
    if (token === undefined || listed.transactions.length === 0) return { found, round };
    next = `&next=${encodeURIComponent(token)}`;
  }
  throw new Error('more transactions than are read');
}

async function deposits({ vault, transport }: ChainView, commitment: string, from: string | null): Promise<Deposit[]> {
  const address = algorandAddressOf(vault.keys.groupKey);
  const note = Buffer.from(commitment).toString('base64');
  const query = new URLSearchParams({ address, 'note-prefix': note });
  const { found } = await transactionsOf(transport, query.toString());
  return found
    .map((one) => Transfer.safeParse(one))
    .flatMap(({ data }) => (data === undefined ? [] : [data]))
    .filter((one) => one.note === note && one.sender === (from ?? one.sender) && one.sender !== address)
    .map((one) => ({ one, amount: received(one, address, vault.token) }))
    .filter(({ amount }) => amount > 0)
    .sort((a, b) => a.one['confirmed-round'] - b.one['confirmed-round'])
    .slice(0, DEPOSITS_MAX)
    .map(({ one, amount }) => ({
      reference: one.id,
      amount: String(amount),
      confirmations: 1,
      payer: one.sender,
    }));
}

/** What came to an address, with what was left of an account that closed to it. */
function received(transfer: Transfer, address: string, token: string | null): number {
  if (token === null) {
    const payment = transfer['payment-transaction'];
    if (payment === undefined) return 0;
    const rest = payment['close-remainder-to'] === address ? payment['close-amount'] : 0;
    return (payment.receiver === address ? payment.amount : 0) + rest;
  }
  const payment = transfer['asset-transfer-transaction'];
  if (payment === undefined || BigInt(payment['asset-id']) !== algorandAsset(token)) return 0;
  const rest = payment['close-to'] === address ? payment['close-amount'] : 0;
  return (payment.receiver === address ? payment.amount : 0) + rest;
}

async function requireFunds(
  { vault, transport }: ChainView,
  { amount, kind }: Omit<PaymentOrder, 'reference'>,
  fee: bigint,
): Promise<void> {
  const address = algorandAddressOf(vault.keys.groupKey);
  const account = answerOf(Account, await transport.get(`/algod/v2/accounts/${address}`), 'an account');
  const pays = kind === 'cancel' ? 0n : wholeUnits(amount, U64_MAX);
  const needed = fee + BigInt(account['min-balance']) + (vault.token === null ? pays : 0n);
  if (BigInt(account.amount) < needed)
    throw new InsufficientFunds(`the vault has ${account.amount} microalgos of ${needed}`);
  if (vault.token === null || kind === 'cancel') return;
  const asset = algorandAsset(vault.token);
  const held = account.assets.find((one) => BigInt(one['asset-id']) === asset)?.amount ?? 0;
  if (BigInt(Math.floor(held)) < pays) throw new InsufficientFunds(`the vault has ${held} of ${pays}`);
}

/**
 * The transaction that used the lease, or that none can any more: the indexer knows all rounds of it, and there was none. Only the vault's own transactions of those
 * rounds are read. One that could wait for fewer rounds gives the lease back before they are over: the payment may land after it.
 */
async function statusOf({ vault, transport }: ChainView, order: PaymentOrder): Promise<PaymentStatus> {
  const { first, last } = ALGORAND_REFERENCE.read(order.reference);
  const id = algorandPayment(vault, order).txID();
  const address = algorandAddressOf(vault.keys.groupKey);
  const query = new URLSearchParams({ address, 'address-role': 'sender', 'min-round': first, 'max-round': last });
  const { found, round } = await transactionsOf(transport, query.toString());
  const lease = Buffer.from(order.commitment, 'hex').toString('base64');
  const sent = answerOf(z.array(Leased), found, 'transactions');
  const holders = sent.filter((one) => one.sender === address && one.lease === lease);
  const spender =
    holders.find((one) => one.id === id) ?? holders.find((one) => BigInt(one['last-valid']) >= BigInt(last));
  if (spender !== undefined) return spentBy(order, { isThis: spender.id === id, hasFailed: false }, spender.id, 1);
  if (BigInt(round) <= BigInt(last)) return { state: 'unspent' };
  return { state: 'void', transaction: `none until round ${last}`, confirmations: round - Number(last) };
}

async function checkReference({ transport }: ChainView, { reference }: PaymentOrder): Promise<ReferenceCheck> {
  const { first, last, genesis } = ALGORAND_REFERENCE.read(reference);
  const params = answerOf(Params, await transport.get('/algod/v2/transactions/params'), 'transactions/params');
  const own = Buffer.from(params['genesis-hash'], 'base64').toString('hex');
  return checkedReference(
    neverSo(genesis === own, 'another network'),
    notSo(BigInt(first) <= BigInt(params['last-round']) + ROUNDS_AHEAD_MAX, 'its rounds are far ahead'),
    // Whoever signed one of other rounds before this rule can be told by its rounds alone: they end.
    notSo(BigInt(last) - BigInt(first) === ROUNDS_MAX, 'it has another number of rounds'),
  );
}
