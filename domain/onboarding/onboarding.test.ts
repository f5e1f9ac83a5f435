import { describe, expect, it } from 'vitest';
import { DAY_MS } from '../calendar/durations.ts';
import { IDENTITY_ATTESTATIONS, missingAttestations } from './identity-attestations.ts';
import { currentDocuments, documentTypeOf, mayBe, missingDocuments } from './identity-documents.ts';
import { NOTHING_STATED } from './identity-facts.ts';
import {
  type IdentityState,
  isOpenToPerson,
  kycStatusOf,
  OPERATOR_DECISIONS,
  renewableFrom,
  wordToPerson,
} from './identity-state.ts';
import {
  findingsAgainst,
  isSanctioned,
  readIdentityFinding,
  simulatedIdentityFinding,
  weighed,
} from './identity-verification.ts';
import { mailAddressOf, nextStep, personNameOf } from './sign-up.ts';

describe('a sign-up', () => {
  const nothing = { mailConfirmedAt: null, name: '', phone: '', phoneConfirmedAt: null };

  it('asks one question after the other, and none before its mail address is confirmed', () => {
    expect(nextStep({ ...nothing, name: 'Ann', phone: '+1', phoneConfirmedAt: 1 })).toBe('mail_code');
    expect(nextStep({ ...nothing, mailConfirmedAt: 1 })).toBe('name');
    expect(nextStep({ ...nothing, mailConfirmedAt: 1, name: 'Ann' })).toBe('phone');
    expect(nextStep({ ...nothing, mailConfirmedAt: 1, name: 'Ann', phone: '+1' })).toBe('phone_code');
    expect(nextStep({ mailConfirmedAt: 1, name: 'Ann', phone: '+1', phoneConfirmedAt: 1 })).toBe('finish');
  });

  it('knows a mail address in one spelling', () => {
    expect(mailAddressOf(' Ann.Neill@Example.COM ')).toBe('ann.neill@example.com');
    for (const none of [
      'ann',
      'ann@localhost',
      'a b@example.com',
      'ann@exämple.com',
      '"a"@example.com',
      'ann@example.com\r\nbcc: x@y.z',
    ])
      expect(mailAddressOf(none)).toBeNull();
  });

  it('takes names of people', () => {
    expect(personNameOf('  Ann   O’Neill-Šimić ')).toBe('Ann O’Neill-Šimić');
    expect(personNameOf('李 小龍')).toBe('李 小龍');
    for (const none of ['', '123', '<b>Ann</b>', 'ann@example.com', 'Ann\u202eX', 'x'.repeat(121)])
      expect(personNameOf(none)).toBeNull();
  });
});

describe('documents', () => {
  const bytes = (text: string) => new TextEncoder().encode(text);

  it('are told by their first bytes', () => {
    expect(documentTypeOf(bytes('%PDF-1.7'))).toBe('application/pdf');
    expect(documentTypeOf(new Uint8Array([0xff, 0xd8, 0xff, 0xe0]))).toBe('image/jpeg');
    expect(documentTypeOf(new Uint8Array([0x89, 0x50, 0x4e, 0x47, 0x0d, 0x0a, 0x1a, 0x0a]))).toBe('image/png');
    for (const none of ['<svg>', 'GIF89a', 'PK', '', ' %PDF-']) expect(documentTypeOf(bytes(none))).toBeNull();
  });

  it('count by the newest of each, of which all have to be there', () => {
    const shown = [
      { id: '3', kind: 'driving_licence' },
      { id: '1', kind: 'passport' },
      { id: '2', kind: 'selfie' },
    ] as const;
    expect(currentDocuments(shown).map(({ id }) => id)).toEqual(['3', '2']);
    expect(missingDocuments(shown, 'person')).toEqual(['proof_of_address']);
    expect(mayBe('selfie', 'application/pdf')).toBe(false);
    expect(mayBe('proof_of_address', 'application/pdf')).toBe(true);
  });
});

describe('attestations', () => {
  it('hold in the version that is in force', () => {
    const made = IDENTITY_ATTESTATIONS.map(({ name, version }) => ({ name, version, at: 1 }));
    expect(missingAttestations(made, 'person')).toEqual([]);
    expect(missingAttestations(made, 'entity')).toHaveLength(4);
    expect(
      missingAttestations(
        made.map((stated) => ({ ...stated, version: '2020-1' })),
        'person',
      ),
    ).toHaveLength(3);
  });
});

