import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import type { Socket } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import { type SmtpConnection, smtpMailer } from '../../application/mail/mailers/smtp-mailer.ts';
import { dialTo, type PlayedSmtp, playSmtp, type SmtpPart } from './fixtures/played-smtp.ts';

const MAIL = {
  id: 'mail-1',
  kind: 'key_created',
  to: 'o@example.org',
  subject: 'A key was made',
  text: 'one\n.\ntwo',
  html: '<p>one</p>',
  headers: { 'Auto-Submitted': 'auto-generated' },
};

const POLITE: SmtpPart = {
  greeting: '220 mail.example.com ESMTP\r\n',
  EHLO: '250-mail.example.com\r\n250-STARTTLS\r\n250 AUTH PLAIN LOGIN\r\n',
  STARTTLS: '220 go on\r\n',
  AUTH: '235 ok\r\n',
  MAIL: '250 ok\r\n',
  RCPT: '250 ok\r\n',
  DATA: '354 go on\r\n',
  '.': '250 taken\r\n',
  QUIT: (socket) => void socket.end('221 bye\r\n'),
};

let folder: string;
let certificate: { key: Buffer; cert: Buffer };
let server: PlayedSmtp | null = null;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'smtp-'));
  const [key, cert] = [join(folder, 'key.pem'), join(folder, 'cert.pem')];
  const request = ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'];
  const names = ['-subj', '/CN=mail.example.com', '-addext', 'subjectAltName=DNS:mail.example.com'];
  execFileSync('openssl', [...request, ...names, '-keyout', key, '-out', cert], { stdio: 'ignore' });
  certificate = { key: readFileSync(key), cert: readFileSync(cert) };
});

afterEach(async () => {
  await server?.close();
  server = null;
});

afterAll(() => rmSync(folder, { recursive: true, force: true }));

async function send(part: SmtpPart, { url = 'smtp://venue%40x:ignored@mail.example.com:587', waits = {} } = {}) {
  server = await playSmtp({ ...POLITE, ...part }, certificate);
  const settings = { url, password: 'secret', from: 'Venue <no-reply@example.com>' };
  const dial = dialTo(server.port, certificate.cert);
  return smtpMailer(settings, dial, { reply: 5_000, end: 5_000, ...waits }).send(MAIL);
}

describe('a server of mail', () => {
  it('takes a mail after the connection is encrypted and we have logged in', async () => {
    expect(await send({})).toEqual({ type: 'taken' });
    const told = server?.told ?? [];
    expect(told.slice(0, 8)).toEqual([
      'EHLO example.com',
      'STARTTLS',
      'TLS',
      'EHLO example.com',
      `AUTH PLAIN ${btoa('\0venue@x\0secret')}`,
      'MAIL FROM:<no-reply@example.com>',
      'RCPT TO:<o@example.org>',
      'DATA',
    ]);
    expect(told).toContain('Message-ID: <mail-1@example.com>');
    expect(told.filter((line) => line === '.')).toHaveLength(1);
  });

  it.each<[string, SmtpPart, object]>([
    [
      'a recipient that nobody has',
      { RCPT: '550 5.1.1 o@example.org is nobody\r\n' },
      { type: 'refused', detail: 'to 550 5.1.1' },
    ],
    ['a mail for now', { '.': '451 later\r\n' }, { type: 'later', detail: 'message 451', retryAt: null }],
    ['a mail for good', { '.': '552 5.2.3 too long\r\n' }, { type: 'refused', detail: 'message 552 5.2.3' }],
    [
      'us, and no mail',
      { RCPT: '554 5.7.1 Relay access denied\r\n' },
      { type: 'later', detail: 'to 554 5.7.1', retryAt: null },
    ],
    ['our password', { AUTH: '535 no\r\n' }, { type: 'later', detail: 'auth 535', retryAt: null }],
    [
      'a recipient for now',
      { RCPT: '450-busy\r\n450 o@example.org\r\n' },
      { type: 'later', detail: 'to 450', retryAt: null },
    ],
  ])('refuses %s', async (_, part, expected) => {
    expect(await send(part)).toEqual(expected);
  });

  it('that offers no encryption is told nothing', async () => {
    expect(await send({ EHLO: '250-host\r\n250 AUTH PLAIN\r\n' })).toMatchObject({ detail: 'starttls is not offered' });
    expect(server?.told.filter((line) => line !== 'QUIT')).toEqual(['EHLO example.com']);
  });

  it('cannot be spoken for in clear before the connection is encrypted', async () => {
    const injected = await send({ STARTTLS: '220 go on\r\n250-evil\r\n250 AUTH PLAIN\r\n' });
    expect(injected).toMatchObject({ type: 'later', detail: expect.stringContaining('a reply to nothing') });
    expect(server?.told.join('\n')).not.toContain('AUTH');
  });

  it('whose certificate is of another is told nothing', async () => {
    const other = { url: 'smtp://venue@elsewhere.example.com' };
    expect(await send({}, other)).toMatchObject({ type: 'later' });
    expect(server?.told.join('\n')).not.toContain('AUTH');
  });

  const away = (socket: Socket) => void socket.destroy();
  it.each<[string, SmtpPart, string]>([
    ['greets nobody', { greeting: away }, 'greeting: '],
    ['goes away before it has the mail', { DATA: away }, 'data: '],
    ['goes away once it has the mail', { '.': away }, 'not known: '],
    ['does not answer', { MAIL: () => undefined }, 'from: no answer in time'],
    ['does not answer to the mail', { '.': () => undefined }, 'not known: no answer in time'],
    ['says something else', { MAIL: 'HTTP/1.1 400 Bad Request\r\n' }, 'from: no reply of SMTP'],
    ['never ends to speak', { MAIL: `${'250-a\r\n'.repeat(5_000)}` }, 'from: no reply of SMTP'],
  ])('that %s is asked again later', async (_, part, detail) => {
    const answer = await send(part, { waits: { reply: 300, end: 300 } });
    expect(answer).toEqual({ type: 'later', detail: expect.stringContaining(detail), retryAt: null });
  });

  it('is none at an address of something else, and is sent nothing that cannot be written', async () => {
    for (const url of ['https://mail.example.com', 'smtp://100%@mail.example.com:587']) {
      expect(await send({}, { url })).toMatchObject({ type: 'later', detail: 'MAIL_URL or MAIL_FROM does not do' });
      expect(server?.told).toEqual([]);
      await server?.close();
    }
  });

  it('that is reached too late is left again', async () => {
    const closed = Promise.withResolvers<string>();
    const connection = { close: async () => closed.resolve('closed') } as unknown as SmtpConnection;
    const dial = () => new Promise<SmtpConnection>((resolve) => setTimeout(() => resolve(connection), 60));
    const settings = { url: 'smtp://mail.example.com', password: '', from: 'Venue <no-reply@example.com>' };
    const answer = await smtpMailer(settings, dial, { reply: 20, end: 20 }).send(MAIL);
    expect(answer).toMatchObject({ type: 'later', detail: 'greeting: no answer in time' });
    expect(await closed.promise).toBe('closed');
  });
});
