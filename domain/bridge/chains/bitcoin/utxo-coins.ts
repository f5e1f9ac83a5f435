import type { ChainView, Deposit, KnownCoin, Vault } from '../chain-adapter.ts';
import type { EsploraTx, esplora } from './esplora.ts';
import type { UtxoReference } from './utxo-payment.ts';
import { hex, utxoChain, utxoScript } from './utxo-script.ts';

/** Deposits whose outputs a payment may choose from at first, newest first. */
const DEPOSITS_MAX = 40;
/** Coins that are looked up by themselves where those are too little: a call or two for each. */
const LOOKED_UP_MAX = 120;
/** Calls of one indexer at the same time. */
const AT_ONCE = 8;
const REFERENCE = /^([0-9a-f]{64})(?::(\d{1,10}))?$/;

type Input = UtxoReference['inputs'][number];
type Node = ReturnType<typeof esplora>;

/** A coin that a payment may spend, and how deep it is. */
export interface FreeCoin extends Input {
  readonly confirmations: number;
}

/** How deep a transaction is by its status, and when its block was made. */
export function depthOf(
  status: { confirmed: boolean; block_height?: number | undefined; block_time?: number | undefined },
  height: number,
): Pick<Deposit, 'confirmations' | 'at'> {
  if (!status.confirmed || status.block_height === undefined) return { confirmations: 0 };
  const at = status.block_time === undefined ? {} : { at: status.block_time * 1_000 };
  return { confirmations: Math.max(0, height - status.block_height + 1), ...at };
}

/** Of a transaction, or of its output, what pays a script. */
export function paying(
  tx: EsploraTx,
  script: string,
  place?: number,
): { readonly vout: number; readonly value: number }[] {
  return tx.vout.flatMap(({ scriptpubkey, value }, vout) =>
    scriptpubkey === script && (place === undefined || place === vout) ? [{ vout, value }] : [],
  );
}

/** What a reference of a coin names; null where it is none. */
function outputOf(reference: string): { readonly txid: string; readonly place: number | undefined } | null {
  const [, txid, place] = REFERENCE.exec(reference) ?? [];
  return txid === undefined ? null : { txid, place: place === undefined ? undefined : Number(place) };
}

/**
 * Coins that a payment may spend, in ever larger rounds, until enough was found: of a refund its deposit; of a payout what the vault's own address shows and the newest deposits, then whatever else is known.
 * What is known is looked up by itself: at an address may lie more specks than an indexer lists.
 */
export async function* freeCoins(
  node: Node,
  { vault, deposited = [], coins = [] }: Pick<ChainView, 'vault' | 'deposited' | 'coins'>,
  refunded: string | null,
): AsyncGenerator<FreeCoin[]> {
  const height = await node.height();
  const lookedUp = async (known: readonly KnownCoin[]) =>
    (await inTurn(known, (coin) => unspentOf(node, { vault, coin, height }))).flat();
  const listed = (source: string | null) => listedAt(node, { vault, source, height });
  const known = coins.filter(({ commitment }) => refunded === null || commitment === refunded);
  const deposits = known.filter(({ commitment }) => commitment !== null).slice(0, DEPOSITS_MAX);
  const areKnown = new Set(deposits.map(({ commitment }) => commitment));
  const sources = refunded === null ? deposited.slice(0, DEPOSITS_MAX) : [refunded];
  const unknown = sources.filter((commitment) => !areKnown.has(commitment));
  const own = refunded === null ? await listed(null) : [];
  yield [...own, ...(await lookedUp(deposits)), ...(await inTurn(unknown, listed)).flat()];
  if (refunded !== null && unknown.length === 0) yield await listed(refunded);
  const first = new Set(deposits);
  yield await lookedUp(known.filter((coin) => !first.has(coin)).slice(0, LOOKED_UP_MAX));
}

