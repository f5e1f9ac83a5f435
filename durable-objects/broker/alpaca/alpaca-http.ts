import type { BrokerUnavailable } from '../../../domain/broker/broker-client.ts';
import { err, ok, type Result } from '../../../domain/result.ts';

/** Where Alpaca's APIs are, and the account's keys. */
export interface AlpacaSettings {
  readonly baseUrl: string;
  readonly dataUrl: string;
  readonly keyId: string;
  readonly secretKey: string;
  /** That its Market Data API takes of the account, by its plan. */
  readonly callsPerMinute: number;
}

export interface AlpacaAnswer {
  readonly status: number;
  /** Parsed JSON; null without a body. */
  readonly body: unknown;
}

export interface AlpacaRequest {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, string>>;
}

const ANSWER_MS_MAX = 10_000;
/** 500 orders are about half of that. */
const BODY_CHARACTERS_MAX = 2_000_000;
const DETAIL_CHARACTERS_MAX = 200;

/** Asks one of Alpaca's APIs. No answer, one that asks for patience and one that cannot be read are `unavailable`. */
export async function askAlpaca(
  address: string,
  { keyId, secretKey }: AlpacaSettings,
  { method = 'GET', query = {}, body }: AlpacaRequest = {},
): Promise<Result<AlpacaAnswer, BrokerUnavailable>> {
  const url = new URL(address);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  try {
    const response = await fetch(url, {
      method,
      headers: {
        'APCA-API-KEY-ID': keyId,
        'APCA-API-SECRET-KEY': secretKey,
        ...(body === undefined ? {} : { 'content-type': 'application/json' }),
      },
      body: body === undefined ? null : JSON.stringify(body),
      // An answer from elsewhere is none of the broker's, and must not be given its keys.
      redirect: 'manual',
      signal: AbortSignal.timeout(ANSWER_MS_MAX),
    });
    const text = await response.text();
    const { status } = response;
    const isForPatience = status === 429 || status >= 500;
    if (isForPatience || status === 401 || (status >= 300 && status < 400)) {
      return unavailable(`status ${status}`, isForPatience ? retryAfterOf(response) : null);
    }
    if (text.length > BODY_CHARACTERS_MAX) return unavailable('an answer beyond bounds');
    const answer: AlpacaAnswer = { status, body: text === '' ? null : (JSON.parse(text) as unknown) };
    // The gateway refuses keys with 403 and no code; the Trading API gives every refusal of its own a code.
    if (status === 403 && refusalOf(answer).code === null) return unavailable('the keys are not taken');
    return ok(answer);
  } catch (error) {
    return unavailable(error instanceof Error ? error.name : 'no answer');
  }
}

/** The code and the words with which Alpaca refuses. */
export function refusalOf({ body }: AlpacaAnswer): { readonly code: number | null; readonly message: string } {
  const { code, message } = recordOf(body) ?? {};
  return {
    code: typeof code === 'number' ? code : null,
    message: typeof message === 'string' ? message.slice(0, DETAIL_CHARACTERS_MAX) : '',
  };
}

export function unavailable(detail: string, retryAfter_ms: number | null = null) {
  return err({ reason: 'unavailable', retryAfter_ms, detail } satisfies BrokerUnavailable);
}

/** The object that a value is; null for anything else. */
export function recordOf(value: unknown): Readonly<Record<string, unknown>> | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? { ...value } : null;
}

function retryAfterOf(response: Response): number | null {
  const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
  return Number.isFinite(seconds) && seconds >= 0 ? Math.ceil(seconds * 1_000) : null;
}
