import { z } from '@hono/zod-openapi';
import { instantOf } from '../../domain/events/iso-date.ts';

/** A time of RFC 3339, which may be a leap second; Unix milliseconds. */
export const Instant = z
  .string()
  .transform((text, context) => {
    const at = instantOf(text);
    if (at !== null) return at;
    context.addIssue({ code: 'custom', message: 'must be a time of RFC 3339, such as 2026-11-21T08:30:00.250Z' });
    return z.NEVER;
  })
  .openapi({ type: 'string', format: 'date-time' });
