import { z } from 'zod';

/** What a client is told of one thing that its request has wrong. */
export interface ClientIssue {
  /** Kind of the issue, such as `invalid_type`. */
  readonly code: string;
  /** Where it stands: names of fields, and places in lists. */
  readonly path: readonly PropertyKey[];
  /** In words, of what stands there. */
  readonly message: string;
  /** What the kind of the issue has beside it, such as `maximum` or `keys`. */
  readonly [detail: string]: unknown;
}

/** What only whoever reads our code understands: a pattern, and what each member of a union would have wanted. */
const INTERNAL: ReadonlySet<string> = new Set(['pattern', 'errors', 'issues', 'note']);

/** Issues of a request in the words of this file, without what is the library's own. */
export function clientIssues({ issues }: Pick<z.ZodError, 'issues'>): ClientIssue[] {
  return issues
    .flatMap(meant)
    .map((issue) =>
      Object.fromEntries(Object.entries(issue).filter(([name]) => !INTERNAL.has(name))),
    ) as unknown as ClientIssue[];
}

/** Of a value that fits no member of a union: the issues of the one member that takes its type, where there is one. */
function meant(issue: z.core.$ZodIssue): z.core.$ZodIssue[] {
  if (issue.code !== 'invalid_union') return [issue];
  const near = issue.errors.filter((issues) => issues.length > 0 && !issues.some(isOfAnotherType));
  const [only] = near;
  if (only === undefined || near.length > 1) return [issue];
  return only.flatMap(meant).map((inner) => ({ ...inner, path: [...issue.path, ...inner.path] }));
}

function isOfAnotherType({ code, path }: z.core.$ZodIssue): boolean {
  return (code === 'invalid_type' || code === 'invalid_value') && path.length === 0;
}

/** What fails a schema that says nothing itself. @param issue with the value that failed */
function wordsOf(issue: z.core.$ZodRawIssue): string {
  if (issue.input === undefined && issue.code !== 'unrecognized_keys') return 'is missing';
  switch (issue.code) {
    case 'invalid_type':
      return `must be ${TYPES[issue.expected] ?? 'of another type'}`;
    case 'invalid_value':
      return issue.values.length === 1
        ? `must be ${shown(issue.values[0])}`
        : `must be one of ${issue.values.map(shown).join(', ')}`;
    case 'too_small':
      return boundOf(issue.origin, issue.minimum, issue, ['at least', 'above']);
    case 'too_big':
      return boundOf(issue.origin, issue.maximum, issue, ['at most', 'below']);
    case 'invalid_format':
      return FORMATS[issue.format] ?? 'is not of the form that this field takes';
    case 'not_multiple_of':
      return `must be a multiple of ${issue.divisor}`;
    case 'unrecognized_keys':
      return issue.keys.length === 1
        ? `has a field that is not known here: ${shown(issue.keys[0])}`
        : `has fields that are not known here: ${issue.keys.map(shown).join(', ')}`;
    case 'invalid_union':
      return kindWords(issue) ?? 'is none of the forms that this field takes';
    default:
      return 'is not a value that this field takes';
  }
}

/** Of an object whose kind none of its forms has: the field that says the kind is missing, or may say these. */
function kindWords({ input, discriminator, options }: z.core.$ZodRawIssue): string | null {
  if (typeof discriminator !== 'string' || !Array.isArray(options)) return null;
  const kind = (input as Readonly<Record<string, unknown>>)[discriminator];
  return kind === undefined ? 'is missing' : `must be one of ${options.map(shown).join(', ')}`;
}

const TYPES: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  int: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  record: 'an object',
  array: 'a list',
  null: 'null',
  nan: 'a number',
  file: 'a file',
};

const FORMATS: Readonly<Record<string, string>> = {
  uuid: 'is not a UUID',
  guid: 'is not a UUID',
  datetime: 'is not a date and time such as 2026-11-30T14:30:00Z',
  date: 'is not a day YYYY-MM-DD',
  time: 'is not a time such as 14:30:00',
  duration: 'is not a duration of ISO 8601',
  email: 'is not an email address',
  url: 'is not a URL',
  ipv4: 'is not an IPv4 address',
  ipv6: 'is not an IPv6 address',
  cidrv4: 'is not a range of IPv4 addresses',
  cidrv6: 'is not a range of IPv6 addresses',
  base64: 'is not base64',
  base64url: 'is not base64url',
  e164: 'is not a phone number such as +15550100',
};

const UNITS: Readonly<Record<string, readonly [one: string, many: string]>> = {
  string: ['character', 'characters'],
  array: ['entry', 'entries'],
  set: ['entry', 'entries'],
  map: ['field', 'fields'],
  record: ['field', 'fields'],
  file: ['byte', 'bytes'],
};

function boundOf(
  origin: string,
  bound: number | bigint,
  { inclusive, exact }: { readonly inclusive?: boolean; readonly exact?: boolean },
  [included, excluded]: readonly [string, string],
): string {
  const relation = exact ? 'exactly' : inclusive === false ? excluded : included;
  const units = UNITS[origin];
  if (units === undefined) return `must be ${relation} ${bound}`;
  return `must have ${relation} ${bound} ${units[Number(bound) === 1 ? 0 : 1]}`;
}

/** Longest text of a client that an issue repeats. */
const SHOWN_LENGTH_MAX = 100;

function shown(value: unknown): string {
  const text = typeof value === 'string' ? JSON.stringify(value) : String(value);
  return text.length > SHOWN_LENGTH_MAX ? `${text.slice(0, SHOWN_LENGTH_MAX)}…` : text;
}

// For every schema of whoever imports this: a schema that has words of its own keeps them.
z.config({ localeError: wordsOf });
