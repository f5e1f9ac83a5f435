import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { type Schema, Validator } from '@cfworker/json-schema';
import { describe, expect, it } from 'vitest';
import { ocfOfRegister, type RegisteredLine } from '../../domain/register/ocf/export-ocf.ts';
import type { OcfObject } from '../../domain/register/ocf/ocf-object.ts';
import { replayStock } from '../../domain/register/ocf/replay-stock.ts';

/** Schemas and samples of Open Cap Table Format, beside the checkout; they are no part of it. */
const FOLDER = path.resolve(import.meta.dirname, '../../../shared/data/ocf');
const isThere = existsSync(FOLDER);
if (!isThere) console.warn(`skipped, because there is no Open Cap Table Format in ${FOLDER}`);

const BASE = 'https://raw.githubusercontent.com/Open-Cap-Table-Coalition/Open-Cap-Format-OCF/main/schema/files';
const NOW = Date.UTC(2026, 10, 23, 12);

function read<T>(file: string): T {
  return JSON.parse(readFileSync(path.join(FOLDER, file), 'utf8')) as T;
}

const SCHEMAS = isThere
  ? readdirSync(path.join(FOLDER, 'schema'), { recursive: true, encoding: 'utf8' })
      .filter((file) => file.endsWith('.schema.json'))
      .map((file) => read<Schema>(path.join('schema', file)))
  : [];

/** What a schema says against a file. */
function errorsOf(name: string, file: unknown): unknown[] {
  const schema = SCHEMAS.find(({ $id }) => $id === `${BASE}/${name}.schema.json`);
  if (schema === undefined) throw new Error(`there is no schema ${name}`);
  const validator = new Validator(schema, '7', false);
  for (const other of SCHEMAS) if (other !== schema) validator.addSchema(other);
  return validator.validate(file).errors;
}

const FILES: Readonly<Record<string, string>> = {
  './StockClasses.ocf.json': 'StockClassesFile',
  './StockLegends.ocf.json': 'StockLegendTemplatesFile',
  './Stakeholders.ocf.json': 'StakeholdersFile',
  './Transactions.ocf.json': 'TransactionsFile',
};

const line = (event: string, type: RegisteredLine['type'], holder: string, shares: number): RegisteredLine => ({
  event,
  type,
  recordedAt: NOW - 86_400_000,
  notes: null,
  holder,
  shares,
  cost: shares > 0 ? 100_01 : 0,
  acquiredAt: null,
  certificate: shares > 0 ? `CS-${event}` : null,
  legend: holder === 'ada',
});

const md5 = (text: string) => createHash('md5').update(text).digest('hex');

const exported = () =>
  ocfOfRegister(
    {
      id: 'class',
      issuerId: 'issuer',
      issuerName: 'Orbital Freight, Inc.',
      securityClass: 'preferred_stock',
      shareClass: 'Series B',
      legendText: 'Not registered.',
      scale: 2,
    },
    { formationDate: '2019-03-01', country: 'US' },
    {
      holders: [
        { id: 'ada', reference: 'H-1', name: 'Ada', kind: 'individual', country: 'US' },
        { id: 'bob', reference: 'H-2', name: 'Bob Fund', kind: 'entity', country: null },
      ],
      lines: [
        line('e1', 'import', 'ada', 1_000_50),
        line('e2', 'issuance', 'bob', 3_00),
        line('e3', 'cancellation', 'ada', -100_25),
        line('e4', 'transfer', 'ada', -500_00),
        line('e4', 'transfer', 'bob', 500_00),
        line('e5', 'reversal', 'bob', -1_00),
        line('e5', 'reversal', 'ada', 1_00),
      ],
    },
    { now_ms: NOW, md5 },
  );

