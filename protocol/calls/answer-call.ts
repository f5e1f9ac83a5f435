import { timingSafeEqual } from 'node:crypto';
import type { z } from 'zod';

/** What may be asked: the list of its arguments, and who answers. */
export interface ServedCall {
  readonly asked: z.ZodType<readonly unknown[]>;
  readonly answer: (...args: never[]) => Promise<unknown>;
}

/** Calls behind one token. */
export interface ServedCalls {
  /** Who asks shows it as a bearer token. */
  readonly token: string;
  readonly bytesMax: number;
  /** By what stands after `/v1/`. */
  readonly callAt: (path: string) => ServedCall | null;
}

/** A request, whatever has taken it in. */
export interface CallRequest {
  readonly method: string;
  readonly path: string;
  /** The header; empty where there is none. */
  readonly authorization: string;
  readonly body: AsyncIterable<Uint8Array>;
}

export interface CallAnswer {
  readonly status: number;
  readonly body: unknown;
}

/**
 * Answers `POST /v1/…` with a JSON list of arguments: 200 has the answer, 400 says what is wrong with the question, 401 that the token is, 409 why there is no answer. Who shows no token is asked
 * for nothing else, and its body is not read.
 */
export async function answerCall(
  { method, path, authorization, body }: CallRequest,
  { token, bytesMax, callAt }: ServedCalls,
): Promise<CallAnswer> {
  if (method === 'GET' && path === '/healthz') return { status: 200, body: { status: 'ok' } };
  if (!isToken(authorization, token)) return { status: 401, body: { error: 'another token' } };
  const call = callAt(/^\/v1\/([\w./-]{1,200})$/.exec(path)?.[1] ?? '');
  if (call === null || method !== 'POST') return { status: 404, body: { error: 'no such call' } };
  const text = await textOf(body, bytesMax);
  if (text === null) return { status: 413, body: { error: `more than ${bytesMax} bytes` } };
  let json: unknown;
  try {
    json = JSON.parse(text);
  } catch {
    return { status: 400, body: { error: 'no JSON' } };
  }
  const asked = call.asked.safeParse(json);
  if (!asked.success) return { status: 400, body: { error: asked.error.issues[0]?.message ?? 'malformed' } };
  try {
    return { status: 200, body: await call.answer(...(asked.data as never[])) };
  } catch (error) {
    return { status: 409, body: { error: error instanceof Error ? error.message : String(error) } };
  }
}

function isToken(header: string, token: string): boolean {
  const [given, own] = [Buffer.from(header), Buffer.from(`Bearer ${token}`)];
  return given.length === own.length && timingSafeEqual(given, own);
}

/** Null where it is too long. */
async function textOf(body: AsyncIterable<Uint8Array>, bytesMax: number): Promise<string | null> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.length;
    if (length > bytesMax) return null;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
}
