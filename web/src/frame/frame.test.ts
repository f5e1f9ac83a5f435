import { describe, expect, test } from 'vitest';
import { chooseAssets } from '../markets/choose-assets.ts';
import { freeQuantity, nextFree } from '../positions/lots.ts';
import { ownPath } from '../session/own-path.ts';
import { daysBetween, readTime, showDateTime } from '../time/show-time.ts';
import { findEntries } from './find-entries.ts';

const entry = (id: string, title: string, words = title) => ({ id, title, detail: '', words });

test('the palette puts the exact symbol first, and finds an id from eight characters on', () => {
  const id = '01a228db-f003-751c-a748-12228e56ead0';
  const entries = [
    entry('a', 'Markets', 'Markets assets shares'),
    entry('b', 'ZENITH', 'ZENITH Zenith Fusion'),
    entry('c', 'ZEN', 'ZEN Zen'),
    entry('d', 'Order ACME-USD', id),
  ];
  expect(findEntries(entries, 'zen').map((found) => found.id)).toEqual(['c', 'b']);
  expect(findEntries(entries, 'fusion').map((found) => found.id)).toEqual(['b']);
  expect(findEntries(entries, '01a228db').map((found) => found.id)).toEqual(['d']);
  expect(findEntries(entries, '01a2')).toEqual([]);
});

test('markets are chosen by rail, search and watchlist, and sorted by number', () => {
  const asset = (id: string, type: string, price: string) => ({
    id,
    symbol: id.toUpperCase(),
    name: id,
    type,
    price,
    changesPercentage: '0',
  });
  const assets = [asset('acme', 'privates', '9'), asset('btc', 'crypto', '65000'), asset('maple', 'privates', '12')];
  const known = {
    categoriesOfRail: new Map([['private', ['privates', 'pre-ipo']]]),
    held: new Set(['btc']),
    watched: new Set(['maple']),
  };
  const ids = (chosen: Parameters<typeof chooseAssets>[1]) => chooseAssets(assets, chosen, known).map(({ id }) => id);
  expect(ids({ rail: 'private', sort: 'price', order: 'desc' })).toEqual(['maple', 'acme']);
  expect(ids({ search: 'BT' })).toEqual(['btc']);
  expect(ids({ only: 'held' })).toEqual(['btc']);
  expect(ids({ only: 'watched' })).toEqual(['maple']);
});

describe('lots', () => {
  const now = Date.parse('2026-11-29T00:00:00Z');
  const lot = (quantity: string, restrictionEndDate: string | null, isRestricted: boolean) => ({
    quantity,
    restrictionEndDate,
    isRestricted,
  });
  const held = {
    quantity: '500',
    lots: [
      lot('300', '2026-05-29T00:00:00Z', false),
      lot('150', '2027-08-29T00:00:00Z', true),
      lot('50', '2027-02-01T00:00:00Z', true),
    ],
  };

  test('are free once their period is over; the next day is the nearest', () => {
    expect(freeQuantity(held, now)).toBe('300');
    expect(nextFree(held, now)).toEqual({ date: '2027-02-01T00:00:00Z', quantity: '50' });
    expect(nextFree({ quantity: '1', lots: [lot('1', null, true)] }, now)).toBeNull();
  });
});

test('after signing in one comes back to a page of ours, and nowhere else', () => {
  expect(ownPath('/orders?tab=done')).toBe('/orders?tab=done');
  for (const path of [
    undefined,
    'https://evil.example',
    '//evil.example',
    '/\\evil.example',
    'javascript:alert(1)',
    '/sign-in',
    '/signed-out',
  ])
    expect(ownPath(path)).toBe('/');
});

test('times are read in each of the forms that the API has, and shown in the zone of the reader', () => {
  const at = readTime('2026-11-29T14:32:08Z').getTime();
  expect(readTime(String(at)).getTime()).toBe(at);
  expect(readTime(at).getTime()).toBe(at);
  expect(showDateTime(at, { locale: 'en-GB', timeZone: 'America/New_York' }, at)).toBe('29 Nov, 09:32:08');
  expect(showDateTime(at, { locale: 'de-DE', timeZone: 'Europe/Berlin' }, at)).toContain('15:32:08');
  expect(daysBetween(at, at + 2.5 * 86_400_000)).toBe(2);
});
