import { uuidv7 } from 'uuidv7';
import { describe, expect, it } from 'vitest';
import { AddressWindows } from '../../../domain/limits/address-windows.ts';
import { DEFAULT_RATE_LIMITS } from '../../../domain/limits/rate-bucket.ts';
import { drawTogether } from '../../../domain/limits/rate-windows.ts';
import { authenticate } from '../../../durable-objects/fan-out/authenticate.ts';
import type { AddressDraw } from '../../../durable-objects/gate/api.ts';
import { enforceAccess } from '../../../workers/middleware/enforce-access.ts';
import type { RegisteredRoute } from '../../../workers/middleware/registered-route.ts';

const ADDRESS_LIMIT = DEFAULT_RATE_LIMITS.public.limit;

/** Everything that a request of a stranger makes the venue do. */
interface Work {
  /** Calls of objects, by the object's name. */
  readonly objects: Map<string, number>;
  /** Look-ups of a key's user, each of which is a query. */
  lookups: number;
  bodies: number;
}

const keyOf = new Map<string, { owner: string; userId: string }>();

/** An exchange that counts what it is made to do; its addresses are counted as Gates count them. */
function exchange(): { work: Work; env: Env } {
  const work: Work = { objects: new Map(), lookups: 0, bodies: 0 };
  const addresses = new Map<string, AddressWindows>();
  const getByName = (name: string) => {
    const windows = addresses.get(name) ?? new AddressWindows();
    addresses.set(name, windows);
    const ask = () => work.objects.set(name, (work.objects.get(name) ?? 0) + 1);
    return {
      admitAddress: async ({ clientAddress, bucket, keyId }: AddressDraw) => {
        ask();
        const now = Date.now();
        const drawn = drawTogether(now, 1, windows.of(clientAddress, bucket, now));
        if (drawn.type === 'limited') return { ...drawn, mayFitSoon: false };
        if (keyId !== undefined) work.lookups++;
        return { ...drawn, keyHolder: keyId === undefined ? null : (keyOf.get(keyId) ?? null) };
      },
      giveBack: async () => ask(),
      admitKey: async () => {
        ask();
        return { type: 'refused', reason: 'wrong_secret' };
      },
    };
  };
  const settings = { CLIENT_ADDRESS_HEADER: 'cf-connecting-ip', BODY_SECONDS_MAX: '10', IAM_ALGORITHMS: 'ES256' };
  const env = { ...settings, IAM_JWKS_URL: '', IAM_ISSUER: '', GATE: { getByName } };
  return { work, env: env as unknown as Env };
}

const READ = { method: 'get', path: '/v1/balances', access: { credential: 'key', scope: 'read' }, bucket: 'private' };
const PLACE = { ...READ, method: 'post', path: '/v1/orders/batch', takesBody: true, cost: () => 1 };

async function request(
  { work, env }: ReturnType<typeof exchange>,
  address: string,
  headers: Record<string, string>,
  route: object = READ,
): Promise<number> {
  const [, admit] = enforceAccess({ takesBody: false, mayLackBody: false, ...route } as unknown as RegisteredRoute);
  const raw = {
    headers: new Headers({ ...headers, 'cf-connecting-ip': address }),
    body: {},
    arrayBuffer: async () => {
      work.bodies++;
      return new TextEncoder().encode('[]').buffer;
    },
  };
  const vars = new Map<string, unknown>();
  const context = {
    env,
    req: {
      raw,
      url: 'https://venue.example/book/v1/orders',
      method: 'POST',
      bodyCache: {},
      header: (name: string) => raw.headers.get(name) ?? undefined,
      arrayBuffer: () => raw.arrayBuffer(),
      json: async () => [],
    },
    get: (name: string) => vars.get(name),
    set: (name: string, value: unknown) => vars.set(name, value),
    header: () => undefined,
    json: (body: unknown, status: number) => new Response(JSON.stringify(body), { status }),
  };
  return ((await admit(context as never, async () => undefined)) as Response).status;
}

let addresses = 0;
const freshAddress = () => `198.51.100.${++addresses}`;
const SECRET = 'a'.repeat(32);
const HEX = 'a'.repeat(64);

const guesses: readonly [string, () => Record<string, string>][] = [
  ['key that may be one', () => ({ 'x-api-key': uuidv7(), 'x-api-secret': SECRET })],
  ['key of another form', () => ({ 'x-api-key': crypto.randomUUID(), 'x-api-secret': SECRET })],
  ['session of a key', () => ({ 'x-api-key': uuidv7(), 'x-api-session': `1700000000000.${HEX}` })],
  [
    'signature',
    () => ({
      'x-api-key': uuidv7(),
      'x-api-timestamp': String(Date.now()),
      'x-api-signature': HEX,
      'content-length': '2',
    }),
  ],
  ['token', () => ({ authorization: `Bearer e30.e30.${crypto.randomUUID().replaceAll('-', '')}` })],
  [
    'token beside a key',
    () => ({ authorization: `Bearer e30.e30.${crypto.randomUUID().replaceAll('-', '')}`, 'x-api-key': uuidv7() }),
  ],
];