/** What an address shows, in blocks. */
async function listedAt(
  node: Node,
  { vault, source, height }: { readonly vault: Vault; readonly source: string | null; readonly height: number },
): Promise<FreeCoin[]> {
  const { address, script } = utxoScript(vault, source);
  const unspent = await node.unspentOf({ address, script: hex(script) });
  return unspent.flatMap(({ txid, vout, value, status }) =>
    status.confirmed
      ? [{ txid, vout, value: String(value), commitment: source, confirmations: depthOf(status, height).confirmations }]
      : [],
  );
}

/** The outputs of a known coin that are in a block, the vault's, and not spent. */
async function unspentOf(
  node: Node,
  { vault, coin, height }: { readonly vault: Vault; readonly coin: KnownCoin; readonly height: number },
): Promise<FreeCoin[]> {
  const output = outputOf(coin.reference);
  const tx = output === null ? null : await node.find(output.txid);
  if (output === null || tx === null || !tx.status.confirmed) return [];
  const { txid } = output;
  const { commitment } = coin;
  const { confirmations } = depthOf(tx.status, height);
  const found = paying(tx, hex(utxoScript(vault, commitment).script), output.place);
  const spends = await Promise.all(found.map(({ vout }) => node.outspend(txid, vout)));
  return found.flatMap(({ vout, value }, n) =>
    spends[n]?.spent === false ? [{ txid, vout, value: String(value), commitment, confirmations }] : [],
  );
}

/** The deposits of a transfer among references, as the chain has them now. */
export async function depositsAt(
  node: Node,
  {
    references,
    script,
    height,
  }: { readonly references: readonly string[]; readonly script: string; readonly height: number },
): Promise<Deposit[]> {
  const found = await inTurn([...new Set(references)], async (reference) => {
    const output = outputOf(reference);
    const tx = output?.place === undefined ? null : await node.find(output.txid);
    if (tx === null) return [];
    const paid = paying(tx, script, output?.place);
    return paid.map(({ value }) => ({ reference, amount: String(value), ...depthOf(tx.status, height) }));
  });
  return found.flat();
}

/**
 * The fewest coins that are enough, the largest first. Those as deep as the chain's rule asks for come first; where they are too little, one that is not so deep goes before them.
 *
 * @param isEnough of so many coins, of so much together
 * @returns null where all together are too little
 */
export function fewestCoins(
  free: readonly FreeCoin[],
  {
    inputsMax,
    deep,
    isEnough,
  }: {
    readonly inputsMax: number;
    readonly deep: number;
    readonly isEnough: (inputs: number, sum: bigint) => boolean;
  },
): { readonly inputs: Input[]; readonly isFirstShallow: boolean } | null {
  const sorted = free.toSorted(
    (one, other) =>
      Number(BigInt(other.value) - BigInt(one.value)) || one.txid.localeCompare(other.txid) || one.vout - other.vout,
  );
  const buried = sorted.filter(({ confirmations }) => confirmations >= deep);
  const shallow = sorted.filter(({ confirmations }) => confirmations < deep).slice(0, 1);
  for (const before of [[], shallow]) {
    const chosen: Input[] = [];
    let sum = 0n;
    for (const { confirmations: _, ...coin } of [...before, ...buried].slice(0, inputsMax)) {
      chosen.push(coin);
      sum += BigInt(coin.value);
      if (isEnough(chosen.length, sum)) return { inputs: chosen, isFirstShallow: before.length > 0 };
    }
  }
  return null;
}

/** What is needed of a coin, one after another, a few at a time. */
async function inTurn<Of, Found>(all: readonly Of[], look: (one: Of) => Promise<Found>): Promise<Found[]> {
  const found: Found[] = [];
  for (let start = 0; start < all.length; start += AT_ONCE)
    found.push(...(await Promise.all(all.slice(start, start + AT_ONCE).map(look))));
  return found;
}

/** Blocks that a coin has to be deep in before it is taken for granted. */
export function deepOf({ chain, network }: Pick<Vault, 'chain' | 'network'>): number {
  return network === 'local' ? 1 : utxoChain(chain).confirmations;
}
