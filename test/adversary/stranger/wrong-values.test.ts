import { describe, expect, it } from 'vitest';
import { z } from 'zod';
import { IMPORT_VALUES_MAX } from '../../../domain/register/import-rows.ts';
import { endingEarly } from '../../../protocol/ending-early.ts';
import { issueDetails } from '../../../protocol/errors/issue-details.ts';
import { SearchForm } from '../../../workers/events/faces/search-schema.ts';
import { ImportRequest } from '../../../workers/partner/captable/import-schema.ts';
import { OcfPackageView } from '../../../workers/partner/captable/ocf-schema.ts';

const issuesOf = (schema: z.ZodType, value: unknown) => schema.safeParse(value).error?.issues ?? [];

/** Everything that is an issue, those of other forms of a value among them. */
function countOf(issues: readonly object[]): number {
  return issues.reduce<number>((sum, issue) => {
    const inner = 'errors' in issue ? (issue.errors as object[][]).flat() : [];
    return sum + 1 + countOf(inner);
  }, 0);
}

const MANY = IMPORT_VALUES_MAX / 10;
const many = (value: unknown) => Array.from({ length: MANY }, () => value);

describe('M-11: wrong values of a large body', () => {
  it.each<[string, z.ZodType, unknown]>([
    ['rows that are none', ImportRequest, { holders: many(0) }],
    ['cells that are none', ImportRequest, { holders: many({ shares: [] }) }],
    ['cells of one row', ImportRequest, { holders: [Object.fromEntries(many([]).map((cell, at) => [at, cell]))] }],
    ['objects of one file', OcfPackageView, { files: { a: { file_type: 'x', items: many(null) } } }],
    ['files', OcfPackageView, { files: Object.fromEntries(many(0).map((file, at) => [at, file])) }],
    [
      'rows or objects',
      z.union([ImportRequest, OcfPackageView]),
      { holders: many(0), files: { a: { items: many(0) } } },
    ],
    ['a vector', SearchForm, { collection: 'a', embedding: JSON.stringify(Array.from({ length: 4_000 }, () => null)) }],
  ])('make some few issues: %s', (_, schema, value) => {
    const count = countOf(issuesOf(schema, value));
    expect(count).toBeGreaterThan(0);
    expect(count).toBeLessThanOrEqual(20);
  });

  it('are told of what is right all the same', () => {
    expect(ImportRequest.safeParse({ holders: [{ shares: 1 }, { shares: 'x', note: null }] }).success).toBe(true);
    expect(issuesOf(ImportRequest, { holders: [{ shares: 1 }, { shares: [] }] })).toMatchObject([
      { path: ['holders', 1, 'shares'] },
    ]);
    expect(issuesOf(endingEarly(z.array(z.int()).max(2)), [1, 2, 3])).toMatchObject([{ code: 'too_big' }]);
  });

  it('are not parsed where the text of a vector is longer than any', () => {
    const embedding = `[${'0,'.repeat(2_000_000)}0]`;
    expect(issuesOf(SearchForm, { collection: 'a', embedding })).toMatchObject([
      { code: 'too_big', origin: 'string', path: ['embedding'] },
    ]);
  });
});

describe('an answer to a wrong request', () => {
  const answerOf = (schema: z.ZodType, value: unknown) => JSON.stringify(issueDetails(issuesOf(schema, value))).length;
  const form = z.strictObject({ a: z.string() });

  it.each<[string, z.ZodType, unknown]>([
    ['a list of wrong values', z.array(form), many(0).slice(0, 4_000)],
    [
      'fields that are not known',
      form,
      Object.fromEntries(
        many(0)
          .slice(0, 4_000)
          .map((_, at) => [`field${at}`, 0]),
      ),
    ],
    ['one of two lists', z.union([z.array(form), z.array(z.int())]), many('x').slice(0, 4_000)],
    ['a list within a list of either', z.array(z.union([form, z.array(z.int())])), many(['x', 'y']).slice(0, 4_000)],
  ])('is not as long as the request likes: %s', (_, schema, value) => {
    expect(answerOf(schema, value)).toBeLessThan(32_000);
  });

  it('says how many issues it does not show', () => {
    expect(issueDetails(issuesOf(z.array(z.int()), many('x').slice(0, 25)))).toMatchObject({ omitted: 5 });
    expect(issueDetails(issuesOf(z.array(z.int()), ['x']))).toEqual({
      issues: [expect.objectContaining({ path: [0] })],
    });
  });
});
