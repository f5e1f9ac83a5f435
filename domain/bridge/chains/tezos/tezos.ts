import { bytesToHex } from '@noble/curves/utils.js';
import { z } from 'zod';
import { answerOf } from '../accounts/answer-of.ts';
import { groupSignature } from '../accounts/group-signature.ts';
import { nextNumber } from '../accounts/next-number.ts';
import { ofSameAccount } from '../accounts/of-same-account.ts';
import { fromOf } from '../accounts/paying-account.ts';
import { transferKey, vaultKey } from '../accounts/paying-key.ts';
import { requireCoin } from '../accounts/require-coin.ts';
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
} from '../chain-adapter.ts';
import { checkedReference, farAhead, neverSo } from '../reference-check.ts';
import {
  isTezosAddress,
  MUTEZ_MAX,
  operationHash,
  TEZOS_REFERENCE,
  TRANSFER_FEE,
  tezosAddressOf,
  tezosPayment,
} from './tezos-payment.ts';

const DEPOSITS_MAX = 20;
/** A block is final under two others: what is read is so deep. */
const BLOCKS_ABOVE = 2;
/** More blocks than any protocol lets an operation wait. */
const LIFETIME_BLOCKS = 1_000;
const CHAIN_OF_MAINNET = 'NetXdQprcVkpaWU';

const Digits = z.string().regex(/^[0-9]{1,20}$/);
const Header = z.object({ hash: z.string(), level: z.int().positive(), chain_id: z.string() });
const Transactions = z.array(
  z.object({
    hash: z.string(),
    counter: z.int().nonnegative(),
    nonce: z.int().nullish(),
    level: z.int().positive(),
    status: z.string(),
    amount: z.int().nonnegative(),
    sender: z.object({ address: z.string() }),
    target: z.object({ address: z.string() }).nullish(),
    initiator: z.object({ address: z.string() }).nullish(),
  }),
);

/**
 * Tezos, with its own coin, by a node under `/rpc` and the indexer TzKT under `/tzkt`. Each transfer has an account of its own, and what comes to it is read one by one; a
 * payment uses a counter for some blocks.
 */
export const tezos: ChainAdapter = {
  scheme: 'frost-ed25519',
  confirmations: BLOCKS_ABOVE + 1,

  addressOf: (text, network) => (isTezosAddress(text, network) ? text : null),
  payeeFault: async ({ vault }, to) => (to === tezosAddressOf(vault.keys.groupKey) ? 'own' : null),

  countsBy: ({ keys }) => tezosAddressOf(keys.groupKey),

  depositPlace: ({ vault }, commitment, amount) => {
    requireCoin(vault);
    wholeUnits(amount, JSON_UNITS_MAX);
    return { address: tezosAddressOf(transferKey(vault, commitment).key), memo: null, call: null };
  },

  deposits,

  async sweepable({ vault, transport }, commitment) {
    const address = tezosAddressOf(transferKey(vault, commitment).key);
    return String(await balanceOf(transport, (await finalHeader(transport)).hash, address));
  },

  async referenceFor({ vault, transport }, order, taken) {
    requireCoin(vault);
    const from = fromOf(order.kind);
    const { key } = from === 'vault' ? vaultKey(vault) : transferKey(vault, order.commitment);
    const header = await finalHeader(transport);
    if ((vault.network === 'mainnet') !== (header.chain_id === CHAIN_OF_MAINNET))
      throw new Error('the node is of another network');
    const contract = `/rpc/chains/main/blocks/${header.hash}/context/contracts/${tezosAddressOf(key)}`;
    const balance = await balanceOf(transport, header.hash, tezosAddressOf(key));
    const needed = wholeUnits(order.amount, MUTEZ_MAX) + (from === 'vault' ? TRANSFER_FEE : 0n);
    if (balance < needed) throw new InsufficientFunds(`the account has ${balance} mutez of ${needed}`);
    const counter = answerOf(Digits, await transport.get(`${contract}/counter`), 'counter');
    const managerKey = answerOf(z.string().nullable(), await transport.get(`${contract}/manager_key`), 'manager_key');
    // A counter whose payment can land no more is free again: those after it wait for it.
    const own = ofSameAccount(from, TEZOS_REFERENCE.readAll(taken)).filter(
      (one) => Number(one.level) + LIFETIME_BLOCKS >= header.level,
    );
    const used = own.flatMap((one) =>
      one.reveals === 'yes' ? [one.counter, String(BigInt(one.counter) + 1n)] : [one.counter],
    );
    return TEZOS_REFERENCE.write({
      from,
      counter: nextNumber(BigInt(counter) + 1n, used),
      reveals: managerKey === null && own.length === 0 ? 'yes' : 'no',
      branch: header.hash,
      level: String(header.level),
    });
  },

  build(vault, order) {
    requireCoin(vault);
    const { digest, paying } = tezosPayment(vault, order);
    return { messages: [{ bytes: bytesToHex(digest), tweak: paying.tweak }] };
  },

  complete(vault, order, signatures) {
    requireCoin(vault);
    const { digest, paying, bytes } = tezosPayment(vault, order);
    const raw = `${bytes}${bytesToHex(groupSignature(signatures, digest, paying.key))}`;
    return { raw, transaction: operationHash(raw) };
  },

  /** A counter that is gone was used by this payment or another: the status says which. */
  async broadcast({ transport }, { raw, transaction }) {
    if (transaction === null) throw new RangeError('a payment without its signature');
    try {
      await transport.post('/rpc/injection/operation', raw);
    } catch (refusal) {
      const isUsed =
        refusal instanceof RpcRefusal &&
        /counter_in_the_past|already_applied|already present|previously_revealed_key/.test(refusal.message);
      if (!isUsed) throw refusal;
    }
    return transaction;
  },

  statusOf,
  checkReference,
};

