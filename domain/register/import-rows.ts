import { addMonths } from '../calendar/add-months.ts';
import { ownId } from '../identity/own-id.ts';
import { AMOUNT_MAX } from '../ledger/balances.ts';
import { decimalToScaled } from '../money/decimal-text.ts';
import { type ScaledResult, toScaled } from '../money/scaled.ts';
import { isCountryCode, NO_COUNTRY } from '../partner/country-code.ts';
import { isOneLine } from '../partner/one-line.ts';
import { amountTextFault } from './amount-text.ts';
import { BEFORE_ALL_DAYS, precedesAllDays } from './first-day.ts';
import { isDay } from './is-day.ts';
import { composed, hasUnseen, hasUnseenInName, lookAlikeForm } from './look-alike.ts';
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
/** A sale takes the oldest lots first, so what is bound for good would bind what lies behind it. */
const RESTRICTED_MONTHS_MAX = 120;
/** The longest hold period of the securities laws, from the acquisition (`HOLD_PERIODS`). */
const HOLD_MONTHS_MAX = 12;

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
  /** Whether a row of this holder says so; else it is what holders are by default. */
  readonly isKindStated: boolean;
  /** Null where no row of this holder says. */
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
  /** Line of the file, of a row of CSV; the line of names is 1. */
  readonly line?: number;
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
  const holders = new Map<string, StatedHolder>();
  const references = new Map<string, string>();
  const certificates = new Set<string>();
  const rows: StatedRow[] = [];
  let shares = 0;
  for (const [index, each] of raw.entries()) {
    const fail = (field: string, message: string): void => {
      errorCount += 1;
      if (errors.length < ERRORS_MAX) errors.push({ row: index + 1, field, message });
    };
    const row = readRow(each, terms, fail);
    if (row === null) continue;
    holders.set(row.reference, joined(holders.get(row.reference), row, fail));
    if (row.account === null) {
      const form = lookAlikeForm(row.reference);
      const first = references.get(form) ?? row.reference;
      if (first !== row.reference) fail('holder_reference', 'looks like that of another row, and is another text');
      references.set(form, first);
    }
    if (row.certificate !== null) {
      const form = lookAlikeForm(row.certificate);
      if (certificates.has(form)) fail('certificate_number', 'is that of another row');
      certificates.add(form);
    }
    shares += row.shares;
    if (shares > AMOUNT_MAX) fail('shares', 'come to more than can be counted');
    rows.push(row);
  }
  return { rows: errorCount === 0 ? rows.map((row) => ofHolder(row, holders)) : [], errors, errorCount, shares };
}

/** A row with what it says of its holder itself. */
interface StatedRow extends Omit<ImportRow, 'kind' | 'isKindStated'> {
  readonly kind: HolderKind | null;
}

/** What rows say of one holder; null where none does. */
type StatedHolder = Pick<StatedRow, 'name' | 'kind' | 'country'>;

const HOLDER_FIELDS = { name: 'holder_name', kind: 'holder_kind', country: 'country' } as const;

/** What a row says counts for all rows of its holder, in whatever order they come. */
function joined(before: StatedHolder | undefined, row: StatedHolder, fail: Fail): StatedHolder {
  for (const field of ['name', 'kind', 'country'] as const) {
    const known = before?.[field] ?? null;
    if (known !== null && row[field] !== null && row[field] !== known)
      fail(HOLDER_FIELDS[field], 'differs from that of another row of this holder');
  }
  return {
    name: before?.name ?? row.name,
    kind: before?.kind ?? row.kind,
    country: before?.country ?? row.country,
  };
}

const DEFAULT_KIND: HolderKind = 'individual';

function ofHolder(row: StatedRow, holders: ReadonlyMap<string, StatedHolder>): ImportRow {
  const { name, kind, country } = holders.get(row.reference) ?? row;
  return { ...row, name, kind: kind ?? DEFAULT_KIND, isKindStated: kind !== null, country };
}

type Fail = (field: string, message: string) => void;

const KNOWN_FIELDS: ReadonlySet<string> = new Set(IMPORT_FIELDS);

const TEXT_LENGTH_MAX = 200;

