import { afterEach, expect, it, vi } from 'vitest';
import { NOTHING_STATED_OF_ENTITY, NOTHING_STATED_OF_PARTY } from '../../domain/onboarding/entity-facts.ts';
import { NOTHING_STATED } from '../../domain/onboarding/identity-facts.ts';
import { httpIdentityProvider } from './http-identity-provider.ts';

afterEach(() => vi.unstubAllGlobals());

const PROVIDER = httpIdentityProvider({ url: 'https://kyc.example', token: 'secret' });

const FOUND = {
  id: 'their-1',
  status: 'verified',
  checkedAt: '2026-06-15T12:00:00Z',
  expiresAt: '2028-06-15T12:00:00Z',
};

/** A provider that answers each request in the same way. @returns what it was asked, in order */
function answering(answer: object) {
  const asked: { path: string; body: unknown }[] = [];
  vi.stubGlobal('fetch', async (url: string, { body }: RequestInit) => {
    asked.push({
      path: url.replace('https://kyc.example/', ''),
      body: typeof body === 'string' ? JSON.parse(body) : body,
    });
    return new Response(JSON.stringify(answer));
  });
  return asked;
}

const document = { id: 'd', kind: 'articles', type: 'application/pdf', read: async () => new Uint8Array([1]) } as const;

const ENTITY = {
  subject: 'entity',
  entity: {
    facts: { ...NOTHING_STATED_OF_ENTITY, legalName: 'Kerr LLC' },
    nobodyOwns: false,
    parties: [
      { id: 'p', roles: ['owner'], shareBps: 2_500, facts: { ...NOTHING_STATED_OF_PARTY, legalName: 'Ben Kerr' } },
    ],
  },
} as const;

it('asks about a person by their statements alone', async () => {
  const asked = answering(FOUND);
  const stated = { subject: 'person', facts: { ...NOTHING_STATED, legalName: 'Ann' } } as const;
  const told = await PROVIDER.request({ id: 'x', account: 'a', stated, documents: [document] });
  expect(told).toEqual({ ok: true, value: 'their-1' });
  expect(asked.map(({ path }) => path)).toEqual(['identities/x/documents', 'identities']);
  expect(asked[1]?.body).toEqual({ externalId: 'x', subject: 'a', ...NOTHING_STATED, legalName: 'Ann' });
});

it('asks about an entity with everybody behind it, and hears of each', async () => {
  const asked = answering({ ...FOUND, parties: [{ ...FOUND, id: 'p', sanctions: 'match' }] });
  await PROVIDER.request({ id: 'x', account: 'a', stated: ENTITY, documents: [document] });
  expect(asked.map(({ path }) => path)).toEqual(['entities/x/documents', 'entities']);
  expect(asked[1]?.body).toMatchObject({
    externalId: 'x',
    legalName: 'Kerr LLC',
    nobodyOwns: false,
    parties: [{ id: 'p', roles: ['owner'], shareBps: 2_500, facts: { legalName: 'Ben Kerr' } }],
  });
  const told = await PROVIDER.status({ id: 'x', stated: ENTITY }, 'their/1');
  expect(asked[2]?.path).toBe('entities/their%2F1');
  expect(told).toMatchObject({ value: { type: 'verified', parties: [{ party: 'p', sanctions: 'match' }] } });
});