/** The newest block that is final. */
async function finalHeader(transport: ChainTransport): Promise<z.infer<typeof Header>> {
  return answerOf(Header, await transport.get(`/rpc/chains/main/blocks/head~${BLOCKS_ABOVE}/header`), 'header');
}

async function balanceOf(transport: ChainTransport, block: string, address: string): Promise<bigint> {
  const path = `/rpc/chains/main/blocks/${block}/context/contracts/${address}/balance`;
  return BigInt(answerOf(Digits, await transport.get(path), 'balance'));
}

async function deposits({ vault, transport }: ChainView, commitment: string, from: string | null): Promise<Deposit[]> {
  const address = tezosAddressOf(transferKey(vault, commitment).key);
  if (from !== null && (!isTezosAddress(from, vault.network) || from === address)) return [];
  const sender = from === null ? '' : `&sender=${from}`;
  const query = `target=${address}${sender}&status=applied&amount.gt=0&sort.asc=id&limit=${DEPOSITS_MAX}`;
  const answer = await transport.get(`/tzkt/v1/operations/transactions?${query}`);
  const found = answerOf(Transactions, answer, 'operations/transactions').filter(
    (one) =>
      one.status === 'applied' &&
      one.target?.address === address &&
      one.sender.address === (from ?? one.sender.address) &&
      one.sender.address !== address &&
      one.amount > 0,
  );
  if (found.length === 0) return [];
  const head = (await finalHeader(transport)).level + BLOCKS_ABOVE;
  return found.slice(0, DEPOSITS_MAX).map(({ hash, counter, nonce, amount, level, sender: { address: payer } }) => ({
    reference: `${hash}:${counter}:${nonce ?? 0}`,
    amount: String(amount),
    confirmations: Math.max(0, head - level + 1),
    payer,
  }));
}

/**
 * The account's counter in a final block says whether this one was used; a counter that was not, in a block after the payment's time, says that nothing can use it any more
 * with this reference. The indexer says only by what.
 */
async function statusOf({ vault, transport }: ChainView, order: PaymentOrder): Promise<PaymentStatus> {
  const { level } = TEZOS_REFERENCE.read(order.reference);
  const payment = tezosPayment(vault, order);
  const address = tezosAddressOf(payment.paying.key);
  const header = await finalHeader(transport);
  const path = `/rpc/chains/main/blocks/${header.hash}/context/contracts/${address}/counter`;
  const counter = answerOf(Digits, await transport.get(path), 'counter');
  if (BigInt(counter) < BigInt(payment.counter)) {
    const past = header.level - Number(level) - LIFETIME_BLOCKS;
    if (past <= 0) return { state: 'unspent' };
    return { state: 'void', transaction: `none until level ${header.level}`, confirmations: BLOCKS_ABOVE + past };
  }
  const query = `sender=${address}&counter=${payment.counter}&limit=10`;
  const answer = await transport.get(`/tzkt/v1/operations/transactions?${query}`);
  const spender = answerOf(Transactions, answer, 'operations/transactions').find(
    (one) => one.sender.address === address && String(one.counter) === payment.counter && one.initiator == null,
  );
  if (spender === undefined) throw new Error('no operation is known that used the counter');
  // A counter that is free again may have been used by another payment of the same amount to the same account.
  const isInTime = spender.level > Number(level) && spender.level <= Number(level) + LIFETIME_BLOCKS;
  const isThis = isInTime && spender.target?.address === payment.to && BigInt(spender.amount) === payment.amount;
  const confirmations = header.level + BLOCKS_ABOVE - spender.level + 1;
  return spentBy(order, { isThis, hasFailed: spender.status !== 'applied' }, spender.hash, confirmations);
}

/** The level is what the payment's time is counted by: with a lower one it would seem void while it can still land. */
async function checkReference(
  { vault, transport }: ChainView,
  { reference, commitment }: PaymentOrder,
): Promise<ReferenceCheck> {
  const { from, counter, branch, level } = TEZOS_REFERENCE.read(reference);
  const { key } = from === 'vault' ? vaultKey(vault) : transferKey(vault, commitment);
  const named = answerOf(Header, await transport.get(`/rpc/chains/main/blocks/${branch}/header`), 'header');
  const { hash } = await finalHeader(transport);
  const path = `/rpc/chains/main/blocks/${hash}/context/contracts/${tezosAddressOf(key)}/counter`;
  const used = answerOf(Digits, await transport.get(path), 'counter');
  return checkedReference(
    neverSo(named.hash === branch && String(named.level) === level, 'its block has another level'),
    neverSo((vault.network === 'mainnet') === (named.chain_id === CHAIN_OF_MAINNET), 'another network'),
    farAhead(counter, BigInt(used)),
  );
}
