import { TOTP } from 'otpauth';
import { describe, expect, it } from 'vitest';
import { acrOf, amrOf, factorChangeMs, hasSecondFactor, isFresh, lackOf, stepUpMs } from './factors.ts';
import { areTwoCodes, newTotpSecret, totpAddress, totpStep, typedTotp } from './totp.ts';

const NOW = 1_800_000_000_000;
const TEN = 600_000;
const NONE = { passkeys: 0, totp: false };

describe('a fresh factor', () => {
  it('is one of the last minutes, whose time is stated and not ahead', () => {
    expect(isFresh(NOW - TEN, TEN, NOW)).toBe(true);
    expect(isFresh(NOW - TEN - 1, TEN, NOW)).toBe(false);
    expect(isFresh(null, TEN, NOW)).toBe(false);
    expect(isFresh(NOW + 60_000, TEN, NOW)).toBe(false);
    expect(isFresh(null, 0, NOW)).toBe(true);
  });

  it('is a second one for whoever has enrolled one', () => {
    const fresh = NOW / 1_000 - 5;
    expect(lackOf({ authTime: fresh, acr: '1fa' }, TEN, NONE, NOW)).toBeNull();
    expect(lackOf({ authTime: fresh, acr: '1fa' }, TEN, { passkeys: 1, totp: false }, NOW)).toBe('second_factor');
    expect(lackOf({ authTime: fresh, acr: '1fa' }, TEN, { passkeys: 0, totp: true }, NOW)).toBe('second_factor');
    expect(lackOf({ authTime: fresh, acr: 'mfa' }, TEN, { passkeys: 0, totp: true }, NOW)).toBeNull();
    expect(lackOf({ authTime: fresh - 600, acr: 'phr' }, TEN, NONE, NOW)).toBe('fresh_factor');
    expect(lackOf({ authTime: null, acr: 'phr' }, TEN, NONE, NOW)).toBe('fresh_factor');
    expect(lackOf({ authTime: null, acr: null }, 0, { passkeys: 1, totp: true }, NOW)).toBeNull();
  });

  it('is a second one also where any age will do', () => {
    expect(lackOf({ authTime: null, acr: '1fa' }, 0, { passkeys: 1, totp: false }, NOW)).toBe('second_factor');
    expect(lackOf({ authTime: null, acr: '1fa' }, 0, NONE, NOW)).toBeNull();
  });

  it('is asked for by the var: what is no number is ten minutes, 0 is any age, but for changing factors', () => {
    expect([stepUpMs('10'), stepUpMs('0'), stepUpMs(''), stepUpMs('off'), stepUpMs('-1')]).toEqual([
      TEN,
      0,
      TEN,
      TEN,
      TEN,
    ]);
    expect([factorChangeMs('0'), factorChangeMs('30')]).toEqual([TEN, 3 * TEN]);
  });

  it('is named in tokens by what was shown', () => {
    expect([acrOf('code'), acrOf('code_and_totp'), acrOf('code_and_recovery'), acrOf('passkey')]).toEqual([
      '1fa',
      'mfa',
      'mfa',
      'phr',
    ]);
    expect(amrOf('code')).toEqual(['sms']);
    expect(amrOf('passkey')).toContain('pop');
    expect(hasSecondFactor(NONE)).toBe(false);
  });
});

describe('codes of an authenticator app', () => {
  const secret = newTotpSecret();
  const step = Math.floor(NOW / 30_000);
  const codeAt = (of: number) => new TOTP({ secret }).generate({ timestamp: of * 30_000 });
  const terms = { lastStep: 0, needsTwo: false, now: NOW };

  it('are good for their step, the one before and the one after', () => {
    for (const each of [step - 1, step, step + 1]) expect(totpStep(secret, codeAt(each), terms)).toBe(each);
    for (const each of [step - 2, step + 2]) expect(totpStep(secret, codeAt(each), terms)).toBeNull();
  });

  it('are used once: none of the last step or before it is good', () => {
    expect(totpStep(secret, codeAt(step), { ...terms, lastStep: step })).toBeNull();
    expect(totpStep(secret, codeAt(step - 1), { ...terms, lastStep: step })).toBeNull();
    expect(totpStep(secret, codeAt(step + 1), { ...terms, lastStep: step })).toBe(step + 1);
  });

  it('after a hundred wrong ones two are asked for that follow upon each other', () => {
    const needsTwo = { ...terms, needsTwo: true };
    expect(totpStep(secret, codeAt(step), needsTwo)).toBeNull();
    expect(totpStep(secret, `${codeAt(step - 1)}${codeAt(step)}`, needsTwo)).toBe(step);
    expect(totpStep(secret, `${codeAt(step)}${codeAt(step - 1)}`, needsTwo)).toBeNull();
    expect(totpStep(secret, `${codeAt(step - 1)}${codeAt(step)}`, terms)).toBe(step);
    expect([areTwoCodes('123456'), areTwoCodes('123456654321')]).toEqual([false, true]);
  });

  it('are read as people type them, and the address names venue and person', () => {
    expect(typedTotp(' 123 456 ')).toBe('123456');
    expect(typedTotp('123456-654321')).toBe('123456654321');
    expect(typedTotp('12345')).toBeNull();
    expect(typedTotp('١٢٣٤٥٦')).toBeNull();
    expect(totpAddress(secret, { issuer: 'id.example.com', label: 'Ann' })).toContain(`secret=${secret}`);
  });
});
