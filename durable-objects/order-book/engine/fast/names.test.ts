import { expect, test } from 'vitest';
import { NONE } from './level.ts';
import { Names } from './names.ts';

test('names keep their numbers while they are kept, and give them to others afterwards', () => {
  const names = new Names();
  const [ada, ben] = [names.of('ada'), names.of('ben')];
  expect(names.of('ada')).toBe(ada);
  names.keep(new Set([ben]));
  expect(names.size).toBe(1);
  expect(names.find('ada')).toBe(NONE);
  expect(names.find('ben')).toBe(ben);
  const cyd = names.of('cyd');
  expect(cyd).toBe(ada);
  expect(names.at(cyd)).toBe('cyd');
  expect(names.at(ben)).toBe('ben');
});
