import { schnorr } from '@noble/curves/secp256k1.js';
import { Transaction } from '@scure/btc-signer/transaction.js';
import { spentBy } from '../accounts/spent-by.ts';
import { threeSignatures } from '../accounts/three-signatures.ts';
import { JSON_UNITS_MAX, wholeUnits } from '../accounts/whole-units.ts';
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
import type { ChainName } from '../chain-name.ts';
import { coinDecimals } from '../payout-costs.ts';
import { checkedReference, feeCeiling, neverSo, notSo } from '../reference-check.ts';
import { esplora } from './esplora.ts';
import { deepOf, depositsAt, depthOf, type FreeCoin, fewestCoins, freeCoins, paying } from './utxo-coins.ts';
import {
  completed,
  INPUTS_MAX,
  movesOf,
  movesOfPayment,
  readReference,
  type UtxoReference,
  utxoDigests,
  utxoPayment,
  vsizeOf,
} from './utxo-payment.ts';
import { addressOf, bytes, hex, payingScript, utxoChain, utxoNetwork, utxoScript } from './utxo-script.ts';

const LISTED_MAX = 20;
/** Deposits that are looked up by what whoever asks remembers, and by what a refund spends. */
const KNOWN_MAX = 40;
/** One part in so many of the dearest that a virtual byte may cost may be paid whatever the node asks for. */
const FEE_RATE_PARTS = 25;
/** Inputs that a quote counts a payout for: it takes the fewest that are enough. */
const PAYOUT_INPUTS = 3;

/** Bitcoin in its three forms, and its relatives. The vault is the cluster's key, and each transfer has an output of its own. */
export function utxoAdapter(chain: ChainName): ChainAdapter {
  const { form, confirmations } = utxoChain(chain);
  return {
    scheme: form === 'taproot' ? 'frost-taproot' : 'multisig-secp256k1',
    confirmations,
    addressOf: (text, network) => {
      try {
        return addressOf(payingScript(text, { chain, network }), utxoNetwork({ chain, network }));
      } catch {
        return null;
      }
    },
    payeeFault: async ({ vault }, to) =>
      hex(payingScript(to, vault)) === hex(utxoScript(vault, null).script) ? 'own' : null,
    payoutCost: async ({ vault, transport }) => {
      const { feeRateMax, dust } = utxoChain(chain);
      const rate = BigInt(Math.min(feeRateMax, await esplora(transport).feeRate()));
      const cost = rate * BigInt(vsizeOf(vault, PAYOUT_INPUTS));
      return { cost: String(cost), least: String(dust), decimals: coinDecimals(chain) };
    },

    countsBy: (vault) => utxoScript(vault, null).address,

    depositPlace: ({ vault }, commitment, amount) => {
      wholeUnits(amount, JSON_UNITS_MAX);
      return { address: utxoScript(vault, commitment).address, memo: null, call: null };
    },
    deposits,
    referenceFor,
    build: (vault, order) => {
      const payment = utxoPayment(vault, order);
      const digests = utxoDigests(vault, payment);
      return {
        messages: digests.map((digest, index) => ({ bytes: digest, tweak: payment.inputs[index]?.tweak ?? null })),
      };
    },
    complete,
    broadcast,
    statusOf,
    checkReference,
  };
}

async function deposits(
  { vault, transport }: ChainView,
  commitment: string,
  _from: string | null,
  known: readonly string[] = [],
): Promise<Deposit[]> {
  const node = esplora(transport);
  const { address, script } = utxoScript(vault, commitment);
  const own = hex(script);
  const height = await node.height();
  const references = known.slice(0, KNOWN_MAX);
  const remembered = await depositsAt(node, { references, script: own, height });
  const { all: found, isCut } = await node.newestOf(address).catch((error: unknown) => {
    // What an indexer cannot list takes nothing away that it has said of what was seen.
    if (remembered.length === 0) throw error;
    return { all: [], isCut: true };
  });
  // What is not among those that were seen may be there all the same.
  if (isCut && remembered.length === 0) throw new Error('the address has too many transactions');
  const isRemembered = new Set(remembered.map(({ reference }) => reference));
  const others = found.flatMap((tx) =>
    paying(tx, own)
      .map(({ vout, value }) => ({
        reference: `${tx.txid}:${vout}`,
        amount: String(value),
        ...depthOf(tx.status, height),
      }))
      .filter(({ reference }) => !isRemembered.has(reference)),
  );
  // The largest, so that specks hide none.
  const largest = others.toSorted((one, other) => Number(other.amount) - Number(one.amount));
  const shown = [...remembered, ...largest].slice(0, LISTED_MAX);
  return shown.toSorted((one, other) => other.confirmations - one.confirmations);
}

