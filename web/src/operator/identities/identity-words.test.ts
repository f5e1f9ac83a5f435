import { describe, expect, test } from 'vitest';
import { decisionsOf, hasDoubtfulParty, isOutdated, notOpened, shareOf } from './identity-words.ts';

describe('an identity', () => {
  test('that waits is decided in three ways; a refusal is taken back by asking again', () => {
    expect(decisionsOf({ state: 'IN_REVIEW', approvedUntil: null })).toEqual(['approve', 'ask-back', 'refuse']);
    expect(decisionsOf({ state: 'REFUSED', approvedUntil: null })).toEqual(['ask-back']);
    expect(decisionsOf({ state: 'APPROVED', approvedUntil: null })).toEqual(['refuse']);
    expect(decisionsOf({ state: 'DRAFT', approvedUntil: null })).toEqual([]);
    expect(decisionsOf({ state: 'ASKED_BACK', approvedUntil: null })).toEqual([]);
    expect(decisionsOf({ state: 'ASKED_BACK', approvedUntil: '2027-01-01T00:00:00.000Z' })).toEqual(['refuse']);
  });

  test('is found out of date from the moment on at which the finding ends', () => {
    const expiresAt = '2026-11-29T00:00:00.000Z';
    const at = Date.parse(expiresAt);
    expect(isOutdated({ expiresAt }, at - 1)).toBe(false);
    expect(isOutdated({ expiresAt }, at)).toBe(true);
    expect(isOutdated({ expiresAt: null }, at)).toBe(false);
  });

  test('counts the documents that were not opened', () => {
    const document = (id: string) => ({ id, kind: 'selfie', type: 'image/png', bytes: '1', createdAt: '' }) as const;
    const documents = [document('a'), document('b')];
    expect(notOpened(documents, new Set(['a']))).toEqual([documents[1]]);
    expect(notOpened(documents, new Set(['a', 'b', 'c']))).toEqual([]);
  });

  test('of an entity has shares in percent, to the basis point', () => {
    expect(['2500', '3333', '10000'].map((shareBps) => shareOf({ shareBps }))).toEqual(['25.00', '33.33', '100.00']);
    expect(shareOf({ shareBps: null })).toBeNull();
  });

  test('of an entity is doubtful by any party that was not found in order', () => {
    const facts = { legalName: '', birthDate: '', country: '', street: '', city: '', region: '', postalCode: '' };
    const party = {
      id: '1',
      roles: ['control' as const],
      shareBps: null,
      facts: { ...facts, taxId: '', passport: '', passportCountry: '', title: '' },
      finding: 'verified' as const,
      sanctions: 'clear' as const,
      adverseMedia: 'clear' as const,
      checkedAt: null,
      expiresAt: null,
      reason: null,
    };
    const about = { form: '', formationCountry: '', formationRegion: '', registrationNumber: '', activity: '' };
    const of = (change: Partial<typeof party> | { sanctions: 'match' } | { finding: 'pending' }) =>
      hasDoubtfulParty({
        entity: { ...about, sourceOfFunds: '', nobodyOwns: true, parties: [party, { ...party, ...change }] },
      });
    expect([of({}), of({ sanctions: 'match' }), of({ finding: 'pending' })]).toEqual([false, true, true]);
    expect(hasDoubtfulParty({ entity: null })).toBe(false);
  });
});
