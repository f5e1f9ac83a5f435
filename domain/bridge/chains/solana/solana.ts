import { bytesToHex } from '@noble/curves/utils.js';
import { type Address, address, getBase58Decoder, isAddress } from '@solana/kit';
import { z } from 'zod';
import { answerOf } from '../accounts/answer-of.ts';
import { boundedFee } from '../accounts/bounded-fee.ts';
import { groupSignature } from '../accounts/group-signature.ts';
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
import { checkedReference, notSo } from '../reference-check.ts';
import { freeNonce, readNonces } from './nonce-accounts.ts';
import { COMPUTE_UNITS, SIGNATURE_FEE, SOLANA_REFERENCE, solanaMessage, UNIT_PRICE_MAX } from './solana-message.ts';
import { solanaPayeeFault } from './solana-payee.ts';
import { addressFrom, associatedTokenAccount, TOKEN_PROGRAM, walletAddress } from './solana-programs.ts';
import { type SolanaTransaction, solanaTransaction } from './solana-transaction.ts';

/** Blocks after which one is final: what a final transaction is said to have. */
const FINAL_CONFIRMATIONS = 32;
const DEPOSITS_MAX = 20;
/** Transactions that name a commitment and are read for it. */
const CANDIDATES_MAX = 800;
/** Of more, the payer's own list is asked for as well. */
const CANDIDATES_FEW = 40;
const CANDIDATES_AT_ONCE = 20;
/** Pages of 1,000 signatures that a deposit is looked for in. */
const PAGES_MAX = 20;
const PAGE_SIGNATURES = 1_000;
/** Transactions that are read to find which used a nonce, and how many of them at once. */
const SPENDERS_MAX = 800;
const SPENDERS_AT_ONCE = 10;
/** What an account has to keep, in lamports: of a wallet, and of a token account. */
const WALLET_RENT = 890_880n;
const TOKEN_ACCOUNT_RENT = 2_039_280n;
const U64_MAX = 2n ** 64n - 1n;

const Signatures = z.array(
  z.object({
    signature: z.string().regex(/^[1-9A-HJ-NP-Za-km-z]{64,88}$/),
    slot: z.int().nonnegative(),
    err: z.unknown(),
    memo: z.string().nullable(),
    confirmationStatus: z.string().nullish(),
  }),
);
type Signatures = z.infer<typeof Signatures>;
const Balance = z.object({ value: z.int().nonnegative() });
const TokenBalance = z.object({ value: z.object({ amount: z.string() }) });
const MintAccount = z.object({ value: z.object({ owner: z.string(), data: z.unknown() }).nullable() });
const Mint = z.object({
  parsed: z.object({ type: z.literal('mint'), info: z.object({ decimals: z.int().min(0).max(30) }) }),
});
const Fees = z.array(z.object({ prioritizationFee: z.int().nonnegative() }));

/**
 * Solana, with SOL and tokens of the first token program. A deposit carries its commitment in a memo; a payment uses a durable nonce, which lets one transaction
 * through and never expires.
 */
export const solana: ChainAdapter = {
  scheme: 'frost-ed25519',
  confirmations: FINAL_CONFIRMATIONS,

  addressOf: walletAddress,

  payeeFault: async ({ vault, transport }, to) =>
    to === vaultAddress(vault) || to === vault.token ? 'own' : solanaPayeeFault(transport, to),

  async readDecimals(view) {
    const { token } = view.vault;
    if (token === null) return null;
    if (!isAddress(token)) throw new RangeError('no mint of Solana');
    const answer = await view.transport.rpc('getAccountInfo', [
      token,
      { encoding: 'jsonParsed', commitment: 'finalized' },
    ]);
    const { value } = answerOf(MintAccount, answer, 'getAccountInfo');
    const mint = Mint.safeParse(value?.data);
    if (value?.owner !== TOKEN_PROGRAM || !mint.success) throw new RangeError('no mint of the first token program');
    return mint.data.parsed.info.decimals;
  },

  countsBy: vaultAddress,

  depositPlace: ({ vault }, commitment, amount) => {
    wholeUnits(amount, U64_MAX);
    return { address: vaultAddress(vault), memo: commitment, call: null };
  },

  deposits,

  async referenceFor(view, order, taken) {
    const { vault, transport } = view;
    await requireFunds(view, order);
    const used = SOLANA_REFERENCE.readAll(taken).map(({ nonce }) => nonce);
    const owner = vaultAddress(vault);
    const { account, nonce } = await freeNonce(transport, view.relayer, owner, (value) => used.includes(value));
    const unitPrice = boundedFee(await medianPrice(transport, owner), 0n, UNIT_PRICE_MAX);
    return SOLANA_REFERENCE.write({ nonceAccount: account, nonce, unitPrice: String(unitPrice) });
  },

  build: (vault, order) => ({ messages: [{ bytes: bytesToHex(solanaMessage(vault, order)), tweak: null }] }),

  complete(vault, order, signatures) {
    const message = solanaMessage(vault, order);
    const signature = groupSignature(signatures, message, vault.keys.groupKey);
    const wire = Buffer.concat([Uint8Array.of(1), signature, message]);
    return { raw: wire.toString('base64'), transaction: getBase58Decoder().decode(signature) };
  },

  /** Without a trial run: a payment that fails uses its nonce and is void, one that is refused would stay open. */
  async broadcast({ transport }, { raw, transaction }) {
    try {
      await transport.rpc('sendTransaction', [raw, { encoding: 'base64', skipPreflight: true, maxRetries: 5 }]);
    } catch (refusal) {
      const isKnown = refusal instanceof RpcRefusal && /already (been )?processed/i.test(refusal.message);
      if (!isKnown) throw refusal;
    }
    if (transaction === null) throw new RangeError('a payment without its signature');
    return transaction;
  },

  statusOf,
  checkReference,
};

