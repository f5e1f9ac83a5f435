import { partsIn, separatorsIn } from '../../domain/limits/separators.ts';
import { type ApiError, apiError } from '../../protocol/errors/api-error.ts';
import { jsonFlaw } from '../../protocol/json/json-flaw.ts';
import type { AppContext } from './app-env.ts';
import { detailsIn } from './details-in.ts';
import type { RegisteredRoute } from './registered-route.ts';

/** docs/design/identity.md#other-limits-of-callers */
const BODY_BYTES_MAX = 64 * 1_024;
/** Of a body of text; several times what the largest batch of orders has. */
const BODY_VALUES_MAX = 4_096;
/** Of a form: several times what a batch of frames has. */
const FORM_PARTS_MAX = 256;
/** Where a route takes more than that, it takes so many times as long as BODY_SECONDS_MAX. */
const LARGE_BODY_TIMES = 6;

/** What bounds the bodies of a route. */
type BodyTerms = Pick<RegisteredRoute, 'takesBody' | 'mayLackBody' | 'bodyBytesMax' | 'bodyValuesMax'>;

/** UNSUPPORTED_MEDIA_TYPE for a body that declares to be encoded, PAYLOAD_TOO_LARGE for one that declares to be too large, before any of it is read. */
export function declaredBodyFailure(c: AppContext, route: BodyTerms): ApiError | null {
  if (route.takesBody && isEncoded(c.req.raw.headers)) {
    c.header('accept-encoding', 'identity'); // RFC 9110, 15.5.16
    return apiError('UNSUPPORTED_MEDIA_TYPE', 'send the body without a content encoding', {
      reason: 'content_encoding',
    });
  }
  return route.takesBody && (declaredLength(c.req.raw.headers) ?? 0) > bytesMaxOf(route) ? tooLarge(c, route) : null;
}

/**
 * Reads the body of a request, once and whole, within the bounds of its route in bytes and in time: from then on `c.req` has it. A
 * route that declares no body takes none: what nobody reads must not be there, signed or not.
 *
 * @returns why the body is not taken, or null
 */
export async function receiveBody(c: AppContext, route: BodyTerms): Promise<ApiError | null> {
  const { raw } = c.req;
  const cache: BodyCache = c.req.bodyCache as object;
  if (cache.arrayBuffer !== undefined) return null;
  const length = declaredLength(raw.headers);
  if (raw.body === null || length === 0) {
    cache.arrayBuffer = Promise.resolve(new ArrayBuffer(0));
    if (route.mayLackBody) cache.text = Promise.resolve('{}');
    return null;
  }
  if (!route.takesBody && length !== null) return NO_BODY;
  const bytesMax = bytesMaxOf(route);
  const reading = length === null ? readChunks(raw.body, bytesMax) : raw.arrayBuffer();
  const received = await withinTime(reading, timeMaxOf(c.env, bytesMax));
  if (typeof received === 'object' && received.byteLength <= bytesMax) {
    cache.arrayBuffer = Promise.resolve(received);
    const type = raw.headers.get('content-type') ?? '';
    if (IS_FORM.test(type) && partsIn(new Uint8Array(received), FORM_PARTS_MAX) >= FORM_PARTS_MAX)
      return apiError('PAYLOAD_TOO_LARGE', 'the body has too many parts', detailsIn(c, { partsMax: FORM_PARTS_MAX }));
    if (!IS_TEXT.test(type)) return null;
    const valuesMax = route.bodyValuesMax ?? BODY_VALUES_MAX;
    if (separatorsIn(new Uint8Array(received), valuesMax) >= valuesMax)
      return apiError('PAYLOAD_TOO_LARGE', 'the body has too many values', detailsIn(c, { valuesMax }));
    const text = textOf(received);
    if (text === null) return apiError('VALIDATION_ERROR', 'the body is no UTF-8', { reason: 'no_utf8' });
    const flaw = IS_JSON.test(raw.headers.get('content-type') ?? '') ? jsonFlaw(text) : null;
    if (flaw !== null) return flaw.error;
    // Hono would make a response of the bytes to get at their text.
    cache.text = Promise.resolve(text);
    return null;
  }
  switch (received) {
    case 'cut_off':
      return apiError('VALIDATION_ERROR', 'the body ended before its end', { reason: received });
    case 'too_slow':
      return apiError('REQUEST_TIMEOUT', 'the body did not arrive in time');
    default:
      return route.takesBody ? tooLarge(c, route) : NO_BODY;
  }
}

/** What Hono has read of a body; its types tell what the promises resolve to. */
interface BodyCache {
  arrayBuffer?: Promise<ArrayBuffer>;
  text?: Promise<string>;
}

/** Text of every media type that Hono parses as JSON, `application/vnd.api+json` as well. */
const IS_TEXT = /^(application\/([\w.-]+\+)?json|text\/)/i;
const IS_FORM = /^multipart\//i;
const IS_JSON = /^application\/([\w.-]+\+)?json/i;

/** Null where the bytes are not UTF-8: characters that are replaced in silence would be stored as others. */
function textOf(bytes: ArrayBuffer): string | null {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(bytes);
  } catch {
    return null;
  }
}

const NO_BODY = apiError('VALIDATION_ERROR', 'this request takes no body', { reason: 'no_body' });

function tooLarge(c: AppContext, route: BodyTerms): ApiError {
  return apiError('PAYLOAD_TOO_LARGE', 'the body is too large', detailsIn(c, { bytesMax: bytesMaxOf(route) }));
}

function bytesMaxOf({ takesBody, bodyBytesMax }: BodyTerms): number {
  return takesBody ? (bodyBytesMax ?? BODY_BYTES_MAX) : 0;
}

/** @throws when the var BODY_SECONDS_MAX is no time */
function timeMaxOf({ BODY_SECONDS_MAX: text }: Pick<Env, 'BODY_SECONDS_MAX'>, bytesMax: number): number {
  const ms = Number(text) * 1_000;
  if (!(ms > 0)) throw new Error(`BODY_SECONDS_MAX is ${text}, no time`);
  return bytesMax > BODY_BYTES_MAX ? ms * LARGE_BODY_TIMES : ms;
}

/** No route decodes bodies: what is measured is what is read. */
function isEncoded(headers: Headers): boolean {
  const codings = headers.get('content-encoding')?.split(',') ?? [];
  return codings.some((coding) => !['', 'identity'].includes(coding.trim().toLowerCase()));
}

/** Null where the body comes in chunks, whatever is said of its length beside them. */
function declaredLength(headers: Headers): number | null {
  const length = headers.get('content-length');
  return length === null || headers.has('transfer-encoding') ? null : Number(length);
}

type Received = ArrayBuffer | 'too_large' | 'cut_off' | 'too_slow';

/** A client that goes in the middle of its body is no bug of ours. */
async function withinTime(reading: Promise<ArrayBuffer | 'too_large'>, timeMax_ms: number): Promise<Received> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<'too_slow'>((resolve) => {
    timer = setTimeout(() => resolve('too_slow'), timeMax_ms);
  });
  const received = await Promise.race([reading.catch(() => 'cut_off' as const), late]);
  clearTimeout(timer);
  return received;
}

async function readChunks(body: ReadableStream<Uint8Array>, bytesMax: number): Promise<ArrayBuffer | 'too_large'> {
  const chunks: Uint8Array[] = [];
  let length = 0;
  for await (const chunk of body) {
    length += chunk.byteLength;
    if (length > bytesMax) return 'too_large';
    chunks.push(chunk);
  }
  return new Blob(chunks).arrayBuffer();
}
