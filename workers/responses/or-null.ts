import { z } from '@hono/zod-openapi';

/**
 * A named schema or null. `nullable()` of one that has a name is published as `allOf` of an object and null, which nothing can be.
 */
export function orNull<T extends z.ZodType>(schema: T) {
  return z.union([schema, z.null()]);
}
