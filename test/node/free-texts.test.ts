import { globSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

/** Bodies whose texts are names, of one line, or are looked up and kept nowhere. */
const OTHERS: ReadonlySet<string> = new Set([
  'workers/exchange/ask-for-transfer-route.ts',
  'workers/exchange/operator/asset-schema.ts',
  'workers/exchange/operator/create-currency-route.ts',
  'workers/exchange/operator/create-organization-route.ts',
  'workers/exchange/operator/find-by-id-route.ts',
  'workers/exchange/operator/list-assets-of-venue-route.ts',
  'workers/exchange/operator/oauth-client-schema.ts',
  'workers/exchange/operator/user-schema.ts',
  'workers/responses/free-text.ts',
  'workers/responses/line-of-text.ts',
]);

test('a text that a request states is read by the one rule for free texts, or for lines', () => {
  const own = globSync('workers/**/*.ts').filter((file) => !file.endsWith('.test.ts') && !OTHERS.has(file));
  const strays = own.filter((file) =>
    /z\s*\.string\(\)\s*\.trim\(\)(?!\s*\.refine\(isEmailAddress)/.test(readFileSync(file, 'utf8')),
  );
  expect(own.length).toBeGreaterThan(100);
  expect(strays).toEqual([]);
});
