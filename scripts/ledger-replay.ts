import { writeFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { ledgerAsOf } from '../domain/ledger/journal-replay.ts';
import { journalRows } from '../domain/ledger/journal-source.ts';
import { type LedgerReport, reportOf, reportText } from './ledger/report.ts';
import { onStoppedLedger } from './local/stopped-ledger.ts';

const USAGE = 'usage: npm run ledger:replay -- [--as-of <ISO time>] [--out <file>]';
/** A day (from its beginning in UTC), or a time with its zone. */
const ISO_TIME = /^\d{4}-\d\d-\d\d(T\d\d:\d\d(:\d\d(\.\d+)?)?(Z|[+-]\d\d:\d\d))?$/;

/**
 * `npm run ledger:replay`: the ledger in .state as it stood at a time (now, if none is given), made from its first journal row on, with
 * every hash and every outcome checked. Prints it as tables, or writes it as JSON. Exit 1 when an invariant does not hold.
 */
async function replay(): Promise<LedgerReport> {
  const { values } = parseArgs({ options: { 'as-of': { type: 'string' }, out: { type: 'string' } } });
  const asOf = values['as-of'] ?? new Date().toISOString();
  const asOf_ms = ISO_TIME.test(asOf) ? Date.parse(asOf) : Number.NaN;
  if (Number.isNaN(asOf_ms)) throw new Error(`${asOf} is no ISO time with its zone\n${USAGE}`);
  const report = await onStoppedLedger(async ({ journal }) =>
    reportOf(await ledgerAsOf(journalRows(journal), asOf_ms), asOf_ms),
  );
  if (values.out === undefined) console.log(reportText(report));
  else writeFileSync(values.out, `${JSON.stringify(report, null, 2)}\n`);
  return report;
}

try {
  process.exitCode = (await replay()).violations.length === 0 ? 0 : 1;
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}
