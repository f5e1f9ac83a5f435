import { boundedCalls, CallsSpent } from '../accounts/bounded-calls.ts';
import { inTurn } from '../accounts/in-turn.ts';
import type { ChainView, KnownCoin, PaymentOrder, Vault } from '../chain-adapter.ts';
import { type BlockfrostAmount, blockfrost } from './blockfrost.ts';
import { cardanoAddress } from './cardano-key.ts';
import type { ReferenceInput } from './cardano-reference.ts';
import { tokenOf } from './cardano-token.ts';

/** Deposits of which nothing is known but their transfer, and known coins of the first round, newest first. */
const FIRST_MAX = 40;
/** Coins that are looked up by themselves: a call for each. */
const LOOKED_UP_MAX = 160;
/** Calls for lists of addresses, a hundred outputs each: beside what is known, as many as have their answers before whoever asks gives up. */
const LISTING_CALLS_MAX = 120;
const OUTPOINT = /^[0-9a-f]{64}:\d{1,5}$/;

type Node = ReturnType<typeof blockfrost>;

export function isOutpoint(text: string): boolean {
  return OUTPOINT.test(text);
}

/** What an output holds of ADA and of the vault's token; null where it holds another one. */
export function holdingOf(vault: Vault, amount: BlockfrostAmount): { lovelace: string; quantity: string } | null {
  const token = tokenOf(vault);
  const ofToken = token === null ? null : `${token.policy}${token.name}`;
  const held = { lovelace: '0', quantity: '0' };
  for (const { unit, quantity } of amount) {
    if (unit === 'lovelace') held.lovelace = quantity;
    else if (unit === ofToken) held.quantity = quantity;
    else return null;
  }
  return held;
}

/**
 * Coins that a payment may spend, in ever larger rounds, until enough was found: of a refund its deposit, and of a token the vault's own; of a payout whatever is known, then what the vault's own address shows and the newest
 * deposits. What is known is looked up by itself, and first: at an address may lie more than is looked through, or is done with listing while whoever asks still waits.
 */
export async function* freeCoins(
  { vault, transport, deposited = [], coins = [] }: Pick<ChainView, 'vault' | 'transport' | 'deposited' | 'coins'>,
  { kind, commitment: own }: Pick<PaymentOrder, 'kind' | 'commitment'>,
): AsyncGenerator<ReferenceInput[]> {
  const node = blockfrost(transport);
  const listing = blockfrost(boundedCalls(transport, LISTING_CALLS_MAX));
  const isRefund = kind === 'refund';
  const known = coins.filter(({ commitment }) => !isRefund || commitment === own).slice(0, LOOKED_UP_MAX);
  let isAnyKnown = false;
  for (const round of [known.slice(0, FIRST_MAX), known.slice(FIRST_MAX)]) {
    if (round.length === 0) continue;
    const found = (await inTurn(round, (coin) => unspentOf(node, vault, coin))).flat();
    isAnyKnown ||= found.length > 0;
    yield found;
  }
  const areKnown = new Set(known.map(({ commitment }) => commitment));
  const others = isRefund ? [own] : deposited.filter((each) => !areKnown.has(each)).slice(0, FIRST_MAX);
  // A refund spends its own deposit. Of a token it may need more ADA than came along.
  const sources = isRefund && vault.token === null ? others : [null, ...others];
  const listed = await inTurn(sources, (source) =>
    listedAt(listing, vault, source).catch((error: unknown) => {
      // What an indexer cannot list leaves what is known.
      if (!isAnyKnown && !(error instanceof CallsSpent)) throw error;
      return [];
    }),
  );
  yield listed.flat();
}

/** Whether a payment of the vault has left it, as whoever asks knows. */
export function isChange({ coins = [] }: Pick<ChainView, 'coins'>, { tx, commitment: of }: ReferenceInput): boolean {
  return of === null && coins.some(({ reference, commitment }) => commitment === null && reference === tx);
}

async function listedAt(node: Node, vault: Vault, commitment: string | null): Promise<ReferenceInput[]> {
  const all = await node.unspentOf(cardanoAddress(vault, commitment));
  return all.flatMap(({ tx_hash: tx, ...output }) => coinOf(vault, { tx, commitment, ...output }));
}

/** The outputs of a known coin that are the vault's, and not spent. */
async function unspentOf(node: Node, vault: Vault, { reference, commitment }: KnownCoin): Promise<ReferenceInput[]> {
  const [tx = '', index] = reference.split(':');
  const outputs = /^[0-9a-f]{64}$/.test(tx) ? await node.findOutputs(tx) : null;
  const address = cardanoAddress(vault, commitment);
  return (outputs ?? [])
    .filter((output) => output.address === address && !output.collateral && output.consumed_by_tx === null)
    .filter((output) => index === undefined || output.output_index === Number(index))
    .flatMap((output) => coinOf(vault, { tx, commitment, ...output }));
}

/** What a payment may spend of an output: of the vault's asset alone. ADA alone is none of a token's deposits. */
function coinOf(
  vault: Vault,
  {
    tx,
    commitment,
    output_index: index,
    amount,
    reference_script_hash,
  }: Pick<ReferenceInput, 'tx' | 'commitment'> & {
    readonly output_index: number;
    readonly amount: BlockfrostAmount;
    readonly reference_script_hash: string | null;
  },
): ReferenceInput[] {
  const held = reference_script_hash === null ? holdingOf(vault, amount) : null;
  if (held === null || (commitment !== null && vault.token !== null && held.quantity === '0')) return [];
  return [{ tx, index, ...held, commitment }];
}
