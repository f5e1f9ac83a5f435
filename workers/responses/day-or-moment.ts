import { z } from '@hono/zod-openapi';

const DAY = z.iso.date();
const MOMENT = z.iso.datetime({ offset: true });

/** A day, YYYY-MM-DD, or a moment of ISO 8601 with its offset. What is neither is told in one issue; a union would tell what each of its members lacks. */
export function dayOrMoment() {
  return z.string().refine((text) => DAY.safeParse(text).success || MOMENT.safeParse(text).success, {
    error: 'is neither a day YYYY-MM-DD nor a moment with its offset',
    abort: true,
  });
}
