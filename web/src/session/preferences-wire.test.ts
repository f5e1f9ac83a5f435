import { describe, expect, test } from 'vitest';
import { changedWire, keptByDevice } from './preferences-wire.ts';

describe('preferences', () => {
  test('are written as the server has them but for what was changed', () => {
    const before = { locale: 'de', theme: 'light', watchlist: ['theirs'], density: 'compact', version: 3 };
    expect(changedWire(before, { theme: 'auto' })).toEqual({ ...before, theme: 'system' });
    expect(changedWire(before, { watchlist: [] })).toEqual({ ...before, watchlist: [] });
  });

  test('leave a device nothing of a person', () => {
    const kept = keptByDevice({ language: 'de', theme: 'dark', timeZone: 'Europe/Berlin', watchlist: ['acme'] });
    expect(kept).toEqual({ language: 'de', theme: 'dark' });
  });
});
