import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Month, monthAfter, readMonth, spanOfMonth } from '../calendar/month.ts';
import { assetStatements, type MovedAmount } from './statement.ts';

interface Movement {
  readonly at: number;
  readonly asset: string;
  readonly kind: 'trade' | 'deposit';
  readonly amount: number;
}

const MONTH: Month = { year: 2026, month: 2 };
const { from } = spanOfMonth(MONTH);
const NEXT = spanOfMonth(monthAfter(MONTH));

/** As the read model sums them up. */
function movedIn(movements: readonly Movement[], span: { readonly from: number; readonly to: number }) {
  const groups = Map.groupBy(movements, ({ asset, kind }) => `${asset} ${kind}`);
  return Array.from(groups.values(), (group): MovedAmount<Movement['kind']> => {
    const of = (isIn: (at: number) => boolean) =>
      group.filter(({ at }) => isIn(at)).reduce((all, { amount }) => all + amount, 0);
    const { asset, kind } = group[0] as Movement;
    return { asset, kind, within: of((at) => at >= span.from && at < span.to), since: of((at) => at >= span.to) };
  });
}

const movements = fc.array(
  fc.record({
    at: fc.integer({ min: from - 5_000_000_000, max: NEXT.to + 5_000_000_000 }),
    asset: fc.constantFrom('usd', 'acme'),
    kind: fc.constantFrom('trade' as const, 'deposit' as const),
    amount: fc.integer({ min: -1_000_000, max: 1_000_000 }),
  }),
  { maxLength: 40 },
);

const standingOf = (made: readonly Movement[]) =>
  Array.from(
    Map.groupBy(made, ({ asset }) => asset),
    ([asset, group]) => ({ asset, amount: group.reduce((all, { amount }) => all + amount, 0) }),
  );

describe('the statement of a month', () => {
  it('closes at what the next one opens with, and differs by what has moved', () => {
    fc.assert(
      fc.property(movements, (made) => {
        const now = standingOf(made);
        const first = assetStatements(now, movedIn(made, spanOfMonth(MONTH)));
        const second = assetStatements(now, movedIn(made, NEXT));
        const openingOf = (asset: string) => second.find((next) => next.asset === asset)?.opening ?? 0;
        const closingOf = (asset: string) => first.find((last) => last.asset === asset)?.closing ?? 0;
        for (const asset of ['usd', 'acme']) expect(openingOf(asset)).toBe(closingOf(asset));
        for (const { opening, closing, moved } of [...first, ...second])
          expect(opening + moved.reduce((all, { amount }) => all + amount, 0)).toBe(closing);
      }),
    );
  });

  it('opens with what had moved before it began', () => {
    const before = { at: from - 1, asset: 'usd', kind: 'deposit', amount: 7 } as const;
    const within = { at: from, asset: 'usd', kind: 'trade', amount: -3 } as const;
    const made = [before, within];
    expect(assetStatements(standingOf(made), movedIn(made, spanOfMonth(MONTH)))).toEqual([
      { asset: 'usd', opening: 7, closing: 4, moved: [{ kind: 'trade', amount: -3 }] },
    ]);
  });

  it('leaves out what neither stood nor moved', () => {
    const after = { at: NEXT.from, asset: 'usd', kind: 'deposit', amount: 7 } as const;
    expect(assetStatements(standingOf([after]), movedIn([after], spanOfMonth(MONTH)))).toEqual([]);
  });
});

describe('a month', () => {
  it('begins at midnight in New York, in summer and in winter', () => {
    expect(new Date(spanOfMonth({ year: 2026, month: 1 }).from).toISOString()).toBe('2026-01-01T05:00:00.000Z');
    expect(new Date(spanOfMonth({ year: 2026, month: 7 }).from).toISOString()).toBe('2026-07-01T04:00:00.000Z');
    expect(spanOfMonth({ year: 2026, month: 12 }).to).toBe(spanOfMonth({ year: 2027, month: 1 }).from);
  });

  it.each(['2026-13', '2026-00', '2026-1', '26-01', '2026-01-01', ''])('is not %s', (text) =>
    expect(readMonth(text)).toBeNull(),
  );
});
