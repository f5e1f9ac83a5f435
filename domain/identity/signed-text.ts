/** A request as its signature covers it (docs/design/identity.md#signatures). */
export interface SignedRequest {
  /** Unix milliseconds, 13 digits. */
  readonly timestamp: string;
  readonly method: string;
  /** With its query; which forms of it hold says `pathsAsSigned`. */
  readonly path: string;
  /** SHA-256 of the body's bytes, 64 lower-case hexadecimal digits; of nothing where there is no body. */
  readonly bodyHash: string;
}

/** How far a signed timestamp may lie from now, either way (docs/design/identity.md#signatures). */
export const SIGNATURE_WINDOW_MS = 30_000;

/** SHA-256 of nothing: `bodyHash` of a request without a body. */
export const EMPTY_BODY_HASH = 'e3b0c44298fc1c149afbf4c8996fb92427ae41e4649b934ca495991b7852b855';

/**
 * The text under `X-API-Signature`. None of the parts can hold a line feed, so no text can be read as two requests.
 *
 * @example
 * signedText({ timestamp: '1750000000000', method: 'DELETE', path: '/book/v1/orders/7', bodyHash: EMPTY_BODY_HASH })
 * // '1750000000000\nDELETE\n/book/v1/orders/7\ne3b0c442…'
 */
export function signedText({ timestamp, method, path, bodyHash }: SignedRequest): string {
  return `${timestamp}\n${method}\n${path}\n${bodyHash}`;
}
