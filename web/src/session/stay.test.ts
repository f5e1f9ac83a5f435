import { expect, test } from 'vitest';
import { endingOf } from './stay.ts';

const NOW = Date.parse('2026-11-30T12:00:00Z');
const at = (seconds: number) => new Date(NOW + seconds * 1_000).toISOString();

test('a session says two minutes before that it ends for want of use, and not before', () => {
  expect(endingOf({ idle_until: at(121), ends_at: at(9_000) }, NOW)).toEqual({ is: 'far', in_ms: 1_000 });
  expect(endingOf({ idle_until: at(120), ends_at: at(9_000) }, NOW)).toEqual({ is: 'idle', at: at(120) });
});

test('an end that using the session does not move is told as such', () => {
  expect(endingOf({ idle_until: at(90), ends_at: at(90) }, NOW)).toEqual({ is: 'absolute', at: at(90) });
  expect(endingOf({ idle_until: at(1_800), ends_at: at(60) }, NOW)).toEqual({ is: 'absolute', at: at(60) });
});

test('a session that is over already is asked for once more, which tells so', () => {
  expect(endingOf({ idle_until: at(-5), ends_at: at(9_000) }, NOW).is).toBe('idle');
});
