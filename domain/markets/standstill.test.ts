import { describe, expect, test } from 'vitest';
import { type MarketState, standstillCauses } from './standstill.ts';

const NOW = 1_000_000;
const RUNNING: MarketState = {
  venueHalted: false,
  status: 'open',
  isApproved: true,
  haltedUntil: null,
  isSplitting: false,
  book: { halted: null, owner: 'o1' },
  ledger: 'runs',
};
const causesOf = (state: Partial<MarketState>) => standstillCauses({ ...RUNNING, ...state }, NOW);

describe('why a market stands still', () => {
  test('is nothing while it takes orders, also where nobody asked its book, and after a halt of its own', () => {
    expect(causesOf({})).toEqual([]);
    expect(causesOf({ book: 'not_asked', ledger: 'not_asked' })).toEqual([]);
    expect(causesOf({ haltedUntil: NOW })).toEqual([]);
  });

  test.each([
    [{ venueHalted: true }, 'venue_halted'],
    [{ status: 'closed', isApproved: false }, 'market_closed'],
    [{ isApproved: false }, 'asset_not_approved'],
    [{ status: 'halted' }, 'market_halted'],
    [{ book: { halted: 'row 1 of the journal is not what was journaled', owner: '' } }, 'book_halted'],
    [{ book: 'away' }, 'book_away'],
    [{ book: { halted: null, owner: '' } }, 'book_not_started'],
    [{ ledger: 'halted' }, 'ledger_halted'],
    [{ ledger: 'away' }, 'ledger_away'],
    [{ ledger: 'refuses' }, 'ledger_refuses'],
    [{ isSplitting: true }, 'shares_split'],
    [{ haltedUntil: NOW + 1 }, 'band_halt'],
  ] as const)('%o is %s', (state, cause) => {
    expect(causesOf(state)).toEqual([cause]);
  });

  test('is told in full, what is to be mended first before the rest', () => {
    expect(causesOf({ status: 'halted', venueHalted: true, isApproved: false, book: 'away' })).toEqual([
      'venue_halted',
      'asset_not_approved',
      'market_halted',
      'book_away',
    ]);
  });

  test('of a market that an operator has halted is not its price band, too: resuming it is what helps', () => {
    expect(causesOf({ status: 'halted', haltedUntil: NOW + 1 })).toEqual(['market_halted']);
  });
});