describe('the states of an identity', () => {
  it('let a person trade by approval alone', () => {
    expect(kycStatusOf('APPROVED')).toBe('completed');
    expect(kycStatusOf('REFUSED')).toBe('rejected');
    expect(kycStatusOf('ASKED_BACK')).toBe('pending');
    expect(kycStatusOf('EXPIRED')).toBe('pending');
    for (const open of ['DRAFT', 'SUBMITTED', 'IN_REVIEW'] as const) expect(kycStatusOf(open)).toBeNull();
  });

  it('are changed by the person before and after an operator has them, never meanwhile', () => {
    const isOpen = (state: IdentityState) => isOpenToPerson({ state, expiresAt: null, submittedAt: 0 }, 0);
    expect((['DRAFT', 'ASKED_BACK', 'EXPIRED'] as const).every(isOpen)).toBe(true);
    expect((['SUBMITTED', 'IN_REVIEW', 'APPROVED', 'REFUSED'] as const).some(isOpen)).toBe(false);
  });

  it('is open once more for the last 30 days of an approval, and no sooner than a day after it was handed in', () => {
    const approval = { state: 'APPROVED', expiresAt: 100 * DAY_MS, submittedAt: 0 } as const;
    expect(renewableFrom(approval)).toBe(70 * DAY_MS);
    const openAt = (day: number) => isOpenToPerson(approval, day * DAY_MS);
    expect([69.9, 70, 99.9, 100].map(openAt)).toEqual([false, true, true, false]);
    const short = { ...approval, submittedAt: 90 * DAY_MS };
    expect(renewableFrom(short)).toBe(91 * DAY_MS);
    expect(isOpenToPerson(short, 90.5 * DAY_MS)).toBe(false);
    expect(renewableFrom({ ...approval, state: 'SUBMITTED' })).toBeNull();
    expect(OPERATOR_DECISIONS.approve.from).toEqual(['IN_REVIEW']);
  });
});

