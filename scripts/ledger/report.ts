import type { LedgerAsOf } from '../../domain/ledger/journal-replay.ts';
import type { LedgerViolationRow } from '../../domain/ledger/outcomes.ts';
import type { LotRecord } from '../../domain/ledger/records.ts';

interface BalanceLine {
  readonly account: string;
  readonly asset: string;
  /** Scaled integers. */
  readonly available: number;
  readonly held: number;
  readonly cost: number;
}

/** A ledger at a time, whole. */
export interface LedgerReport {
  readonly asOf: string;
  /** The last journal row that is in it, and when it was written; null for the empty ledger. */
  readonly journalRow: number;
  readonly journaledAt: string | null;
  /** Of the chain up to and with that row. */
  readonly journalHash: string;
  readonly stateHash: string;
  readonly violations: readonly LedgerViolationRow[];
  readonly balances: readonly BalanceLine[];
  readonly lots: readonly LotRecord[];
}

export function reportOf({ ledger, seq, time, hash }: LedgerAsOf, asOf_ms: number): LedgerReport {
  return {
    asOf: new Date(asOf_ms).toISOString(),
    journalRow: seq,
    journaledAt: seq === 0 ? null : new Date(time).toISOString(),
    journalHash: hash,
    stateHash: ledger.stateHash(),
    violations: ledger.violations(),
    balances: [...ledger.allBalances()],
    lots: [...ledger.allLots()],
  };
}

/** The report as a person reads it. */
export function reportText(report: LedgerReport): string {
  const { asOf, journalRow, journaledAt, journalHash, stateHash, violations, balances, lots } = report;
  return [
    `ledger as of ${asOf}: journal row ${journalRow}, written ${journaledAt ?? 'never'}`,
    `journal hash ${journalHash}`,
    `state hash   ${stateHash}`,
    '',
    ...table(['account', 'asset', 'available', 'held', 'cost'], balances),
    '',
    ...table(['lot', 'account', 'asset', 'quantity', 'reserved', 'cost', 'acquired'], lots.map(lotLine)),
    '',
    ...violations.map(({ invariant, violation }) => `${invariant} BROKEN: ${violation}`),
    violations.length === 0 ? 'L1 to L3 and the lots hold' : `${violations.length} violations`,
  ].join('\n');
}

function lotLine({ id, acquiredAt, ...lot }: LotRecord): Record<string, unknown> {
  return { ...lot, lot: id, acquired: new Date(acquiredAt).toISOString() };
}

/** Numbers to the right, as columns. */
function table(columns: readonly string[], rows: readonly object[]): string[] {
  const cells = rows.map((row) => columns.map((column) => (row as Record<string, unknown>)[column]));
  const widths = columns.map((column, at) =>
    cells.reduce((width, row) => Math.max(width, String(row[at]).length), column.length),
  );
  const padded = (value: unknown, at: number): string =>
    typeof value === 'number' ? String(value).padStart(widths[at] ?? 0) : String(value).padEnd(widths[at] ?? 0);
  return [columns, ...cells].map((row) => row.map(padded).join('  ').trimEnd());
}
