import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { issueTenantToken } from '../../../../application/identity/tenant-token.ts';
import type { Database } from '../../../../data/database.ts';
import { verifyAccessToken } from '../../../../durable-objects/credentials/access-token.ts';
import { PROFILE_SEGMENTS } from '../../../../workers/middleware/profile-name.ts';
import type { RegisteredRoute } from '../../../../workers/middleware/registered-route.ts';
import { createTestKey, sign, type TestKey } from '../../fixtures/api-key.ts';
import { call } from '../../fixtures/call.ts';
import { OWN_PAGE, signedInAtConsole } from '../../fixtures/console-browser.ts';
import { createTrader } from '../../fixtures/create-trader.ts';
import { tokenWith } from '../../fixtures/forged-token.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { profiles } from '../../fixtures/profiles.ts';

type Headers = Readonly<Record<string, string>>;

/** Headers of every credential form for one request, by the schemes that it is made of. */
type Presented = Readonly<Record<string, (method: string, path: string, body: string) => Promise<Headers>>>;

interface OpenApiDocument {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Operation>>>>;
  readonly components: { readonly securitySchemes: Readonly<Record<string, Scheme>> };
}

interface Operation {
  readonly security: readonly Readonly<Record<string, readonly string[]>>[];
}

interface Scheme {
  readonly scheme?: string;
  readonly name?: string;
  readonly description: string;
}

const NOBODYS_ID = '01900000-0000-7000-8000-000000000000';

let db: Database;

beforeAll(async () => {
  db = await migrate();
});

async function presentedBy(): Promise<Presented> {
  const trader = await createTrader(db);
  const key = await createTestKey(trader);
  const token = await tokenWith({ subject: trader.userId, owner: trader.owner });
  const verified = await verifyAccessToken(token, env);
  if (!verified.ok) throw new Error(verified.error);
  const bearer = { authorization: `Bearer ${token}` };
  const tenant = { 'tenant-authorization': await issueTenantToken(verified.value, env) };
  const session = await sessionOf(key);
  return {
    '': async () => ({}),
    accessToken: async () => bearer,
    'accessToken tenantToken': async () => ({ ...bearer, ...tenant }),
    'accessToken apiKey': async () => ({ ...bearer, 'x-api-key': key.id }),
    'apiKey apiSecret': async () => key.headers,
    'apiKey apiTimestamp apiSignature': (method, path, body) => sign(key, { method, path, body }),
    'apiKey apiSession': async () => ({ 'x-api-key': key.id, 'x-api-session': session }),
  };
}

/** Of somebody else each time: one of the routes signs out. */
async function cookieOfConsole(): Promise<Headers> {
  return { cookie: (await signedInAtConsole((await createTrader(db)).phone)).cookies() };
}

async function sessionOf(key: TestKey): Promise<string> {
  const { body } = await call('POST /book/v1/key-sessions', { headers: key.headers });
  return (body as { token: string }).token;
}

async function documentOf(segment: string): Promise<OpenApiDocument> {
  return (await call(`GET /${segment}/openapi.json`)).body as OpenApiDocument;
}

function registered(segment: string): readonly RegisteredRoute[] {
  const profile = Object.values(profiles).find(({ name }) => PROFILE_SEGMENTS[name] === segment);
  if (profile === undefined) throw new Error(segment);
  return profile.routes;
}

const formOf = (requirement: Readonly<Record<string, unknown>>) => Object.keys(requirement).join(' ');

describe.each(Object.values(PROFILE_SEGMENTS))('the OpenAPI document of %s', (segment) => {
  it('names at each operation exactly the credential forms that open it', async () => {
    const isConsole = segment === PROFILE_SEGMENTS.console;
    const presented = { ...(await presentedBy()), ...(isConsole ? { consoleCookie: cookieOfConsole } : {}) };
    const { paths, components } = await documentOf(segment);
    for (const [path, methods] of Object.entries(paths)) {
      for (const [method, { security }] of Object.entries(methods)) {
        // OAuth endpoints authenticate the client by RFC 6749, webhooks are signed.
        if (security.length === 0) continue;
        const documented = security.map(formOf);
        for (const scheme of security.flatMap(Object.keys)) expect(components.securitySchemes).toHaveProperty(scheme);
        // A tenant token that belongs to the access token does no harm where none is needed.
        if (documented.includes('accessToken')) documented.push('accessToken tenantToken');
        // A browser sends its cookie along; a public route reads none.
        if (documented.includes('')) documented.push('consoleCookie');
        const { takesBody } = registered(segment).find((route) => route.path === path && route.method === method)!;
        const target = `${method.toUpperCase()} /${segment}${path.replaceAll(/\{\w+\}/g, NOBODYS_ID)}`;
        await Promise.all(
          Object.entries(presented).map(async ([form, headersOf]) => {
            const status = await statusOf(target, headersOf, takesBody);
            expect(status !== 401, `${target} by ${form || 'nobody'}: ${status}`).toBe(documented.includes(form));
          }),
        );
      }
    }
  });

  it('is silent of credentials only where those of the exchange are not read: OAuth endpoints, webhooks, and who is not signed in at the console yet', async () => {
    const { paths } = await documentOf(segment);
    const silent = Object.entries(paths).filter(([, methods]) =>
      Object.values(methods).some(({ security }) => security.length === 0),
    );
    const others = registered(segment).filter(
      ({ access, isDocumented }) =>
        isDocumented &&
        (['oauth', 'webhook'].includes(access.credential) ||
          (access.credential === 'console' && access.session === 'none')),
    );
    expect(silent.map(([path]) => path).sort()).toEqual([...new Set(others.map(({ path }) => path))].sort());
  });

  it('describes every header that a credential may stand in', async () => {
    const { securitySchemes } = (await documentOf(segment)).components;
    const headers = Object.values(securitySchemes).map(({ scheme, name }) =>
      scheme === 'bearer' ? 'authorization' : name,
    );
    // The console reads its cookie beside what any public route takes.
    const ofHeaders = [
      'authorization',
      'tenant-authorization',
      'x-api-key',
      'x-api-secret',
      'x-api-session',
      'x-api-signature',
      'x-api-timestamp',
    ];
    const expected = segment === PROFILE_SEGMENTS.console ? ['__host-console', ...ofHeaders] : ofHeaders;
    expect(headers.map((name) => name?.toLowerCase()).sort()).toEqual(expected);
    for (const { description } of Object.values(securitySchemes)) expect(description).not.toBe('');
  });
});

async function statusOf(target: string, headersOf: Presented[string], takesBody: boolean): Promise<number> {
  const [method = '', path = ''] = target.split(' ');
  const body = takesBody ? '{}' : '';
  // At the console, whose pages say that they are its own.
  const own = path.startsWith(`/${PROFILE_SEGMENTS.console}/`) ? OWN_PAGE : {};
  const headers = { ...own, ...(await headersOf(method, path, body)) };
  return (await call(target, { headers, ...(body === '' ? {} : { json: {} }) })).status;
}
