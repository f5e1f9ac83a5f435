import { env } from 'cloudflare:workers';
import { beforeAll, describe, expect, it } from 'vitest';
import { invalidateKey } from '../../../../application/identity/invalidate-gates.ts';
import { issueTenantToken } from '../../../../application/identity/tenant-token.ts';
import type { Database } from '../../../../data/database.ts';
import { EVENT_ROLES, type EventRole, type Permission, ROLES } from '../../../../domain/events/permissions.ts';
import { PARTNER_ROLES, type PartnerRole } from '../../../../domain/partner/partner-organization.ts';
import { verifyAccessToken } from '../../../../durable-objects/credentials/access-token.ts';
import type { Profile } from '../../../../workers/middleware/profile.ts';
import { PROFILE_SEGMENTS } from '../../../../workers/middleware/profile-name.ts';
import type { RegisteredRoute } from '../../../../workers/middleware/registered-route.ts';
import { createTestKey, sign } from '../../fixtures/api-key.ts';
import { call, codeOf } from '../../fixtures/call.ts';
import { CONSOLE } from '../../fixtures/console-browser.ts';
import { createTrader, type Trader } from '../../fixtures/create-trader.ts';
import { type TokenTerms, tokenSignedByAnother, tokenWith } from '../../fixtures/forged-token.ts';
import { freshAddress } from '../../fixtures/fresh-address.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { endKey } from '../../fixtures/operate.ts';
import { createPartner } from '../../fixtures/partner-client.ts';
import { profiles } from '../../fixtures/profiles.ts';

type Headers = Readonly<Record<string, string>>;

let db: Database;
let trader: Trader;
let colleague: Trader;
let stranger: Trader;

beforeAll(async () => {
  db = await migrate();
  trader = await createTrader(db);
  colleague = await createTrader(db);
  stranger = await createTrader(db, { owner: 'org-other' });
});

/** What every route says it needs; the walk covers whatever is registered when it runs. */
const registered = Object.values(profiles).flatMap((profile) => profile.routes.map((route) => ({ profile, route })));

function named({ profile, route }: { profile: Profile; route: RegisteredRoute }): string {
  return `${route.method.toUpperCase()} /${PROFILE_SEGMENTS[profile.name]}${route.path}`;
}

const routesFor = (...credentials: string[]) =>
  registered
    .filter(({ route }) => credentials.includes(route.access.credential))
    .map((one): [string, RegisteredRoute] => [named(one), one.route]);

/** An id that is nobody's stands for every path parameter. */
const NOBODYS_ID = '01900000-0000-7000-8000-000000000000';

/** Far fewer than an address may make in a minute. Each address has a Gate, each Gate open files, of which a process has so many. */
const REQUESTS_OF_ADDRESS = 8;
let asked = 0;
let address = '';

function ask(target: string, headers: Headers) {
  if (asked % REQUESTS_OF_ADDRESS === 0) address = freshAddress();
  asked += 1;
  const json = takesBody(target) ? { json: {} } : {};
  return call(target.replaceAll(/\{\w+\}/g, NOBODYS_ID), { headers, address, ...json });
}

function takesBody(target: string): boolean {
  return registered.some((one) => named(one) === target && one.route.takesBody);
}

async function bearerOf(of: Trader, terms: TokenTerms = {}): Promise<Headers> {
  return { authorization: `Bearer ${await tokenWith({ subject: of.userId, owner: of.owner, ...terms })}` };
}

/** The tenant token that belongs to `of`'s access token. */
async function tenantOf(of: Trader): Promise<Headers> {
  const verified = await verifyAccessToken(await tokenWith({ subject: of.userId, owner: of.owner }), env);
  if (!verified.ok) throw new Error(verified.error);
  return { 'tenant-authorization': await issueTenantToken(verified.value, env) };
}

const powerOf = ({ access }: RegisteredRoute) => ('power' in access ? access.power : undefined);

