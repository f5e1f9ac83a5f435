import { z } from '@hono/zod-openapi';
import { wholeNumberOr } from '../../responses/whole-number.ts';

const LIMIT_MAX = 1_000;

/** Query of the lists of this service that page whether or not they are asked to. */
export const CollectionPage = z.object({
  limit: wholeNumberOr(LIMIT_MAX, 1, LIMIT_MAX),
  cursor: z.string().max(200).default(''),
});
