import { z } from '@hono/zod-openapi';

/** Digits alone: `1e3`, `0x10`, `+5`, `1.0`, spaces and zeros in front are read in different ways by different programs. */
const DIGITS = /^(0|-?[1-9]\d{0,15})$/;
const WORDS = 'must be a whole number, written in digits';

/** A whole number of a query, from `min` to `max`. */
export function wholeNumber(min: number, max: number = Number.MAX_SAFE_INTEGER) {
  return z
    .preprocess(
      (text) => (typeof text === 'string' && DIGITS.test(text) ? Number(text) : text),
      z
        .int({
          error: ({ code, input }) => (code === 'invalid_type' && input !== undefined ? WORDS : undefined),
        })
        .min(min)
        .max(max),
    )
    .openapi({ type: 'integer', minimum: min, ...(max === Number.MAX_SAFE_INTEGER ? {} : { maximum: max }) });
}

/** The same, and another one where it is left out. */
export function wholeNumberOr(fallback: number, min: number, max: number = Number.MAX_SAFE_INTEGER) {
  return wholeNumber(min, max).default(fallback).openapi({ default: fallback });
}
