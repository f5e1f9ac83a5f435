import type { z } from '@hono/zod-openapi';

/** A field of a request that may be left out, or be null as answers have it where there is none. */
export function orNone<T extends z.ZodType>(schema: T) {
  return schema.nullish().transform((value) => value ?? undefined);
}
