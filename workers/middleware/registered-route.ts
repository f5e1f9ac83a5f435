import type { RouteConfig } from '@hono/zod-openapi';
import type { ZodError } from 'zod';
import type { RateBucket } from '../../domain/limits/rate-bucket.ts';
import type { TakesAudience } from '../../durable-objects/credentials/access-token.ts';
import type { ApiError } from '../../protocol/errors/api-error.ts';
import type { ErrorCode } from '../../protocol/errors/error-code.ts';
import type { RouteDeclaration } from './access.ts';
import type { AppContext } from './app-env.ts';
import type { EdgeCaching } from './edge-cache.ts';
import type { ProfileName } from './profile-name.ts';

/** Pages of other origins that may call a route with a credential of their own. Cookies are never involved. */
export interface CrossOrigin {
  allows(origin: string, env: Env): boolean;
  /** Request headers that such a page may send. */
  readonly headers: readonly string[];
  /** Response headers that it may read, beyond those of every answer. */
  readonly exposed: readonly string[];
  /** Whether the handler says whose pages read the answer, once it knows whom it is for; else all that are allowed do. */
  readonly isHeldByHandler?: boolean;
}

export interface RouteOptions {
  /**
   * An Idempotency-Key on this request gives the first answer again for 24 h; `resourceIdOf(c)` and `isRepetition(c)` are there.
   * `unstored`: the answer names people and is kept nowhere; the handler makes it again from what it finds under the same id.
   */
  readonly idempotent?: boolean | 'unstored';
  /** Keeps answers at the edge, on a public route; none when left out. */
  readonly edge?: EdgeCaching;
  /** Units drawn from the bucket, from the parsed JSON body, not yet validated; 1 when left out. */
  readonly cost?: (body: unknown) => number;
  /** The bucket of a request, where its body decides, parsed and not yet validated; null or left out for the declared one. */
  readonly bucketOf?: (body: unknown) => RateBucket | null;
  /** Whether it reads a body that its OpenAPI description does not show; else those take one that describe it. */
  readonly takesBody?: boolean;
  /**
   * Why it passes over query parameters that it does not know; else they are refused
   * (docs/decisions/api.md#misspelt-terms-are-refused).
   */
  readonly passesOverQuery?: string;
  /** Codes that its handler answers beyond those that follow from its declaration, for its OpenAPI description. */
  readonly errors?: readonly ErrorCode[];
  /** Refuses, 403 `about_you`, what is about whoever may be acting: a user, an account or anything of theirs that path or body names (docs/design/operators.md#nobody-about-themselves). */
  readonly neverOfOneself?: true;
  /** Largest body; 64 KiB when left out (docs/design/identity.md#other-limits-of-callers). */
  readonly bodyBytesMax?: number;
  /**
   * Asked once the caller is counted, before any of the body is read: an answer for whom it lets through no further, else null. A route whose handler alone knows the caller has one where it takes
   * more than 64 KiB.
   */
  readonly beforeBody?: (c: AppContext) => Promise<Response | null>;
  /** Most values of a body of text, by its separators; 4,096 when left out. */
  readonly bodyValuesMax?: number;
  /** The WWW-Authenticate of a 401; `Bearer` when left out. */
  readonly challenge?: (c: AppContext) => string;
  /** Pages of other origins that may call it with a credential; none when left out. */
  readonly crossOrigin?: CrossOrigin;
  /** Audiences beside the exchange's own whose access tokens it takes (RFC 8707); none when left out. */
  readonly takesAudience?: (c: AppContext) => TakesAudience;
  /** Of the console's: whether a browser comes here by itself or is sent by another site, as by the identity provider. Nothing is done in anybody's name. */
  readonly fromElsewhere?: boolean;
  /** Answers a request that is not let through, in another form than `{error}`. */
  readonly refused?: (c: AppContext, error: ApiError) => Response | Promise<Response>;
  /** Answers input that the schema refuses; VALIDATION_ERROR with `details.issues` when left out. */
  readonly invalid?: (c: AppContext, error: ZodError) => Response;
}

export interface RegisteredRoute extends RouteDeclaration, RouteOptions {
  readonly method: RouteConfig['method'];
  /** OpenAPI form, `/v1/orders/{id}`. */
  readonly path: string;
  readonly takesBody: boolean;
  /** The query parameters that it knows. */
  readonly queryNames: readonly string[];
  /** Whether a request without a body is as good as an empty object. */
  readonly mayLackBody: boolean;
  /** Whether the profile's OpenAPI document has it; others are described elsewhere, or are for local use. */
  readonly isDocumented: boolean;
}

/** What a profile does around each of its handlers. */
export type Around = (
  route: Pick<RegisteredRoute, 'method' | 'path'>,
  handler: (c: AppContext) => Promise<Response>,
) => (c: AppContext) => Promise<Response>;

export type FieldNames = 'camelCase' | 'snake_case';

/** What a profile is called, and what its routes are. */
export interface ProfileDescription {
  readonly name: ProfileName;
  readonly title: string;
  /** How its fields are spelt. */
  readonly fieldNames: FieldNames;
  readonly description: string;
  /** Whether it registers a `/healthz` of its own shape. */
  readonly hasOwnHealth: boolean;
  /** None when left out. */
  readonly around?: Around;
  /** What an Idempotency-Key is of besides its account: null for nothing. The account alone when left out. */
  readonly keysOf?: (c: AppContext) => string | null;
  /** Every route, as registered: the access matrix test walks them. */
  readonly routes: readonly RegisteredRoute[];
}
