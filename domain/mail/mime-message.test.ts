import { describe, expect, it } from 'vitest';
import { mimeMessage, senderOf } from './mime-message.ts';

const MAIL = {
  id: 'key-1.made:now',
  from: { name: 'Börse', address: 'no-reply@example.com' },
  to: "o'reyes@example.org",
  subject: 'A key was made',
  text: 'One\nTwo ü\n.\n',
  html: '<p>.</p>',
  headers: { 'Auto-Submitted': 'auto-generated' },
  now: Date.parse('2026-11-29T12:00:00Z'),
};

/** The text of an encoded header, as a mail program reads it. */
const read = (words: string) =>
  new TextDecoder().decode(
    Uint8Array.from(
      [...words.matchAll(/=\?utf-8\?B\?([^?]*)\?=/g)].flatMap(([, each = '']) => [...atob(each)]),
      (character) => character.charCodeAt(0),
    ),
  );

describe('a mail as MIME', () => {
  const message = mimeMessage(MAIL) ?? '';
  const [head = '', ...parts] = message.split('\r\n\r\n');

  it('says when, from whom, to whom, under an id that stays, in lines that end with CRLF', () => {
    expect(head).toContain('Date: Sun, 29 Nov 2026 12:00:00 +0000\r\n');
    expect(head).toContain("To: o'reyes@example.org\r\n");
    expect(head).toContain('Message-ID: <key-1-made-now@example.com>\r\n');
    expect(read(/^From: (.*) <no-reply@example.com>$/m.exec(head)?.[1] ?? '')).toBe('Börse');
    expect(read(/^Subject: (.*)$/m.exec(head)?.[1] ?? '')).toBe('A key was made');
    expect(message.replaceAll('\r\n', '')).not.toMatch(/[\r\n]/);
    expect(new TextEncoder().encode(message)).toHaveLength(message.length);
    expect(mimeMessage({ ...MAIL, now: MAIL.now + 1 })).toContain('Message-ID: <key-1-made-now@example.com>');
  });

  it('has text and HTML in base64, so that no line of theirs means anything', () => {
    expect(parts[1]?.split('\r\n')[0]).toBe(btoa('One\r\nTwo Ã¼\r\n.\r\n'));
    expect(parts[2]?.split('\r\n')[0]).toBe(btoa('<p>.</p>'));
    const long = mimeMessage({ ...MAIL, text: 'ü'.repeat(5_000), subject: 'ü'.repeat(300) }) ?? '';
    expect(long.split('\r\n').every((line) => line.length <= 76 || line.startsWith('Content-Type'))).toBe(true);
    expect(read(/^Subject: ([\s\S]*?)\r\n(?! )/m.exec(long)?.[1] ?? '')).toBe('ü'.repeat(300));
  });

  it.each([
    ['a subject', { subject: 'a\r\nBcc: evil@example.org\r\n\r\nbody' }],
    ['a sender', { from: { ...MAIL.from, name: 'V\r\nBcc: evil@example.org' } }],
    ['an id', { id: 'a>\r\nBcc: evil@example.org' }],
  ])('has no other header by %s', (_, change) => {
    const [changed = ''] = (mimeMessage({ ...MAIL, ...change }) ?? '').split('\r\n\r\n');
    expect(changed).not.toMatch(/^Bcc/m);
    expect(changed.match(/^[A-Za-z-]+:/gm)).toEqual(head.match(/^[A-Za-z-]+:/gm));
  });

  it.each([
    ['a recipient of two lines', { to: 'a@example.org\r\nBcc: evil@example.org' }],
    ['two recipients', { to: 'a@example.org, evil@example.org' }],
    ['a header of two lines', { headers: { 'List-Unsubscribe': 'x\r\nBcc: evil@example.org' } }],
    ['a header whose name ends it', { headers: { 'A: b\r\nBcc': 'evil@example.org' } }],
    ['a line that no server takes', { headers: { 'List-Unsubscribe': 'a'.repeat(999) } }],
    ['no id', { id: '' }],
  ])('is none with %s', (_, change) => {
    expect(mimeMessage({ ...MAIL, ...change })).toBeNull();
  });
});

it('a sender is a name with an address, or the address', () => {
  expect(senderOf('Edge Exchange <no-reply@example.com>')).toEqual({
    name: 'Edge Exchange',
    address: 'no-reply@example.com',
  });
  expect(senderOf('no-reply@example.com')).toEqual({ name: '', address: 'no-reply@example.com' });
  expect(senderOf('Edge Exchange')).toBeNull();
  expect(senderOf('a <b@example.com> <c@example.com>')).toBeNull();
});
