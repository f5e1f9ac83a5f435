import type { Mutant } from './mutant.ts';

const CONVERTED = ['domain/resale/converted-terms.test.ts'];
const REQUESTS = ['domain/ledger/transfer-requests.test.ts'];
const ROWS = ['domain/register/import-rows.test.ts'];
const LOCKUPS = ['domain/partner/effective-restrictions.test.ts'];
const BANDS = ['domain/markets/price-band.test.ts', 'durable-objects/order-book/cycle/trading-band.test.ts'];
const DAYS = ['domain/calendar/settlement-date.test.ts'];

/** Rules by which nobody frees or binds what is another's, and a market always has another price. */
export const LOT_AND_BAND_MUTANTS: readonly Mutant[] = [
  {
    rule: 'a lot of a merger keeps what it was sold under',
    file: 'domain/resale/converted-terms.ts',
    from: 'offeringOf(lockup?.offering ?? lot.offeringType, regulation)',
    to: 'offeringOf(lockup?.offering ?? lot.offeringType, null)',
    tests: CONVERTED,
  },
  {
    rule: 'a restricted lot of an unknown offering stays bound',
    file: 'domain/resale/converted-terms.ts',
    from: "(lot.restrictionEndsAt === null ? 'retail' : 'lockup')",
    to: "'retail'",
    tests: CONVERTED,
  },
  {
    rule: 'of two lockups the later one counts',
    file: 'domain/resale/converted-terms.ts',
    from: 'Math.max(until ?? 0, lockup?.until ?? 0)',
    to: '(until ?? lockup?.until ?? 0)',
    tests: CONVERTED,
  },
  {
    rule: 'a request of a frozen account is not approved',
    file: 'domain/ledger/transfer-requests.ts',
    from: "to.value === 'approved' || to.value === 'executed'",
    to: "to.value === 'executed'",
    tests: REQUESTS,
  },
  {
    rule: 'a request of a frozen account is not executed',
    file: 'domain/ledger/transfer-requests.ts',
    from: "to.value === 'approved' || to.value === 'executed'",
    to: "to.value === 'approved'",
    tests: REQUESTS,
  },
  {
    rule: 'shares are bound for ten years at the most',
    file: 'domain/register/import-rows.ts',
    from: 'restrictionEndsAt > addMonths(terms.now, RESTRICTED_MONTHS_MAX)',
    to: 'restrictionEndsAt > addMonths(terms.now, 2 * RESTRICTED_MONTHS_MAX)',
    tests: ROWS,
  },
  {
    rule: 'what is bound long stands behind what may be sold',
    file: 'domain/register/import-rows.ts',
    from: 'return isLong && newestFreeAt !== null && acquiredAt < newestFreeAt;',
    to: 'return false;',
    tests: ROWS,
  },
  {
    rule: 'an agent lifts no lockup of its lister',
    file: 'domain/partner/effective-restrictions.ts',
    from: '  return one > other ? one : other;',
    to: '  return other;',
    tests: LOCKUPS,
  },
  {
    rule: 'a band reaches a tick below',
    file: 'domain/markets/price-band.ts',
    from: 'Math.min(band.low, below)',
    to: 'band.low',
    tests: BANDS,
  },
  {
    rule: 'a band reaches a tick above',
    file: 'domain/markets/price-band.ts',
    from: 'Math.max(band.high, above)',
    to: 'band.high',
    tests: BANDS,
  },
  {
    rule: 'a book takes the rules with a least band in a row of their own',
    file: 'durable-objects/order-book/cycle/trading-band.ts',
    from: 'rules.leastTicks === LEAST_TICKS',
    to: 'true',
    tests: BANDS,
  },
  {
    rule: 'nothing settles on Columbus Day',
    file: 'domain/calendar/settlement-date.ts',
    from: 'day === nthWeekday(year, 10, MONDAY, 2) || day === kept',
    to: 'day === kept',
    tests: DAYS,
  },
  {
    rule: 'nothing settles on Veterans Day',
    file: 'domain/calendar/settlement-date.ts',
    from: 'day === nthWeekday(year, 10, MONDAY, 2) || day === kept',
    to: 'day === nthWeekday(year, 10, MONDAY, 2)',
    tests: DAYS,
  },
];
