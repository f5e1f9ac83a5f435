import { hexToBytes } from '@noble/curves/utils.js';
import { boundedFee } from '../accounts/bounded-fee.ts';
import { groupSignature } from '../accounts/group-signature.ts';
import { inTurn } from '../accounts/in-turn.ts';
import { spentBy } from '../accounts/spent-by.ts';
import { wholeUnits } from '../accounts/whole-units.ts';
import {
  type ChainAdapter,
  type ChainView,
  type Deposit,
  InsufficientFunds,
  type MessageSignature,
  type PaymentOrder,
  type PaymentStatus,
  type ReferenceCheck,
  RpcRefusal,
  type SignedPayment,
  type Vault,
} from '../chain-adapter.ts';
import { checkedReference, neverSo, notSo } from '../reference-check.ts';
import { blockfrost } from './blockfrost.ts';
import { canonicalAddress } from './cardano-address.ts';
import { freeCoins, holdingOf, isChange, isOutpoint } from './cardano-coins.ts';
import { cardanoAddress, cardanoKey } from './cardano-key.ts';
import { cardanoPayeeFault } from './cardano-payee.ts';
import { cardanoPayment, LOVELACE_MAX, QUANTITY_MAX } from './cardano-payment.ts';
import {
  type CardanoReference,
  depositOf,
  outpoint,
  PRICES_MAX,
  PRICES_MIN,
  type ReferenceInput,
  type ReferenceOrigins,
  readReference,
  withOrigins,
} from './cardano-reference.ts';
import { tokenOf } from './cardano-token.ts';
import { type CardanoPrices, signedTransaction, transactionHash } from './cardano-transaction.ts';
import { chosenInputs } from './choose-inputs.ts';

/** 20 minutes. The protocol undoes no more than 2,160 blocks (security parameter k), half a day. */
const CONFIRMATIONS = 60;
const DEPOSITS_MAX = 20;
/** Deposits that are looked up by what whoever asks remembers, and by what a refund spends. */
const KNOWN_MAX = 40;
/** Prices of a reference are those of the own node, or one part in so many more. */
const PRICE_PARTS = 2;
/** What could not be given back by itself at the highest prices is no deposit, in lovelace. */
const DEPOSIT_MIN = 2_500_000n;
/** Transactions of a transfer's address that are looked at, oldest first. */
const TRANSACTIONS_MAX = 40;

/**
 * Cardano, with ADA and native tokens, by an indexer with the interface of Blockfrost. Each transfer has an address of its own, and a payment spends outputs, as on Bitcoin.
 *
 * Only outputs of the vault's asset alone (a token's with the ADA that has to come with it) and without a script count and are spent: nothing that a stranger adds to
 * an address can make a payment larger, dearer or invalid.
 */
export const cardano: ChainAdapter = {
  scheme: 'frost-ed25519',
  confirmations: CONFIRMATIONS,

  addressOf: canonicalAddress,

  payeeFault: async ({ vault, transport }, to) => cardanoPayeeFault(vault, blockfrost(transport), to),

  /** Those of a token stand in a register off the chain. */
  async readDecimals({ vault }) {
    tokenOf(vault);
    return null;
  },

  countsBy: (vault) => cardanoAddress(vault, null),

  depositPlace: ({ vault }, commitment, amount) => {
    if (tokenOf(vault) === null) wholeUnits(amount, LOVELACE_MAX, DEPOSIT_MIN);
    else wholeUnits(amount, QUANTITY_MAX);
    return { address: cardanoAddress(vault, commitment), memo: null, call: null };
  },

  deposits,

  async referenceFor(view, order, taken) {
    const { vault, transport } = view;
    const node = blockfrost(transport);
    const prices = pricesOf(await node.parameters());
    const used = new Set(taken.flatMap((text) => readReference(text).inputs.map(outpoint)));
    const free = new Map<string, ReferenceInput>();
    const look = depthsOf(node, await node.height());
    const isOther = (coin: ReferenceInput) =>
      order.kind === 'refund' &&
      coin.commitment !== null &&
      (countedOf(vault, coin) !== order.amount || [...free.values()].some((one) => isOtherDeposit(one, coin)));
    for await (const coins of freeCoins(view, order)) {
      for (const coin of coins) if (!used.has(outpoint(coin)) && !isOther(coin)) free.set(outpoint(coin), coin);
      for (;;) {
        const reference = chosenOf(() => chosenInputs(vault, order, [...free.values()], prices));
        if (reference === null) break;
        const chosen = readReference(reference);
        const deposit = order.kind === 'refund' ? depositOf(chosen) : undefined;
        // What goes back out of its deposit waits for that: signers sign once it is deep.
        const shallow: ReferenceInput[] = [];
        for (const coin of chosen.inputs)
          if ((deposit === undefined || coin.commitment === null) && (await look(coin.tx)) < deepOf(vault))
            shallow.push(coin);
        const young = order.kind === 'refund' ? undefined : shallow.find((coin) => isChange(view, coin))?.tx;
        const unfit = shallow.filter(({ tx }) => tx !== young);
        for (const coin of unfit) {
          used.add(outpoint(coin));
          free.delete(outpoint(coin));
        }
        if (unfit.length > 0) continue;
        const origin = deposit?.tx ?? young;
        if (origin === undefined) return reference;
        const spent = (await node.spentBy(origin)) ?? [];
        return withOrigins(
          reference,
          spent.map(({ tx_hash: tx, output_index: index }) => ({ tx, index })),
        );
      }
    }
    throw new InsufficientFunds('the vault has too little that is deep and free');
  },

  build(vault, order) {
    const { body, signers } = cardanoPayment(vault, order);
    const bytes = transactionHash(body);
    return { messages: signers.map((commitment) => ({ bytes, tweak: cardanoKey(vault, commitment).tweak })) };
  },

  complete,

  async broadcast({ transport }, { raw, transaction }) {
    if (transaction === null) throw new RangeError('a payment without its signature');
    const node = blockfrost(transport);
    try {
      return await node.send(hexToBytes(raw));
    } catch (error) {
      // One that the node has already is refused, as its inputs are spent.
      const isKnown =
        error instanceof RpcRefusal &&
        ((await node.transaction(transaction)) !== null || (await node.isWaiting(transaction)));
      if (isKnown) return transaction;
      throw error;
    }
  },

  statusOf,
  checkReference,
};

