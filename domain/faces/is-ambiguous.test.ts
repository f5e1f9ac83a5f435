import { expect, it } from 'vitest';
import { isAmbiguous } from './is-ambiguous.ts';

const ana = (similarity: number) => ({ attendee: { id: 'ana' }, similarity });
const nobody = (similarity: number) => ({ attendee: null, similarity });

it.each([
  ['two attendees within the margin', [ana(0.8), ana(0.76)], true],
  ['two attendees a margin apart', [ana(0.8), ana(0.7)], false],
  ['one attendee', [ana(0.8)], false],
  ['one attendee, and a face of nobody in particular', [ana(0.8), nobody(0.79)], false],
  ['faces of nobody in particular', [nobody(0.8), nobody(0.8)], false],
  ['nobody', [], false],
])('it is ambiguous among %s: %o is %s', (_, near, expected) => {
  expect(isAmbiguous(near, 0.05)).toBe(expected);
});
