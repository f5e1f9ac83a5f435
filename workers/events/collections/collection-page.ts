import { z } from '@hono/zod-openapi';

const LIMIT_MAX = 1_000;

/** Query of the lists of this service that page whether or not they are asked to. */
export const CollectionPage = z.object({
  limit: z.coerce.number().pipe(z.int().min(1).max(LIMIT_MAX)).default(LIMIT_MAX),
  cursor: z.string().max(200).default(''),
});
