import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const PAGE = readFileSync('docs/design/stores.md', 'utf8');

function tablesOf(file: string): string[] {
  return [...readFileSync(file, 'utf8').matchAll(/sqliteTable\(\s*'(?<name>\w+)'/g)].flatMap(
    ({ groups }) => groups?.name ?? [],
  );
}

const SCHEMAS = ['data/events/schema.ts', ...readdirSync('data/schema').map((name) => `data/schema/${name}`)];

test('M-18: every table of D1 has its line in the page of stores: who makes its rows, what bounds them, when they end', () => {
  const tables = SCHEMAS.flatMap(tablesOf);
  expect(tables.length).toBeGreaterThan(60);
  expect(tables.filter((name) => !PAGE.includes(`\`${name}\``))).toEqual([]);
});

test('M-18: every class of objects stands in the page of stores', () => {
  const classes = [...readFileSync('wrangler.toml', 'utf8').matchAll(/name = "\w+", class_name = "(?<name>\w+)"/g)];
  const names = new Set(classes.flatMap(({ groups }) => groups?.name ?? []));
  expect([...names].filter((name) => !PAGE.includes(`\`${name}\``))).toEqual([]);
});