/** Chooses the fewest outputs: a refund spends the deposit of its amount alone, so that nobody else pays for it, and no other deposit of its transfer. */
async function referenceFor(
  view: ChainView,
  { kind, commitment, amount }: Omit<PaymentOrder, 'reference'>,
  taken: readonly string[],
): Promise<string> {
  const { vault, transport } = view;
  const node = esplora(transport);
  const { feeRateMax, dust } = utxoChain(vault.chain);
  const rate = BigInt(Math.min(feeRateMax, await node.feeRate()));
  const feeOf = (inputs: number) => rate * BigInt(vsizeOf(vault, inputs));
  const isRefund = kind === 'refund';
  const isEnough = (inputs: number, sum: bigint) => {
    const fee = feeOf(inputs);
    // It would wait with its reference for good: no signer builds it, nor signs one that spends more than the deposit.
    if (isRefund && (inputs > 1 || BigInt(amount) < fee + dust)) return false;
    return sum >= BigInt(amount) + (isRefund ? 0n : fee) && sum > 2n * fee + dust;
  };
  const used = new Set(taken.flatMap((text) => readReference(text).inputs.map(outpoint)));
  const free = new Map<string, FreeCoin>();
  for await (const coins of freeCoins(view, isRefund ? commitment : null)) {
    for (const coin of coins)
      if (!used.has(outpoint(coin)) && (!isRefund || coin.value === amount)) free.set(outpoint(coin), coin);
    // What goes back out of its deposit waits for that: signers sign once it is deep.
    const deep = isRefund ? 0 : deepOf(vault);
    const found = fewestCoins([...free.values()], { inputsMax: INPUTS_MAX, deep, isEnough });
    if (found === null) continue;
    const { inputs, isFirstShallow } = found;
    const origins = isRefund || isFirstShallow ? await originsOf(node, inputs) : undefined;
    return JSON.stringify({ inputs, fee: String(feeOf(inputs.length)), origins });
  }
  throw new InsufficientFunds('the vault has too little that is confirmed and free');
}

/** What the transaction of the first input has spent. */
async function originsOf(
  node: ReturnType<typeof esplora>,
  [first]: UtxoReference['inputs'],
): Promise<UtxoReference['origins']> {
  const { vin } = await node.transaction(first?.txid ?? '');
  return vin.slice(0, INPUTS_MAX).map(({ txid, vout }) => ({ txid, vout }));
}

function complete(vault: Vault, order: PaymentOrder, signatures: readonly MessageSignature[]): SignedPayment {
  const payment = utxoPayment(vault, order);
  const digests = utxoDigests(vault, payment);
  if (signatures.length !== digests.length) throw new RangeError('a signature for each input');
  const parts = digests.map((digest, index) =>
    signaturesOf(payment.inputs[index]?.keys ?? [], digest, signatures[index]),
  );
  const raw = completed(vault, payment, parts);
  return {
    raw: hex(raw),
    transaction: Transaction.fromRaw(raw, { allowUnknownOutputs: true, disableScriptCheck: true }).id,
  };
}

/** @throws RangeError where one is missing or wrong */
function signaturesOf(keys: readonly string[], digest: string, signature: MessageSignature | undefined): string[] {
  const message = bytes(digest);
  if (signature?.kind === 'group') {
    if (keys.length !== 1 || !isRight(() => schnorr.verify(bytes(signature.signature), message, bytes(keys[0] ?? ''))))
      throw new RangeError('the signature is wrong');
    return [signature.signature];
  }
  if (keys.length === 1) throw new RangeError('this chain takes one signature of the cluster');
  return threeSignatures(keys, digest, signature).map((each) => each.signature);
}

function isRight(check: () => boolean): boolean {
  try {
    return check();
  } catch {
    return false;
  }
}

async function broadcast({ transport }: ChainView, { raw, transaction }: SignedPayment): Promise<string> {
  try {
    return await esplora(transport).send(raw);
  } catch (error) {
    // One that the node has already, or whose inputs it has spent, is refused: what has become of it is for `statusOf` to say.
    if (error instanceof RpcRefusal && transaction !== null && (await isKnown({ transport }, transaction)))
      return transaction;
    throw error;
  }
}

async function isKnown({ transport }: Pick<ChainView, 'transport'>, txid: string): Promise<boolean> {
  try {
    await esplora(transport).transaction(txid);
    return true;
  } catch {
    return false;
  }
}

/**
 * All inputs go together, so whatever has spent any of them decides, the deepest first: it is this payment if it moves just what the order's own transaction does. Coins that were given up may be
 * spent one by one, by several payments.
 */
