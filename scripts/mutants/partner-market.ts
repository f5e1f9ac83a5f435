import type { Mutant } from './mutant.ts';

const TEST = ['test/runtime/workers/partner/market-data.test.ts'];

/** Rules of market data of partners. */
export const PARTNER_MARKET_MUTANTS: readonly Mutant[] = [
  {
    rule: 'market data of what is not on the venue is its own lister’s and agent’s',
    file: 'data/partner/securities.ts',
    from: 'or(onVenue(id), and(eq(securities.id, id), ownedBy(partner)))',
    to: 'eq(securities.id, id)',
    tests: TEST,
  },
  {
    rule: 'any active partner sees market data of what is on the venue',
    file: 'data/partner/securities.ts',
    from: 'or(onVenue(id), and(eq(securities.id, id), ownedBy(partner)))',
    to: 'and(eq(securities.id, id), ownedBy(partner))',
    tests: TEST,
  },
];
