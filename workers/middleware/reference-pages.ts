import type { OpenAPIHono } from '@hono/zod-openapi';
import { Scalar } from '@scalar/hono-api-reference';
import { DEFAULT_RATE_LIMITS } from '../../domain/limits/rate-bucket.ts';
import type { AppContext, AppEnv } from './app-env.ts';
import { completed, type OpenApiDocument } from './describe-document.ts';
import { enforceAccess } from './enforce-access.ts';
import { destinationOf, PROFILE_SEGMENTS } from './profile-name.ts';
import type { ProfileDescription, RegisteredRoute } from './registered-route.ts';
import { CONSOLE_SCHEMES, SECURITY_SCHEMES } from './security-schemes.ts';

/**
 * Adds `/healthz` (where the profile's specification has none of its own), `/openapi.json` (OpenAPI 3.1, from the schemas that validate) and `/docs`, a page over it whose script is a
 * file of ours (scripts/web/static-files.ts).
 */
export function referencePages(
  profile: ProfileDescription,
  app: OpenAPIHono<AppEnv>,
  document: (prefix: string) => object,
): void {
  const schemes = profile.name === 'console' ? { ...SECURITY_SCHEMES, ...CONSOLE_SCHEMES } : SECURITY_SCHEMES;
  for (const [scheme, definition] of Object.entries(schemes)) {
    app.openAPIRegistry.registerComponent('securitySchemes', scheme, definition);
  }
  const page = (path: string, answer: (c: AppContext) => Response | Promise<Response>) =>
    app.get(path, ...enforceAccess(publicPage(path)), answer);

  if (!profile.hasOwnHealth) {
    const [named] = enforceAccess(publicPage('/healthz'));
    app.get('/healthz', named, (c) => {
      c.set('rate', { ...NOTHING_DRAWN, reset: Math.ceil(Date.now() / 1_000) });
      return c.json({ status: 'ok', profile: profile.name });
    });
  }
  page('/openapi.json', (c) => c.json(document(prefixOf(profile, c))));
  // A page of the console's origin may do what its app may: no script of others runs there.
  if (profile.name === 'console') return;
  page('/docs', async (c) => {
    const prefix = prefixOf(profile, c);
    const shown = { url: `${prefix}/openapi.json`, cdn: REFERENCE_SCRIPT, pageTitle: profile.title };
    const page = (await Scalar<AppEnv>({ ...shown, ...WITHOUT_SERVICES })(c, async () => {})) as Response;
    const nonce = crypto.randomUUID();
    c.header('content-security-policy', pagePolicy(nonce));
    return c.html((await page.text()).replaceAll('<script', `<script nonce="${nonce}"`));
  });
}

/** The OpenAPI document of a profile, made once for each prefix that its paths have. */
export function openApiDocuments(profile: ProfileDescription, app: OpenAPIHono<AppEnv>): (prefix: string) => object {
  const documents = new Map<string, object>();
  return (prefix) => {
    const document = documents.get(prefix) ?? documentOf(profile, app, prefix);
    documents.set(prefix, document);
    return document;
  };
}

function documentOf(profile: ProfileDescription, app: OpenAPIHono<AppEnv>, prefix: string): object {
  const document = app.getOpenAPI31Document(describe(profile, prefix));
  return completed(document as unknown as OpenApiDocument);
}

/** Served beside the Worker, at every host. */
const REFERENCE_SCRIPT = '/reference/scalar.js';

/** Health asks nobody and draws on no limit: clients that have used up theirs must not make the Worker look ill to a load balancer. */
const NOTHING_DRAWN = { limit: DEFAULT_RATE_LIMITS.public.limit, remaining: DEFAULT_RATE_LIMITS.public.limit };

/** No fonts, icon or services of Scalar's own: the page's policy forbids them, and what is asked of them would leave the house. */
const WITHOUT_SERVICES = {
  withDefaultFonts: false,
  favicon: 'data:,',
  telemetry: false,
  showDeveloperTools: 'never',
  hideClientButton: true,
  agent: { disabled: true, hideAddApi: true },
  mcp: { disabled: true },
} as const;

/** Its own scripts run, by a nonce of the answer, and no other that stands in the page. */
const pagePolicy = (nonce: string): string =>
  [
    "default-src 'self'",
    `script-src 'nonce-${nonce}'`,
    "style-src 'self' 'unsafe-inline'",
    "img-src 'self' data: blob:",
    "font-src 'self' data:",
    'worker-src blob:',
    "frame-ancestors 'none'",
  ].join('; ');

function publicPage(path: string): RegisteredRoute {
  return {
    method: 'get',
    path,
    takesBody: false,
    queryNames: [],
    passesOverQuery: 'a page for people and programs of any kind, which asks for nothing',
    mayLackBody: false,
    isDocumented: false,
    access: { credential: 'public' },
    bucket: 'public',
  };
}

function describe({ title, description }: ProfileDescription, prefix: string) {
  return {
    openapi: '3.1.0',
    info: { title, description, version: '1.0.0' },
    servers: [{ url: prefix || '/' }],
  };
}

/** `/<profile>` on a host that serves many, nothing on the profile's own. */
function prefixOf(profile: ProfileDescription, c: AppContext): string {
  const { pathname } = new URL(c.req.url);
  const within = destinationOf(c.req.raw, c.env)?.path;
  return within !== undefined && within !== pathname ? `/${PROFILE_SEGMENTS[profile.name]}` : '';
}
