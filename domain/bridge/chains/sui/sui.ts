import { bytesToHex } from '@noble/curves/utils.js';
import { z } from 'zod';
import { answerOf } from '../accounts/answer-of.ts';
import { boundedFee } from '../accounts/bounded-fee.ts';
import { groupSignature } from '../accounts/group-signature.ts';
import { fromOf } from '../accounts/paying-account.ts';
import { transferKey, vaultKey } from '../accounts/paying-key.ts';
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
} from '../chain-adapter.ts';
import { checkedReference, notSo, sweepFeeFault } from '../reference-check.ts';
import {
  COINS_MAX,
  coinsOf,
  coinText,
  GAS_BUDGET,
  isSuiAddress,
  PRICE_MAX,
  SUI_REFERENCE,
  type SuiCoin,
  suiAddressOf,
  suiPayment,
  suiSignature,
  U64_MAX,
} from './sui-payment.ts';
import { COINS, EXECUTE, OBJECT, RECEIVED, USE } from './sui-queries.ts';

const DEPOSITS_MAX = 20;
/** Pages of an address's transactions, or of its coins. */
const PAGES_MAX = 20;
const SUI = `0x${'0'.repeat(63)}2::sui::SUI`;
const COIN = `0x${'0'.repeat(63)}2::coin::Coin<${SUI}>`;

const PageInfo = z.object({ hasNextPage: z.boolean(), endCursor: z.string().nullable() });
const Digits = z.string().regex(/^[0-9]{1,20}$/);
const Coins = z.object({
  epoch: z.object({ epochId: z.int().nonnegative(), referenceGasPrice: Digits }),
  address: z
    .object({
      objects: z.object({
        pageInfo: PageInfo,
        nodes: z.array(
          z.object({
            address: z.string(),
            version: z.int().positive(),
            digest: z.string(),
            contents: z.object({ json: z.object({ balance: Digits }) }),
          }),
        ),
      }),
    })
    .nullable(),
});
const Received = z.object({
  transactions: z.object({ pageInfo: PageInfo, nodes: z.array(z.unknown()) }),
});
const Transaction = z.object({
  digest: z.string(),
  sender: z.object({ address: z.string() }).nullable(),
  effects: z.object({
    status: z.string(),
    checkpoint: z.object({ sequenceNumber: z.int().nonnegative() }),
    balanceChanges: z.object({
      nodes: z.array(
        z.object({
          amount: z.string().regex(/^-?[0-9]{1,20}$/),
          owner: z.object({ address: z.string() }).nullable(),
          coinType: z.object({ repr: z.string() }),
        }),
      ),
    }),
    objectChanges: z.object({ nodes: z.array(z.object({ outputState: z.unknown() })) }),
  }),
});
/** A coin of ours that an address owns alone; whatever else an object is has another shape. */
const OwnedCoin = z.object({
  owner: z.object({ address: z.object({ address: z.string() }) }),
  asMoveObject: z.object({
    contents: z.object({ type: z.object({ repr: z.literal(COIN) }), json: z.object({ balance: Digits }) }),
  }),
});
const Use = z.object({
  epoch: z.object({ epochId: z.int().nonnegative() }),
  object: z.object({
    objectVersionsAfter: z.object({
      nodes: z.array(
        z.object({ previousTransaction: z.object({ digest: z.string(), effects: z.object({ status: z.string() }) }) }),
      ),
    }),
  }),
});
const Known = z.object({ object: z.object({ address: z.string() }).nullable() });
const Executed = z.object({ executeTransaction: z.object({ effects: z.object({ status: z.string() }) }) });
const Answer = z.object({
  data: z.unknown().optional(),
  errors: z.array(z.object({ message: z.string() })).optional(),
});

/**
 * Sui, with its own coin, by GraphQL. Each transfer has an account of its own, and what comes to it is read one by one; a payment uses versions of coins, until an epoch
 * ends. What is in a checkpoint is final.
 */
