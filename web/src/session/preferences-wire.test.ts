import { describe, expect, test } from 'vitest';
import { changedWire, keptByDevice, known, merged, type Preferences } from './preferences-wire.ts';

const MINE: Preferences = {
  language: 'de',
  theme: 'dark',
  watchlist: [],
  density: 'compact',
  columns: { orders: ['type'], fills: ['fee'] },
  singleKeys: true,
  tradingKeys: false,
};

describe('preferences', () => {
  test('keep the columns of each table, whatever another tab has changed of another table', () => {
    const before = { columns: { fills: ['value'], trail: [] }, version: 3 };
    expect(changedWire(before, { columns: { orders: ['type'] } })).toEqual({
      columns: { fills: ['value'], trail: [], orders: ['type'] },
      version: 3,
    });
    expect(merged(MINE, { columns: { orders: [] } }).columns).toEqual({ orders: [], fills: ['fee'] });
    expect(merged(MINE, { density: 'comfortable' })).toEqual({ ...MINE, density: 'comfortable' });
  });

  test('are read as far as this page knows them', () => {
    const wire = { density: 'airy', columns: { orders: ['type', 7], fills: 'fee' } };
    expect(known(wire)).toEqual({ columns: { orders: ['type'] } });
    expect(known({ density: 'compact', columns: null })).toEqual({ density: 'compact' });
    expect(known({ single_keys: false, trading_keys: true })).toEqual({ singleKeys: false, tradingKeys: true });
    expect(known({ single_keys: 'no' })).toEqual({});
  });

  test('are written as the server has them but for what was changed', () => {
    const before = { locale: 'de', theme: 'light', watchlist: ['theirs'], density: 'compact', version: 3 };
    expect(changedWire(before, { theme: 'auto' })).toEqual({ ...before, theme: 'system' });
    expect(changedWire(before, { watchlist: [] })).toEqual({ ...before, watchlist: [] });
    expect(changedWire(before, { singleKeys: false, tradingKeys: true })).toEqual({
      ...before,
      single_keys: false,
      trading_keys: true,
    });
  });

  test('leave a device nothing of a person', () => {
    const kept = keptByDevice({ ...MINE, timeZone: 'Europe/Berlin', watchlist: ['acme'] });
    expect(kept).toEqual({ language: 'de', theme: 'dark' });
  });
});
