import { describe, expect, test } from 'vitest';
import { mayReplay, stateOf } from './webhook-words.ts';

describe('a webhook', () => {
  test('that is switched off is that, whatever its circuit says', () => {
    expect(stateOf({ disabledReason: 'gone', backlog: { circuit: 'open' } })).toBe('disabled');
  });

  test('is as its circuit, and not known where that could not be read', () => {
    expect(stateOf({ disabledReason: null, backlog: { circuit: 'half_open' } })).toBe('half_open');
    expect(stateOf({ disabledReason: null, backlog: null })).toBe('unread');
  });
});

test('only a message that was given up is sent again, and not to a webhook that is switched off', () => {
  const on = { disabledReason: null };
  const dead = { status: 'dead', sentAgain: null } as const;
  expect(mayReplay(dead, on)).toBe(true);
  expect(mayReplay({ ...dead, status: 'waiting' }, on)).toBe(false);
  expect(mayReplay({ ...dead, status: 'delivered' }, on)).toBe(false);
  expect(mayReplay(dead, { disabledReason: 'owner' })).toBe(false);
  expect(mayReplay({ ...dead, sentAgain: { deliveryId: 'other', status: 'waiting' } }, on)).toBe(false);
});
