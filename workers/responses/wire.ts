import type { z } from '@hono/zod-openapi';

/** A JSON answer, as `responses` of a route declares it. */
export function jsonOf<Schema extends z.ZodType>(description: string, schema: Schema) {
  return { description, content: { 'application/json': { schema } } };
}

/** A JSON body that must be sent. */
export function bodyOf<Schema extends z.ZodType>(schema: Schema) {
  return { required: true, content: { 'application/json': { schema } } };
}

/** Unix milliseconds as ISO 8601 in UTC. */
export function isoTime(at: number): string {
  return new Date(at).toISOString();
}

export function isoTimeOrNull(at: number | null): string | null {
  return at === null ? null : isoTime(at);
}
