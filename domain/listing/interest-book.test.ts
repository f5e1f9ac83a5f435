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
    { account: 'ada', quantity: 10, payable: 10, price: 500 },
    { account: 'ada', quantity: 20, payable: 20, price: 700 },
    { account: 'ben', quantity: 5, payable: 3, price: 700 },
    { account: 'cyd', quantity: 1, payable: 1, price: 600 },
    { account: 'dan', quantity: 2, payable: 0, price: 600 },
  ];
  expect(interestBook(interests, facts)).toEqual({
    indications: 5,
    investors: 4,
    quantity: 38,
    payable: 34,
    byClass: {
      verified: { indications: 2, investors: 1, quantity: 30, payable: 30 },
      self_certified: { indications: 1, investors: 1, quantity: 5, payable: 3 },
      not_accredited: { indications: 2, investors: 2, quantity: 3, payable: 1 },
    },
    levels: [
      { price: 700, indications: 2, investors: 2, quantity: 25, payable: 23 },
      { price: 600, indications: 2, investors: 2, quantity: 3, payable: 1 },
      { price: 500, indications: 1, investors: 1, quantity: 10, payable: 10 },
    ],
  });
});