describe.skipIf(!isThere)('an export in Open Cap Table Format', () => {
  it('is valid by the schemas of the format, manifest and every file', () => {
    const { manifest, files } = exported();
    expect(errorsOf('OCFManifestFile', manifest)).toEqual([]);
    for (const [filepath, file] of Object.entries(files))
      expect(errorsOf(FILES[filepath] ?? '', file), filepath).toEqual([]);
    const [first] = files['./Transactions.ocf.json']?.items ?? [];
    const broken = { file_type: 'OCF_TRANSACTIONS_FILE', items: [{ ...first, quantity: 5 }] };
    expect(errorsOf('TransactionsFile', broken)).not.toEqual([]);
  });

  it('names each file with the MD5 of its JSON', () => {
    const { manifest, files } = exported();
    const named = Object.values(manifest).flatMap((value) =>
      Array.isArray(value) ? (value as { filepath: string; md5: string }[]) : [],
    );
    expect(named.map(({ filepath }) => filepath).sort()).toEqual(Object.keys(files).sort());
    for (const { filepath, md5: sum } of named) expect(sum).toBe(md5(JSON.stringify(files[filepath])));
  });
});

/** Stock transactions of the sample, each shown by itself: they name stock that no issuance of the sample gives another id. */
const sampled = isThere
  ? read<{ items: OcfObject[] }>('samples/Transactions.ocf.json').items.filter(({ object_type }) =>
      object_type.startsWith('TX_STOCK_'),
    )
  : [];
const ISSUED = sampled.find(({ id }) => id === 'test-stock-issuance-minimal');
const issued = (security_id: string, quantity: string): OcfObject =>
  ({ ...ISSUED, id: `issuance of ${security_id}`, security_id, quantity }) as OcfObject;
const resulting = (...quantities: string[]) =>
  quantities.map((quantity, at) => issued(`resultant-security-id-${at + 1}`, quantity));

describe.skipIf(!isThere)('the sample of Open Cap Table Format', () => {
  const first = issued('test-security-id', '1000');
  const standing = (objects: readonly OcfObject[], stockClass = 'stock-class-id') => {
    const { open, faults } = replayStock(objects, stockClass, 0);
    expect(faults).toEqual([]);
    return open.reduce((sum, { quantity }) => sum + quantity, 0);
  };

  it.each<[string, () => OcfObject[], number]>([
    ['test-stock-issuance-full-fields', () => [], 1_000 + 4_800],
    ['test-stock-acceptance-full-fields', () => [], 1_000],
    ['test-stock-cancellation-minimal', () => [], 963],
    ['test-stock-cancellation-full-fields', () => [issued('test-balance-security-id', '963')], 963],
    ['test-stock-repurchase-minimal', () => [], 967],
    ['test-stock-repurchase-full-fields', () => [issued('balance-security-id', '967')], 967],
    ['test-stock-retraction-minimal', () => [], 0],
    ['test-stock-retraction-full-fields', () => [], 0],
    ['test-stock-transfer-minimal', () => resulting('5', '3', '2'), 1_000],
    [
      'test-stock-transfer-full-fields',
      () => [...resulting('5', '3', '2'), issued('balance-security-id', '990')],
      1_000,
    ],
    ['test-stock-conversion-full-fields', () => [issued('balance-security-id', '990')], 990],
    ['test-stock-reissuance-full-fields', () => resulting('500', '300', '200'), 1_000],
  ])('%s comes to the right total on a stock of 1,000', (id, others, total) => {
    const shown = sampled.find((each) => each.id === id);
    expect(shown).toBeDefined();
    expect(standing([first, ...(shown === undefined ? [] : [shown]), ...others()])).toBe(total);
  });

  it('doubles a class by its 2-for-1 split, and consolidates two stocks', () => {
    const split = sampled.find(({ id }) => id === 'common-2-for-1-split');
    const common = '8d8371e8-d41d-4a49-9f42-b91758fd155d';
    expect(split).toBeDefined();
    if (split !== undefined) expect(standing([{ ...first, stock_class_id: common }, split], common)).toBe(2_000);
    const consolidation = sampled.find(({ id }) => id === 'test-stock-consolidation');
    const two = [issued('consolidating-security-id-1', '4'), issued('consolidating-security-id-2', '5')];
    const one = issued('consolidated-security-id', '9');
    if (consolidation !== undefined) expect(standing([...two, consolidation, one])).toBe(9);
  });

  it('is refused as a whole, since three of its issuances are of one stock', () => {
    const { open, faults } = replayStock(sampled, 'stock-class-id', 0);
    expect(open).toEqual([]);
    expect(faults).toContainEqual({
      object_id: 'test-stock-issuance-minimal-RSA',
      field: 'security_id',
      message: 'is that of another issuance',
    });
  });
});
