import type { BrokerUnavailable } from '../../../domain/broker/broker-client.ts';
import type { Result } from '../../../domain/result.ts';
import { askHttp, type HttpAnswer, recordOf, unavailable } from '../ask-http.ts';

/** Where Alpaca's APIs are, and the account's keys. */
export interface AlpacaSettings {
  readonly baseUrl: string;
  readonly dataUrl: string;
  readonly keyId: string;
  readonly secretKey: string;
  /** That its Market Data API takes of the account, by its plan. */
  readonly callsPerMinute: number;
}

export interface AlpacaRequest {
  readonly method?: 'GET' | 'POST' | 'PATCH' | 'DELETE';
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: Readonly<Record<string, string>>;
}

const DETAIL_CHARACTERS_MAX = 200;

/** Asks one of Alpaca's APIs. No answer, one that asks for patience and one that cannot be read are `unavailable`. */
export async function askAlpaca(
  address: string,
  { keyId, secretKey }: AlpacaSettings,
  { method = 'GET', query = {}, body }: AlpacaRequest = {},
): Promise<Result<HttpAnswer, BrokerUnavailable>> {
  const url = new URL(address);
  for (const [name, value] of Object.entries(query)) url.searchParams.set(name, value);
  const answer = await askHttp(url, {
    method,
    headers: { 'APCA-API-KEY-ID': keyId, 'APCA-API-SECRET-KEY': secretKey },
    body: body === undefined ? null : JSON.stringify(body),
  });
  // The gateway refuses keys with 403 and no code; the Trading API gives every refusal of its own a code.
  const isWithoutKeys = answer.ok && answer.value.status === 403 && refusalOf(answer.value).code === null;
  return isWithoutKeys ? unavailable('the keys are not taken') : answer;
}

/** The code and the words with which Alpaca refuses. */
export function refusalOf({ body }: HttpAnswer): { readonly code: number | null; readonly message: string } {
  const { code, message } = recordOf(body) ?? {};
  return {
    code: typeof code === 'number' ? code : null,
    message: typeof message === 'string' ? message.slice(0, DETAIL_CHARACTERS_MAX) : '',
  };
}
