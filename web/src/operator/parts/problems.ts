import { ApiProblem } from '../../api/api-problem.ts';

/** The approval that a call waits for, where another operator has to approve it first; else null. */
export function approvalAsked(error: unknown): string | null {
  if (!(error instanceof ApiProblem) || error.details.reason !== 'approval_required') return null;
  const { approval } = error.details;
  return typeof approval === 'string' ? approval : null;
}
