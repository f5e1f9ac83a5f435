import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkImport } from '../import-rows.ts';
import { type OcfHolder, ocfOfRegister, type RegisteredLine } from './export-ocf.ts';
import { rowsOfOcf } from './import-ocf.ts';
import type { OcfObject } from './ocf-object.ts';
import { replayStock } from './replay-stock.ts';

const NOW = Date.UTC(2026, 10, 23);
const DAY = 86_400_000;
const SECURITY = {
  id: 'class',
  issuerId: 'issuer',
  issuerName: 'Orbital Freight, Inc.',
  securityClass: 'preferred_stock',
  shareClass: 'Series B',
  legendText: 'Not registered under the Securities Act.',
};
const ISSUER = { formationDate: '2019-03-01', country: 'US' };
const HOLDERS: readonly OcfHolder[] = ['Ada', 'Bob', 'Cyd', 'Dee'].map((name, at) => ({
  id: `holder-${at}`,
  reference: at === 3 ? 'account:0199' : `H-${at}`,
  name,
  kind: at === 2 ? 'entity' : 'individual',
  country: at === 0 ? 'US' : null,
}));

/** What may happen to a register, whatever holders have. */
const step = fc.record({
  type: fc.constantFrom('issuance', 'import', 'cancellation', 'transfer', 'reversal', 'split'),
  from: fc.nat({ max: 3 }),
  to: fc.nat({ max: 3 }),
  shares: fc.integer({ min: 1, max: 1_000 }),
  percent: fc.integer({ min: 0, max: 100 }),
  cost: fc.nat({ max: 1_000_000 }),
  hasCertificate: fc.boolean(),
  legend: fc.boolean(),
});

interface Made {
  readonly lines: readonly RegisteredLine[];
  readonly held: ReadonlyMap<string, number>;
}

/** The register that steps make; one that nobody has the shares for does not happen. */
function registerOf(steps: readonly (typeof step extends fc.Arbitrary<infer S> ? S : never)[]): Made {
  const held = new Map<string, number>();
  const lines: RegisteredLine[] = [];
  let made = 0;
  for (const [at, { type, from, to, shares, percent, cost, hasCertificate, legend }] of steps.entries()) {
    const line = (holder: string, change: number): RegisteredLine => {
      held.set(holder, (held.get(holder) ?? 0) + change);
      made += 1;
      return {
        event: `event-${at}`,
        type,
        recordedAt: NOW - (steps.length - at) * DAY,
        notes: null,
        holder,
        shares: change,
        cost: change > 0 && type !== 'transfer' ? cost : 0,
        acquiredAt: null,
        certificate: change > 0 && hasCertificate ? `C-${made}` : null,
        legend,
      };
    };
    const [source, target] = [`holder-${from}`, `holder-${to}`];
    const leaving = Math.floor(((held.get(source) ?? 0) * percent) / 100);
    if (type === 'issuance') lines.push(line(source, shares));
    else if (type === 'import') lines.push(line(source, shares), line(target, shares));
    else if (type === 'split' && (held.get(source) ?? 0) > 0 && percent >= 50) lines.push(line(source, shares));
    else if (leaving === 0) continue;
    else if (type === 'split') lines.push(line(source, -leaving));
    else if (type === 'cancellation') lines.push(line(source, -leaving));
    else if (source !== target) lines.push(line(source, -leaving), line(target, leaving));
  }
  return { lines, held: new Map([...held].filter(([, has]) => has > 0)) };
}

const exported = (lines: readonly RegisteredLine[], scale: number) =>
  ocfOfRegister(
    { ...SECURITY, scale },
    ISSUER,
    { holders: HOLDERS, lines },
    { now_ms: NOW, md5: () => '0'.repeat(32) },
  );

