import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { checkImport } from '../import-rows.ts';
import { type OcfHolder, ocfOfRegister, type RegisteredLine } from './export-ocf.ts';
import { rowsOfOcf } from './import-ocf.ts';

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
