import type { z } from 'zod';

/**
 * What a node answered, in the form that is expected of it.
 *
 * @param to what it was asked
 * @throws Error where it has another form
 */
export function answerOf<Schema extends z.ZodType>(schema: Schema, answer: unknown, to: string): z.output<Schema> {
  const parsed = schema.safeParse(answer);
  if (!parsed.success) {
    const [issue] = parsed.error.issues;
    throw new Error(`a node's answer to ${to} has another form: ${issue?.path.join('.')}: ${issue?.message}`);
  }
  return parsed.data;
}
