import type { ZodError } from 'zod';

type Issues = ZodError['issues'];

/** An answer shows so many issues of a request: whoever sends a thousand wrong values is helped by the first. */
const ISSUES_MAX = 20;
const KEYS_MAX = 20;
const MESSAGE_LENGTH_MAX = 500;

/** What is wrong with a request, for `details`: the first issues, and how many more there are. An answer is not as long as its request likes. */
export function issueDetails(issues: Issues): Record<string, unknown> {
  const omitted = issues.length - ISSUES_MAX;
  return { issues: shown(issues), ...(omitted > 0 ? { omitted } : {}) };
}

function shown(issues: Issues): object[] {
  return issues.slice(0, ISSUES_MAX).map((issue) => ({
    ...issue,
    ...(issue.message.length > MESSAGE_LENGTH_MAX ? { message: `${issue.message.slice(0, MESSAGE_LENGTH_MAX)}…` } : {}),
    ...(issue.code === 'unrecognized_keys' ? { keys: issue.keys.slice(0, KEYS_MAX) } : {}),
    // Of each form that a value could have had.
    ...(issue.code === 'invalid_union' ? { errors: issue.errors.map(shown) } : {}),
    ...(issue.code === 'invalid_key' || issue.code === 'invalid_element' ? { issues: shown(issue.issues) } : {}),
  }));
}
