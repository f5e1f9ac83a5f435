import { readdirSync, readFileSync } from 'node:fs';
import { expect, test } from 'vitest';

const PAGE = readFileSync('docs/design/scale.md', 'utf8');

/** Objects whose name is a constant: there is one of them, whatever is asked of it. */
const SINGLE = readdirSync('durable-objects').flatMap((folder) => {
  try {
    const api = readFileSync(`durable-objects/${folder}/api.ts`, 'utf8');
    return /\.getByName\(([A-Z][A-Z_]*)\)/.test(api) ? [folder] : [];
  } catch {
    return [];
  }
});

const CALLED: Readonly<Record<string, string>> = { 'webhook-dispatch': 'dispatcher' };

test('M-25: the page of shards and regions names each object of which there is one, the ledger and D1, and what a second one would change', () => {
  expect(SINGLE).toEqual(expect.arrayContaining(['sequencer', 'checkpointer', 'recorder', 'webhook-dispatch']));
  for (const name of SINGLE) expect(PAGE).toContain(CALLED[name] ?? name);
  const shard = readFileSync('durable-objects/ledger/api.ts', 'utf8');
  expect(shard).toContain('export const LEDGER_SHARD');
  for (const part of [
    '`LEDGER_SHARD`',
    '`DB`',
    '## A second shard of the ledger',
    '## A second database',
    '## A second region',
  ])
    expect(PAGE).toContain(part);
});
