import { expect, test } from 'vitest';
import { ApiProblem } from '../../api/api-problem.ts';
import { approvalAsked } from './problems.ts';

const conflict = (details: Record<string, unknown>) =>
  new ApiProblem({ code: 'CONFLICT', message: 'no', status: 409, details });

test('a call that another operator has to approve names its approval', () => {
  expect(approvalAsked(conflict({ reason: 'approval_required', approval: 'a-1' }))).toBe('a-1');
});

test('any other conflict names none', () => {
  expect(approvalAsked(conflict({ reason: 'decided', approval: 'a-1' }))).toBeNull();
  expect(approvalAsked(conflict({ reason: 'approval_required' }))).toBeNull();
  expect(approvalAsked(new Error('no'))).toBeNull();
});
