/** What is noted of a violation: cut short, and of addresses what carries nothing of a person. */
export interface PolicyViolation {
  readonly directive: string;
  readonly blocked: string;
  readonly page: string;
  readonly source: string;
  readonly line: number;
}

const VIOLATIONS_MAX = 10;
const LENGTH_MAX = 200;

/** Violations of a report, of either form (CSP 3, 5.3 and 5.4), the first few; null for what is none. */
export function violationsIn(text: string): readonly PolicyViolation[] | null {
  const sent = parsed(text);
  const reports = Array.isArray(sent) ? sent.map((each) => fieldsOf(each).body) : [fieldsOf(sent)['csp-report']];
  const violations = reports.slice(0, VIOLATIONS_MAX).map((report) => violationOf(fieldsOf(report)));
  const known = violations.filter((violation) => violation.directive !== '');
  return known.length === 0 ? null : known;
}

function violationOf(report: Readonly<Record<string, unknown>>): PolicyViolation {
  const first = (...names: readonly string[]) => names.map((name) => report[name]).find((value) => value !== undefined);
  const line = first('lineNumber', 'line-number');
  return {
    directive: textOf(first('effectiveDirective', 'effective-directive', 'violated-directive')),
    blocked: addressOf(first('blockedURL', 'blocked-uri')),
    page: addressOf(first('documentURL', 'document-uri')),
    source: addressOf(first('sourceFile', 'source-file')),
    line: typeof line === 'number' && Number.isSafeInteger(line) ? line : 0,
  };
}

/** Queries and fragments may carry what must stand in no log. */
function addressOf(value: unknown): string {
  return textOf(typeof value === 'string' ? value.replace(/[?#].*$/s, '') : value);
}

function textOf(value: unknown): string {
  return typeof value === 'string' ? value.slice(0, LENGTH_MAX).replaceAll(/[^\x20-\x7e]/g, '?') : '';
}

function fieldsOf(value: unknown): Readonly<Record<string, unknown>> {
  return typeof value === 'object' && value !== null ? (value as Record<string, unknown>) : {};
}

function parsed(text: string): unknown {
  try {
    return JSON.parse(text) as unknown;
  } catch {
    return null;
  }
}
