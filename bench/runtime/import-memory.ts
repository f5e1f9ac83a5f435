/** What an import does with a body, in the order in which it does it; prints the peak of memory that it saw, in MB. Arguments: what kind of body, and how much of the bound. */
import { uuidv7 } from 'uuidv7';
import { z } from 'zod';
import { listParts } from '../../data/list-parts.ts';
import { sha256 } from '../../domain/ledger/journal-chain.ts';
import { separatorsIn } from '../../domain/limits/separators.ts';
import {
  checkImport,
  IMPORT_BYTES_MAX,
  IMPORT_ROWS_MAX,
  IMPORT_VALUES_MAX,
  type RawImportRow,
} from '../../domain/register/import-rows.ts';
import { rowsOfOcf } from '../../domain/register/ocf/import-ocf.ts';
import type { OcfObject } from '../../domain/register/ocf/ocf-object.ts';
import { parseCsv } from '../../domain/register/parse-csv.ts';

const [kind = 'json', share = '1'] = process.argv.slice(2);
const ROWS = Math.floor(IMPORT_ROWS_MAX * Number(share));
const VALUES = Math.floor(IMPORT_VALUES_MAX * Number(share)) - 100;

let peak_bytes = 0;
function look(): void {
  const { heapUsed, external } = process.memoryUsage();
  peak_bytes = Math.max(peak_bytes, heapUsed + external);
}

const CSV_NAMES =
  'holder_reference,holder_name,holder_kind,country,shares,cost,certificate_number,acquired_at,restriction_ends_at,legend';

function textOfBody(): string {
  const ids = Array.from({ length: ROWS }, (_, n) => String(n).padStart(6, '0'));
  switch (kind) {
    case 'json':
      return `{"holders":[${ids.map((k) => `{"holder_reference":"H-${k}","holder_name":"Holder Number ${k} of Some Street","holder_kind":"individual","country":"US","shares":100,"cost":1234.5,"certificate_number":"CERT-${k}","acquired_at":"2024-01-02","restriction_ends_at":"2027-01-02","legend":true}`).join()}]}`;
    case 'csv':
      return [
        CSV_NAMES,
        ...ids.map(
          (k) =>
            `H-${k},Holder Number ${k} of Some Street,individual,US,100,1234.5,CERT-${k},2024-01-02,2027-01-02,true`,
        ),
      ].join('\n');
    case 'ocf': {
      const most = ids.slice(0, Math.floor(ROWS * 0.8));
      const holders = most.map(
        (k) =>
          `{"object_type":"STAKEHOLDER","id":"${k}","name":{"legal_name":"Holder ${k}"},"stakeholder_type":"INDIVIDUAL","issuer_assigned_id":"H-${k}"}`,
      );
      const stock = most.map(
        (k) =>
          `{"object_type":"TX_STOCK_ISSUANCE","id":"0192f0a0-0000-7000-8000-000000${k}:issuance","security_id":"0192f0a0-0000-7000-8000-000000${k}","date":"2024-10-01","security_law_exemptions":[],"stakeholder_id":"${k}","custom_id":"CERT-${k}","stock_class_id":"common","share_price":{"amount":"40","currency":"USD"},"quantity":"100","stock_legend_ids":[]}`,
      );
      return `{"files":{"a":{"file_type":"A","items":[${holders.join()}]},"b":{"file_type":"B","items":[${stock.join()}]}}}`;
    }
    case 'objects':
      return `{"holders":[${'{},'.repeat(VALUES / 2 - 10)}{}]}`;
    case 'empty_rows':
      return `{"holders":[${'{"shares":1,"cost":1},'.repeat(VALUES / 3 - 10)}{}]}`;
    case 'empty_cells':
      return `${CSV_NAMES}\n${','.repeat(VALUES - 100)}`;
    default:
      throw new Error(`no kind of body: ${kind}`);
  }
}

const bytes = new TextEncoder().encode(textOfBody());
if (bytes.byteLength > IMPORT_BYTES_MAX) throw new Error(`the body has ${bytes.byteLength} bytes`);
if (separatorsIn(bytes, IMPORT_VALUES_MAX) >= IMPORT_VALUES_MAX) throw new Error('the body has too many values');
const text = new TextDecoder('utf-8', { fatal: true }).decode(bytes);
look();
await crypto.subtle.digest('SHA-256', new TextEncoder().encode(`POST\n/v1/captable/x/import\n${text}`));
look();

const Rows = z.strictObject({
  holders: z
    .array(z.record(z.string().max(50), z.union([z.string(), z.number(), z.boolean(), z.null()])))
    .min(1)
    .max(IMPORT_ROWS_MAX),
});
const Item = z.looseObject({ object_type: z.string(), id: z.string() });
const Ocf = z.object({
  files: z.record(z.string().max(200), z.object({ file_type: z.string(), items: z.array(Item) })),
});

function rowsOfBody(): readonly RawImportRow[] {
  if (kind === 'csv' || kind === 'empty_cells') {
    const [names = [], ...rows] = parseCsv(text) ?? [];
    look();
    if (rows.some((row) => row.length !== names.length)) return [];
    return rows.map((row) => Object.fromEntries(row.map((cell, at) => [names[at], cell])));
  }
  const json: unknown = JSON.parse(text);
  look();
  const read = z.union([Rows, Ocf]).safeParse(json);
  look();
  if (!read.success) return [];
  if ('holders' in read.data) return read.data.holders as RawImportRow[];
  const objects = Object.values(read.data.files).flatMap(({ items }) => items) as OcfObject[];
  const made = rowsOfOcf(objects, { stockClass: null, scale: 0 });
  look();
  if (!made.ok) throw new Error(JSON.stringify(made.error[0]));
  return made.value.map(({ row }) => row);
}

const raw = rowsOfBody();
const checked = checkImport(raw, { scale: 0, costScale: 2, now: Date.now() });
look();
if (checked.errorCount > 0 && ['json', 'csv', 'ocf'].includes(kind)) throw new Error(JSON.stringify(checked.errors[0]));
const hash = sha256('import', 'security', JSON.stringify(raw), '', '');
look();
const lines = checked.rows.map(({ reference, name, ...row }) => ({
  holder: { id: uuidv7(), reference, name },
  ...row,
}));
look();
const parts = listParts(lines, 2_000);
for (const part of parts) JSON.stringify(part);
look();
console.log(
  JSON.stringify({
    body_mb: Math.round(bytes.byteLength / 1e6),
    rows: lines.length,
    parts: parts.length,
    peak_mb: Math.round(peak_bytes / 1e6),
    hash: hash.slice(0, 8),
    text_characters: text.length,
  }),
);
