import { describe, expect, test } from 'vitest';
import type { Overview, StandingMarket } from './queries.ts';
import { troublesOf } from './troubles.ts';
import { OPERATOR_TEXTS, type OperatorKey } from './use-operator-words.ts';

const NONE = { count: '0', isMore: false, oldestAt: null };
const AT = '2026-11-29T12:00:00.000Z';

const CHAIN = { blocksWaitFor: null, checkpointsWaitFor: null, registryWaitsFor: null, unanswered: [] };

const RUNS = {
  at: AT,
  unanswered: [],
  trading: { venueHalted: false, venueHalt: null, standing: [] },
  ledger: { halted: null, admits: true, lag: { rows: '0', seconds: '0' }, bounds: [] },
  jobs: [{ job: 'settle_due', failuresInRow: '1', isOverdue: false }],
  deliveries: { events: { ...NONE, oldestAt: AT }, mails: NONE, disabledEndpoints: NONE },
  broker: { uncompared: NONE },
  chain: CHAIN,
} as unknown as Overview;

const market = (symbol: string, causes: readonly string[]) =>
  ({
    symbol,
    causes,
    halt: null,
    bookHalted: null,
    securityReason: null,
    haltedUntil: null,
  }) as unknown as StandingMarket;
const idsOf = (changed: object) => troublesOf({ ...RUNS, ...changed } as Overview).map(({ id }) => id);

describe('what needs an operator', () => {
  test('is nothing while all runs: a job that failed once, and an event of this moment, are no trouble', () => {
    expect(troublesOf(RUNS)).toEqual([]);
  });

  test('is what stops trading first, each market once, and not because of the halt of all', () => {
    const trading = {
      venueHalted: true,
      venueHalt: null,
      standing: [
        market('BAND-USD', ['venue_halted', 'band_halt']),
        market('BOOK-USD', ['venue_halted', 'book_halted']),
        market('ONLY-USD', ['venue_halted']),
      ],
    };
    const ledger = { ...RUNS.ledger, admits: false };
    expect(idsOf({ trading, ledger })).toEqual(['ledger', 'venue', 'market BOOK-USD', 'market BAND-USD']);
  });

  test('is the ledger alone, and the number of books that wait for it, while it stands still', () => {
    const standing = [
      market('AWAY-USD', ['ledger_halted', 'book_away']),
      market('HALTED-USD', ['ledger_halted', 'market_halted', 'book_not_started']),
      market('WAITS-USD', ['ledger_halted', 'book_not_started']),
    ];
    const trading = { venueHalted: false, venueHalt: null, standing };
    const halted = { ...RUNS.ledger, halted: 'journal row 7 is missing' };
    expect(idsOf({ trading, ledger: halted })).toEqual(['ledger', 'market HALTED-USD', 'books']);
    expect(idsOf({ trading, ledger: null, unanswered: ['ledger'] })).toEqual(['ledger', 'market HALTED-USD', 'books']);
    expect(idsOf({ trading })).toEqual(['market AWAY-USD', 'market HALTED-USD', 'market WAITS-USD']);
  });

  test.each([
    [{ ledger: { ...RUNS.ledger, halted: 'journal row 7 is missing' } }, 'ledger'],
    [{ ledger: { ...RUNS.ledger, lag: { rows: '9', seconds: '10.6' } } }, 'lag'],
    [{ ledger: { ...RUNS.ledger, bounds: [{ bound: 'lots', fill: '0.9' }] } }, 'bound lots'],
    [{ jobs: [{ job: 'settle_due', failuresInRow: '2', isOverdue: false }] }, 'jobs'],
    [{ jobs: [{ job: 'settle_due', failuresInRow: '0', isOverdue: true }] }, 'jobs'],
    [{ deliveries: { ...RUNS.deliveries, events: { ...NONE, oldestAt: '2026-11-29T11:49:00.000Z' } } }, 'events'],
    [{ deliveries: { ...RUNS.deliveries, disabledEndpoints: { ...NONE, count: '1' } } }, 'endpoints'],
    [{ chain: { ...CHAIN, blocksWaitFor: 'five members are away' } }, 'blocks'],
    [{ chain: { ...CHAIN, registryWaitsFor: 'gas' } }, 'registry'],
    [{ chain: { ...CHAIN, checkpointsWaitFor: 'gas' } }, 'checkpoints'],
    [{ chain: { ...CHAIN, unanswered: ['recorder'] } }, 'chain recorder'],
    [{ broker: { uncompared: { ...NONE, count: '2' } } }, 'broker'],
    [{ ledger: null, unanswered: ['ledger'] }, 'ledger'],
    [{ jobs: null, unanswered: ['jobs'] }, 'part jobs'],
  ])('%o is trouble', (changed, id) => {
    expect(idsOf(changed)).toEqual([id]);
  });
});

describe('texts of operators', () => {
  const keys = Object.keys(OPERATOR_TEXTS.en) as OperatorKey[];
  const factsOf = (text: string) =>
    [...text.matchAll(/\{(\w+)\}/g)]
      .map(([, name]) => name)
      .sort()
      .join();

  test('name the same facts in every language, and none is empty', () => {
    expect(keys.filter((key) => factsOf(OPERATOR_TEXTS.de[key]) !== factsOf(OPERATOR_TEXTS.en[key]))).toEqual([]);
    expect(keys.filter((key) => OPERATOR_TEXTS.de[key] === '' || OPERATOR_TEXTS.en[key] === '')).toEqual([]);
  });
});
