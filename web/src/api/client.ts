import createClient from 'openapi-fetch';
import type { BookPaths } from '../../../clients/sdk/book.ts';
import type { ExchangePaths } from '../../../clients/sdk/exchange.ts';
import { ApiProblem, problemOf } from './api-problem.ts';
import { isUnattended } from './attendance.ts';
import type { paths as OperatorPaths } from './generated/exchange-api.ts';
import type { paths as IamPaths } from './generated/iam-api.ts';
import { type ApiNumber, JsonNumber, parseJson, writeJson } from './json.ts';

/** Told when an answer says that there is no session any more. */
type SignedOut = () => void;

let signedOut: SignedOut = () => {};

export function whenSignedOut(listener: SignedOut): void {
  signedOut = listener;
}

/** Every call of the console: on our own origin, with the session's cookie, which no script can read. */
export async function callConsole(request: Request): Promise<Response> {
  if (request.method !== 'GET') request.headers.set('x-console', '1');
  else if (isUnattended()) request.headers.set('x-console', 'background');
  let response: Response;
  try {
    response = await fetch(request);
  } catch (error) {
    if (error instanceof DOMException && error.name === 'AbortError') throw error;
    const code = navigator.onLine ? 'NO_ANSWER' : 'OFFLINE';
    throw new ApiProblem({ code, message: 'no answer came', status: 0 });
  }
  if (response.ok) return response;
  if (response.status === 401) signedOut();
  throw await problemOf(response);
}

/** The same, with each JSON number of the answer as its text: whoever parses it then gets no float. */
async function callProfile(request: Request): Promise<Response> {
  const response = await callConsole(request);
  if (response.headers.get('content-type')?.startsWith('application/json') !== true) return response;
  const { status, headers } = response;
  const body = JSON.stringify(parseJson(await response.text()));
  const kept = new Headers(headers);
  kept.delete('content-length');
  return new Response(body, { status, headers: kept });
}

function profile<Paths extends object>(name: string) {
  const baseUrl = `${globalThis.location?.origin ?? ''}/console/call/${name}`;
  return createClient<Paths>({ baseUrl, fetch: callProfile, bodySerializer: writeJson });
}

export const exchange = profile<ExchangePaths & OperatorPaths>('exchange');
export const book = profile<BookPaths>('book');
export const iam = profile<IamPaths>('iam');

/** The data of an answer; what was no success has been thrown already. */
export async function dataOf<T>(call: Promise<{ data?: T }>): Promise<T> {
  const { data } = await call;
  return data as T;
}

/** A decimal for the body of a call: it goes out as a JSON number with these digits. */
export function sent(text: string): ApiNumber {
  return new JsonNumber(text) as unknown as ApiNumber;
}
