import { describe, expect, it } from 'vitest';
import { limitOfKey } from './rate-bucket.ts';

describe('the limit of a key', () => {
  it('is the default of a bucket without a number of its own', () => {
    expect(limitOfKey({}, 'cancels')).toBe(300);
    expect(limitOfKey({}, 'subscriptions')).toBe(500);
    expect(limitOfKey({ orders: 50 }, 'private')).toBe(300);
    expect(limitOfKey({ private: 1_000 }, 'orders')).toBe(10);
  });

  it('follows the number of private requests for cancels and subscriptions, which no raised number makes fewer', () => {
    expect(limitOfKey({ private: 3 }, 'cancels')).toBe(3);
    expect(limitOfKey({ private: 3 }, 'subscriptions')).toBe(3);
    expect(limitOfKey({ private: 400 }, 'subscriptions')).toBe(500);
    expect(limitOfKey({ private: 1_000 }, 'cancels')).toBe(1_000);
    expect(limitOfKey({ private: 1_000, cancels: 20 }, 'cancels')).toBe(20);
  });
});
