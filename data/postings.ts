import { type SQL, sql } from 'drizzle-orm';

/** One leg of a ledger transaction. A transaction has at most one leg per account and asset. */
interface Posting {
  readonly account: string;
  readonly asset: string;
  /** Scaled units of the asset; negative leaves the account's available balance. */
  readonly amount: number;
}

export interface LedgerEntry {
  /** UUIDv7; posting the same id again changes nothing. */
  readonly id: string;
  readonly kind: 'deposit' | 'withdrawal' | 'grant';
  /** Sum to zero per asset (L1). */
  readonly postings: readonly Posting[];
  /** Unix milliseconds. */
  readonly createdAt: number;
  /** What must still hold in the ledger for the entry to be posted at all; nothing more when left out. */
  readonly when?: SQL;
}

/** Statements of one batch; what goes with the entry (transfer row, lots, events) stands between, under `applying`. */
export interface PostingStatements {
  readonly open: readonly SQL[];
  readonly close: readonly SQL[];
  /** True between `open` and `close` exactly when this batch is the one that posts the entry. */
  readonly applying: SQL;
}

/**
 * The statements that post an entry whole or, when it has been posted before or a leg would leave an account short or a balance out
 * of exact range, not at all. The row in ledger_transactions comes last: postings without it mean that this batch is at work.
 */
export function postEntry(entry: LedgerEntry): PostingStatements {
  const rows = JSON.stringify(entry.postings.map(({ account, asset, amount }) => [account, asset, amount]));
  const unposted = sql`NOT EXISTS (SELECT 1 FROM ledger_transactions WHERE id = ${entry.id})`;
  const applying = sql`(${unposted} AND EXISTS (SELECT 1 FROM postings WHERE "transaction" = ${entry.id}))`;
  return {
    applying,
    open: [
      sql`
        INSERT INTO balances (account, asset, boundary)
        SELECT value ->> 0, value ->> 1, a.boundary FROM json_each(${rows}) JOIN accounts a ON a.id = value ->> 0
        WHERE ${unposted} ON CONFLICT DO NOTHING`,
      sql`
        INSERT INTO postings ("transaction", line, account, asset, amount)
        SELECT ${entry.id}, key + 1, value ->> 0, value ->> 1, value ->> 2 FROM json_each(${rows})
        WHERE ${unposted} AND ${entry.when ?? sql`true`} AND NOT EXISTS (
          SELECT 1 FROM json_each(${rows}) p
          LEFT JOIN balances b ON b.account = p.value ->> 0 AND b.asset = p.value ->> 1
          WHERE b.account IS NULL
            OR (b.boundary = 0 AND b.available + (p.value ->> 2) < 0)
            OR abs(b.available + b.held + (p.value ->> 2)) > ${sql.raw(String(Number.MAX_SAFE_INTEGER))})
        ON CONFLICT DO NOTHING`,
    ],
    close: [
      sql`
        UPDATE balances SET available = available + p.amount
        FROM (SELECT account, asset, amount FROM postings WHERE "transaction" = ${entry.id}) p
        WHERE balances.account = p.account AND balances.asset = p.asset AND ${applying}`,
      sql`
        INSERT INTO ledger_transactions (id, kind, created_at)
        SELECT ${entry.id}, ${entry.kind}, ${entry.createdAt}
        WHERE ${applying} ON CONFLICT DO NOTHING`,
    ],
  };
}