function vaultAddress({ keys }: Vault): Address {
  return addressFrom(Uint8Array.from(Buffer.from(keys.groupKey, 'hex')));
}

async function signatures({ transport }: ChainView, of: string, before: string | null): Promise<Signatures> {
  const options = { limit: PAGE_SIGNATURES, commitment: 'confirmed', ...(before === null ? {} : { before }) };
  const answer = await transport.rpc('getSignaturesForAddress', [of, options]);
  return answerOf(Signatures, answer, 'getSignaturesForAddress');
}

/**
 * A transaction counts that the payer has signed, and whose one memo is the commitment: with two, its amount would be two transfers'. It is looked for under the commitment first, which wallets add
 * as an account (`reference` of Solana Pay), and then in the vault's own transactions.
 */
async function deposits(view: ChainView, commitment: string, from: string | null): Promise<Deposit[]> {
  const { vault, transport } = view;
  const owner = vaultAddress(vault);
  if (from === owner) return [];
  const token = vault.token === null ? null : { mint: vault.token, owner };
  const account = vault.token === null ? owner : associatedTokenAccount(owner, address(vault.token));
  const candidates = new Map<string, Signatures[number]>();
  const marked = await signatures(view, addressFrom(Uint8Array.from(Buffer.from(commitment, 'hex'))), null);
  for (const one of marked) candidates.set(one.signature, one);
  let before: string | null = null;
  let isCut = true;
  for (let page = 0; page < PAGES_MAX && isCut; page += 1) {
    const listed: Signatures = await signatures(view, account, before);
    for (const one of listed) if (one.memo?.includes(commitment)) candidates.set(one.signature, one);
    before = listed.at(-1)?.signature ?? null;
    isCut = listed.length >= PAGE_SIGNATURES;
  }
  const named = [...candidates.values()].filter(
    ({ err, memo }) => (err ?? null) === null && memo?.includes(commitment),
  );
  const looked = (await payersFirst(view, named, from)).slice(0, CANDIDATES_MAX);
  const found: (Deposit & { readonly slot: number })[] = [];
  for (let first = 0; first < looked.length && found.length < DEPOSITS_MAX; first += CANDIDATES_AT_ONCE) {
    const some = looked.slice(first, first + CANDIDATES_AT_ONCE);
    const transactions = await Promise.all(some.map(({ signature }) => solanaTransaction(transport, signature)));
    for (const [index, { signature, slot, confirmationStatus }] of some.entries()) {
      const transaction = transactions[index] ?? null;
      if (transaction === null || transaction.hasFailed) continue;
      const { signers } = transaction;
      if (signers.includes(owner) || (from !== null && !signers.includes(from))) continue;
      if (transaction.memos.length !== 1 || transaction.memos[0] !== commitment) continue;
      const amount = transaction.gained(account, token);
      if (amount <= 0n) continue;
      // Of several signers, one may have paid the fee alone.
      const [only] = signers;
      const payer = only !== undefined && signers.length === 1 ? { payer: only } : {};
      const confirmations = confirmationsOf(confirmationStatus);
      found.push({ slot, reference: signature, amount: String(amount), confirmations, ...payer });
    }
  }
  if ((isCut || named.length > CANDIDATES_MAX) && found.length === 0) throw new SearchCut();
  return found
    .sort((one, other) => one.slot - other.slot)
    .slice(0, DEPOSITS_MAX)
    .map(({ slot: _, ...deposit }) => deposit);
}

/** Oldest first; of more than strangers would send by accident, those before that name the payer as well, so that others hide no deposit by the commitment alone. */
async function payersFirst(view: ChainView, named: Signatures, from: string | null): Promise<Signatures> {
  const oldestFirst = named.toSorted((a, b) => a.slot - b.slot);
  if (from === null || named.length <= CANDIDATES_FEW) return oldestFirst;
  const own = new Set((await signatures(view, from, null)).map(({ signature }) => signature));
  return [
    ...oldestFirst.filter(({ signature }) => own.has(signature)),
    ...oldestFirst.filter(({ signature }) => !own.has(signature)),
  ];
}

