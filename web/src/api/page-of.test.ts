import { expect, test } from 'vitest';
import { nextCursor, pageOf } from './page-of.ts';

test('the cursor of the next page stands in the Link header', () => {
  expect(nextCursor('</exchange/v1/operator/users?limit=50&cursor=a%2Fb>; rel="next"')).toBe('a/b');
  expect(nextCursor('</x?cursor=1764.id_of.rule>; rel="next"')).toBe('1764.id_of.rule');
});

test('a last page has none', async () => {
  expect(nextCursor(null)).toBeNull();
  expect(nextCursor('</x?cursor=a>; rel="prev"')).toBeNull();
  expect(await pageOf(Promise.resolve({ data: { data: [1] }, response: new Response() }))).toEqual({
    rows: [1],
    next: null,
  });
});
