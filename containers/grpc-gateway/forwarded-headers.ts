import type { Metadata } from '@grpc/grpc-js';

/** Metadata of a call that is passed on to the exchange: credentials as they are, and what marks a repetition. */
const FORWARDED = [
  'x-api-key',
  'x-api-secret',
  'x-api-timestamp',
  'x-api-signature',
  'authorization',
  'idempotency-key',
] as const;

export type Headers = Readonly<Record<string, string>>;

/** Headers for the exchange. A key sent twice goes on twice, joined as HTTP joins it, and the exchange refuses it. */
export function forwardedHeaders(metadata: Metadata): Headers {
  const headers: Record<string, string> = {};
  for (const name of FORWARDED) {
    const values = metadata.get(name);
    if (values.length > 0) headers[name] = values.join(', ');
  }
  return headers;
}
