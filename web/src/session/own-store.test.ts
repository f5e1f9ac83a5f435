import { expect, test } from 'vitest';
import { keepStoreFor } from './own-store.ts';

function storeOf(entries: Record<string, string>) {
  const kept = new Map(Object.entries(entries));
  return {
    getItem: (name: string) => kept.get(name) ?? null,
    setItem: (name: string, value: string) => void kept.set(name, value),
    clear: () => kept.clear(),
  };
}

test('what somebody left in a tab stays for themselves, and for nobody else', () => {
  const store = storeOf({ owner: 'ann', 'pay:withdrawal': 'hers', 'once:pay': 'key' });
  keepStoreFor('ann', store);
  expect([store.getItem('pay:withdrawal'), store.getItem('once:pay')]).toEqual(['hers', 'key']);
  keepStoreFor('ben', store);
  expect([store.getItem('pay:withdrawal'), store.getItem('once:pay')]).toEqual([null, null]);
  expect(store.getItem('owner')).toBe('ben');
});

test('what is nobody’s is kept for nobody', () => {
  const store = storeOf({ 'act:resume': 'whose?' });
  keepStoreFor('ann', store);
  expect(store.getItem('act:resume')).toBeNull();
});