describe('what a provider finds', () => {
  const now = 1_000_000_000_000;
  const clear = { sanctions: 'clear', adverseMedia: 'clear', checkedAt: now } as const;

  it('lets in by itself only whom nothing was found against', () => {
    const terms = { now, needsPerson: false, parties: [] };
    const verified = { type: 'verified', expiresAt: now + 1, ...clear } as const;
    expect(weighed(verified, terms)).toBe(verified);
    expect(weighed({ ...verified, sanctions: 'match' }, terms)).toMatchObject({
      type: 'review',
      reason: 'screening_match',
    });
    expect(weighed({ ...verified, adverseMedia: 'match' }, terms).type).toBe('review');
    expect(weighed({ ...verified, adverseMedia: 'unchecked' }, terms)).toMatchObject({ reason: 'finding_incomplete' });
    expect(weighed({ ...verified, expiresAt: now }, terms).type).toBe('review');
    expect(weighed({ ...verified, checkedAt: now + 3_600_000 }, terms).type).toBe('review');
  });

  it('lets nobody in by itself whom an operator has asked back', () => {
    const verified = { type: 'verified', expiresAt: now + 1, ...clear } as const;
    expect(weighed(verified, { now, needsPerson: true, parties: [] })).toEqual({
      type: 'review',
      reason: 'needs_person',
      ...clear,
      parties: [],
    });
    const refused = { type: 'refused', reason: 'stolen', ...clear } as const;
    expect(weighed(refused, { now, needsPerson: true, parties: [] })).toBe(refused);
  });

  it('lets an entity in with all of its parties alone', () => {
    const terms = { now, needsPerson: false, parties: ['1', '2'] };
    const verified = { type: 'verified', expiresAt: now + 9, ...clear } as const;
    const first = { party: '1', ...verified } as const;
    const of = (second: object | null, entity: object = {}) =>
      weighed(
        { ...verified, ...entity, parties: second === null ? [first] : [first, { ...first, party: '2', ...second }] },
        terms,
      );
    expect(of({ expiresAt: now + 5 })).toMatchObject({ type: 'verified', expiresAt: now + 5 });
    expect(of(null)).toMatchObject({ type: 'review', reason: 'party_finding_incomplete' });
    expect(of({ type: 'pending' })).toMatchObject({ type: 'review', reason: 'party_finding_incomplete' });
    expect(of({ type: 'review', reason: 'unclear' })).toMatchObject({ type: 'review' });
    expect(of({ adverseMedia: 'unchecked' })).toMatchObject({ type: 'review' });
    expect(of({ sanctions: 'match' })).toMatchObject({ type: 'review', reason: 'party_screening_match' });
    expect(of({ expiresAt: now })).toMatchObject({ type: 'review' });
    expect(of({ type: 'refused', reason: 'stolen' })).toMatchObject({ type: 'refused', reason: 'party_refused' });
    expect(of({ type: 'refused', reason: 'stolen' }, { type: 'review', reason: 'x' })).toMatchObject({
      type: 'refused',
    });
    expect(weighed(verified, terms)).toMatchObject({ type: 'review' });
    expect(weighed({ ...verified, parties: [first, { ...first, party: '3' }] }, terms)).toMatchObject({
      type: 'review',
    });
  });

  it('ends what counts while an entity is renewed by a match of any of its parties', () => {
    const parties = ['1', '2'];
    const verified = { type: 'verified', expiresAt: now + 9, ...clear } as const;
    const of = (second: object, terms: object = {}) =>
      weighed(
        {
          ...verified,
          ...terms,
          parties: [
            { party: '1', ...verified },
            { party: '2', ...verified, ...second },
          ],
        },
        { now, needsPerson: false, parties },
      );
    const listed = { sanctions: 'match' } as const;
    const refused = { type: 'refused', reason: 'stolen' } as const;
    expect(isSanctioned(of({}), parties)).toBe(false);
    expect(isSanctioned(of({}, listed), parties)).toBe(true);
    expect(isSanctioned(of(listed), parties)).toBe(true);
    expect(isSanctioned(of({ ...refused, ...listed }), parties)).toBe(true);
    expect(isSanctioned(of(refused), parties), 'papers of a party').toBe(false);
    expect(isSanctioned(of({ adverseMedia: 'match' }), parties)).toBe(false);
    expect(isSanctioned(of({ party: '3', ...listed }), parties), 'nobody that was handed in').toBe(false);
    expect(findingsAgainst(of(listed)).map(({ party }) => party)).toEqual(['2']);
    expect(findingsAgainst(of(refused)).map(({ party }) => party)).toEqual(['2']);
    expect(findingsAgainst(of({ type: 'pending' }))).toEqual([]);
    // A match alone: what is clear or verified of a handing in of before says nothing of the next.
    const media = { party: '2', type: 'review', sanctions: 'unchecked', adverseMedia: 'match' };
    expect(findingsAgainst(of({ adverseMedia: 'match' }))).toMatchObject([media]);
  });

  it('is read with its parties, each once and by its id', () => {
    const at = new Date(now).toISOString();
    const told = { id: 'x', status: 'verified', checkedAt: at, expiresAt: at };
    const of = (parties: unknown) => readIdentityFinding({ ...told, parties })?.finding.parties;
    expect(of([{ ...told, id: '1', sanctions: 'clear' }])).toMatchObject([
      { party: '1', type: 'verified', sanctions: 'clear' },
    ]);
    const inOrder = of(['2', '1', '3'].map((id) => ({ ...told, id })))?.map(({ party }) => party);
    expect(inOrder, 'whatever the order of the provider').toEqual(['1', '2', '3']);
    for (const none of [
      '1',
      [null],
      [told, told],
      [{ ...told, id: '' }],
      Array.from({ length: 7 }, (_, id) => ({ ...told, id: `${id}` })),
    ])
      expect(of(none)).toBeUndefined();
  });

  it('is read with its times, and as unchecked where it says nothing of a search', () => {
    const at = new Date(now).toISOString();
    const told = { id: 'x', status: 'verified', checkedAt: at, expiresAt: at };
    expect(readIdentityFinding(told)?.finding).toEqual({
      type: 'verified',
      sanctions: 'unchecked',
      adverseMedia: 'unchecked',
      checkedAt: now,
      expiresAt: now,
    });
    for (const none of [
      null,
      {},
      { ...told, id: '' },
      { ...told, status: 'fine' },
      { ...told, expiresAt: 'soon' },
      { ...told, checkedAt: undefined },
    ])
      expect(readIdentityFinding(none)).toBeNull();
    expect(readIdentityFinding({ id: 'x', status: 'pending' })?.finding).toEqual({ type: 'pending' });
    expect(readIdentityFinding({ id: 'x', status: 'refused', checkedAt: at })?.finding).toMatchObject({
      type: 'refused',
      reason: 'refused',
    });
  });

  it('follows in a simulation from name and birth date', () => {
    const of = (legalName: string, birthDate = '1990-05-17') =>
      simulatedIdentityFinding({ subject: 'person', facts: { ...NOTHING_STATED, legalName, birthDate } }, now).type;
    expect([of('Ann Neill'), of('Ann Refused'), of('Ann Review'), of('Ann Pending'), of('Ann', '1970-01-01')]).toEqual([
      'verified',
      'refused',
      'review',
      'pending',
      'review',
    ]);
  });
});

describe('the word to a person', () => {
  it('is what an operator has written to whom they ask back or refuse, and no other reason', () => {
    const reason = 'some reason';
    const told = (state: IdentityState, decidedBy: string | null) => wordToPerson({ state, decidedBy, reason });
    for (const decidedBy of ['olivia', 'venue:expiry', 'venue:finding'])
      expect(told('ASKED_BACK', decidedBy)).toBe(reason);
    expect(told('REFUSED', 'olivia')).toBe(reason);
    for (const decidedBy of ['provider:simulated', 'venue:expiry', 'venue:retention', null])
      expect(told('REFUSED', decidedBy)).toBeNull();
    for (const state of ['DRAFT', 'SUBMITTED', 'IN_REVIEW', 'APPROVED', 'EXPIRED'] as const)
      expect(told(state, 'olivia')).toBeNull();
  });
});
