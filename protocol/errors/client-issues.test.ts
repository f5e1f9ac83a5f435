import { describe, expect, test } from 'vitest';
import { z } from 'zod';
import { clientIssues } from './client-issues.ts';

const told = (schema: z.ZodType, value: unknown) => {
  const read = schema.safeParse(value);
  if (read.success) throw new Error('the value is taken');
  return clientIssues(read.error);
};

describe('what a client is told of a value that is not taken', () => {
  test.each<[string, z.ZodType, unknown, string]>([
    ['a field that is missing', z.string(), undefined, 'is missing'],
    ['a number for a string', z.string(), 5, 'must be a string'],
    ['text for a number', z.number(), '1', 'must be a number'],
    ['text for a number of a query', z.coerce.number(), 'abc', 'must be a number'],
    ['a part for a whole number', z.int(), 1.5, 'must be a whole number'],
    ['text for a switch', z.boolean(), 'yes', 'must be true or false'],
    ['a list for an object', z.object({}), [], 'must be an object'],
    ['one of no choice', z.enum(['BUY', 'SELL']), 'HOLD', 'must be one of "BUY", "SELL"'],
    ['another constant', z.literal('ok'), 'no', 'must be "ok"'],
    ['too little', z.number().positive(), 0, 'must be above 0'],
    ['too much', z.number().max(1_000), 1_001, 'must be at most 1000'],
    ['too short a text', z.string().min(1), '', 'must have at least 1 character'],
    ['too many entries', z.array(z.number()).max(1), [1, 2], 'must have at most 1 entry'],
    ['no UUID', z.uuid(), 'one', 'is not a UUID'],
    ['no moment', z.iso.datetime(), 'now', 'is not a date and time such as 2026-11-30T14:30:00Z'],
    ['no day', z.iso.date(), '2026-02-30', 'is not a day YYYY-MM-DD'],
    ['another form', z.string().regex(/^a+$/), 'b', 'is not of the form that this field takes'],
    ['an unknown field', z.strictObject({}), { b: 1 }, 'has a field that is not known here: "b"'],
    [
      'none of several forms',
      z.union([z.object({ a: z.string() }), z.object({ b: z.string() })]),
      {},
      'is none of the forms that this field takes',
    ],
    ['no form at all', z.string().refine(() => false), 'b', 'is not a value that this field takes'],
  ])('%s', (_, schema, value, message) => {
    expect(told(schema, value)).toMatchObject([{ path: [], message }]);
  });

  test.each<[string, unknown, string]>([
    ['missing', {}, 'is missing'],
    ['none of them', { type: 'zzz' }, 'must be one of "subscribe", "unsubscribe"'],
  ])('says what kinds there are where that of an object is %s', (_, value, message) => {
    const schema = z.discriminatedUnion('type', [
      z.object({ type: z.literal('subscribe') }),
      z.object({ type: z.literal('unsubscribe') }),
    ]);
    expect(told(schema, value)).toMatchObject([{ path: ['type'], message }]);
  });

  test('says of a file that is missing what it says of any field', () => {
    const schema = z.object({ image: z.custom<File>((value) => value instanceof File) });
    expect(told(schema, {})).toMatchObject([{ path: ['image'], message: 'is missing' }]);
    expect(told(schema, { image: 'text' })).toMatchObject([{ message: 'is not a value that this field takes' }]);
  });

  test('keeps words that a schema has, and says where', () => {
    const schema = z.object({ rows: z.array(z.object({ id: z.string().regex(/^[a-z]$/, 'must be a letter') })) });
    expect(told(schema, { rows: [{ id: 'a' }, { id: '1' }] })).toEqual([
      expect.objectContaining({ code: 'invalid_format', path: ['rows', 1, 'id'], message: 'must be a letter' }),
    ]);
  });

  test('has nothing that only whoever reads the code understands', () => {
    const schema = z.object({
      id: z.uuid(),
      name: z.union([z.string().regex(/^a{1,64}$/), z.null()]),
      at: z.iso.datetime(),
    });
    const issues = told(schema, { id: '1', name: 'b', at: 'c' });
    expect(JSON.stringify(issues)).not.toMatch(/[\\^$]|a\{1|Invalid|pattern|errors/);
    expect(issues.map(({ path, message }) => [path.join('.'), message])).toEqual([
      ['id', 'is not a UUID'],
      ['name', 'is not of the form that this field takes'],
      ['at', expect.stringContaining('is not a date and time')],
    ]);
  });

  test('repeats no more of a long text than a line', () => {
    const [issue] = told(z.strictObject({}), { ['x'.repeat(5_000)]: 1 });
    expect(issue?.message.length).toBeLessThan(200);
  });
});