export const sui: ChainAdapter = {
  scheme: 'frost-ed25519',
  confirmations: 1,

  addressOf: (text, network) => (isSuiAddress(text, network) ? text : null),

  /** What an object's address is sent, the object's owner cannot take out unless its program says so. */
  async payeeFault({ vault, transport }, to) {
    if (to === suiAddressOf(vault.keys.groupKey)) return 'own';
    const { object } = answerOf(Known, await ask(transport, OBJECT, { address: to }), 'an object');
    return object === null ? null : 'program';
  },

  countsBy: ({ keys }) => suiAddressOf(keys.groupKey),

  depositPlace: ({ vault }, commitment, amount) => {
    requireCoin(vault);
    wholeUnits(amount, U64_MAX);
    return { address: suiAddressOf(transferKey(vault, commitment).key), memo: null, call: null };
  },

  deposits,

  async sweepable({ vault, transport }, commitment) {
    const { free } = await coinsAt(transport, suiAddressOf(transferKey(vault, commitment).key), new Set());
    return String(sumOf(free.slice(0, COINS_MAX)));
  },

  async referenceFor({ vault, transport }, order, taken) {
    requireCoin(vault);
    const from = fromOf(order.kind);
    const { key } = from === 'vault' ? vaultKey(vault) : transferKey(vault, order.commitment);
    const needed = wholeUnits(order.amount, U64_MAX) + (from === 'vault' ? GAS_BUDGET : 0n);
    const used = new Set(SUI_REFERENCE.readAll(taken).flatMap(({ coins }) => coins.split(',')));
    const { coins, price, epoch } = await freeCoins(transport, suiAddressOf(key), used, needed);
    return SUI_REFERENCE.write({
      from,
      coins: coins.map(coinText).join(','),
      price: String(boundedFee(price, 1n, PRICE_MAX)),
      // This epoch may end in a moment.
      epoch: String(epoch + 1),
    });
  },

  build(vault, order) {
    requireCoin(vault);
    const { message, paying } = suiPayment(vault, order);
    return { messages: [{ bytes: bytesToHex(message), tweak: paying.tweak }] };
  },

  complete(vault, order, signatures) {
    requireCoin(vault);
    const { message, paying, bytes, digest } = suiPayment(vault, order);
    const signature = suiSignature(groupSignature(signatures, message, paying.key), paying.key);
    const raw = [bytes, signature].map((part) => Buffer.from(part).toString('base64')).join(' ');
    return { raw, transaction: digest };
  },

  async broadcast({ transport }, { raw, transaction }) {
    if (transaction === null) throw new RangeError('a payment without its signature');
    const [bytes, signature] = raw.split(' ');
    answerOf(Executed, await ask(transport, EXECUTE, { transaction: bytes, signatures: [signature] }), 'a payment');
    return transaction;
  },

  statusOf,
  checkReference,
};

async function ask(transport: ChainTransport, query: string, variables: object): Promise<unknown> {
  const { data, errors } = answerOf(Answer, await transport.post('/graphql', { query, variables }), 'a query');
  const [error] = errors ?? [];
  if (error !== undefined) throw new RpcRefusal(0, error.message);
  return data;
}

interface OwnCoin {
  readonly coin: SuiCoin;
  readonly balance: bigint;
}

/** The coins that no other payment uses, the largest first. */
async function coinsAt(
  transport: ChainTransport,
  owner: string,
  used: ReadonlySet<string>,
): Promise<{ free: readonly OwnCoin[]; price: bigint; epoch: number }> {
  const free: { coin: SuiCoin; balance: bigint }[] = [];
  let after: string | null = null;
  let at: z.infer<typeof Coins>['epoch'] = { epochId: 0, referenceGasPrice: '0' };
  for (let page = 0; page < PAGES_MAX && (page === 0 || after !== null); page += 1) {
    const answer: z.infer<typeof Coins> = answerOf(Coins, await ask(transport, COINS, { owner, after }), 'coins');
    for (const { address: objectId, version, digest, contents } of answer.address?.objects.nodes ?? []) {
      const coin = { objectId, version: String(version), digest };
      if (!used.has(coinText(coin))) free.push({ coin, balance: BigInt(contents.json.balance) });
    }
    at = answer.epoch;
    const pageInfo = answer.address?.objects.pageInfo;
    after = pageInfo?.hasNextPage ? pageInfo.endCursor : null;
  }
  free.sort((a, b) => (a.balance > b.balance ? -1 : 1));
  return { free, price: BigInt(at.referenceGasPrice), epoch: at.epochId };
}

/**
 * Coins that are enough: as few as reach, the largest first. Where more lie there than a payment takes, the smallest come along and become one: each sweep leaves a coin of the size of its deposit in the vault, and the
 * largest alone would not reach for a large payout.
 */
async function freeCoins(
  transport: ChainTransport,
  owner: string,
  used: ReadonlySet<string>,
  needed: bigint,
): Promise<{ coins: SuiCoin[]; price: bigint; epoch: number }> {
  const { free, price, epoch } = await coinsAt(transport, owner, used);
  const count = countThatReaches(free.slice(0, COINS_MAX), needed);
  if (count === null) throw new InsufficientFunds(`the account has no ${COINS_MAX} free coins of ${needed}`);
  const along = free.length > COINS_MAX ? free.slice(count).slice(count - COINS_MAX) : [];
  const taken = count === COINS_MAX ? free.slice(0, count) : [...free.slice(0, count), ...along];
  return { coins: taken.map(({ coin }) => coin), price, epoch };
}