/** No less than the chain charges today, and no more than a signer builds: what cancels a payment has to land as well. */
function pricesOf(asked: { min_fee_a: number; min_fee_b: number; coins_per_utxo_size: string }): CardanoPrices {
  const bounded = (price: keyof CardanoPrices, wanted: bigint) =>
    Number(boundedFee(wanted, BigInt(PRICES_MIN[price]), BigInt(PRICES_MAX[price])));
  return {
    feePerByte: bounded('feePerByte', BigInt(asked.min_fee_a)),
    feeFixed: bounded('feeFixed', BigInt(asked.min_fee_b)),
    coinsPerByte: bounded('coinsPerByte', BigInt(asked.coins_per_utxo_size)),
  };
}

/** Blocks that a coin has to be deep in before it is taken for granted. */
function deepOf({ network }: Pick<Vault, 'network'>): number {
  return network === 'local' ? 1 : CONFIRMATIONS;
}

/** How deep transactions are, each looked up once; 0 of one that is in no block. */
function depthsOf(node: ReturnType<typeof blockfrost>, height: number): (tx: string) => Promise<number> {
  const known = new Map<string, number>();
  return async (tx) => {
    const depth = known.get(tx) ?? Math.max(0, height - ((await node.transaction(tx))?.block_height ?? height + 1) + 1);
    known.set(tx, depth);
    return depth;
  };
}

/** How much of the vault's asset a coin is. */
function countedOf({ token }: Pick<Vault, 'token'>, { lovelace, quantity }: ReferenceInput): string {
  return token === null ? lovelace : quantity;
}

/** A refund spends one deposit: what else has come stays where it is. */
function isOtherDeposit(one: ReferenceInput, coin: ReferenceInput): boolean {
  return one.commitment !== null && outpoint(one) !== outpoint(coin);
}

/** Null where all that was found is too little: more may be found. */
function chosenOf(choose: () => string): string | null {
  try {
    return choose();
  } catch (error) {
    if (error instanceof InsufficientFunds) return null;
    throw error;
  }
}

/** A transaction whose script failed has outputs that are none, so the indexer is asked of each. */
async function deposits(
  { vault, transport }: ChainView,
  commitment: string,
  _from: string | null,
  known: readonly string[] = [],
): Promise<Deposit[]> {
  const node = blockfrost(transport);
  const address = cardanoAddress(vault, commitment);
  // What has no chain knows no address either.
  const height = await node.height();
  const found: Deposit[] = [];
  const seen = new Set<string>();
  const look = async (tx: string) => {
    if (found.length >= DEPOSITS_MAX || seen.has(tx)) return;
    seen.add(tx);
    const outputs = (await node.findOutputs(tx)) ?? [];
    const held = outputs
      .filter((output) => output.address === address && !output.collateral)
      .flatMap(({ output_index: index, amount, reference_script_hash }) => {
        const holding = reference_script_hash === null ? holdingOf(vault, amount) : null;
        const amountIn = BigInt((vault.token === null ? holding?.lovelace : holding?.quantity) ?? '0');
        const isDeposit = amountIn >= (vault.token === null ? DEPOSIT_MIN : 1n);
        return isDeposit ? [{ reference: outpoint({ tx, index }), amount: String(amountIn) }] : [];
      });
    const block = held.length === 0 ? null : await node.transaction(tx);
    if (block === null || !block.valid_contract) return;
    const confirmations = Math.max(0, height - block.block_height + 1);
    found.push(...held.map((one) => ({ ...one, confirmations, at: block.block_time * 1_000 })));
  };
  // What strangers pay in may hide it.
  for (const reference of known.slice(0, KNOWN_MAX)) if (isOutpoint(reference)) await look(reference.slice(0, 64));
  const listed = await node.transactionsOf(address, TRANSACTIONS_MAX).catch((error: unknown) => {
    // What an indexer cannot list takes nothing away that it has said of what was seen.
    if (found.length === 0) throw error;
    return [];
  });
  for (const { tx_hash: tx } of listed) await look(tx);
  const shown = found.slice(0, DEPOSITS_MAX);
  return shown.toSorted((one, other) => other.confirmations - one.confirmations);
}

