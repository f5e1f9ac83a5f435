import { describe, expect, it } from 'vitest';
import { ACCESS_TOKEN_LIFETIME_S, tokenTerm } from './token-lifetime.ts';

const NOW_S = 1_800_000_000;
const now = NOW_S * 1_000;

describe('I-15: the term of an access token of whichever provider', () => {
  it('is the stated one, up to the longest life', () => {
    expect(tokenTerm({ issuedAt: NOW_S, expiresAt: NOW_S + 60 }, now)).toEqual({ expiresAt: NOW_S + 60 });
    const end = { expiresAt: NOW_S + ACCESS_TOKEN_LIFETIME_S };
    expect(tokenTerm({ issuedAt: NOW_S, expiresAt: NOW_S + ACCESS_TOKEN_LIFETIME_S }, now)).toEqual(end);
    expect(tokenTerm({ issuedAt: NOW_S, expiresAt: NOW_S + 10 * 365 * 86_400 }, now)).toEqual(end);
  });

  it('is over after the longest life, whatever the token says', () => {
    const issuedAt = NOW_S - ACCESS_TOKEN_LIFETIME_S;
    expect(tokenTerm({ issuedAt, expiresAt: NOW_S + 1_000 }, now)).toBeNull();
    expect(tokenTerm({ issuedAt: issuedAt + 1, expiresAt: NOW_S + 1_000 }, now)).toEqual({ expiresAt: NOW_S + 1 });
  });

  it('begins now, but for the skew of a clock', () => {
    expect(tokenTerm({ issuedAt: NOW_S + 60, expiresAt: NOW_S + 100 }, now)).not.toBeNull();
    expect(tokenTerm({ issuedAt: NOW_S + 61, expiresAt: NOW_S + 100 }, now)).toBeNull();
    expect(tokenTerm({ issuedAt: NOW_S + 86_400, expiresAt: NOW_S + 90_000 }, now)).toBeNull();
  });

  it('is none of what is no number', () => {
    expect(tokenTerm({ issuedAt: Number.NaN, expiresAt: NOW_S }, now)).toBeNull();
    expect(tokenTerm({ issuedAt: NOW_S, expiresAt: Number.POSITIVE_INFINITY }, now)).toEqual({
      expiresAt: NOW_S + 7_200,
    });
  });
});
