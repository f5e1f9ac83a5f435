import { expect, test } from 'vitest';
import {
  type CeremonyTerms,
  type Confirmation,
  ceremonyFault,
  ceremonyHash,
  confirmedStatement,
  type DealPackage,
  dealStatement,
  type SealedShares,
  sealedStatement,
  transcriptOf,
} from './ceremony.ts';

const ROSTER = ['a', 'b', 'c', 'd', 'e'];
const dealersOf = (...numbers: number[]) => numbers.map((signer) => ({ signer, key: ROSTER[signer] ?? '' }));
const MAKE: CeremonyTerms = {
  id: 'first',
  organization: 'acme',
  scheme: 'frost-secp256k1',
  kind: 'make',
  generation: 1,
  roster: ROSTER,
  dealers: dealersOf(0, 1, 2, 3, 4),
  from: null,
};
const FROM = { scheme: 'frost-secp256k1', generation: 1, commitments: ['02'], verifyingShares: ['03'] } as const;
const RESHARE: CeremonyTerms = { ...MAKE, kind: 'reshare', generation: 2, dealers: dealersOf(0, 2, 4), from: FROM };

test.each([
  ['a new key', MAKE],
  ['the same key, dealt again by three', RESHARE],
  ['the same key, dealt again by all', { ...RESHARE, dealers: MAKE.dealers }],
  ['the same key, to five others', { ...RESHARE, roster: ['v', 'w', 'x', 'y', 'z'] }],
  ['the same key, two generations later', { ...RESHARE, generation: 3 }],
])('a ceremony may be of %s', (_, terms) => {
  expect(ceremonyFault(terms)).toBeNull();
});

test.each<[string, CeremonyTerms, string]>([
  ['four signers', { ...MAKE, roster: ROSTER.slice(1) }, 'no five signers'],
  ['six signers', { ...MAKE, roster: [...ROSTER, 'f'] }, 'no five signers'],
  ['one signer in two places', { ...RESHARE, roster: ['a', 'a', 'c', 'd', 'e'] }, 'no five signers'],
  ['generation nought', { ...MAKE, generation: 0 }, 'no generation'],
  ['half a generation', { ...MAKE, generation: 1.5 }, 'no generation'],
  ['dealers out of order', { ...RESHARE, dealers: dealersOf(2, 0, 4) }, 'dealers are not in order'],
  ['one dealer twice', { ...RESHARE, dealers: dealersOf(0, 2, 2) }, 'dealers are not in order'],
  ['a sixth dealer', { ...RESHARE, dealers: dealersOf(0, 2, 5) }, 'dealers are not in order'],
  ['a dealer before the first', { ...RESHARE, dealers: dealersOf(-1, 2, 4) }, 'dealers are not in order'],
  ['a new key that comes from another', { ...MAKE, from: FROM }, 'a new key comes from none'],
  ['a new key of four dealers', { ...MAKE, dealers: dealersOf(0, 1, 2, 3) }, 'a new key is dealt by all five'],
  [
    'a new key with a stranger among its dealers',
    { ...MAKE, dealers: [...dealersOf(0, 1, 2, 3), { signer: 4, key: 'x' }] },
    'a new key is dealt by all five',
  ],
  ['a multisignature', { ...RESHARE, scheme: 'multisig-secp256k1' }, 'keys of a multisignature are not shared'],
  ['a key that is none', { ...RESHARE, from: null }, 'no earlier generation'],
  ['a key of another scheme', { ...RESHARE, scheme: 'frost-taproot' }, 'no earlier generation'],
  ['the generation that is', { ...RESHARE, generation: 1 }, 'no earlier generation'],
  ['two dealers', { ...RESHARE, dealers: dealersOf(0, 2) }, 'fewer dealers than the key needs'],
])('no signer takes part in a ceremony of %s', (_, terms, fault) => {
  expect(ceremonyFault(terms)).toBe(fault);
});

test('whatever a ceremony is about, what is said in it names', () => {
  const others: readonly CeremonyTerms[] = [
    { ...RESHARE, id: 'second' },
    { ...RESHARE, organization: 'other' },
    { ...RESHARE, scheme: 'frost-taproot' },
    { ...RESHARE, kind: 'make' },
    { ...RESHARE, generation: 3 },
    { ...RESHARE, roster: ['a', 'b', 'c', 'e', 'd'] },
    { ...RESHARE, dealers: dealersOf(0, 2, 3) },
    { ...RESHARE, dealers: [...dealersOf(0, 2), { signer: 4, key: 'x' }] },
    { ...RESHARE, from: null },
    { ...RESHARE, from: { ...FROM, scheme: 'frost-taproot' } },
    { ...RESHARE, from: { ...FROM, generation: 0 } },
    { ...RESHARE, from: { ...FROM, commitments: ['04'] } },
    { ...RESHARE, from: { ...FROM, verifyingShares: ['04'] } },
  ];
  expect(new Set([RESHARE, ...others].map(ceremonyHash)).size).toBe(others.length + 1);
});

const DEAL: DealPackage = { dealer: 1, commitments: ['02'], proof: 'aa', signature: 'bb' };
const SEALED: SealedShares = { dealer: 1, transcript: 'aa', envelopes: ['bb'], signature: 'cc' };
const CONFIRMED: Confirmation = { signer: 1, transcript: 'aa', cluster: FROM, signature: 'cc' };

test('a first round is one text, whose part each package has', () => {
  const [zero, two] = [0, 2].map((dealer) => ({ ...DEAL, dealer })) as [DealPackage, DealPackage];
  const whole = transcriptOf('hash', [zero, DEAL, two]);
  expect(transcriptOf('hash', [two, zero, DEAL])).toBe(whole);
  const others = [
    transcriptOf('other', [zero, DEAL, two]),
    transcriptOf('hash', [zero, DEAL]),
    transcriptOf('hash', [zero, { ...DEAL, dealer: 3 }, two]),
    transcriptOf('hash', [zero, { ...DEAL, commitments: ['03'] }, two]),
    transcriptOf('hash', [zero, { ...DEAL, proof: 'ab' }, two]),
  ];
  expect(new Set([whole, ...others]).size).toBe(others.length + 1);
});

test.each<[string, readonly (readonly unknown[])[]]>([
  [
    'a package',
    [
      dealStatement('hash', DEAL),
      dealStatement('other', DEAL),
      dealStatement('hash', { ...DEAL, dealer: 2 }),
      dealStatement('hash', { ...DEAL, commitments: ['03'] }),
      dealStatement('hash', { ...DEAL, proof: 'ab' }),
    ],
  ],
  [
    'shares',
    [
      sealedStatement('hash', SEALED),
      sealedStatement('other', SEALED),
      sealedStatement('hash', { ...SEALED, dealer: 2 }),
      sealedStatement('hash', { ...SEALED, transcript: 'ab' }),
      sealedStatement('hash', { ...SEALED, envelopes: ['bc'] }),
    ],
  ],
  [
    'a confirmation',
    [
      confirmedStatement('hash', CONFIRMED),
      confirmedStatement('other', CONFIRMED),
      confirmedStatement('hash', { ...CONFIRMED, signer: 2 }),
      confirmedStatement('hash', { ...CONFIRMED, transcript: 'ab' }),
      confirmedStatement('hash', { ...CONFIRMED, cluster: { ...FROM, commitments: ['04'] } }),
    ],
  ],
])('what signs %s signs all of it', (_, statements) => {
  expect(new Set(statements.map((statement) => JSON.stringify(statement))).size).toBe(statements.length);
});
