import { uuidv7 } from 'uuidv7';
import { expect, it } from 'vitest';
import { entryId } from './entry-id.ts';

it('M-15: each attempt at an event has an id of its own, the same in every run', () => {
  const event = uuidv7();
  expect(entryId(event, 1)).toBe(event);
  const ids = Array.from({ length: 20 }, (_, n) => entryId(event, n + 1));
  expect(new Set(ids).size).toBe(20);
  for (const [n, id] of ids.entries()) {
    if (n > 0) expect(id).toMatch(/^[0-9a-f]{8}-[0-9a-f]{4}-7[0-9a-f]{3}-8[0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(entryId(event, n + 1)).toBe(id);
  }
});
