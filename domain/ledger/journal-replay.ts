import { assertFollows, CHAIN_START, type ChainLink, JournalBroken, type StoredRow } from './journal-chain.ts';
import { Ledger } from './ledger.ts';
import { LEDGER_CODE } from './ledger-rules.ts';
import { type ReplayRow, rowOf } from './row-text.ts';

/** A ledger as it stood after a journal row; row 0 of time 0 is the empty ledger. */
export interface LedgerAsOf {
  readonly ledger: Ledger;
  readonly seq: number;
  readonly time: number;
  /** Of the chain up to and with that row. */
  readonly hash: string;
}

/**
 * The ledger that the rows of a whole journal make up to `asOf_ms`, that time included. The chain of hashes is followed from its start,
 * and every transaction must come to the outcome that was answered.
 *
 * @throws JournalBroken at the first row that does not fit
 */
export async function ledgerAsOf(
  rows: AsyncIterable<StoredRow> | Iterable<StoredRow>,
  asOf_ms: number,
  known = LEDGER_CODE.known,
): Promise<LedgerAsOf> {
  const ledger = new Ledger({}, known);
  let end: ChainLink & { readonly time: number } = { ...CHAIN_START, time: 0 };
  for await (const stored of rows) {
    assertFollows(stored, end);
    const replayed = rowOf(stored.seq, stored.text);
    // The stored time lies outside the chain.
    if (replayed.row.time > asOf_ms) break;
    replayRow(ledger, replayed);
    end = { seq: stored.seq, hash: stored.hash, time: replayed.row.time };
  }
  return { ledger, ...end };
}

/**
 * Applies a row again.
 *
 * @throws JournalBroken when one of its transactions comes to another outcome than was answered
 */
export function replayRow(ledger: Ledger, { row, backlogged, rules }: ReplayRow): void {
  if (rules !== ledger.rules.version)
    throw new JournalBroken(
      `journal row ${row.seq} was made by version ${rules} of the ledger's rules, and version ${ledger.rules.version} was in force`,
    );
  for (const { transaction, outcome, saleCosts } of row.entries) {
    const applied = applyAgain(row.seq, () => ledger.apply(transaction, { time: row.time, backlogged }));
    if (!applied.changed || JSON.stringify(applied.outcome) !== JSON.stringify(outcome))
      throw new JournalBroken(`replay of journal row ${row.seq} gave another outcome of a ${transaction.kind}`);
    if (saleCosts !== undefined && JSON.stringify(applied.saleCosts) !== JSON.stringify(saleCosts))
      throw new JournalBroken(`replay of journal row ${row.seq} gave other costs of sales`);
  }
}

function applyAgain<A>(seq: number, apply: () => A): A {
  try {
    return apply();
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    throw new JournalBroken(`journal row ${seq} cannot be replayed: ${reason}`);
  }
}
