import { z } from '@hono/zod-openapi';

/** An event's id means that event's own faces; any other name a collection of the tenant's, made at its first use. */
export const CollectionName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/,
    'must be 1 to 128 letters, digits, dots, dashes or underscores, a letter or digit first',
  )
  .openapi({ description: 'An event’s id, or a name of your own: letters, digits, `.`, `_`, `-`.', example: 'staff' });
