import { AMOUNT_MAX } from '../ledger/balances.ts';
import { toScaled } from '../money/scaled.ts';
import { isOneLine } from '../partner/one-line.ts';
import { HOLDER_KINDS, type HolderKind } from './register-event.ts';

/** What fits the 128 MB of an isolate beside other requests (`npm run bench:import-memory`). A larger register comes in several imports. */
export const IMPORT_ROWS_MAX = 25_000;
/** An ordinary row of JSON has 260 bytes. An OCF document of as many lines as an export may have has 13 MB. */
export const IMPORT_BYTES_MAX = 16 * 1_024 * 1_024;
/** Values of a body: 40 for each row. */
export const IMPORT_VALUES_MAX = 1_000_000;
/** Rows that name accounts: each is a lot, and all of them one ledger transaction. */
export const IMPORT_ACCOUNT_ROWS_MAX = 900;
/** Errors that are told; all of them are counted. */
const ERRORS_MAX = 100;

/** Columns of CSV, fields of JSON. */
export const IMPORT_FIELDS = [
  'holder_reference',
  'holder_name',
  'holder_kind',
  'country',
  'account_id',
  'shares',
  'cost',
  'certificate_number',
  'acquired_at',
  'restriction_ends_at',
  'legend',
] as const;

type ImportField = (typeof IMPORT_FIELDS)[number];

/** A row as it was sent, by field; left out or null for nothing. */
export type RawImportRow = Readonly<Partial<Record<ImportField, string | number | boolean | null>>>;

export interface ImportRow {
  /** Null for one without an account. */
  readonly account: string | null;
  readonly reference: string;
  /** Null for that of the account's owner. */
  readonly name: string | null;
  readonly kind: HolderKind;
  readonly country: string | null;
  readonly shares: number;
  readonly cost: number;
  readonly certificate: string | null;
  readonly acquiredAt: number;
  /** Undefined where the row does not say. */
  readonly restrictionEndsAt: number | null | undefined;
  readonly legend: boolean;
}

export interface RowError {
  /** The first row is 1. */
  readonly row: number;
  /** As the row names it. */
  readonly field: string;
  readonly message: string;
}

export interface CheckedImport {
  /** Whole, or [] where there are errors. */
  readonly rows: readonly ImportRow[];
  readonly errors: readonly RowError[];
  readonly errorCount: number;
  readonly shares: number;
}

export interface ImportTerms {
  readonly scale: number;
  readonly costScale: number;
  /** Unix ms. */
  readonly now: number;
}

/** Checks every row, and all against each other. What others know (accounts, certificates of before) is not looked at here. */
export function checkImport(raw: readonly RawImportRow[], terms: ImportTerms): CheckedImport {
  const errors: RowError[] = [];
  let errorCount = 0;
  const names = new Map<string, string>();
  const certificates = new Set<string>();
  const rows: ImportRow[] = [];
  let shares = 0;
  for (const [index, each] of raw.entries()) {
    const fail = (field: string, message: string): void => {
      errorCount += 1;
      if (errors.length < ERRORS_MAX) errors.push({ row: index + 1, field, message });
    };
    const row = readRow(each, terms, fail);
    if (row === null) continue;
    if (names.has(row.reference) && names.get(row.reference) !== (row.name ?? ''))
      fail('holder_name', 'differs from that of another row of this holder');
    names.set(row.reference, row.name ?? '');
    if (row.certificate !== null && certificates.has(row.certificate))
      fail('certificate_number', 'is that of another row');
    if (row.certificate !== null) certificates.add(row.certificate);
    shares += row.shares;
    if (shares > AMOUNT_MAX) fail('shares', 'come to more than can be counted');
    rows.push(row);
  }
  return { rows: errorCount === 0 ? rows : [], errors, errorCount, shares };
}

type Fail = (field: string, message: string) => void;

const KNOWN_FIELDS: ReadonlySet<string> = new Set(IMPORT_FIELDS);

const TEXT_LENGTH_MAX = 200;

