import { z } from '@hono/zod-openapi';

const UUID = /^[0-9a-f]{8}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{4}-[0-9a-f]{12}$/;

/** An event's id means that event's own faces; any other name a collection of the tenant's, made at its first use. */
export const CollectionName = z
  .string()
  .regex(/^[A-Za-z0-9][A-Za-z0-9._-]{0,127}$/)
  .openapi({ description: 'An event’s id, or a name of your own: letters, digits, `.`, `_`, `-`.', example: 'staff' });

/** Names shaped like ids are kept for events: one that is mistyped makes no collection. */
export function namesEvent(name: string): boolean {
  return UUID.test(name);
}
