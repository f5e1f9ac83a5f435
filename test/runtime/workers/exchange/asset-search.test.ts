import { eq } from 'drizzle-orm';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { createAsset } from '../../../../data/catalog/assets.ts';
import { listAssets } from '../../../../data/catalog/listed-assets.ts';
import type { Database } from '../../../../data/database.ts';
import { assets } from '../../../../data/schema/catalog.ts';
import { assetSearchOf } from '../../../../domain/assets/asset-search.ts';
import { anyone, type Client } from '../../fixtures/exchange-client.ts';
import { migrate } from '../../fixtures/migrate.ts';
import { skipTime } from '../../fixtures/skip-time.ts';
import { tradingClient } from '../../fixtures/trading-client.ts';
import '../../../same-cases.ts';

let db: Database;
let visitor: Client;
let certified: Client;

const ANY = {
  rail: null,
  category: null,
  tradeable: null,
  routes: [],
  unsolicited: false,
  after: null,
  limit: 10,
} as const;

/** Symbol, name, and what else matters to a filter. */
const LISTED = [
  ['APP', 'Applied Optics'],
  ['APPL', 'Apple Orchards'],
  ['APT', 'App Tower'],
  ['BRK.B', 'Berkshire Hathaway Class B'],
  ['CAFE', 'Café Crème São Paulo'],
  ['FRUIT', 'Green Apples'],
  ['HAT', 'Apple Hat'],
  ['HINDI', 'हिन्दी'],
  ['OLSO', 'Ölsøn ÅB'],
  ['RUS', 'Газпром'],
  ['ZAPP', 'Best app ever'],
] as const;

beforeAll(async () => {
  db = await migrate();
  const listing = { category: 'stocks', rail: 'public', scale: 0, createdAt: 0 } as const;
  for (const [symbol, name] of LISTED) await createAsset(db, { ...listing, id: symbol.toLowerCase(), symbol, name });
  await createAsset(db, {
    ...listing,
    id: 'apx',
    symbol: 'APX',
    name: 'App Concealed',
    category: 'privates',
    rail: 'private',
    accreditationType: '506b',
  });
  visitor = anyone();
  certified = await tradingClient(db, { accreditationStatus: 'completed', accreditationType: '506b' });
});

interface AssetList {
  readonly data: readonly { readonly symbol: string }[];
}

/** Longer than a list is kept at the edge. */
const LIST_MS = 3_000;

const list = (query: string, client = visitor) => client.get<AssetList>(`/v1/assets?${query}`);
const found = async (search: string, more = '', client = visitor) => {
  const { status, body } = await list(`search=${encodeURIComponent(search.toWellFormed())}${more}`, client);
  expect(status).toBe(200);
  return body.data.map(({ symbol }) => symbol);
};
const nextOf = (headers: Headers) => /<[^>]*\?([^>]*)>; rel="next"/.exec(headers.get('link') ?? '')?.[1] ?? null;

describe('a search', () => {
  test('finds its symbol first, then symbols that begin with it, whole words, and beginnings of words', async () => {
    expect(await found('app')).toEqual(['APP', 'APPL', 'APT', 'ZAPP', 'FRUIT', 'HAT']);
    expect(await found('apple')).toEqual(['APPL', 'HAT', 'FRUIT']);
  });

  test.each([
    ['cafe creme', ['CAFE']],
    ['CAFÉ SAO', ['CAFE']],
    ['Cafe\u0301', ['CAFE']],
    ['olson', []],
    ['ölsøn åb', ['OLSO']],
    ['olsøn', ['OLSO']],
    ['ГАЗ', ['RUS']],
    ['हिन्दी', ['HINDI']],
    ['brk.b', ['BRK.B']],
    ['BRK', ['BRK.B']],
    ['hathaway berk', ['BRK.B']],
    ['class apple', []],
  ])('%s: case, accents and the order of words do not count', async (search, expected) => {
    expect(await found(search)).toEqual(expected);
  });

  test.each([
    '"',
    '""',
    "'",
    '*',
    '%',
    'a"b',
    'app*"',
    'NEAR(',
    'app AND',
    'NOT',
    '{name}:app',
    '-app',
    '^app',
    '(',
    '\u0000app"\u0000',
    ':',
    '+',
  ])('%j is text, never syntax', async (search) => {
    await found(search);
  });

  test('takes any text', async () => {
    await fc.assert(
      fc.asyncProperty(fc.string({ unit: 'binary', maxLength: 40 }), async (search) => {
        await listAssets(db, { ...ANY, search: assetSearchOf(search) });
      }),
      { numRuns: 300 },
    );
  });

  test('of control characters alone finds nothing', async () => {
    for (const search of ['%00', '%07%20', '%1f']) {
      const { status, body } = await list(`search=${search}`);
      expect([status, body]).toEqual([200, { data: [], message: 'ok' }]);
    }
  });

  test('takes bytes that are no text', async () => {
    expect((await list('search=%ff%00%c3')).status).toBe(200);
  });

  test('of nothing but signs finds nothing, and a blank one all', async () => {
    expect(await found('%$#')).toEqual([]);
    expect(await found('  ')).toHaveLength(LISTED.length);
  });

  test('goes with filters in any combination', async () => {
    expect(await found('app', '&marketRail=private')).toEqual([]);
    expect(await found('app', '&marketRail=private', certified)).toEqual(['APX']);
    expect(await found('apple', '&marketRail=public&category=stocks&tradeable=false')).toEqual([
      'APPL',
      'HAT',
      'FRUIT',
    ]);
    expect(await found('apple', '&tradeable=true')).toEqual([]);
    expect(await found('apple', '&category=crypto')).toEqual([]);
  });

  test('is paged in its order, each asset once', async () => {
    const seen: string[] = [];
    for (let query: string | null = 'search=app&limit=2'; query !== null; ) {
      const { body, headers } = await list(query);
      seen.push(...body.data.map(({ symbol }) => symbol));
      query = nextOf(headers);
    }
    expect(seen).toEqual(['APP', 'APPL', 'APT', 'ZAPP', 'FRUIT', 'HAT']);
    expect((await list('search=app&cursor=APP')).status).toBe(400);
  });

  test('follows a change of the name, and forgets the old one', async () => {
    await db.update(assets).set({ name: 'Velvet Works' }).where(eq(assets.id, 'hat'));
    skipTime(LIST_MS);
    expect(await found('velvet')).toEqual(['HAT']);
    expect(await found('apple')).toEqual(['APPL', 'FRUIT']);
    await db.update(assets).set({ name: 'Apple Hat' }).where(eq(assets.id, 'hat'));
    skipTime(LIST_MS);
  });
});

describe('an asset under 506(b)', () => {
  test('is neither found nor counted, nor does it move what others see or their cursors', async () => {
    expect(await found('concealed')).toEqual([]);
    expect(await found('APX')).toEqual([]);
    expect(await found('apx', '', certified)).toEqual(['APX']);
    const before = await list('search=app&limit=3');
    await db.update(assets).set({ symbol: 'APPA', name: 'App App App' }).where(eq(assets.id, 'apx'));
    skipTime(LIST_MS);
    const after = await list('search=app&limit=3');
    expect(after.body).toEqual(before.body);
    expect(after.headers.get('link')).toBe(before.headers.get('link'));
    expect(await found('app', '', certified)).toEqual(['APP', 'APPA', 'APPL', 'APT', 'ZAPP', 'FRUIT', 'HAT']);
  });
});
