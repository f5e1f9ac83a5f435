import { env } from 'cloudflare:workers';
import { beforeAll, expect, test } from 'vitest';
import { insertStatement } from '../../../../../data/ledger/projection/row-statement.ts';

interface Row {
  readonly id: string;
  readonly note: string | number | null;
}

const insert = insertStatement<Row>()('things', ['id', 'note'], '');

/** As many rows as it takes for what they share to be bound once. */
const rows = (name: string, note: Row['note']): Row[] =>
  Array.from({ length: 20 }, (_, index) => ({ id: `${name}-${index}`, note }));

beforeAll(async () => {
  await env.DB.prepare('CREATE TABLE things (id TEXT PRIMARY KEY, note ANY) STRICT').run();
});

test('rows that share nothing, a number or a text in a field keep it apart, whichever come first', async () => {
  for (const [name, note] of [
    ['none', null],
    ['number', 7],
    ['text', 'seven'],
    ['none again', null],
  ] as const)
    await env.DB.batch(insert.prepare(env.DB, rows(name, note)));
  const { results } = await env.DB.prepare(
    "SELECT DISTINCT substr(id, 1, instr(id, '-') - 1) AS name, note FROM things",
  ).all();
  expect(results).toEqual([
    { name: 'none', note: null },
    { name: 'number', note: 7 },
    { name: 'text', note: 'seven' },
    { name: 'none again', note: null },
  ]);
});
