import { sql } from 'drizzle-orm';
import type { SplitRatio } from '../../../domain/ledger/split-units.ts';
import type { HolderKind } from '../../../domain/register/register-event.ts';
import type { Database } from '../../database.ts';
import { sqlBatch } from '../../sql-batch.ts';
import { linesOf, type RegisterLine, type StagedEvent } from './register-events.ts';
import { splitUnitsSql } from './split-sql.ts';

/** What holders of a security without an account come to together, each by the ratio, rounded up. */
export async function convertedTotal(
  db: Database,
  security: string,
  { from, to }: Pick<SplitRatio, 'from' | 'to'>,
): Promise<number> {
  const ratio = { from: sql`CAST(${from} AS INTEGER)`, to: sql`CAST(${to} AS INTEGER)`, isRoundedUp: sql`TRUE` };
  const row = await db.get<{ units: number | null }>(sql`
    SELECT total(${splitUnitsSql(sql`r.shares`, ratio)}) AS units
    FROM register_holdings r JOIN register_holders h ON h.id = r.holder
    WHERE r.security = ${security} AND r.shares > 0 AND h.account IS NULL`);
  return row?.units ?? 0;
}

/** A holder whose shares have ended, as the other register is to know them. */
export interface ConvertedHolder {
  readonly line: number;
  readonly shares: number;
  readonly account: string | null;
  readonly reference: string;
  readonly kind: HolderKind;
  readonly isKindStated: boolean;
  readonly name: string;
  readonly country: string | null;
  /** Whether the reference stands for somebody else in the other register, or only looks like one of it. */
  readonly isTaken: boolean;
}

/** Those of the lines of a recorded event by which shares end, from a line on, in order. */
export async function convertedHolders(
  db: Database,
  {
    event,
    into,
    from,
    limit,
  }: { readonly event: string; readonly into: string; readonly from: number; readonly limit: number },
): Promise<ConvertedHolder[]> {
  type Row = Omit<ConvertedHolder, 'isTaken' | 'isKindStated'> & Record<'isTaken' | 'isKindStated', number>;
  const rows = await db.all<Row>(sql`
    SELECT c.line, -c.shares AS shares, h.account, h.reference, h.kind, h.kind_stated AS isKindStated, h.name, h.country,
      h.account IS NULL AND coalesce(
        (SELECT o.name <> h.name OR o.kind <> h.kind FROM register_holders o WHERE o.security = ${into} AND o.reference = h.reference),
        EXISTS (SELECT 1 FROM register_holders o WHERE o.security = ${into} AND o.reference_form = h.reference_form)) AS isTaken
    FROM register_changes c JOIN register_holders h ON h.id = c.holder
    WHERE c.event = ${event} AND c.line >= CAST(${from} AS INTEGER) ORDER BY c.line LIMIT CAST(${limit} AS INTEGER)`);
  return rows.map((row) => ({ ...row, isTaken: row.isTaken === 1, isKindStated: row.isKindStated === 1 }));
}

/** Writes lines of an announced conversion, from the number of the first one on; those that are there stay. */
export async function writeConversionLines(
  db: Database,
  event: Pick<StagedEvent, 'id' | 'security' | 'createdAt'>,
  lines: readonly RegisterLine[],
  from: number,
): Promise<void> {
  await sqlBatch(db, linesOf(event, lines, from, 'announced'));
}