describe('a register that goes out as OCF and comes in again', () => {
  test.each([0, 4])('has the same holders with the same shares, at %i decimals', (scale) => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const { lines, held } = registerOf(steps);
        const objects = Object.values(exported(lines, scale).files).flatMap(({ items }) => items);
        const read = rowsOfOcf(objects, { stockClass: null, scale });
        if (held.size === 0) {
          expect(read.ok).toBe(false);
          return;
        }
        if (!read.ok) throw new Error(JSON.stringify(read.error));
        const checked = checkImport(
          read.value.map(({ row }) => row),
          { scale, costScale: 2, now: NOW },
        );
        expect(checked.errors).toEqual([]);
        const sums = new Map<string, number>();
        for (const { reference, shares } of checked.rows) sums.set(reference, (sums.get(reference) ?? 0) + shares);
        const expected = new Map(
          [...held].map(([id, has]) => [HOLDERS.find((holder) => holder.id === id)?.reference ?? '', has]),
        );
        expect(sums).toEqual(expected);
      }),
    );
  });
});

const STOCK = ['a', 'b', 'c', 'd', 'e'] as const;
const stockId = fc.constantFrom(...STOCK);
const issued = fc.record({ stakeholder: fc.constantFrom('ada', 'ben'), quantity: fc.integer({ min: 1, max: 4 }) });
const partEnds = fc.record({
  type: fc.constantFrom('CANCELLATION', 'REPURCHASE', 'CONVERSION'),
  of: stockId,
  quantity: fc.integer({ min: 1, max: 4 }),
  balance: fc.option(stockId),
  results: fc.uniqueArray(stockId, { maxLength: 2 }),
});

describe('R-07: random histories of OCF stock', () => {
  test('are refused, or leave each stakeholder what was issued less what has ended', () => {
    let taken = 0;
    fc.assert(
      fc.property(
        fc.array(issued, { minLength: STOCK.length, maxLength: STOCK.length }),
        fc.array(partEnds, { maxLength: 3 }),
        (issuances, ends) => {
          const of = (id: string) => issuances[STOCK.indexOf(id as 'a')] ?? { stakeholder: '', quantity: 0 };
          const objects: OcfObject[] = STOCK.map((id) => ({
            object_type: 'TX_STOCK_ISSUANCE',
            id: `${id} issued`,
            security_id: id,
            date: '2022-02-01',
            stakeholder_id: of(id).stakeholder,
            stock_class_id: 'common',
            quantity: String(of(id).quantity),
          }));
          for (const [at, { type, of: id, quantity, balance, results }] of ends.entries())
            objects.push({
              object_type: `TX_STOCK_${type}`,
              id: `end ${at}`,
              security_id: id,
              date: '2022-02-01',
              [type === 'CONVERSION' ? 'quantity_converted' : 'quantity']: String(quantity),
              balance_security_id: balance,
              resulting_security_ids: results,
            });
          const { open, faults } = replayStock(objects, 'common', 0);
          if (faults.length > 0) return;
          taken += ends.length;
          // Stock that is left of other stock is no issuance of more shares.
          const rests = new Set<string>();
          const gone = new Map<string, number>();
          for (const { of: id, quantity, balance, results } of ends) {
            gone.set(id, (gone.get(id) ?? 0) + quantity);
            const rest = of(id).quantity - (gone.get(id) ?? 0);
            for (const other of [balance, ...(rest > 0 ? results : [])])
              if (other !== null && other !== id) rests.add(other);
          }
          for (const stakeholder of ['ada', 'ben']) {
            const expected = STOCK.filter((id) => of(id).stakeholder === stakeholder)
              .map((id) => (rests.has(id) ? 0 : of(id).quantity) - (gone.get(id) ?? 0))
              .reduce((sum, each) => sum + each, 0);
            const held = open
              .filter(({ issuance }) => issuance.stakeholder_id === stakeholder)
              .reduce((sum, { quantity }) => sum + quantity, 0);
            expect(held).toBe(expected);
          }
        },
      ),
      { numRuns: 2_000 },
    );
    expect(taken).toBeGreaterThan(50);
  });
});
