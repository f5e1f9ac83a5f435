import { createHash, createHmac } from 'node:crypto';
import { signedText } from '../../domain/identity/signed-text.ts';
import type { RestAnswer } from '../../protocol/agent/call-tool.ts';
import type { RestCall } from '../../protocol/agent/rest-call.ts';
import { nextCursorOf } from '../../protocol/next-cursor.ts';
import { log } from './log.ts';
import type { Settings } from './settings.ts';

const TIMEOUT_MS = 15_000;

/**
 * REST calls signed with the key, so that the secret itself never travels (docs/design/identity.md#signatures). No two calls of a
 * process carry the same timestamp: the exchange would take the second for a replay.
 */
export class SignedRest {
  readonly #settings: Settings;
  #lastTimestamp = 0;

  constructor(settings: Settings) {
    this.#settings = settings;
  }

  /** Null when there was no answer: what was asked may have been done. */
  async send({ method, path, body, idempotencyKey }: RestCall): Promise<RestAnswer | null> {
    const url = new URL(`${this.#settings.apiUrl}${path}`);
    const text = body === null ? '' : JSON.stringify(body);
    try {
      const response = await fetch(url, {
        method,
        headers: {
          ...this.#signature(method, url.pathname + url.search, text),
          ...(body === null ? {} : { 'content-type': 'application/json' }),
          ...(idempotencyKey === null ? {} : { 'idempotency-key': idempotencyKey }),
        },
        body: body === null ? null : text,
        redirect: 'error',
        signal: AbortSignal.timeout(TIMEOUT_MS),
      });
      return { status: response.status, body: await response.json(), next: nextCursorOf(response.headers.get('link')) };
    } catch (error) {
      log('error', 'exchange_unreachable', { error: String(error) });
      return null;
    }
  }

  #signature(method: string, path: string, body: string): Record<string, string> {
    this.#lastTimestamp = Math.max(Date.now(), this.#lastTimestamp + 1);
    const timestamp = String(this.#lastTimestamp);
    const bodyHash = createHash('sha256').update(body).digest('hex');
    const signed = signedText({ timestamp, method, path, bodyHash });
    return {
      'x-api-key': this.#settings.keyId,
      'x-api-timestamp': timestamp,
      'x-api-signature': createHmac('sha256', this.#settings.secret).update(signed).digest('hex'),
    };
  }
}
