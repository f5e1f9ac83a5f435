import { expect, test } from 'vitest';
import { changedFields } from '../assets/asset-words.ts';
import { draftOf } from './form-draft.ts';

test('a form that is opened holds what is there', () => {
  expect(draftOf(null, { roles: 'trader' })).toEqual({ start: { roles: 'trader' }, form: { roles: 'trader' } });
});

test('a form that its person comes back to still knows what it began with: what somebody else changed is none of their changes', () => {
  const opened = draftOf(null, { description: 'old', accreditationType: '' });
  const kept = JSON.stringify({ ...opened, form: { ...opened.form, description: 'new' } });
  const now = { description: 'old', accreditationType: '506c' };
  const { start, form } = draftOf(kept, now);
  expect(changedFields(start, form)).toEqual(['description']);
  expect(changedFields(start, now)).toEqual(['accreditationType']);
});
