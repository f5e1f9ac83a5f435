import { expect, test } from 'vitest';
import { powerLabel, whatEnds } from './role-words.ts';

test('a kill switch says its consequences as counts', () => {
  const key = { id: 'k', name: 'k', scopes: [], createdAt: '', expiresAt: null, lastUsedOn: null };
  const ends = { sessions: '3', applications: '1', clients: '0', openOrders: { orders: '57', markets: '6' } };
  expect(whatEnds({ ends, keys: [key, key] })).toEqual({ sessions: 3, keys: 2, orders: 57, markets: 6 });
  expect(whatEnds({ ends: { ...ends, sessions: null }, keys: null })).toMatchObject({ sessions: null, keys: null });
});

test('a power that has no words yet keeps its name', () => {
  const t = (key: string) => `<${key}>`;
  expect(powerLabel('run_venue', t)).toBe('<power.run_venue>');
  expect(powerLabel('fly', t)).toBe('fly');
});