function confirmationsOf(status: string | null | undefined): number {
  return status === 'finalized' ? FINAL_CONFIRMATIONS : 1;
}

async function requireFunds(
  { vault, transport }: ChainView,
  { amount, kind }: Omit<PaymentOrder, 'reference'>,
): Promise<void> {
  const owner = vaultAddress(vault);
  const options = { commitment: 'confirmed' };
  const lamports = BigInt(answerOf(Balance, await transport.rpc('getBalance', [owner, options]), 'getBalance').value);
  const fee = SIGNATURE_FEE + (UNIT_PRICE_MAX * BigInt(COMPUTE_UNITS)) / 1_000_000n;
  const pays = kind === 'cancel' ? 0n : wholeUnits(amount, U64_MAX);
  const needed = fee + WALLET_RENT + (vault.token === null ? pays : TOKEN_ACCOUNT_RENT);
  if (lamports < needed) throw new InsufficientFunds(`the vault has ${lamports} lamports of ${needed}`);
  if (vault.token === null || kind === 'cancel') return;
  const account = associatedTokenAccount(owner, address(vault.token));
  const answer = await transport.rpc('getTokenAccountBalance', [account, options]);
  const tokens = wholeUnits(answerOf(TokenBalance, answer, 'getTokenAccountBalance').value.amount, U64_MAX, 0n);
  if (tokens < pays) throw new InsufficientFunds(`the vault has ${tokens} of ${pays}`);
}

/**
 * A nonce that is gone was used by a transaction of its account that the vault has signed: by this payment, which may have failed, or by another. Strangers name the account as well, and accounts that are advanced in one block have one
 * nonce: a transaction by a stranger's own says nothing of the vault's.
 */
async function statusOf(view: ChainView, order: PaymentOrder, known: readonly string[] = []): Promise<PaymentStatus> {
  const { vault, transport } = view;
  const { nonceAccount, nonce } = SOLANA_REFERENCE.read(order.reference);
  const [account, owner] = [address(nonceAccount), vaultAddress(vault)];
  const [current] = await readNonces(transport, [account], owner);
  if (current === nonce) return { state: 'unspent' };
  const message = solanaMessage(vault, order);
  const spentIn = (signature: string, transaction: SolanaTransaction | null, confirmations: number) => {
    if (transaction?.lifetime !== nonce || !transaction.signers.includes(owner)) return null;
    const isThis = bytesToHex(transaction.messageBytes) === bytesToHex(message);
    return spentBy(order, { isThis, hasFailed: transaction.hasFailed }, signature, confirmations);
  };
  for (const signature of known) {
    const final = await solanaTransaction(transport, signature, 'finalized');
    const transaction = final ?? (await solanaTransaction(transport, signature));
    const spent = spentIn(signature, transaction, confirmationsOf(final === null ? 'confirmed' : 'finalized'));
    if (spent !== null) return spent;
  }
  const listed = (await signatures(view, account, null)).slice(0, SPENDERS_MAX);
  for (let first = 0; first < listed.length; first += SPENDERS_AT_ONCE) {
    const some = listed.slice(first, first + SPENDERS_AT_ONCE);
    const transactions = await Promise.all(some.map(({ signature }) => solanaTransaction(transport, signature)));
    for (const [index, { signature, confirmationStatus }] of some.entries()) {
      const spent = spentIn(signature, transactions[index] ?? null, confirmationsOf(confirmationStatus));
      if (spent !== null) return spent;
    }
  }
  throw new Error('no transaction is known that used the nonce');
}

/** A nonce that is none, such as a block's hash, would let a payment through more than once. Whether it is used up, `statusOf` says. */
async function checkReference({ vault, transport }: ChainView, { reference }: PaymentOrder): Promise<ReferenceCheck> {
  const { nonceAccount } = SOLANA_REFERENCE.read(reference);
  const [nonce] = await readNonces(transport, [address(nonceAccount)], vaultAddress(vault));
  return checkedReference(
    // A node that is behind may not have it yet.
    notSo(nonce !== null && nonce !== undefined && nonce !== 'nothing', 'no nonce account of the vault'),
  );
}

async function medianPrice(transport: ChainTransport, owner: Address): Promise<bigint> {
  const answer = await transport.rpc('getRecentPrioritizationFees', [[owner]]);
  const fees = answerOf(Fees, answer, 'fees').map(({ prioritizationFee }) => prioritizationFee);
  return BigInt(fees.sort((a, b) => a - b)[Math.floor(fees.length / 2)] ?? 0);
}
