import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { AMOUNT_MAX } from '../ledger/balances.ts';
import { checkImport, IMPORT_FIELDS, type RawImportRow, standsInTheWay } from './import-rows.ts';

const TERMS = { scale: 2, costScale: 2, now: Date.UTC(2026, 10, 1) };
const ROW: RawImportRow = { holder_reference: 'H-1', holder_name: 'Ada', shares: 10 };

const errorsOf = (...rows: RawImportRow[]) => checkImport(rows, TERMS).errors;

describe('an import', () => {
  it('is read row by row, the same from texts as from JSON', () => {
    const expected = {
      account: null,
      reference: 'H-2',
      name: 'Grace Trust',
      kind: 'entity',
      country: 'US',
      shares: 1050,
      cost: 9999,
      certificate: 'CS-7',
      acquiredAt: Date.UTC(2020, 1, 29),
      restrictionEndsAt: Date.UTC(2027, 0, 1),
      legend: true,
    };
    const terms = {
      holder_reference: 'H-2',
      holder_name: 'Grace Trust',
      holder_kind: 'entity',
      country: 'US',
      certificate_number: 'CS-7',
      acquired_at: '2020-02-29',
      restriction_ends_at: '2027-01-01',
    };
    const texts = { ...terms, account_id: '', shares: '10.5', cost: '99.99', legend: 'true' };
    const values = { ...terms, shares: 10.5, cost: 99.99, legend: true };
    for (const row of [texts, values])
      expect(checkImport([ROW, row], TERMS)).toMatchObject({
        errors: [],
        shares: 2050,
        rows: [{ shares: 1000 }, expected],
      });
  });

  it('tells a restriction that is none from one that is not stated', () => {
    const endOf = (row: RawImportRow) => checkImport([row], TERMS).rows[0]?.restrictionEndsAt;
    expect(endOf(ROW)).toBeUndefined();
    expect(endOf({ ...ROW, restriction_ends_at: '' })).toBeUndefined();
    expect(endOf({ ...ROW, restriction_ends_at: null })).toBe(null);
  });

  it.each<[string, RawImportRow, string]>([
    ['names nobody', { shares: 1, holder_name: 'Ada' }, 'holder_reference'],
    ['names a holder and an account', { ...ROW, account_id: 'a' }, 'holder_reference'],
    ['takes the name of an account for a reference', { ...ROW, holder_reference: 'account:a' }, 'holder_reference'],
    ['has no name', { holder_reference: 'H-1', shares: 1 }, 'holder_name'],
    ['has an unknown kind', { ...ROW, holder_kind: 'robot' }, 'holder_kind'],
    ['has a name of two lines', { ...ROW, holder_name: 'Ada\nWinters' }, 'holder_name'],
    ['has half a character', { ...ROW, certificate_number: 'CS-\ud842' }, 'certificate_number'],
    ['has no country that there is', { ...ROW, country: 'usa' }, 'country'],
    ['has a country that nobody has assigned', { ...ROW, country: 'XX' }, 'country'],
    ['has a country by the letters of its cars', { ...ROW, country: 'UK' }, 'country'],
    ['has shares that are blank', { ...ROW, shares: ' ' }, 'shares'],
    ['has a space between digits', { ...ROW, shares: ' 1 000 ' }, 'shares'],
    ['has no shares', { ...ROW, shares: null }, 'shares'],
    ['has nothing', { ...ROW, shares: 0 }, 'shares'],
    ['has less than nothing', { ...ROW, shares: -1 }, 'shares'],
    ['has parts of the smallest unit', { ...ROW, shares: 0.001 }, 'shares'],
    ['has an amount in other words', { ...ROW, shares: '1e3' }, 'shares'],
    ['has a cost that is none', { ...ROW, cost: 'ten' }, 'cost'],
    ['was acquired on no day', { ...ROW, acquired_at: '2025-02-29' }, 'acquired_at'],
    ['was acquired in the future', { ...ROW, acquired_at: '2026-11-02' }, 'acquired_at'],
    ['was acquired in a year of two digits', { ...ROW, acquired_at: '0020-05-01' }, 'acquired_at'],
    ['was acquired on the day that a spreadsheet counts from', { ...ROW, acquired_at: '1899-12-30' }, 'acquired_at'],
    ['ends on the day that stands for none', { ...ROW, restriction_ends_at: '0001-01-01' }, 'restriction_ends_at'],
    ['ends on no day', { ...ROW, restriction_ends_at: 'soon' }, 'restriction_ends_at'],
    ['has a legend that is none', { ...ROW, legend: 'perhaps' }, 'legend'],
    ['has a certificate of too many letters', { ...ROW, certificate_number: 'x'.repeat(201) }, 'certificate_number'],
  ])('names a row that %s', (_, row, field) => {
    const { rows, errors } = checkImport([{ ...ROW, holder_reference: 'H-0' }, row], TERMS);
    expect(errors.map((error) => [error.row, error.field])).toEqual([[2, field]]);
    expect(rows).toEqual([]);
  });

  it('names certificates that rows share, and holders of two names', () => {
    const certified = { ...ROW, certificate_number: 'CS-1' };
    expect(errorsOf(certified, certified)).toMatchObject([{ row: 2, field: 'certificate_number' }]);
    expect(errorsOf(ROW, { ...ROW, holder_name: 'Bob' })).toMatchObject([{ row: 2, field: 'holder_name' }]);
  });

  it.each<[string, RawImportRow]>([
    ['a point for thousands', { shares: '1.000' }],
    ['a comma', { shares: '1,000' }],
    ['a cost with a point for thousands', { cost: '1.000' }],
  ])('R-03: names a row that has %s', (_, change) => {
    expect(errorsOf({ ...ROW, holder_reference: 'H-0' }, { ...ROW, ...change })).toMatchObject([
      { row: 2, field: Object.keys(change)[0] },
    ]);
  });

  it('takes a cell of blanks for nothing, in every column', () => {
    const blank = '\u00a0 ';
    const laidOut = Object.fromEntries(IMPORT_FIELDS.map((field) => [field, blank]));
    const expected = checkImport([ROW], TERMS);
    expect(expected.errors).toEqual([]);
    expect(checkImport([{ ...laidOut, ...ROW }], TERMS)).toEqual(expected);
    expect(errorsOf({ ...ROW, holder_reference: blank })).toMatchObject([{ field: 'holder_reference' }]);
    expect(errorsOf({ ...ROW, holder_name: blank })).toMatchObject([{ field: 'holder_name' }]);
  });

  it('R-03: reads amounts and days without the blanks around them', () => {
    const cells = {
      shares: ' 1 ',
      cost: '\u00a02.50',
      acquired_at: ' 2025-03-01',
      restriction_ends_at: ' 2027-01-01 ',
    };
    const { rows, errors } = checkImport([{ ...ROW, ...cells }], TERMS);
    const plain = { shares: '1', cost: '2.50', acquired_at: '2025-03-01', restriction_ends_at: '2027-01-01' };
    expect([errors, rows]).toEqual([[], checkImport([{ ...ROW, ...plain }], TERMS).rows]);
  });

  it('R-03: reads a long amount to its last digit', () => {
    const { rows } = checkImport([{ ...ROW, shares: '2251799813685.247' }], { ...TERMS, scale: 3 });
    expect(rows[0]?.shares).toBe(2_251_799_813_685_247);
  });

  it('R-06: knows of a holder what any of their rows says, in whatever order they come', () => {
    const stated = fc.record({
      holder_kind: fc.constantFrom('', 'entity'),
      country: fc.constantFrom('', 'GB'),
      shares: fc.integer({ min: 1, max: 9 }),
    });
    fc.assert(
      fc.property(fc.array(stated, { minLength: 1, maxLength: 5 }), (rows) => {
        const kind = rows.some(({ holder_kind }) => holder_kind !== '') ? 'entity' : 'individual';
        const country = rows.some((row) => row.country !== '') ? 'GB' : null;
        const checked = checkImport(
          rows.map((row) => ({ ...ROW, ...row })),
          TERMS,
        );
        expect(checked.errors).toEqual([]);
        for (const row of checked.rows) expect(row).toMatchObject({ kind, country, isKindStated: kind === 'entity' });
      }),
    );
  });

  it('R-10: names a row that says otherwise of its holder than another row', () => {
    const first = { ...ROW, holder_kind: 'individual', country: 'US' };
    expect(errorsOf(first, ROW, { ...ROW, holder_kind: 'entity', country: 'GB' })).toMatchObject([
      { row: 3, field: 'holder_kind' },
      { row: 3, field: 'country' },
    ]);
  });

  it('R-11: takes two forms of one accent for one holder, and names a row whose reference only looks the same', () => {
    const composed = { ...ROW, holder_reference: '\u00c9-1', holder_name: 'Zo\u00e9' };
    const decomposed = { ...ROW, holder_reference: 'E\u0301-1', holder_name: 'Zoe\u0301' };
    expect(checkImport([composed, decomposed], TERMS)).toMatchObject({
      errors: [],
      rows: [
        { reference: '\u00c9-1', name: 'Zo\u00e9' },
        { reference: '\u00c9-1', name: 'Zo\u00e9' },
      ],
    });
    for (const reference of ['h-1', '\u041d-1', '\uff28-1', 'H\u20131'])
      expect(errorsOf(ROW, { ...ROW, holder_reference: reference })).toMatchObject([
        { row: 2, field: 'holder_reference' },
      ]);
    for (const reference of ['H\u200b-1', 'H-1\u00ad', 'ACCOUNT:1', 'account\uff1a1'])
      expect(errorsOf({ ...ROW, holder_reference: reference })).toMatchObject([{ row: 1, field: 'holder_reference' }]);
    const [one, other] = ['CS-1', 'cs-1'].map((certificate_number) => ({ ...ROW, certificate_number }));
    expect(errorsOf(one as RawImportRow, other as RawImportRow)).toMatchObject([
      { row: 2, field: 'certificate_number' },
    ]);
    expect(errorsOf({ ...ROW, holder_name: 'A\u200bda' })).toMatchObject([{ row: 1, field: 'holder_name' }]);
  });

  it.each<[string | number | boolean, boolean]>([
    ['TRUE', true],
    [' true ', true],
    ['WAHR', true],
    ['Vrai', true],
    ['yes', true],
    [1, true],
    ['1', true],
    ['FALSE', false],
    ['FALSCH', false],
    ['No', false],
    [0, false],
    [false, false],
  ])('R-15: reads %j as a spreadsheet means it', (legend, means) => {
    expect(checkImport([{ ...ROW, legend }], TERMS)).toMatchObject({ errors: [], rows: [{ legend: means }] });
  });

  it.each(['maybe', 'x', 2, 'truefalse'])('R-15: does not guess what %j means', (legend) => {
    expect(errorsOf({ ...ROW, legend })).toMatchObject([{ row: 1, field: 'legend' }]);
  });

  it('R-15: reads a kind in any case', () => {
    expect(checkImport([{ ...ROW, holder_kind: 'Entity' }], TERMS).rows[0]?.kind).toBe('entity');
  });

  it('takes no more shares than the ledger counts of an asset, in one row or in all', () => {
    const half = { ...ROW, shares: AMOUNT_MAX / 2 / 100 };
    expect(errorsOf(half, half)).toEqual([]);
    expect(errorsOf(half, half, { ...ROW, shares: 0.01 })).toMatchObject([{ row: 3, field: 'shares' }]);
    expect(errorsOf({ ...ROW, shares: 1e16 }, { ...ROW, cost: 1e16 })).toEqual([
      { row: 1, field: 'shares', message: 'is more than can be counted' },
      { row: 2, field: 'cost', message: 'is more than can be counted' },
    ]);
  });

  it('tells a hundred errors, and counts all of them', () => {
    const { errors, errorCount } = checkImport(
      Array.from({ length: 150 }, () => ({})),
      TERMS,
    );
    expect(errors).toHaveLength(100);
    expect(errorCount).toBe(450);
  });
});

describe('shares that are bound', () => {
  const DAY = Date.UTC(2020, 1, 29);

  it('are free again within ten years', () => {
    const at = (restriction_ends_at: string) => errorsOf({ ...ROW, restriction_ends_at });
    expect(at('2036-11-01')).toEqual([]);
    for (const end of ['2036-11-02', '9999-12-31'])
      expect(at(end)).toEqual([{ row: 1, field: 'restriction_ends_at', message: 'is more than ten years ahead' }]);
  });

  it('do not stand before shares that may be sold, where no hold of the securities laws binds them so long', () => {
    const bound = (restrictionEndsAt: number | null | undefined) => ({ acquiredAt: DAY, restrictionEndsAt });
    const [aYear, longer] = [Date.UTC(2021, 1, 28), Date.UTC(2021, 2, 1)];
    expect(standsInTheWay(bound(longer), DAY + 1)).toBe(true);
    expect(standsInTheWay(bound(longer), DAY)).toBe(false);
    expect(standsInTheWay(bound(longer), null)).toBe(false);
    for (const end of [aYear, null, undefined]) expect(standsInTheWay(bound(end), DAY + 1)).toBe(false);
  });
});