function complete(vault: Vault, order: PaymentOrder, signatures: readonly MessageSignature[]): SignedPayment {
  const { body, signers, named } = cardanoPayment(vault, order);
  const transaction = transactionHash(body);
  if (signatures.length !== signers.length) throw new RangeError('a signature for each key');
  const witnesses = signers.map((commitment, n) => {
    const { key } = cardanoKey(vault, commitment);
    const signature = groupSignature(signatures.slice(n, n + 1), hexToBytes(transaction), key);
    return { key, signature: Buffer.from(signature).toString('hex') };
  });
  return { raw: signedTransaction(body, witnesses, named), transaction };
}

/**
 * A transaction's hash is that of what an order builds, whoever has signed it: so the order's own is looked for, then what cancels it. Where neither is in a block, whatever has
 * spent any output of the reference says the rest, the deepest first: all inputs go together.
 */
async function statusOf({ vault, transport }: ChainView, order: PaymentOrder): Promise<PaymentStatus> {
  const node = blockfrost(transport);
  const height = await node.height();
  const reference = readReference(order.reference);
  const own = transactionHash(cardanoPayment(vault, order).body);
  const cancelling = transactionHash(cardanoPayment(vault, { ...order, kind: 'cancel' }).body);
  const { spenders, areKnown, unknown } = await spendersOf(node, reference);
  const depthOf = async (hash: string) => {
    const known = await node.transaction(hash);
    return known === null ? [] : [{ hash, confirmations: Math.max(0, height - known.block_height + 1) }];
  };
  for (const hash of [own, cancelling])
    for (const { confirmations } of await depthOf(hash))
      return spentBy(order, { isThis: hash === own, hasFailed: false }, hash, confirmations);
  const found = (await Promise.all(spenders.map(depthOf))).flat();
  const [deepest] = found.toSorted((one, other) => other.confirmations - one.confirmations);
  if (deepest !== undefined)
    return spentBy(order, { isThis: false, hasFailed: false }, deepest.hash, deepest.confirmations);
  if (spenders.length > 0) throw new Error('what has spent the reference is in no block');
  // Of a refund its deposit, of any other the coin that was not deep yet.
  const missing = order.kind === 'refund' ? depositOf(reference)?.tx : unknown[0];
  if (reference.origins !== undefined && missing !== undefined) {
    const instead = await spentInstead(node, missing, reference);
    if (instead !== null)
      return {
        state: 'void',
        transaction: instead.hash,
        confirmations: Math.max(0, height - instead.block_height + 1),
      };
  }
  if (!areKnown) throw new Error('not every output of the reference is known');
  return { state: 'unspent' };
}

/**
 * The transaction that has spent what a coin was paid from in its place, so that it can never come back; null where the coin's own is in a block.
 *
 * @throws Error where nothing says whether the coin comes back
 */
async function spentInstead(
  node: ReturnType<typeof blockfrost>,
  missing: string,
  { inputs, origins = [] }: CardanoReference,
): Promise<{ hash: string; block_height: number } | null> {
  const spent = await node.spentBy(missing);
  if (spent !== null) return null;
  for (const { tx, index } of origins) {
    const hash = (await node.outputsOf(tx)).find(({ output_index }) => output_index === index)?.consumed_by_tx ?? null;
    const isOwn = inputs.some((input) => input.tx === hash);
    const known = hash === null || isOwn ? null : await node.transaction(hash);
    if (hash !== null && known !== null) return { hash, block_height: known.block_height };
  }
  throw new Error('the coin that is spent is not known now');
}