function readRow(raw: RawImportRow, terms: ImportTerms, fail: Fail): ImportRow | null {
  let isRight = true;
  const wrong: Fail = (field, message) => {
    isRight = false;
    fail(field, message);
  };
  for (const field of Object.keys(raw)) if (!KNOWN_FIELDS.has(field)) wrong(field, 'is no field of an import');
  const account = readText(raw, 'account_id', wrong);
  const reference = readText(raw, 'holder_reference', wrong);
  const name = readText(raw, 'holder_name', wrong);
  if (isNothing(raw.account_id) && isNothing(raw.holder_reference))
    wrong('holder_reference', 'is missing, and no account is named');
  if (account !== null && reference !== null) wrong('holder_reference', 'belongs to holders without an account');
  if (reference?.startsWith('account:')) wrong('holder_reference', 'may not begin with account:');
  if (isNothing(raw.account_id) && isNothing(raw.holder_name)) wrong('holder_name', 'is missing');
  const kind = readText(raw, 'holder_kind', wrong) ?? 'individual';
  if (!isHolderKind(kind)) wrong('holder_kind', `is none of ${HOLDER_KINDS.join(', ')}`);
  const country = readText(raw, 'country', wrong);
  if (country !== null && !/^[A-Z]{2}$/.test(country)) wrong('country', 'is no code of two letters (ISO 3166-1)');
  const shares = readAmount(raw, 'shares', terms.scale, wrong);
  if (shares === null) wrong('shares', 'are missing');
  else if (shares <= 0) wrong('shares', 'are not above 0');
  const cost = readAmount(raw, 'cost', terms.costScale, wrong);
  const acquiredAt = readDay(raw, 'acquired_at', wrong) ?? terms.now;
  if (acquiredAt > terms.now) wrong('acquired_at', 'is in the future');
  const ends = raw.restriction_ends_at;
  const restrictionEndsAt = ends === undefined || ends === '' ? undefined : readDay(raw, 'restriction_ends_at', wrong);
  const legend = readFlag(raw, 'legend', wrong);
  const certificate = readText(raw, 'certificate_number', wrong);
  if (!isRight || shares === null || !isHolderKind(kind)) return null;
  return {
    account,
    reference: account === null ? (reference ?? '') : `account:${account}`,
    name,
    kind,
    country,
    shares,
    cost: cost ?? 0,
    certificate,
    acquiredAt,
    restrictionEndsAt,
    legend,
  };
}

function isHolderKind(kind: string): kind is HolderKind {
  return (HOLDER_KINDS as readonly string[]).includes(kind);
}

function isNothing(value: RawImportRow[ImportField]): value is undefined | null | '' {
  return value === undefined || value === null || value === '';
}

function readText(raw: RawImportRow, field: ImportField, fail: Fail): string | null {
  const value = raw[field];
  if (isNothing(value)) return null;
  if (typeof value !== 'string' || value.trim() === '' || value.length > TEXT_LENGTH_MAX || !isOneLine(value.trim())) {
    fail(field, `is no line of text of up to ${TEXT_LENGTH_MAX} characters`);
    return null;
  }
  return value.trim();
}

function readAmount(raw: RawImportRow, field: ImportField, scale: number, fail: Fail): number | null {
  const value = raw[field];
  if (isNothing(value)) return null;
  const number = typeof value === 'string' && /^\d+(\.\d+)?$/.test(value) ? Number(value) : value;
  const scaled = typeof number === 'number' && number >= 0 ? toScaled(number, scale) : null;
  if (scaled?.ok) return scaled.value;
  fail(
    field,
    scaled?.error.reason === 'too_large' ? 'is more than can be counted' : `is no amount with up to ${scale} decimals`,
  );
  return field === 'shares' ? 1 : null;
}

function readDay(raw: RawImportRow, field: ImportField, fail: Fail): number | null {
  const value = raw[field];
  if (isNothing(value)) return null;
  const day = typeof value === 'string' ? dayOf(value) : null;
  if (day === null) fail(field, 'is no date YYYY-MM-DD');
  return day;
}

function readFlag(raw: RawImportRow, field: ImportField, fail: Fail): boolean {
  const value = raw[field];
  if (isNothing(value) || value === false || value === 'false') return false;
  if (value === true || value === 'true') return true;
  fail(field, 'is neither true nor false');
  return false;
}

/** Midnight UTC of a day that there is, or null. */
function dayOf(text: string): number | null {
  const at = /^\d{4}-\d{2}-\d{2}$/.test(text) ? Date.parse(`${text}T00:00:00Z`) : Number.NaN;
  return Number.isNaN(at) || new Date(at).toISOString().slice(0, 10) !== text ? null : at;
}
