import { boundedCalls, CallsSpent } from '../accounts/bounded-calls.ts';
import { inTurn } from '../accounts/in-turn.ts';
import type { ChainView, Deposit, KnownCoin, Vault } from '../chain-adapter.ts';
import { type EsploraTx, esplora } from './esplora.ts';
import type { UtxoReference } from './utxo-payment.ts';
import { hex, utxoChain, utxoScript } from './utxo-script.ts';

/** Deposits of which nothing is known but their transfer, and known coins of the first round, newest first. */
const FIRST_MAX = 40;
/** Coins that are looked up by themselves: two calls for each. */
const LOOKED_UP_MAX = 160;
/** Calls for lists of addresses, twenty-five transactions each where there are many: beside what is known, as many as have their answers before whoever asks gives up. */
const LISTING_CALLS_MAX = 120;
const REFERENCE = /^([0-9a-f]{64})(?::(\d{1,10}))?$/;

type Input = UtxoReference['inputs'][number];
type Node = ReturnType<typeof esplora>;

/** A coin that a payment may spend, how deep it is, and whether a payment of the vault has left it, as whoever asks knows. */
export interface FreeCoin extends Input {
  readonly confirmations: number;
  readonly isChange: boolean;
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
    scriptpubkey === script && value !== null && (place === undefined || place === vout) ? [{ vout, value }] : [],
  );
}

/** What a reference of a coin names; null where it is none. */
function outputOf(reference: string): { readonly txid: string; readonly place: number | undefined } | null {
  const [, txid, place] = REFERENCE.exec(reference) ?? [];
  return txid === undefined ? null : { txid, place: place === undefined ? undefined : Number(place) };
}

/**
 * Coins that a payment may spend, in ever larger rounds, until enough was found: of a refund its deposit; of a payout whatever is known, then what the vault's own address shows and the newest deposits.
 * What is known is looked up by itself, and first: at an address may lie more specks than an indexer lists, or is done with listing while whoever asks still waits.
 */
export async function* freeCoins(
  { vault, transport, deposited = [], coins = [] }: Pick<ChainView, 'vault' | 'transport' | 'deposited' | 'coins'>,
  refunded: string | null,
): AsyncGenerator<FreeCoin[]> {
  const node = esplora(transport);
  const listing = esplora(boundedCalls(transport, LISTING_CALLS_MAX));
  const height = await node.height();
  const known = coins.filter(({ commitment }) => refunded === null || commitment === refunded).slice(0, LOOKED_UP_MAX);
  const change = new Set(known.flatMap(({ reference, commitment }) => (commitment === null ? [reference] : [])));
  const marked = (found: readonly Omit<FreeCoin, 'isChange'>[]) =>
    found.map((coin) => ({ ...coin, isChange: coin.commitment === null && change.has(coin.txid) }));
  let isAnyKnown = false;
  for (const round of [known.slice(0, FIRST_MAX), known.slice(FIRST_MAX)]) {
    if (round.length === 0) continue;
    const found = (await inTurn(round, (coin) => unspentOf(node, { vault, coin, height }))).flat();
    isAnyKnown ||= found.length > 0;
    yield marked(found);
  }
  const areKnown = new Set(known.map(({ commitment }) => commitment));
  const unknown = deposited.filter((commitment) => !areKnown.has(commitment)).slice(0, FIRST_MAX);
  const sources = refunded === null ? [null, ...unknown] : [refunded];
  const listed = await inTurn(sources, (source) =>
    listedAt(listing, { vault, source, height }).catch((error: unknown) => {
      // What an indexer cannot list leaves what is known.
      if (!isAnyKnown && !(error instanceof CallsSpent)) throw error;
      return [];
    }),
  );
  yield marked(listed.flat());
}

/** What an address shows, in blocks. */
async function listedAt(
  node: Node,
  { vault, source, height }: { readonly vault: Vault; readonly source: string | null; readonly height: number },
): Promise<Omit<FreeCoin, 'isChange'>[]> {
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
): Promise<Omit<FreeCoin, 'isChange'>[]> {
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
 * The fewest coins that are enough, the largest first. Those as deep as the chain's rule asks for come first; where they are too little, one that is not so deep goes before them: of what the vault's own
 * payments have left, as somebody else's may be replaced.
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
  const shallow = sorted.filter(({ confirmations, isChange }) => isChange && confirmations < deep).slice(0, 1);
  for (const before of [[], shallow]) {
    const chosen: Input[] = [];
    let sum = 0n;
    for (const { confirmations: _, isChange: __, ...coin } of [...before, ...buried].slice(0, inputsMax)) {
      chosen.push(coin);
      sum += BigInt(coin.value);
      if (isEnough(chosen.length, sum)) return { inputs: chosen, isFirstShallow: before.length > 0 };
    }
  }
  return null;
}

/** Blocks that a coin has to be deep in before it is taken for granted. */
export function deepOf({ chain, network }: Pick<Vault, 'chain' | 'network'>): number {
  return network === 'local' ? 1 : utxoChain(chain).confirmations;
}
