import type { ZodError } from 'zod';
import { type ClientIssue, clientIssues } from './client-issues.ts';

/** An answer shows so many issues of a request: whoever sends a thousand wrong values is helped by the first. */
const ISSUES_MAX = 20;
const KEYS_MAX = 20;
const MESSAGE_LENGTH_MAX = 500;

/** What is wrong with a request, for `details`: the first issues, and how many more there are. An answer is not as long as its request likes. */
export function issueDetails(issues: ZodError['issues']): Record<string, unknown> {
  const omitted = issues.length - ISSUES_MAX;
  const told = clientIssues({ issues: issues.slice(0, ISSUES_MAX) });
  return { issues: told.slice(0, ISSUES_MAX).map(shown), ...(omitted > 0 ? { omitted } : {}) };
}

function shown(issue: ClientIssue): object {
  const { message, keys } = issue;
  return {
    ...issue,
    ...(message.length > MESSAGE_LENGTH_MAX ? { message: `${message.slice(0, MESSAGE_LENGTH_MAX)}…` } : {}),
    ...(Array.isArray(keys) ? { keys: keys.slice(0, KEYS_MAX) } : {}),
  };
}
