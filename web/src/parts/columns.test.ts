import { describe, expect, test } from 'vitest';
import { leftAfter, shownColumns } from './columns.ts';

const COLUMNS = [{ name: 'market', isFixed: true }, { name: 'side' }, { name: 'type' }, { name: 'placed' }];
const namesOf = (left: readonly string[]) => shownColumns(COLUMNS, left).map(({ name }) => name);

describe('columns of a table', () => {
  test('are all there until somebody leaves one out, and what a row is known by is always there', () => {
    expect(namesOf([])).toEqual(['market', 'side', 'type', 'placed']);
    expect(namesOf(['type', 'market'])).toEqual(['market', 'side', 'placed']);
  });

  test('are switched one by one, and names of old tables are kept no longer', () => {
    expect(leftAfter(COLUMNS, [], 'type')).toEqual(['type']);
    expect(leftAfter(COLUMNS, ['type', 'gone'], 'side')).toEqual(['side', 'type']);
    expect(leftAfter(COLUMNS, ['side', 'type'], 'side')).toEqual(['type']);
    expect(leftAfter(COLUMNS, [], 'market')).toEqual([]);
  });
});
