import { existsSync, mkdirSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, expect, it, vi } from 'vitest';
import { openNames } from './open-names.ts';

const fresh = () => join(mkdtempSync(join(tmpdir(), 'fix-names-')), 'order-names.jsonl');

beforeEach(() => {
  vi.spyOn(process.stdout, 'write').mockReturnValue(true);
});

it('Names of orders outlive the process', () => {
  const path = fresh();
  const names = openNames(path, 1);
  names.putState('o1', 'c2');
  names.close();
  expect(openNames(path, 2).state('')).toEqual([['o1', 'c2']]);
});

it('Names that cannot be read are put beside, and others begun', () => {
  const path = fresh();
  writeFileSync(path, '\0\0\0\0\n');
  const names = openNames(path, 1);
  names.putState('o1', 'c2');
  names.flush();
  names.close();
  expect(readFileSync(`${path}.unreadable`, 'utf8')).toBe('\0\0\0\0\n');
  expect(openNames(path, 2).state('')).toEqual([['o1', 'c2']]);
});

it('A disk that takes no file of names keeps no gateway from starting, nor from ending', () => {
  const path = fresh();
  // No file can be there.
  mkdirSync(`${path}.next`);
  const names = openNames(path, 1);
  names.putState('o1', 'c2');
  names.flush();
  names.close();
  expect([names.state(''), existsSync(path)]).toEqual([[], false]);
});
