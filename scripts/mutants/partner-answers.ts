import type { Mutant } from './mutant.ts';

const AMOUNTS = ['domain/register/amount-text.test.ts'];
const ROWS = ['domain/register/import-rows.test.ts'];
const TABLES = ['domain/register/csv-rows.test.ts'];
const LOOKS = ['domain/register/look-alike.test.ts'];
const OCF = ['domain/register/ocf/replay-stock.test.ts'];
const IMPORTS = ['test/runtime/adversary/transfer-agent/answers-of-an-import.test.ts'];

/** Rules by which partners are given one answer, and the right one. */
export const PARTNER_ANSWER_MUTANTS: readonly Mutant[] = [
  {
    rule: 'a point in an amount that may divide thousands is refused',
    file: 'domain/register/amount-text.ts',
    from: '  if (THOUSANDS.test(text))\n',
    to: '  if (scale < 3 && THOUSANDS.test(text))\n',
    tests: AMOUNTS,
  },
  {
    rule: 'zeros behind the last decimal of an amount count',
    file: 'domain/register/amount-text.ts',
    from: "if (decimals.length > scale && decimals !== '00')",
    to: 'if (false)',
    tests: AMOUNTS,
  },
  {
    rule: 'an amount as text is read to its last digit',
    file: 'domain/register/import-rows.ts',
    from: "if (typeof value === 'string') return decimalToScaled(value, scale);",
    to: "if (typeof value === 'string') return toScaled(Number(value), scale);",
    tests: ROWS,
  },
  {
    rule: 'what a row says of its holder counts for the rows before it',
    file: 'domain/register/import-rows.ts',
    from: 'rows.map((row) => ofHolder(row, holders))',
    to: 'rows.map((row) => ofHolder(row, new Map()))',
    tests: ROWS,
  },
  {
    rule: 'two rows of one holder do not say two things',
    file: 'domain/register/import-rows.ts',
    from: 'row[field] !== null && row[field] !== known)',
    to: 'false)',
    tests: ROWS,
  },
  {
    rule: 'a reference that only looks like another one is refused',
    file: 'domain/register/import-rows.ts',
    from: 'if (first !== row.reference) fail(',
    to: 'if (false) fail(',
    tests: ROWS,
  },
  {
    rule: 'a reference has no character that nobody sees',
    file: 'domain/register/import-rows.ts',
    from: 'if (text === null || !hasUnseen(text)) return text;',
    to: 'return text;',
    tests: ROWS,
  },
  {
    rule: 'letters with accents are compared composed',
    file: 'domain/register/look-alike.ts',
    from: "return text.normalize('NFC').trim();",
    to: 'return text.trim();',
    tests: LOOKS,
  },
  {
    rule: 'the twins of Latin letters look like them',
    file: 'domain/register/look-alike.ts',
    from: '(letter) => twins.get(letter) ?? letter',
    to: '(letter) => letter',
    tests: LOOKS,
  },
  {
    rule: 'names of columns count in any case',
    file: 'domain/register/csv-rows.ts',
    from: 'name.trim().toLowerCase()',
    to: 'name.trim()',
    tests: TABLES,
  },
  {
    rule: 'blank lines of a table count',
    file: 'domain/register/parse-csv.ts',
    from: '    row = [];\n    line += 1;\n',
    to: "    if (row.length > 1 || row[0] !== '') line += 1;\n    row = [];\n",
    tests: TABLES,
  },
  {
    rule: 'a blank field of OCF counts as left out',
    file: 'domain/register/ocf/ocf-object.ts',
    from: "typeof value === 'string' && value.trim() !== '' ? value : null",
    to: "typeof value === 'string' ? value : null",
    tests: OCF,
  },
  {
    rule: 'what OCF says is omitted counts as left out',
    file: 'domain/register/ocf/ocf-object.ts',
    from: 'isBlank || part.omitted === true',
    to: 'isBlank',
    tests: OCF,
  },
  {
    rule: 'OCF stock may be its own balance',
    file: 'domain/register/ocf/replay-stock.ts',
    from: 'const isItself = balanceId === stock.securityId;',
    to: 'const isItself = false;',
    tests: OCF,
  },
  {
    rule: 'a balance of OCF among what results is of the same stakeholder',
    file: 'domain/register/ocf/replay-stock.ts',
    from: "other?.issued === rest && textOf(other.issuance, 'stakeholder_id') === stakeholder",
    to: 'other?.issued === rest',
    tests: OCF,
  },
  {
    rule: 'a cost in another currency is no cost in dollars',
    file: 'domain/register/ocf/import-ocf.ts',
    from: "if (currency !== 'USD') return ok(null);",
    to: '',
    tests: OCF,
  },
  {
    rule: 'a reference that only looks like one of the register is refused',
    file: 'application/partner/register/issue-shares.ts',
    from: 'if (other === undefined) return [];',
    to: 'return [];',
    tests: IMPORTS,
  },
  {
    rule: 'a dry run looks at what the ledger would not take',
    file: 'application/partner/register/issue-shares.ts',
    from: 'return full ?? (await entryFault(db, security, lines));',
    to: 'return full;',
    tests: IMPORTS,
  },
  {
    rule: 'what a later import says of a holder is kept',
    file: 'data/partner/register/register-events.ts',
    from: 'SET country = coalesce(country, j.value ->> 2),\n          kind = iif(kind_stated OR j.value ->> 1 IS NULL, kind, j.value ->> 1)',
    to: 'SET country = country,\n          kind = kind',
    tests: IMPORTS,
  },
];
