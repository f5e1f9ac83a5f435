export const KEY_LENGTH_MAX = 128;

/** What an Idempotency-Key may be: visible ASCII characters. */
export const KEY = /^[\x21-\x7e]{1,128}$/;
