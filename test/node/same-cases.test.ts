import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { expect, inject, it } from 'vitest';
import type {} from '../same-cases.ts';

const ROOT = join(import.meta.dirname, '..', '..');

it('makes the same cases of a property each time', () => {
  const [first, second] = [fc.sample(fc.uuid(), 5), fc.sample(fc.uuid(), 5)];
  expect(fc.readConfigureGlobal()?.seed).toBe(inject('caseSeed'));
  expect(second).toEqual(first);
});

it('makes them the same in the runtime, where each file asks for it', () => {
  const files = readdirSync(join(ROOT, 'test/runtime'), { recursive: true, encoding: 'utf8' })
    .filter((file) => file.endsWith('.ts'))
    .map((file) => join('test/runtime', file));
  const withProperties = files.filter((file) => readFileSync(join(ROOT, file), 'utf8').includes("from 'fast-check'"));
  expect(withProperties.length).toBeGreaterThan(3);
  for (const file of withProperties) {
    const text = readFileSync(join(ROOT, file), 'utf8');
    const drawn = [...text.matchAll(/\bfc\.(assert|sample|check)\(/g)].length;
    const isStated = [...text.matchAll(/\bseed: \d/g)].length === drawn;
    expect(isStated || drawn === 0 || text.includes('/same-cases.ts'), file).toBe(true);
  }
});
