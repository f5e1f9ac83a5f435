import { MINUTE_MS } from '../calendar/durations.ts';
import { err, ok, type Result } from '../result.ts';

/** How far a webhook's time may lie from ours, either way. */
const TOLERANCE_MS = 5 * MINUTE_MS;
/** Signatures of one request: one for each secret that is in use while they are rotated. */
const SIGNATURES_MAX = 8;
const ID_MAX = 200;
/** Of this version alone: HMAC-SHA256. */
const VERSION = 'v1,';

/** The headers of a webhook as they came. */
export interface WebhookHeaders {
  readonly id: string | null;
  readonly timestamp: string | null;
  readonly signature: string | null;
}

/** What is to be verified of one. */
export interface SignedWebhook {
  readonly id: string;
  /** What is signed before the body: `id.timestamp.`. */
  readonly prefix: string;
  /** Base64, of which one must be right. */
  readonly signatures: readonly string[];
}

export type WebhookHeadersError = 'no_id' | 'no_timestamp' | 'out_of_time' | 'no_signature';

/** Reads the headers of the Standard Webhooks pattern: `webhook-id`, `webhook-timestamp` in Unix seconds, `webhook-signature`. */
export function signedWebhookOf(
  { id, timestamp, signature }: WebhookHeaders,
  now_ms: number,
): Result<SignedWebhook, WebhookHeadersError> {
  if (id === null || id === '' || id.length > ID_MAX) return err('no_id');
  if (timestamp === null || !/^\d{1,12}$/.test(timestamp)) return err('no_timestamp');
  if (Math.abs(now_ms - Number(timestamp) * 1_000) > TOLERANCE_MS) return err('out_of_time');
  const signatures = (signature ?? '')
    .split(' ')
    .filter((part) => part.startsWith(VERSION))
    .slice(0, SIGNATURES_MAX)
    .map((part) => part.slice(VERSION.length));
  return signatures.length === 0 ? err('no_signature') : ok({ id, prefix: `${id}.${timestamp}.`, signatures });
}

/** What signs a webhook, and the headers that say so. */
export function webhookPrefix(id: string, at_ms: number): { readonly prefix: string; readonly timestamp: string } {
  const timestamp = String(Math.floor(at_ms / 1_000));
  return { prefix: `${id}.${timestamp}.`, timestamp };
}

/** A signature as its header has it. */
export function signatureHeader(base64: string): string {
  return `${VERSION}${base64}`;
}