/** Credentials that hold for nobody, whatever the route; made once. */
const BAD_BEARERS: readonly [string, () => Promise<Headers>][] = [
  ['a malformed token', async () => ({ authorization: 'Bearer not-a-token' })],
  ['another scheme', async () => ({ authorization: 'Basic dXNlcjpwYXNz' })],
  ['an expired token', once(() => bearerOf(trader, { expiresIn: -10 }))],
  ['a token of another issuer', once(() => bearerOf(trader, { issuer: 'https://elsewhere.example' }))],
  ['a token for another audience', once(() => bearerOf(trader, { audience: 'elsewhere' }))],
  ['a token under another owner', once(() => bearerOf(trader, { owner: 'org-other' }))],
  ['a token signed by another key', once(forged)],
  [
    'a tenant token in its place',
    async () => ({ authorization: `Bearer ${(await tenant())['tenant-authorization']}` }),
  ],
];

const bearer = once(() => bearerOf(trader));

/** Users without any power, one for each part: together, the routes are more than one user may ask for in a minute. */
const powerless = {
  partners: once(async () => bearerOf(await createTrader(db))),
  events: once(async () => bearerOf(await createTrader(db))),
};
const tenant = once(() => tenantOf(trader));
const tenantsOfOthers = once(() => Promise.all([tenantOf(colleague), tenantOf(stranger)]));

async function forged(): Promise<Headers> {
  return { authorization: `Bearer ${await tokenSignedByAnother({ subject: trader.userId, owner: trader.owner })}` };
}

function once<T>(make: () => Promise<T>): () => Promise<T> {
  let made: Promise<T> | null = null;
  return () => {
    made ??= make();
    return made;
  };
}

async function expect401(target: string, headers: Headers, which = ''): Promise<void> {
  const answer = await ask(target, headers);
  expect([answer.status, codeOf(answer)], which).toEqual([401, 'UNAUTHORIZED']);
  expect(answer.headers.get('www-authenticate'), which).toMatch(
    target.includes('/agent/mcp') ? /^Bearer resource_metadata="http/ : /^Bearer$/,
  );
}

describe('the walk', () => {
  it('covers routes of every profile and of every credential', () => {
    for (const name of Object.keys(profiles))
      expect(registered.filter(({ profile }) => profile.name === name).length).toBeGreaterThan(0);
    for (const credential of ['public', 'bearer', 'tenant', 'key', 'partner', 'agent', 'oauth', 'webhook', 'console'])
      expect(routesFor(credential).length).toBeGreaterThan(0);
  });
});

describe.each(routesFor('bearer', 'tenant', 'key', 'partner', 'agent'))('%s', (target, route) => {
  it('refuses no credential, and each that holds for nobody', async () => {
    await expect401(target, {}, 'no credential');
    const besides = route.access.credential === 'tenant' ? await tenant() : {};
    await Promise.all(
      BAD_BEARERS.map(async ([which, headers]) => expect401(target, { ...(await headers()), ...besides }, which)),
    );
  });

  it('refuses a tenant token that is malformed, of another user, of another organization, or an access token', async () => {
    const own = await bearer();
    const wrong = [
      { 'tenant-authorization': 'nonsense' },
      { 'tenant-authorization': own.authorization!.replace('Bearer ', '') },
      ...(await tenantsOfOthers()),
    ];
    await Promise.all(wrong.map((other) => expect401(target, { ...own, ...other }, JSON.stringify(other))));
  });
});

describe.each(routesFor('tenant'))('%s', (target) => {
  it('refuses an access token alone', async () => {
    await expect401(target, await bearer());
  });

  it('refuses a tenant token alone', async () => {
    await expect401(target, await tenant());
  });
});

