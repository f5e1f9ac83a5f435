import { z } from '@hono/zod-openapi';
import { isOneLine } from '../../domain/partner/one-line.ts';
import { hasUnseenInName } from '../../domain/register/look-alike.ts';

/** Of a request: a name or number that others are shown, without blanks around it. */
export function lineOfText(lengthMax: number): z.ZodString {
  return z
    .string()
    .trim()
    .min(1)
    .max(lengthMax)
    .refine(isOneLine, 'is no single line of text')
    .refine((text) => text === '' || !hasUnseenInName(text), 'has characters that nobody sees, or no others');
}
