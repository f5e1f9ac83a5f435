import { describe, expect, it } from 'vitest';
import { isEmailAddress, sameEmail } from './email-address.ts';

describe('E-15: an email address may have characters beyond ASCII', () => {
  it.each([
    'ana@example.com',
    'Ana.Lima+fair@mail.example.co.uk',
    "o'hara_1@example.com",
    'ünï@example.com',
    'ana@exämple.com',
    '用户@例子.广告',
    'उपयोगकर्ता@उदाहरण.कॉम',
    'ana@xn--exmple-cua.com',
  ])('%s is one', (text) => {
    expect(isEmailAddress(text)).toBe(true);
  });

  it.each([
    'nobody',
    '@example.com',
    'ana@',
    'ana@example',
    'ana@@example.com',
    'a b@example.com',
    'ana@exa mple.com',
    'ana.@example.com',
    '.ana@example.com',
    'a..b@example.com',
    'ana@-example.com',
    'ana@example-.com',
    'ana@10.0.0.7',
    'ana\u200b@example.com',
    'ana\u0000@example.com',
    'ana\n@example.com',
    'ana\u202e@example.com',
    'a\u3164@example.com',
    'a\u2800@example.com',
    'a\ufe0f@example.com',
    'a\u034f@example.com',
    'ana@１０.０.０.７',
    `${'a'.repeat(320)}@example.com`,
  ])('%j is none', (text) => {
    expect(isEmailAddress(text)).toBe(false);
  });

  it('is the same in whatever case, and however its marks are composed', () => {
    expect(sameEmail('U\u0308n@Example.com')).toBe(sameEmail('ün@example.com'));
  });

  it.each([
    ['a@münchen.de', 'a@xn--mnchen-3ya.de'],
    ['ΟΔΟΣ@example.gr', 'οδοσ@example.gr'],
    ['οδος@example.gr', 'ΟΔΟΣ@example.gr'],
    ['STRASSE@example.de', 'straße@example.de'],
    ['a@ｅxample.de', 'a@example.de'],
    ['ａna@example.de', 'ana@EXAMPLE.de'],
  ])('%s and %s are one', (one, other) => {
    expect([isEmailAddress(one), isEmailAddress(other)]).toEqual([true, true]);
    expect(sameEmail(one)).toBe(sameEmail(other));
  });

  it('is another where a letter or a mark is', () => {
    const all = ['ana@example.com', 'ána@example.com', 'anna@example.com', 'ana@exämple.com', 'a.na@example.com'];
    expect(new Set(all.map(sameEmail)).size).toBe(all.length);
  });
});
