import { expect, test } from 'vitest';
import type { InvestorFacts } from '../accreditation/attributes-of.ts';
import { interestBook } from './interest-book.ts';

const verified = {
  accreditationStatus: 'completed',
  accreditationType: '506c',
  usPerson: true,
} as const satisfies InvestorFacts;
const certified: InvestorFacts = { ...verified, accreditationType: '506b' };
const expired: InvestorFacts = { ...verified, accreditationStatus: 'expired' };

test('interest is summed in all, by what investors are, and by price from the highest on', () => {
  const facts = new Map<string, InvestorFacts>([
    ['ada', verified],
    ['ben', certified],
    ['cyd', expired],
  ]);
  const interests = [
    { account: 'ada', quantity: 10, price: 500 },
    { account: 'ada', quantity: 20, price: 700 },
    { account: 'ben', quantity: 5, price: 700 },
    { account: 'cyd', quantity: 1, price: 600 },
    { account: 'dan', quantity: 2, price: 600 },
  ];
  expect(interestBook(interests, facts)).toEqual({
    indications: 5,
    investors: 4,
    quantity: 38,
    byClass: {
      verified: { indications: 2, investors: 1, quantity: 30 },
      self_certified: { indications: 1, investors: 1, quantity: 5 },
      not_accredited: { indications: 2, investors: 2, quantity: 3 },
    },
    levels: [
      { price: 700, indications: 2, investors: 2, quantity: 25 },
      { price: 600, indications: 2, investors: 2, quantity: 3 },
      { price: 500, indications: 1, investors: 1, quantity: 10 },
    ],
  });
});
