import { describe, expect, test } from 'vitest';
import { WATCH_MS, Watchers } from './watchers.ts';

describe('the watchers of a credential', () => {
  test('are each told once, whatever number of connections they hold, and forgotten when they do not look again', () => {
    const watchers = new Watchers();
    const [feed, book] = [{ kind: 'feed', name: 'feed-1' } as const, { kind: 'book', name: 'feed-1' } as const];
    watchers.add(feed, 0);
    watchers.add(book, 0);
    watchers.add(feed, 1);
    expect(watchers.list(WATCH_MS - 1)).toEqual([feed, book]);
    expect(watchers.list(WATCH_MS)).toEqual([feed]);
    expect(watchers.list(WATCH_MS + 1)).toEqual([]);
  });
});