async function statusOf({ vault, transport }: ChainView, order: PaymentOrder): Promise<PaymentStatus> {
  const node = esplora(transport);
  const { inputs, origins = [] } = readReference(order.reference);
  const asked = await Promise.all(inputs.map(({ txid, vout }) => node.outspend(txid, vout)));
  const spenders = new Set(asked.flatMap(({ spent, txid }) => (spent && txid != null ? [txid] : [])));
  const [first] = inputs;
  if (spenders.size === 0)
    return unspentStatus(node, { txid: first?.txid ?? '', isRefund: order.kind === 'refund' }, origins);
  const height = await node.height();
  const found = await Promise.all([...spenders].map((txid) => node.transaction(txid)));
  const [deepest] = found
    .map((spender) => ({ ...spender, ...depthOf(spender.status, height) }))
    .toSorted((one, other) => other.confirmations - one.confirmations);
  const { txid, vin, vout, confirmations } = deepest as NonNullable<typeof deepest>;
  const outputs = vout.map(({ scriptpubkey, value }) => {
    // Nobody can tell whether it is this payment.
    if (value === null) throw new Error('an amount of what has spent the coins has lost digits');
    return { script: scriptpubkey, value: BigInt(value) };
  });
  const isThis = movesOf(vin, outputs) === movesOfPayment(vault, order);
  return spentBy(order, { isThis, hasFailed: false }, txid, confirmations);
}

/**
 * What a reorganization has taken away may come back, and then be spent by whoever has the signatures: unless another transaction, in a block, has spent what it was paid from. That the reference names what it was
 * paid from is for `checkReference` to say: nobody signs by another.
 *
 * @throws Error where nothing says whether the deposit of a refund comes back
 */
async function unspentStatus(
  node: ReturnType<typeof esplora>,
  { txid: first, isRefund }: { readonly txid: string; readonly isRefund: boolean },
  origins: NonNullable<UtxoReference['origins']>,
): Promise<PaymentStatus> {
  if (origins.length === 0 || (await node.find(first)) !== null) return { state: 'unspent' };
  const height = await node.height();
  for (const origin of origins) {
    const { txid, status } = await node.outspend(origin.txid, origin.vout);
    const { confirmations } = depthOf(status ?? { confirmed: false }, height);
    if (txid != null && txid !== first && confirmations > 0) return { state: 'void', transaction: txid, confirmations };
  }
  if (isRefund) throw new Error('the deposit that goes back is not known now');
  return { state: 'unspent' };
}

/**
 * Signatures of most forms say nothing, or little, of what inputs are worth: whatever is more than the reference states goes to miners. So each input is what a transaction's own output says, which its
 * hash commits to.
 */
async function checkReference({ vault, transport }: ChainView, order: PaymentOrder): Promise<ReferenceCheck> {
  const node = esplora(transport);
  const { inputs, fee, origins = [] } = readReference(order.reference);
  const { feeRateMax } = utxoChain(vault.chain);
  const rate = feeCeiling(BigInt(await node.feeRate()), BigInt(Math.ceil(feeRateMax / FEE_RATE_PARTS)));
  const txids = [...new Set(inputs.map(({ txid }) => txid))];
  const [height, known] = await Promise.all([node.height(), Promise.all(txids.map((txid) => node.transaction(txid)))]);
  const outputs = new Map(known.map(({ vout }, index) => [txids[index], vout] as const));
  const isOwn = inputs.every(({ commitment }) => order.kind !== 'refund' || commitment === order.commitment);
  // The rest of a larger deposit would be the vault's, and never go back.
  const isWhole = order.kind !== 'refund' || (inputs.length === 1 && inputs[0]?.value === order.amount);
  const areAsStated = inputs.every(({ txid, vout, value, commitment }) => {
    const output = outputs.get(txid)?.[vout];
    return output?.scriptpubkey === hex(utxoScript(vault, commitment).script) && String(output.value) === value;
  });
  const others = inputs.flatMap(({ commitment }) =>
    commitment === null || commitment === order.commitment ? [] : [commitment],
  );
  const [first] = known;
  const areOrigins = origins.every((one) => first?.vin.some((input) => outpoint(input) === outpoint(one)));
  // A coin that another may replace would leave a payment that can neither land nor be void, unless that says what the coin was paid from.
  const mayBeYoung = order.kind === 'refund' || origins.length === 0 ? null : inputs[0];
  const depths = new Map(known.map(({ status }, index) => [txids[index], depthOf(status, height).confirmations]));
  const areDeep = inputs.every((input) => input === mayBeYoung || (depths.get(input.txid) ?? 0) >= deepOf(vault));
  const isDear = BigInt(fee) > rate * BigInt(vsizeOf(vault, inputs.length));
  const { fault } = checkedReference(
    neverSo(isOwn, 'a refund spends its own deposit alone'),
    neverSo(isWhole, 'a refund spends one deposit, whole'),
    neverSo(new Set(inputs.map(outpoint)).size === inputs.length, 'it spends an output twice'),
    neverSo(areAsStated, 'an input is not what the chain has there'),
    neverSo(areOrigins, 'it names outputs that its first input was not paid from'),
    notSo(areDeep, 'a coin is not deep enough'),
    notSo(!isDear || order.kind !== 'payout', 'the fee is above what the own node asks for'),
  );
  return { fault, spends: [...new Set(others)], ...(isDear ? { isDear: true } : {}) };
}

function outpoint({ txid, vout }: { readonly txid: string; readonly vout: number }): string {
  return `${txid}:${vout}`;
}
