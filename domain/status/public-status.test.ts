import { describe, expect, it } from 'vitest';
import { publicStatus, type StatusFacts } from './public-status.ts';

const NOW = 1_000_000_000;
const WELL: StatusFacts = {
  markets: { isVenueHalted: false, isAnyHalted: false },
  ledger: { isHalted: false, admits: true, behindSince: null },
  partners: { oldestAt: null },
  hasEvents: true,
  incidents: [],
};

const told = (change: Partial<StatusFacts>) => {
  const { state, parts } = publicStatus({ ...WELL, ...change }, NOW);
  return {
    state,
    unwell: Object.fromEntries(
      parts.flatMap(({ part, reason }) => (reason === null || reason === 'not_measured' ? [] : [[part, reason]])),
    ),
  };
};

describe('what the public is told of the venue', () => {
  it('is that all parts work', () => expect(told({})).toEqual({ state: 'ok', unwell: {} }));

  it('is that trading is halted, and not which operator did it', () =>
    expect(told({ markets: { isVenueHalted: true, isAnyHalted: true } })).toEqual({
      state: 'down',
      unwell: { trading: 'trading_halted' },
    }));

  it('is not that parts work which nobody measures', () => {
    const { state, parts } = publicStatus(WELL, NOW);
    const unmeasured = parts.filter((one) => one.reason === 'not_measured');
    expect([state, unmeasured.map(({ part }) => part)]).toEqual(['ok', ['sign_in', 'bridge']]);
    expect(unmeasured.map((one) => one.state)).toEqual(['unknown', 'unknown']);
  });

  it('is that some markets are halted, which leaves the others and the venue at work', () =>
    expect(told({ markets: { isVenueHalted: false, isAnyHalted: true } })).toEqual({
      state: 'ok',
      unwell: { trading: 'some_markets_halted' },
    }));

  it('is that neither trading nor money works while the ledger is away or stands still', () => {
    const unwell = { trading: 'not_available', money: 'not_available' };
    expect(told({ ledger: null })).toEqual({ state: 'down', unwell: { ...unwell, market_data: 'delayed' } });
    expect(told({ ledger: { isHalted: true, admits: false, behindSince: null } })).toEqual({ state: 'down', unwell });
  });

  it('is that no new orders are taken while the ledger admits none', () =>
    expect(told({ ledger: { isHalted: false, admits: false, behindSince: null } }).unwell).toEqual({
      trading: 'no_new_orders',
    }));

  it('is a delay after a minute of reads, and after ten minutes of messages to partners', () => {
    const behind = (ms: number) => told({ ledger: { isHalted: false, admits: true, behindSince: NOW - ms } }).unwell;
    expect([behind(60_000), behind(60_001)]).toEqual([{}, { market_data: 'delayed', money: 'delayed' }]);
    const waiting = (ms: number) => told({ partners: { oldestAt: NOW - ms } }).unwell;
    expect([waiting(600_000), waiting(600_001)]).toEqual([{}, { partners: 'delayed' }]);
  });

  it('is told even while the database is away', () => {
    const { state, unwell } = told({ markets: null, partners: null, incidents: null });
    expect(state).toBe('down');
    expect(Object.keys(unwell)).toEqual(['trading', 'market_data', 'money', 'sign_in', 'partners', 'bridge']);
  });

  it('names a part of an open incident as degraded, unless it is worse by itself', () => {
    expect(told({ incidents: ['bridge'] })).toEqual({ state: 'degraded', unwell: { bridge: 'incident' } });
    expect(told({ incidents: ['trading'], ledger: null }).unwell.trading).toBe('not_available');
  });
});
