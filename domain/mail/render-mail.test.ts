import { describe, expect, it } from 'vitest';
import { MAIL_KINDS, MAIL_LANGUAGES, type MailKind, ruleOfMail } from './mail-kinds.ts';
import { mailText, timeIn } from './mail-texts.ts';
import { renderMail } from './render-mail.ts';

const KINDS = Object.keys(MAIL_KINDS) as MailKind[];
const EVERY = KINDS.flatMap((kind) => MAIL_LANGUAGES.map((language) => ({ kind, language })));

/** Each fact with a value of its own, which its text has to show. */
function allFacts(kind: MailKind): Record<string, string> {
  return Object.fromEntries(ruleOfMail(kind).facts.map((name, at) => [name, `<${name}&${at}>`]));
}

describe('a mail', () => {
  it.each(EVERY)(
    '$kind in $language says something of each fact, in text and in HTML, with all of it escaped',
    (of) => {
      const facts = allFacts(of.kind);
      const { subject, text, html, headers } = renderMail({ ...of, facts, unsubscribe: null });
      expect(subject).not.toBe('');
      expect(subject).not.toMatch(/[<>\r\n]/);
      for (const value of Object.values(facts)) {
        expect(text).toContain(value);
        expect(html).toContain(value.replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;'));
        expect(html).not.toContain(value);
      }
      expect(headers).toEqual({ 'Auto-Submitted': 'auto-generated' });
    },
  );

  it.each(EVERY)('$kind in $language stands without facts, with no word of the code in it', (of) => {
    const { text, html } = renderMail({ ...of, facts: {}, unsubscribe: null });
    for (const shown of [text, html]) expect(shown).not.toMatch(/undefined|null|\[object|NaN/);
    expect(mailText(of.kind, of.language, {}).lines.length).toBeGreaterThan(0);
  });

  it.each(EVERY)('$kind in $language asks for nothing from elsewhere, and leads nowhere', (of) => {
    const { html } = renderMail({ ...of, facts: allFacts(of.kind), unsubscribe: null });
    expect(html).not.toMatch(/<(?:img|script|link|iframe|form|object|video)|url\(|@import|https?:|src=/i);
  });

  it('has other words in each language', () => {
    for (const kind of KINDS) expect(mailText(kind, 'de', {}).subject).not.toBe(mailText(kind, 'en', {}).subject);
  });

  it('of a preference says how it ends: in a link, and in the headers of RFC 8058', () => {
    const unsubscribe = 'https://id.example.com/mail/unsubscribe?user=1&kind=allotment&token=t';
    const { text, html, headers } = renderMail({ kind: 'allotment', language: 'en', facts: {}, unsubscribe });
    expect(headers['List-Unsubscribe']).toBe(`<${unsubscribe}>`);
    expect(headers['List-Unsubscribe-Post']).toBe('List-Unsubscribe=One-Click');
    expect(text).toContain(unsubscribe);
    expect(html).toContain(`href="${unsubscribe.replaceAll('&', '&amp;')}"`);
    expect(html).not.toContain('cannot be switched off');
  });

  it('says that others are not mailed where it is the last one of its kind', () => {
    const mail = { kind: 'withdrawal_asked', language: 'en', facts: {}, unsubscribe: null } as const;
    for (const shown of [renderMail({ ...mail, isLast: true }).text, renderMail({ ...mail, isLast: true }).html])
      expect(shown).toContain('there may be more that we do not mail');
    expect(renderMail(mail).text).not.toContain('there may be more');
  });

  it('says times as people read them, in UTC, and values in words', () => {
    const facts = { decision: 'verified', until: '2026-11-29T19:40:00.000Z' };
    expect(mailText('accreditation_decided', 'de', facts).details).toEqual([
      ['Ergebnis', 'bestätigt'],
      ['Gültig bis', '29. November 2026 um 19:40 UTC'],
    ]);
    expect(timeIn('en', '2026-11-29T19:40:00.000Z')).toBe('29 November 2026 at 19:40 UTC');
    expect(timeIn('en', 'soon')).toBe('soon');
  });
});