function readRow(sent: RawImportRow, terms: ImportTerms, fail: Fail): StatedRow | null {
  const raw = withoutBlanks(sent);
  let isRight = true;
  const wrong: Fail = (field, message) => {
    isRight = false;
    fail(field, message);
  };
  for (const field of Object.keys(raw)) if (!KNOWN_FIELDS.has(field)) wrong(field, 'is no field of an import');
  // Ids of ours are UUIDs, read in any case (RFC 9562, section 4).
  const stated = readText(raw, 'account_id', wrong);
  const account = stated === null ? null : ownId(stated);
  const reference = readNumber(raw, 'holder_reference', wrong);
  const name = readText(raw, 'holder_name', wrong);
  if (name !== null && hasUnseenInName(name)) wrong('holder_name', UNSEEN);
  if (isNothing(raw.account_id) && isNothing(raw.holder_reference))
    wrong('holder_reference', 'is missing, and no account is named');
  if (account !== null && reference !== null) wrong('holder_reference', 'belongs to holders without an account');
  if (lookAlikeForm(reference ?? '').startsWith('account:')) wrong('holder_reference', 'may not begin with account:');
  if (isNothing(raw.account_id) && isNothing(raw.holder_name)) wrong('holder_name', 'is missing');
  const kind = readText(raw, 'holder_kind', wrong)?.toLowerCase() ?? null;
  if (kind !== null && !isHolderKind(kind)) wrong('holder_kind', `is none of ${HOLDER_KINDS.join(', ')}`);
  const country = readText(raw, 'country', wrong);
  if (country !== null && !isCountryCode(country)) wrong('country', NO_COUNTRY);
  const shares = readAmount(raw, 'shares', terms.scale, wrong);
  if (shares === null) wrong('shares', 'are missing');
  else if (shares <= 0) wrong('shares', 'are not above 0');
  const cost = readAmount(raw, 'cost', terms.costScale, wrong);
  const acquiredAt = readDay(raw, 'acquired_at', wrong) ?? terms.now;
  if (acquiredAt > terms.now) wrong('acquired_at', 'is in the future');
  const ends = raw.restriction_ends_at;
  const restrictionEndsAt = ends === undefined || ends === '' ? undefined : readDay(raw, 'restriction_ends_at', wrong);
  if (typeof restrictionEndsAt === 'number' && restrictionEndsAt > addMonths(terms.now, RESTRICTED_MONTHS_MAX))
    wrong('restriction_ends_at', 'is more than ten years ahead');
  const legend = readFlag(raw, 'legend', wrong);
  const certificate = readNumber(raw, 'certificate_number', wrong);
  if (!isRight || shares === null || (kind !== null && !isHolderKind(kind))) return null;
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

/** Blanks around a cell, or in place of one, are what a table was laid out with. */
function withoutBlanks(raw: RawImportRow): RawImportRow {
  const fields = Object.entries(raw).map(([field, value]) => [field, typeof value === 'string' ? value.trim() : value]);
  return Object.fromEntries(fields) as RawImportRow;
}

function readText(raw: RawImportRow, field: ImportField, fail: Fail): string | null {
  const value = raw[field];
  if (isNothing(value)) return null;
  if (typeof value !== 'string' || value.length > TEXT_LENGTH_MAX || !isOneLine(value)) {
    fail(field, `is no line of text of up to ${TEXT_LENGTH_MAX} characters`);
    return null;
  }
  return composed(value);
}

const UNSEEN = 'has characters that nobody sees';

/** A reference or number, by which people tell things apart. */
function readNumber(raw: RawImportRow, field: ImportField, fail: Fail): string | null {
  const text = readText(raw, field, fail);
  if (text === null || !hasUnseen(text)) return text;
  fail(field, UNSEEN);
  return null;
}

function readAmount(raw: RawImportRow, field: ImportField, scale: number, fail: Fail): number | null {
  const value = raw[field];
  if (isNothing(value)) return null;
  const fault = typeof value === 'string' ? amountTextFault(value, scale) : null;
  const scaled = fault === null ? scaledOf(value, scale) : null;
  if (scaled?.ok) return scaled.value;
  const isLarge = scaled?.error.reason === 'too_large';
  fail(field, fault ?? (isLarge ? 'is more than can be counted' : `is no amount with up to ${scale} decimals`));
  return field === 'shares' ? 1 : null;
}

function scaledOf(value: string | number | boolean, scale: number): ScaledResult | null {
  if (typeof value === 'string') return decimalToScaled(value, scale);
  return typeof value === 'number' && value >= 0 ? toScaled(value, scale) : null;
}

function readDay(raw: RawImportRow, field: ImportField, fail: Fail): number | null {
  const value = raw[field];
  if (isNothing(value)) return null;
  const day = typeof value === 'string' ? dayOf(value) : null;
  if (day === null) fail(field, 'is no date YYYY-MM-DD');
  else if (typeof value === 'string' && precedesAllDays(value)) fail(field, BEFORE_ALL_DAYS);
  return day;
}

/** As spreadsheets write them in English, German, French, Spanish, Italian, Portuguese, Dutch, Polish, Swedish, Danish, Norwegian and Finnish, and as people do. */
const TRUE_WORDS: ReadonlySet<string> = new Set(
  'true wahr vrai verdadero vero verdadeiro waar prawda sant sand sann tosi yes ja oui sí si sim tak kyllä 1'.split(
    ' ',
  ),
);
const FALSE_WORDS: ReadonlySet<string> = new Set(
  'false falsch faux falso onwaar fałsz falskt falsk usann epätosi no nein non não nee nie nej nei ei 0'.split(' '),
);

function readFlag(raw: RawImportRow, field: ImportField, fail: Fail): boolean {
  const value = raw[field];
  if (isNothing(value)) return false;
  const word = String(value).toLowerCase();
  if (TRUE_WORDS.has(word)) return true;
  if (!FALSE_WORDS.has(word)) fail(field, 'is neither true nor false');
  return false;
}

/** Midnight UTC of a day that there is, or null. */
function dayOf(text: string): number | null {
  return isDay(text) ? Date.parse(`${text}T00:00:00Z`) : null;
}

/**
 * Whether a row would be bound longer than any hold of the securities laws, and stand before shares that its holder may sell: a sale takes the oldest first, so it would keep these back.
 *
 * @param newestFreeAt when the newest of them was acquired, Unix ms; null for none
 */
export function standsInTheWay(
  { acquiredAt, restrictionEndsAt }: Pick<ImportRow, 'acquiredAt' | 'restrictionEndsAt'>,
  newestFreeAt: number | null,
): boolean {
  const isLong = typeof restrictionEndsAt === 'number' && restrictionEndsAt > addMonths(acquiredAt, HOLD_MONTHS_MAX);
  return isLong && newestFreeAt !== null && acquiredAt < newestFreeAt;
}
