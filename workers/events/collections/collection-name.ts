import { z } from '@hono/zod-openapi';
import { ownId } from '../../../domain/identity/own-id.ts';

/** A name as it is written: one of a collection that was made before may be shaped like an id in capitals. */
export const WrittenCollectionName = z
  .string()
  .regex(
    /^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/,
    'must be 1 to 128 letters, digits, dots, dashes or underscores, a letter or digit first',
  )
  .openapi({ description: 'An event’s id, or a name of your own: letters, digits, `.`, `_`, `-`.', example: 'staff' });

/**
 * An event's id, in whatever case, means that event's own faces; any other name a collection of the tenant's, made at its first use.
 */
export const CollectionName = WrittenCollectionName.overwrite(ownId);
