import type { OpenAPIHono, RouteConfig, RouteHandler } from '@hono/zod-openapi';
import { withOwnIds, withOwnIdsOfBody } from '../../protocol/own-ids.ts';
import type { RouteDeclaration } from './access.ts';
import { createApp } from './app.ts';
import type { AppContext, AppEnv } from './app-env.ts';
import { answerPreflightOf } from './cross-origin.ts';
import { describeAccess } from './describe-access.ts';
import { answeringFromEdge } from './edge-cache.ts';
import { enforceAccess } from './enforce-access.ts';
import { answeringOnce } from './idempotency.ts';
import { neverOfOneself } from './never-of-oneself.ts';
import type { ProfileName } from './profile-name.ts';
import { namesOfQuery } from './query-failure.ts';
import { openApiDocuments, referencePages } from './reference-pages.ts';
import type { Around, FieldNames, ProfileDescription, RegisteredRoute, RouteOptions } from './registered-route.ts';

const APP = Symbol('app');

/**
 * One REST profile. It offers no way to add a route but `registerRoute`, so that none goes without an access declaration
 * (docs/design/identity.md#access-of-routes).
 */
export interface Profile extends ProfileDescription {
  readonly fetch: (request: Request, env: Env, ctx: ExecutionContext) => Response | Promise<Response>;
  /** OpenAPI 3.1, of paths behind this prefix. */
  readonly document: (prefix: string) => object;
  readonly [APP]: OpenAPIHono<AppEnv>;
}

/** A profile with its `/healthz`, `/openapi.json` and `/docs`. */
export function createProfile(identity: {
  name: ProfileName;
  title: string;
  fieldNames: FieldNames;
  description: string;
  hasOwnHealth?: boolean;
  around?: Around;
  keysOf?: NonNullable<ProfileDescription['keysOf']>;
}): Profile {
  const routes: RegisteredRoute[] = [];
  const app = createApp(identity, routes);
  const described = { hasOwnHealth: false, ...identity, routes };
  const document = openApiDocuments(described, app);
  const profile: Profile = { ...described, fetch: app.fetch, document, [APP]: app };
  referencePages(profile, app, document);
  return profile;
}

/**
 * Adds a route: its access, its schema, its handler.
 *
 * @example
 * registerRoute(
 *   exchange,
 *   { access: { credential: 'tenant' }, bucket: 'private' },
 *   createRoute({ method: 'get', path: '/v1/account', responses: { 200: { content: … } } }),
 *   async (c) => c.json({ data: await readAccount(c.env, principalOf(c)) }, 200),
 * );
 */
export function registerRoute<R extends RouteConfig>(
  profile: Profile,
  declaration: RouteDeclaration & RouteOptions,
  route: R,
  handler: RouteHandler<R, AppEnv>,
): void {
  const { method, path } = route;
  const takesBody = declaration.takesBody ?? route.request?.body !== undefined;
  const mayLackBody = route.request?.body?.required === false;
  const isDocumented = route.hide !== true;
  const queryNames = namesOfQuery(route.request?.query);
  if (queryNames === null) throw new Error(`${profile.name} ${method} ${path} does not tell the names of its query`);
  const registered: RegisteredRoute = {
    ...declaration,
    method,
    path,
    takesBody,
    queryNames,
    mayLackBody,
    isDocumented,
  };
  refuseUndeclared(profile, registered);
  (profile.routes as RegisteredRoute[]).push(registered);
  if (declaration.crossOrigin !== undefined) answerPreflightsOf(profile, registered);
  const { invalid, edge } = declaration;
  const handles = handler as unknown as (c: AppContext) => Promise<Response>;
  const plain = declaration.neverOfOneself ? neverOfOneself(handles) : handles;
  const handled = withIdsAsKept(profile.around?.(registered, plain) ?? plain, path);
  const wire = edge === undefined ? handled : answeringFromEdge(handled, edge);
  profile[APP].openapi(
    { ...describeAccess(registered, route), middleware: enforceAccess(registered) },
    declaration.idempotent
      ? answeringOnce(wire, { stored: declaration.idempotent === true, keysOf: profile.keysOf })
      : wire,
    invalid && ((result, c) => (result.success ? undefined : invalid(c, result.error))),
  );
}

/** Whatever the case in which a caller has written an id of ours. */
function withIdsAsKept(
  handler: (c: AppContext) => Promise<Response>,
  path: string,
): (c: AppContext) => Promise<Response> {
  return (c) => {
    const { req } = c;
    const valid = (target: 'param' | 'query' | 'json' | 'form') => req.valid(target as never) as unknown;
    for (const target of ['param', 'query', 'json', 'form'] as const) {
      const fields = valid(target);
      if (typeof fields !== 'object' || fields === null) continue;
      const isBody = target === 'json' || target === 'form';
      req.addValidatedData(target, isBody ? withOwnIdsOfBody(fields) : withOwnIds(fields, path));
    }
    return handler(c);
  };
}

/** The first such route of a path answers for all of them. */
function answerPreflightsOf(profile: Profile, { path }: RegisteredRoute): void {
  const callable = profile.routes.filter((route) => route.path === path && route.crossOrigin !== undefined);
  if (callable.length > 1) return;
  const answer = answerPreflightOf(() => profile.routes.filter((route) => route.path === path));
  profile[APP].options(path.replaceAll(/\{(\w+)\}/g, ':$1'), answer);
}

/** The types forbid this already; a module written around them fails to load. */
function refuseUndeclared(profile: Profile, route: RegisteredRoute): void {
  const what = `${profile.name} ${route.method} ${route.path}`;
  if (route.access?.credential === undefined) throw new Error(`${what} does not declare its access`);
  if (route.bucket === undefined) throw new Error(`${what} does not declare its rate bucket`);
  if (route.edge !== undefined && (route.access.credential !== 'public' || route.method !== 'get'))
    throw new Error(`${what} answers its caller alone: nothing of it may be kept at the edge`);
  if (profile.routes.some((other) => other.method === route.method && other.path === route.path))
    throw new Error(`${what} is registered twice`);
}
