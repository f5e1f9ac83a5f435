import { describe, expect, it } from 'vitest';
import { type SmtpAction, SmtpReplies, SmtpSession } from './smtp-session.ts';

const TERMS = {
  isEncrypted: true,
  ownName: 'example.com',
  login: { user: 'venue', password: 'sécret' },
  from: 'no-reply@example.com',
  to: 'o@example.org',
  message: 'Subject: s\r\n\r\n.\r\n..a\r\nb',
};

const reply = (code: number, ...lines: string[]) => ({ code, lines: lines.length === 0 ? ['ok'] : lines });
const said = (action: SmtpAction) => (action.type === 'send' ? action.text : action);

/** What a session says to each of these. */
function played(terms: Partial<typeof TERMS> | object, replies: readonly (ReturnType<typeof reply> | 'encrypted')[]) {
  const session = new SmtpSession({ ...TERMS, ...terms });
  return replies.map((each) => said(each === 'encrypted' ? session.encrypted() : session.receive(each)));
}

describe('a session of SMTP', () => {
  it('says one mail to one recipient, with dots that end nothing', () => {
    const answers = [
      reply(220),
      reply(250, 'host', 'AUTH PLAIN LOGIN'),
      reply(235),
      reply(250),
      reply(250),
      reply(354),
      reply(250),
    ];
    expect(played({}, answers)).toEqual([
      'EHLO example.com\r\n',
      `AUTH PLAIN ${btoa('\0venue\0sÃ©cret')}\r\n`,
      'MAIL FROM:<no-reply@example.com>\r\n',
      'RCPT TO:<o@example.org>\r\n',
      'DATA\r\n',
      'Subject: s\r\n\r\n..\r\n...a\r\nb\r\n.\r\n',
      { type: 'end', end: { type: 'taken' } },
    ]);
  });

  it('says nothing of worth before it is encrypted, and begins anew then', () => {
    const login = [reply(334), reply(334), reply(235)];
    expect(
      played({ isEncrypted: false }, [
        reply(220),
        reply(250, 'host', 'STARTTLS', 'AUTH PLAIN'),
        reply(220),
        'encrypted',
        reply(250, 'host', 'auth=LOGIN'),
        ...login,
      ]),
    ).toEqual([
      'EHLO example.com\r\n',
      'STARTTLS\r\n',
      { type: 'start_tls' },
      'EHLO example.com\r\n',
      'AUTH LOGIN\r\n',
      `${btoa('venue')}\r\n`,
      `${btoa('sÃ©cret')}\r\n`,
      'MAIL FROM:<no-reply@example.com>\r\n',
    ]);
    expect(played({ isEncrypted: false }, [reply(220), reply(250, 'host', 'AUTH PLAIN')])[1]).toMatchObject({
      end: { type: 'later', detail: 'starttls is not offered' },
    });
    expect(played({ login: null }, [reply(220), reply(250)])[1]).toBe('MAIL FROM:<no-reply@example.com>\r\n');
  });

  const upTo = (step: number) =>
    [reply(220), reply(250, 'AUTH PLAIN'), reply(235), reply(250), reply(250), reply(354)].slice(0, step);
  it.each([
    [0, 421, 'later', 'greeting'],
    [0, 554, 'later', 'greeting'],
    [1, 502, 'later', 'hello'],
    [2, 535, 'later', 'auth'],
    [2, 454, 'later', 'auth'],
    [3, 550, 'later', 'from'],
    [4, 450, 'later', 'to'],
    [4, 550, 'refused', 'to'],
    [4, 553, 'refused', 'to'],
    [4, 530, 'later', 'to'],
    [4, 503, 'later', 'to'],
    [5, 451, 'later', 'data'],
    [4, 554, 'later', 'to'],
    [5, 554, 'later', 'data'],
    [6, 452, 'later', 'message'],
    [6, 550, 'later', 'message'],
    [6, 250, 'taken', ''],
    [4, 354, 'later', 'to'],
  ])('after %i steps %i is %s', (step, code, type, at) => {
    const end = played({}, [...upTo(step), reply(code, 'o@example.org is nobody')]).at(-1);
    expect(end).toEqual({ type: 'end', end: type === 'taken' ? { type } : { type, detail: `${at} ${code}` } });
  });

  it.each([
    ['nobody has the address', 4, '550 5.1.1 User unknown', 'refused', 'to 550 5.1.1'],
    ['of no domain', 4, '554 5.1.2', 'refused', 'to 554 5.1.2'],
    ['the mailbox is closed', 4, '550 5.2.1 disabled', 'refused', 'to 550 5.2.1'],
    ['the mailbox is full, after the mail', 6, '552 5.2.2 full', 'refused', 'message 552 5.2.2'],
    ['our own address is nobody', 4, '550 5.1.8 Sender address rejected', 'later', 'to 550 5.1.8'],
    ['our own address is none', 4, '550 5.1.7 Sender address rejected', 'later', 'to 550 5.1.7'],
    ['it knows no such sender', 3, '550 5.1.0 rejected', 'later', 'from 550 5.1.0'],
    ['no login', 4, '554 5.7.1 Relay access denied', 'later', 'to 554 5.7.1'],
    ['we are blocked', 4, '550 5.7.1 client host blocked using Spamhaus', 'later', 'to 550 5.7.1'],
    ['our quota is used up', 4, '550 5.4.5 Daily user sending limit exceeded', 'later', 'to 550 5.4.5'],
    ['the server is full', 5, '554 5.3.1 full', 'later', 'data 554 5.3.1'],
    ['it does not like the text', 6, '554 5.6.0 what', 'later', 'message 554 5.6.0'],
    ['something else', 6, '550 5.0.0 no', 'later', 'message 550 5.0.0'],
    ['a number that only looks so', 6, '550 5.1.1x', 'later', 'message 550'],
  ])('goes by the enhanced code where %s', (_, step, text, type, detail) => {
    const [, code, said = ''] = /^(\d{3}) (.*)$/.exec(text) ?? [];
    const end = played({}, [...upTo(step), reply(Number(code), said)]).at(-1);
    expect(end).toEqual({ type: 'end', end: { type, detail } });
  });

  it('takes a recipient that is forwarded', () => {
    expect(played({}, [...upTo(4), reply(251)]).at(-1)).toBe('DATA\r\n');
  });
});

describe('replies', () => {
  it('are put together however they are cut', () => {
    const replies = new SmtpReplies();
    const text = '250-host\r\n250 AUTH PLAIN\r\n334\r\n';
    expect([...text].flatMap((character): readonly unknown[] => replies.take(character) ?? ['none'])).toEqual([
      { code: 250, lines: ['host', 'AUTH PLAIN'] },
      { code: 334, lines: [''] },
    ]);
    expect(replies.isPending).toBe(false);
    replies.take('250-');
    expect(replies.isPending).toBe(true);
  });

  it.each([
    ['no reply', 'HTTP/1.1 400\r\n'],
    ['two codes in one', '250-a\r\n251 b\r\n'],
    ['no end of a line', 'a'.repeat(20_000)],
    ['no end', '250-a\r\n'.repeat(3_000)],
    ['a code of nothing', '999 a\r\n'],
  ])('are none: %s', (_, text) => {
    expect(new SmtpReplies().take(text)).toBeNull();
  });
});