/** What has spent outputs of a reference, each transaction once, and whether the chain has all of these outputs. */
async function spendersOf(
  node: ReturnType<typeof blockfrost>,
  { inputs }: CardanoReference,
): Promise<{ readonly spenders: readonly string[]; readonly areKnown: boolean; readonly unknown: readonly string[] }> {
  const transactions = [...new Set(inputs.map(({ tx }) => tx))];
  const found = await Promise.all(transactions.map((tx) => node.findOutputs(tx)));
  const outputs = new Map(found.map((of, n) => [transactions[n], of] as const));
  const spent = inputs.map(({ tx, index }) => outputs.get(tx)?.find(({ output_index }) => output_index === index));
  const spenders = new Set(spent.flatMap((output) => output?.consumed_by_tx ?? []));
  const unknown = transactions.filter((_, n) => found[n] === null);
  return { spenders: [...spenders], areKnown: spent.every((output) => output !== undefined), unknown };
}

/** Each input is what its transaction's own output says, in ADA and in the vault's token; prices are what the own node says, or somewhat more. */
async function checkReference({ vault, transport }: ChainView, order: PaymentOrder): Promise<ReferenceCheck> {
  const node = blockfrost(transport);
  const reference = readReference(order.reference);
  const { inputs } = reference;
  const asked = pricesOf(await node.parameters());
  const isInPrice = (['feePerByte', 'feeFixed', 'coinsPerByte'] as const).every(
    (price) => reference[price] * PRICE_PARTS <= asked[price] * (PRICE_PARTS + 1),
  );
  const transactions = [...new Set(inputs.map(({ tx }) => tx))];
  const known = await Promise.all(transactions.map((tx) => node.outputsOf(tx)));
  const outputs = new Map(known.map((of, index) => [transactions[index], of] as const));
  const areAsStated = inputs.every(({ tx, index, lovelace, quantity, commitment }) => {
    const output = outputs.get(tx)?.find(({ output_index }) => output_index === index);
    const held = output === undefined || output.reference_script_hash !== null ? null : holdingOf(vault, output.amount);
    const isThere = output?.address === cardanoAddress(vault, commitment) && !output.collateral;
    return isThere && held?.lovelace === lovelace && held.quantity === quantity;
  });
  // Of a token the vault's own outputs bring the ADA that is missing.
  const isOwn = inputs.every(
    ({ commitment }) =>
      order.kind !== 'refund' || commitment === order.commitment || (commitment === null && vault.token !== null),
  );
  const own = inputs.filter(({ commitment }) => commitment === order.commitment);
  // The rest of a larger deposit would be the vault's, and never go back.
  const isWhole =
    order.kind !== 'refund' || (own.length === 1 && own.every((coin) => countedOf(vault, coin) === order.amount));
  const others = inputs.flatMap(({ commitment }) =>
    commitment === null || commitment === order.commitment ? [] : [commitment],
  );
  const paidFrom = await paidFromOf(node, order, reference);
  const areOrigins = reference.origins === undefined || paidFrom !== undefined;
  // A coin that another may replace would leave a payment that can neither land nor be void, unless that says what the coin was paid from.
  const mayBeYoung = order.kind === 'refund' || reference.origins?.length === 0 ? undefined : paidFrom;
  const look = depthsOf(node, await node.height());
  const depths = await inTurn(transactions, async (tx) => (tx === mayBeYoung ? deepOf(vault) : look(tx)));
  const areDeep = depths.every((depth) => depth >= deepOf(vault));
  const { fault } = checkedReference(
    neverSo(isOwn, 'a refund spends its own deposit alone'),
    neverSo(isWhole, 'a refund spends one deposit, whole'),
    neverSo(areAsStated, 'an input is not what the chain has there'),
    neverSo(areOrigins, 'it names outputs that its coins were not paid from'),
    notSo(areDeep, 'a coin is not deep enough'),
    // What cancels pays the same fee whatever its reference says.
    notSo(isInPrice || order.kind === 'cancel', 'its prices are above those of the own node'),
  );
  return { fault, spends: [...new Set(others)] };
}

/** The transaction that has spent what a reference names: of a refund its deposit's; undefined where none of its coins' has. By another the payment would seem void: nobody signs by it. */
async function paidFromOf(
  node: ReturnType<typeof blockfrost>,
  { kind }: Pick<PaymentOrder, 'kind'>,
  reference: CardanoReference,
): Promise<string | undefined> {
  const { inputs, origins } = reference;
  if (origins === undefined) return undefined;
  const deposit = depositOf(reference);
  const of = kind === 'refund' ? (deposit === undefined ? [] : [deposit]) : inputs;
  for (const tx of new Set(of.map((input) => input.tx))) {
    const spent = await node.spentBy(tx);
    if (spent === null) throw new Error('a coin is not known now');
    const isNamed = (one: ReferenceOrigins[number]) =>
      spent.some(({ tx_hash, output_index }) => tx_hash === one.tx && output_index === one.index);
    if (origins.every(isNamed)) return tx;
  }
  return undefined;
}