describe.each([
  ['a request', READ],
  ['a request whose body says what it costs', PLACE],
])('%s of an address beyond its limit', (_, route) => {
  it.each(guesses)('asks nobody about a %s, and reads no body (T-02)', async (__, guess) => {
    const venue = exchange();
    const address = freshAddress();
    for (let at = 0; at < ADDRESS_LIMIT; at++) await request(venue, address, {}, READ);
    const before = { lookups: venue.work.lookups, bodies: venue.work.bodies };
    const statuses = new Set<number>();
    for (let at = 0; at < 1_000; at++) statuses.add(await request(venue, address, guess(), route));
    expect([...statuses]).toEqual([429]);
    expect({ lookups: venue.work.lookups, bodies: venue.work.bodies }).toEqual(before);
    expect([...venue.work.objects.keys()]).toEqual([`ip:${address}`]);
    // The first refusal says until when: nobody is asked again until then.
    expect(venue.work.objects.get(`ip:${address}`)).toBeLessThanOrEqual(ADDRESS_LIMIT + 1);
  });
});

it('T-02: a made-up key is looked up no more often than its address may fail, whatever comes at once', async () => {
  const venue = exchange();
  const address = freshAddress();
  const answers = await Promise.all(
    Array.from({ length: 1_000 }, () => request(venue, address, { 'x-api-key': uuidv7(), 'x-api-secret': SECRET })),
  );
  expect(answers.filter((status) => status === 401)).toHaveLength(ADDRESS_LIMIT);
  expect(answers.filter((status) => status === 429)).toHaveLength(1_000 - ADDRESS_LIMIT);
  expect(venue.work.lookups).toBe(ADDRESS_LIMIT);
});

it('T-02: a key id that cannot be one is looked up by nobody', async () => {
  const venue = exchange();
  for (const id of ['guess-1', crypto.randomUUID(), uuidv7().replaceAll('-', '')])
    expect(await request(venue, freshAddress(), { 'x-api-key': id, 'x-api-secret': SECRET })).toBe(401);
  expect(venue.work.lookups).toBe(0);
});

it('T-02: a stranger with an owner’s key id and a wrong secret reaches the owner’s Gate no more often than the address may fail', async () => {
  const venue = exchange();
  const [keyId, address] = [uuidv7(), freshAddress()];
  keyOf.set(keyId, { owner: 'org', userId: 'owner' });
  const wrong = (at: number) => ({ 'x-api-key': keyId, 'x-api-secret': `${SECRET}${at}` });
  await Promise.all(Array.from({ length: 500 }, (_, at) => request(venue, address, wrong(at))));
  for (let at = 0; at < 500; at++) await request(venue, address, wrong(at));
  expect(venue.work.objects.get('user:org/owner')).toBe(ADDRESS_LIMIT);
});

it('T-02: messages with credentials on feed sockets are counted by the address first', async () => {
  const venue = exchange();
  const address = freshAddress();
  const outcomes: unknown[] = [];
  for (let at = 0; at < 300; at++)
    outcomes.push(await authenticate(venue.env, { type: 'key', keyId: uuidv7(), secret: SECRET }, address));
  for (let at = 0; at < 300; at++)
    outcomes.push(await authenticate(venue.env, { type: 'key', keyId: `guess-${at}`, secret: SECRET }, address));
  expect(outcomes.filter((outcome) => outcome === 'refused')).toHaveLength(ADDRESS_LIMIT);
  expect(outcomes.filter((outcome) => outcome === 'limited')).toHaveLength(600 - ADDRESS_LIMIT);
  expect(venue.work.lookups).toBe(ADDRESS_LIMIT);
  expect([...venue.work.objects.keys()]).toEqual([`ip:${address}`]);
});

it('T-17: a subscriber of a /48 has a multiple of the limit of one address, not 65,536 of them', async () => {
  const venue = exchange();
  let answered = 0;
  for (let at = 0; at < 10_000; at++) {
    const address = `2001:db8:${(++addresses).toString(16)}:1::1`.replace(
      /db8:[0-9a-f]+:1/,
      `db8:77:${at.toString(16)}`,
    );
    if ((await request(venue, address, {})) === 401) answered++;
  }
  expect(answered).toBe(50 * ADDRESS_LIMIT);
  expect([...venue.work.objects.keys()]).toEqual(['ip:20010db80077/48']);
});
