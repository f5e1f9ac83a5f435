import { describe, expect, it } from 'vitest';
import { SESSION_MS_MAX, SESSIONS_MAX } from './api.ts';
import { KeptSessions } from './kept-sessions.ts';

describe('the sessions of a user', () => {
  it('are as many as may live, and those that were used last', () => {
    const sessions = new KeptSessions([]);
    const first = sessions.begin(0);
    const inUse = sessions.begin(0);
    for (let at = 1; at <= 100; at++) {
      sessions.begin(at * 60_000);
      expect(sessions.use(inUse, at * 60_000)).toBe('noted');
    }
    expect(sessions.list).toHaveLength(SESSIONS_MAX);
    expect(sessions.use(first, 6_000_000)).toBe('none');
    expect(sessions.use(inUse, 6_000_000)).toBe('used');
  });

  it('of one agent end none of another’s, however many it begins', () => {
    const sessions = new KeptSessions([]);
    const quiet = ['a', 'b', 'c'].map((agent) => sessions.begin(0, agent));
    const own = sessions.begin(1, 'greedy');
    for (let at = 2; at <= 100; at++) sessions.begin(at, 'greedy');
    expect(sessions.list).toHaveLength(SESSIONS_MAX);
    for (const id of quiet) expect(sessions.use(id, 200)).toBe('used');
    expect(sessions.use(own, 200)).toBe('none');
    const late = sessions.begin(300, 'late');
    expect([...quiet, late].map((id) => sessions.use(id, 300))).toEqual(['used', 'used', 'used', 'used']);
  });

  it('end a day after they began, however much they are used', () => {
    const sessions = new KeptSessions([]);
    const id = sessions.begin(1_000);
    const other = sessions.begin(2_000);
    expect(sessions.nextEnd).toBe(1_000 + SESSION_MS_MAX);
    expect(sessions.use(id, SESSION_MS_MAX)).toBe('noted');
    expect(sessions.use(id, 1_000 + SESSION_MS_MAX)).toBe('none');
    expect(sessions.use(other, 1_000 + SESSION_MS_MAX)).toBe('noted');
    sessions.expire(2_000 + SESSION_MS_MAX);
    expect(sessions.nextEnd).toBeNull();
  });

  it('end once', () => {
    const sessions = new KeptSessions([]);
    const id = sessions.begin(0);
    expect(new KeptSessions(sessions.list).end(id, 1)).toBe(true);
    expect(sessions.end(id, 1)).toBe(true);
    expect(sessions.end(id, 1)).toBe(false);
  });
});
