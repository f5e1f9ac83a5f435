import { z } from 'zod';

/** What tools whose lists may not fit one answer say of that. */
export const PAGE_WORDS = 'At most 1,000 in one answer: where nextCursor is not null there are more.';

export const CursorParameter = z
  .string()
  .min(1)
  .max(80)
  .describe('nextCursor of the answer before: the list goes on from there.');

export const NextCursor = z
  .string()
  .nullable()
  .describe('Null where the list is whole. Else it goes on: call again with this as cursor.');