describe.each(routesFor('bearer', 'tenant', 'partner', 'agent'))('%s', (target) => {
  it('is never reached by an API key, in either header form', async () => {
    const key = await createTestKey(trader);
    await expect401(target, key.headers);
    const [method = '', path = ''] = target.replaceAll(/\{\w+\}/g, NOBODYS_ID).split(' ');
    const body = takesBody(target) ? '{}' : '';
    await expect401(target, await sign(key, { method, path, body }));
    await expect401(target, { ...key.headers, ...(await tenant()) });
  });
});

/** What only a key has: an access token alone opens none. */
const KEYS_ALONE = ['/v1/key-sessions'];

describe.each(routesFor('key'))('%s', (target, route) => {
  it('refuses a key without its scope', async () => {
    if (route.access.credential !== 'key') return;
    const scopes = [route.access.scope === 'read' ? 'trade' : 'read'] as const;
    const answer = await ask(target, (await createTestKey(trader, { scopes })).headers);
    expect([answer.status, codeOf(answer)]).toEqual([403, 'FORBIDDEN']);
  });

  it('refuses a wrong secret, an unknown key and a revoked one', async () => {
    const key = await createTestKey(trader);
    await expect401(target, { ...key.headers, 'x-api-secret': 'wrong-secret-of-this-key' });
    await expect401(target, { ...key.headers, 'x-api-key': NOBODYS_ID });
    await endKey({ id: key.id, account: trader.accountId });
    await invalidateKey(env, key.id);
    await expect401(target, key.headers);
  });

  it('accepts a key with its scope, and the access token of a user', async () => {
    if (powerOf(route) !== undefined) return;
    const token = KEYS_ALONE.some((path) => target.endsWith(path)) ? [] : [await bearer()];
    for (const headers of [(await createTestKey(trader)).headers, ...token]) {
      expect([401, 403, 429, 500]).not.toContain((await ask(target, headers)).status);
    }
  });
});

describe.each(routesFor('bearer', 'tenant', 'partner'))('%s', (target, route) => {
  it('is never reached by an access token that names an API key', async () => {
    const key = await createTestKey(trader);
    const besides = route.access.credential === 'tenant' ? await tenant() : {};
    await expect401(target, { ...(await bearer()), ...besides, 'x-api-key': key.id });
  });
});

describe.each(routesFor('key', 'public'))('%s', (target, route) => {
  it('takes an access token under a key of its bearer, and under nobody else’s', async () => {
    const [own, another] = await Promise.all([createTestKey(trader), createTestKey(colleague)]);
    const under = async (id: string) => ({ ...(await bearer()), 'x-api-key': id });
    await expect401(target, await under(another.id));
    await expect401(target, await under(NOBODYS_ID));
    await expect401(target, { ...(await under(own.id)), 'x-api-secret': own.secret });
    if (powerOf(route) === undefined && !target.includes('/dev/'))
      expect([401, 403, 429, 500]).not.toContain((await ask(target, await under(own.id))).status);
  });

  it('takes it within the scopes of that key', async () => {
    if (route.access.credential !== 'key') return;
    const scopes = [route.access.scope === 'read' ? 'trade' : 'read'] as const;
    const { id } = await createTestKey(trader, { scopes });
    const answer = await ask(target, { ...(await bearer()), 'x-api-key': id });
    expect([answer.status, codeOf(answer)]).toEqual([403, 'FORBIDDEN']);
  });
});

describe.each(
  registered
    .filter(({ route }) => powerOf(route) !== undefined)
    .map((one): [string, RegisteredRoute] => [named(one), one.route]),
)('%s', (target, route) => {
  it('refuses a user without its power', async () => {
    const headers = {
      ...(await bearer()),
      ...(route.access.credential === 'tenant' ? await tenant() : {}),
    };
    const answer = await ask(target, headers);
    expect([answer.status, codeOf(answer)]).toEqual([403, 'FORBIDDEN']);
  });
});

/** An active partner of each role, made once. */
const partners = Object.fromEntries(
  PARTNER_ROLES.map((role) => [role, once(async () => (await createPartner(db, role)).headers)]),
) as Record<PartnerRole, () => Promise<Headers>>;

