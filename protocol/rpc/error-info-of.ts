import { create, type MessageInitShape } from '@bufbuild/protobuf';
import { type ErrorInfo, ErrorInfoSchema, type RetryInfo, RetryInfoSchema } from './error_details_pb.ts';

/** `domain` of every ErrorInfo: whose reasons these are. */
const ERROR_DOMAIN = 'exchange';

/**
 * An error of the REST interface in Google's error model: `reason` is its code, `metadata` its details as text, objects as JSON.
 *
 * @example errorInfoOf('INSUFFICIENT_BALANCE', { asset: 'USD', required: 100 })
 * // { reason: 'INSUFFICIENT_BALANCE', domain: 'exchange', metadata: { asset: 'USD', required: '100' } }
 */
export function errorInfoOf(code: string, details: Readonly<Record<string, unknown>>): ErrorInfo {
  const metadata: Record<string, string> = {};
  for (const [name, value] of Object.entries(details)) {
    metadata[name] = typeof value === 'string' ? value : JSON.stringify(value ?? null);
  }
  const info: MessageInitShape<typeof ErrorInfoSchema> = { reason: code, domain: ERROR_DOMAIN, metadata };
  return create(ErrorInfoSchema, info);
}

/** How long to wait before the next call, where the error says so in `details.retry_after` (seconds). */
export function retryInfoOf(details: Readonly<Record<string, unknown>>): RetryInfo | null {
  const { retry_after } = details;
  if (typeof retry_after !== 'number') return null;
  return create(RetryInfoSchema, { retryDelay: { seconds: BigInt(Math.ceil(retry_after)) } });
}
