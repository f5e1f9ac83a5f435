import { z } from 'zod';

/** A number as the tools give it: decimal text. */
export const DecimalText = z.string().describe('Decimal number as text.');

export const Milliseconds = z.int().describe('Unix milliseconds.');
