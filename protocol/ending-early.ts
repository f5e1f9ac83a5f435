import type { z } from 'zod';

/**
 * The schema, which ends at the first wrong value: for lists of which a body may have very many. Else each wrong value is an issue of its own, which takes
 * a hundred times the memory of the value. It is changed in place, so that its OpenAPI description stays.
 */
export function endingEarly<T extends z.ZodType>(schema: T): T {
  const { run } = schema._zod;
  schema._zod.run = (payload, context) => run(payload, { ...context, abortEarly: true });
  return schema;
}

/** The record, of which one with more fields is wrong as a whole: the values of a record are all looked at, whatever the first of them is. */
export function ofFewFields<T extends z.ZodType>(schema: T, fieldsMax: number): T {
  const { run } = schema._zod;
  schema._zod.run = (payload, context) => {
    const { value: input } = payload;
    if (typeof input !== 'object' || input === null || Object.keys(input).length <= fieldsMax)
      return run(payload, context);
    payload.issues.push({
      code: 'custom',
      message: `has more than ${fieldsMax} fields`,
      input,
      inst: schema,
      path: [],
    });
    return payload;
  };
  return schema;
}