describe.each(routesFor('partner'))('%s', (target, { access }) => {
  it('refuses who is no partner, and a partner of a role that it does not serve, and lets in the others', async () => {
    const answer = await ask(target, await powerless.partners());
    expect([answer.status, codeOf(answer)]).toEqual([403, 'FORBIDDEN']);
    const served = access.credential === 'partner' ? access.roles : [];
    for (const role of PARTNER_ROLES) {
      const { status } = await ask(target, await partners[role]());
      if (served.includes(role)) expect([401, 403, 429, 500], role).not.toContain(status);
      else expect(status, role).toBe(403);
    }
  });
});

describe.each(routesFor('console'))('%s', (target, { access, method, fromElsewhere }) => {
  const session = access.credential === 'console' ? access.session : 'none';
  const ours = { origin: CONSOLE, 'x-console': '1' };

  it('refuses who has no session, whatever else they show', async () => {
    if (session === 'none') return;
    for (const headers of [ours, { ...ours, ...(await bearer()) }, { ...ours, cookie: `console=${'a'.repeat(43)}` }])
      await expect401(target, headers);
  });

  it('refuses a page of another site', async () => {
    if (fromElsewhere === true) return;
    const isChange = method !== 'get';
    const foreign = [
      { ...ours, origin: 'https://elsewhere.example' },
      { ...ours, 'sec-fetch-site': 'cross-site' },
    ];
    for (const headers of [...foreign, ...(isChange ? [{ origin: CONSOLE }, { 'x-console': '1' }] : [])]) {
      const answer = await ask(target, headers);
      expect([answer.status, codeOf(answer)]).toEqual([403, 'FORBIDDEN']);
    }
  });
});

const permissionOf = ({ access }: RegisteredRoute) => ('permission' in access ? access.permission : undefined);

/** Somebody of each role of the events service, made once. */
const staff = Object.fromEntries(
  EVENT_ROLES.map((role) => [role, once(async () => bearerOf(await createTrader(db, { roles: [role] })))]),
) as Record<EventRole, () => Promise<Headers>>;

describe('every route of the events service', () => {
  it('names the permission that it needs, or is read by anyone', () => {
    const without = profiles.events.routes.filter((route) => permissionOf(route) === undefined);
    expect(without.filter(({ access }) => access.credential !== 'public').map(({ path }) => path)).toEqual([
      '/health',
      '/healthz',
      '/v1/healthz',
    ]);
  });
});

describe.each(
  registered.flatMap((one): [string, RegisteredRoute, Permission][] => {
    const permission = permissionOf(one.route);
    return permission === undefined ? [] : [[named(one), one.route, permission]];
  }),
)('%s', (target, _, permission) => {
  it('refuses a user none of whose roles grants its permission, and lets in those whose role does', async () => {
    const answer = await ask(target, await powerless.events());
    expect([answer.status, codeOf(answer)]).toEqual([403, 'FORBIDDEN']);
    const statuses = await Promise.all(
      EVENT_ROLES.map(async (role) => (await ask(target, await staff[role]())).status),
    );
    for (const [at, role] of EVENT_ROLES.entries()) {
      if (ROLES[role].permissions.includes(permission)) expect([401, 403, 429, 500], role).not.toContain(statuses[at]);
      else expect(statuses[at], role).toBe(403);
    }
  });
});

describe.each(routesFor('public').filter(([target]) => !target.includes('/dev/')))('%s', (target) => {
  it('answers anyone', async () => {
    expect([401, 403, 429, 500]).not.toContain((await ask(target, {})).status);
  });

  it('refuses a credential that does not hold', async () => {
    await Promise.all(BAD_BEARERS.map(async ([which, headers]) => expect401(target, await headers(), which)));
    await expect401(target, { 'x-api-key': NOBODYS_ID, 'x-api-secret': 'wrong-secret-of-this-key' });
  });
});
