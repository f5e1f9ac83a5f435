import { expect, it } from 'vitest';
import { numberedId } from './numbered-id.ts';

it('counts on from the base, within its last group', () => {
  expect(numberedId('01900000-0000-7000-8000-0000000000ff', 0)).toBe('01900000-0000-7000-8000-0000000000ff');
  expect(numberedId('01900000-0000-7000-8000-0000000000ff', 1)).toBe('01900000-0000-7000-8000-000000000100');
  expect(numberedId('01900000-0000-7000-8000-ffffffffffff', 2)).toBe('01900000-0000-7000-8000-000000000001');
});
