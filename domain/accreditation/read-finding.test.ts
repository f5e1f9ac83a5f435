import { expect, test } from 'vitest';
import { readFinding } from './read-finding.ts';

const VERIFIED = {
  id: 'theirs-1',
  status: 'verified',
  verifier: 'a firm',
  evidence: 'a vault',
  verifiedAt: '2026-06-01T00:00:00Z',
};

test.each([
  ['without an end stands as long as its evidence', {}, null],
  ['with null for its end too', { expiresAt: null }, null],
  ['with an end ends then', { expiresAt: '2026-07-01T00:00:00Z' }, Date.parse('2026-07-01T00:00:00Z')],
])('a verification %s', (_, terms, expiresAt) => {
  expect(readFinding({ ...VERIFIED, ...terms })).toMatchObject({
    reference: 'theirs-1',
    finding: { type: 'verified', expiresAt },
  });
});

test.each([
  ['an end that is no time', { expiresAt: 'when it pleases us' }],
  ['an end that is a number', { expiresAt: 1_790_000_000_000 }],
  ['an end that is an object', { expiresAt: {} }],
  ['no verifier', { verifier: '' }],
  ['no evidence', { evidence: undefined }],
  ['no time', { verifiedAt: 'yesterday' }],
  ['no id', { id: undefined }],
  ['a text that is too long', { verifier: 'x'.repeat(501) }],
  ['another status', { status: 'maybe' }],
])('one with %s is not read', (_, terms) => {
  expect(readFinding({ ...VERIFIED, ...terms })).toBeNull();
});

test('a refusal without a reason is a refusal', () => {
  expect(readFinding({ id: 'theirs-1', status: 'refused' })).toEqual({
    reference: 'theirs-1',
    finding: { type: 'refused', reason: 'refused' },
  });
});