function sumOf(coins: readonly OwnCoin[]): bigint {
  return coins.reduce((sum, { balance }) => sum + balance, 0n);
}

function countThatReaches(coins: readonly { balance: bigint }[], needed: bigint): number | null {
  let sum = 0n;
  for (const [index, { balance }] of coins.entries()) {
    sum += balance;
    if (sum >= needed) return index + 1;
  }
  return null;
}

async function deposits({ vault, transport }: ChainView, commitment: string, from: string | null): Promise<Deposit[]> {
  const owner = suiAddressOf(transferKey(vault, commitment).key);
  const found: Deposit[] = [];
  let after: string | null = null;
  for (let page = 0; page < PAGES_MAX && found.length < DEPOSITS_MAX; page += 1) {
    const { transactions }: z.infer<typeof Received> = answerOf(
      Received,
      await ask(transport, RECEIVED, { owner, after }),
      'transactions',
    );
    for (const one of transactions.nodes) {
      const { data } = Transaction.safeParse(one);
      if (data === undefined || data.effects.status !== 'SUCCESS') continue;
      const payer = data.sender?.address;
      if (payer === undefined || payer !== (from ?? payer) || payer === owner) continue;
      const changes = data.effects.balanceChanges.nodes.filter(
        (change) => change.owner?.address === owner && change.coinType.repr === SUI,
      );
      const changed = changes.reduce((sum, change) => sum + BigInt(change.amount), 0n);
      // What came otherwise, or in more coins than are told, can be neither swept nor given back: it is no part of the deposit.
      const amount = changed > 0n ? coinsLeft(data, owner) : 0n;
      if (amount > 0n) found.push({ reference: data.digest, amount: String(amount), confirmations: 1, payer });
    }
    after = transactions.pageInfo.endCursor;
    if (!transactions.pageInfo.hasNextPage || after === null) return found.slice(0, DEPOSITS_MAX);
  }
  if (found.length === 0) throw new SearchCut();
  return found.slice(0, DEPOSITS_MAX);
}

/** What the coins of an owner come to that a transaction has left, of those that are told. */
function coinsLeft({ effects }: z.infer<typeof Transaction>, owner: string): bigint {
  return effects.objectChanges.nodes.reduce((sum, { outputState }) => {
    const { data } = OwnedCoin.safeParse(outputState);
    return data?.owner.address.address === owner ? sum + BigInt(data.asMoveObject.contents.json.balance) : sum;
  }, 0n);
}

/**
 * The transaction that made the next version of the first coin is what used the reference. Where there is none after the payment's last epoch, nothing can use that version
 * with this reference any more: the answer is of one moment.
 */
async function statusOf({ vault, transport }: ChainView, order: PaymentOrder): Promise<PaymentStatus> {
  const reference = SUI_REFERENCE.read(order.reference);
  const { digest } = suiPayment(vault, order);
  const [coin] = coinsOf(reference.coins);
  const variables = { coin: coin?.objectId, version: Number(coin?.version) };
  const { epoch, object } = answerOf(Use, await ask(transport, USE, variables), "a coin's versions");
  const [next] = object.objectVersionsAfter.nodes;
  if (next !== undefined) {
    const { digest: user, effects } = next.previousTransaction;
    return spentBy(order, { isThis: user === digest, hasFailed: effects.status !== 'SUCCESS' }, user, 1);
  }
  const past = epoch.epochId - Number(reference.epoch);
  if (past <= 0) return { state: 'unspent' };
  return { state: 'void', transaction: `none until epoch ${epoch.epochId}`, confirmations: past };
}

/**
 * Coins of a payment are not held against the chain: it takes no transaction that spends what is not the sender's, or another version of it. A sweep names enough of those that are there: one that fails would cost its gas, and
 * could be ordered again.
 */
async function checkReference(
  { vault, transport }: ChainView,
  { kind, reference, commitment, amount }: PaymentOrder,
): Promise<ReferenceCheck> {
  const { from, epoch, coins, price } = SUI_REFERENCE.read(reference);
  const { key } = from === 'vault' ? vaultKey(vault) : transferKey(vault, commitment);
  const now = await coinsAt(transport, suiAddressOf(key), new Set());
  const isInTime = notSo(BigInt(epoch) <= BigInt(now.epoch) + 1n, 'it lasts longer than payments do');
  if (kind !== 'sweep') return checkedReference(isInTime);
  const named = coinsOf(coins).map(coinText);
  const isThere = sumOf(now.free.filter(({ coin }) => named.includes(coinText(coin)))) >= BigInt(amount);
  return checkedReference(isInTime, notSo(isThere, 'its coins are not there'), sweepFeeFault(BigInt(price), now.price));
}
