/** What a server says to one command (RFC 5321, 4.2). */
interface SmtpReply {
  readonly code: number;
  /** What stands behind the codes, line by line. */
  readonly lines: readonly string[];
}

/** RFC 5321, 4.5.3.1.5 allows 512 characters; some servers say more. */
const REPLY_LENGTH_MAX = 16_384;
const REPLY_LINE = /^([2-5]\d{2})(?:([ -])(.*))?$/;

/** Puts replies together of what arrives, however it is cut. */
export class SmtpReplies {
  #rest = '';
  #lines: { readonly code: number; readonly text: string }[] = [];
  #length = 0;

  /** @returns the replies that are whole now; null for what is none, or too long */
  take(text: string): SmtpReply[] | null {
    this.#length += text.length;
    this.#rest += text;
    const replies: SmtpReply[] = [];
    for (let end = this.#rest.indexOf('\n'); end >= 0; end = this.#rest.indexOf('\n')) {
      const [, digits, more, said = ''] = REPLY_LINE.exec(this.#rest.slice(0, end).replace(/\r$/, '')) ?? [];
      this.#rest = this.#rest.slice(end + 1);
      const code = Number(digits);
      if (digits === undefined || this.#lines.some((line) => line.code !== code)) return null;
      this.#lines.push({ code, text: said });
      if (more === '-') continue;
      replies.push({ code, lines: this.#lines.map((line) => line.text) });
      this.#lines = [];
      this.#length = this.#rest.length;
    }
    return this.#length > REPLY_LENGTH_MAX ? null : replies;
  }

  /** Whether something has arrived that is no whole reply yet. */
  get isPending(): boolean {
    return this.#rest !== '' || this.#lines.length > 0;
  }
}

type SmtpEnd =
  | { readonly type: 'taken' }
  | { readonly type: 'refused'; readonly detail: string }
  | { readonly type: 'later'; readonly detail: string };

export type SmtpAction =
  /** Text of ASCII that goes to the server; then its reply is waited for. */
  | { readonly type: 'send'; readonly text: string }
  /** The connection is encrypted from here on; then `encrypted` says how it goes on. */
  | { readonly type: 'start_tls' }
  | { readonly type: 'end'; readonly end: SmtpEnd };

interface SmtpTerms {
  /** Whether the connection is encrypted from its beginning; else it is before anything is said. */
  readonly isEncrypted: boolean;
  /** What we call ourselves: a domain. */
  readonly ownName: string;
  /** Null for a server that asks for none. */
  readonly login: { readonly user: string; readonly password: string } | null;
  readonly from: string;
  readonly to: string;
  /** With CRLF, without the dot that ends it (`mimeMessage`). */
  readonly message: string;
}

type Step =
  | 'greeting'
  | 'hello'
  | 'start_tls'
  | 'auth'
  | 'auth_user'
  | 'auth_password'
  | 'from'
  | 'to'
  | 'data'
  | 'message';

/** Where a server of ours, or its settings, are at fault, and no mail is (RFC 4954, 6; RFC 5321, 4.2.2). */
const OURS = new Set([421, 500, 501, 502, 503, 504, 530, 534, 535, 538]);

/** Steps at which the server may judge the mail and not us. */
const OF_THE_MAIL: readonly Step[] = ['to', 'data', 'message'];

/** The enhanced status code at the head of a reply of 5xx (RFC 2034, 4; RFC 3463, 2). */
const ENHANCED = /^5\.(\d{1,3})\.(\d{1,3})(?: |$)/;

/** Of the enhanced codes those by which no later try does better: the address is nobody's (X.1), or the mailbox takes nothing (X.2). Those that are of our own address as the sender are ours. */
const FOR_GOOD = new Set(['1', '2']);
const OF_THE_SENDER = new Set(['1.7', '1.8']);

/** What says of a recipient alone that there is none (RFC 5321, 4.2.3), where the server has no enhanced codes. */
const NO_RECIPIENT = new Set([550, 551, 553]);

/**
 * One mail to one recipient in one session (RFC 5321), encrypted always (RFC 3207, RFC 8314), one command at a time. It reads no clock and no socket: it is told of replies and says what
 * follows. What the server says stands in no answer of it but by its code: it may repeat an address.
 */
export class SmtpSession {
  readonly #terms: SmtpTerms;
  #step: Step = 'greeting';
  #isEncrypted: boolean;

  constructor(terms: SmtpTerms) {
    this.#terms = terms;
    this.#isEncrypted = terms.isEncrypted;
  }

  /** Whether the whole mail has been said and not answered yet: then nobody knows whether the server has it. */
  get isOpen(): boolean {
    return this.#step === 'message';
  }

  /** For how the session ended by itself. */
  get step(): string {
    return this.#step;
  }

  receive(reply: SmtpReply): SmtpAction {
    const { code } = reply;
    if (code !== EXPECTED[this.#step] && !(this.#step === 'to' && code === 251)) return this.#fail(reply);
    switch (this.#step) {
      case 'greeting':
        return this.#say('hello', `EHLO ${this.#terms.ownName}`);
      case 'hello':
        return this.#afterHello(reply.lines);
      case 'start_tls':
        return { type: 'start_tls' };
      case 'auth_user':
        return this.#say('auth_password', base64(this.#terms.login?.user ?? ''));
      case 'auth_password':
        return this.#say('auth', base64(this.#terms.login?.password ?? ''));
      case 'auth':
        return this.#begin();
      case 'from':
        return this.#say('to', `RCPT TO:<${this.#terms.to}>`);
      case 'to':
        return this.#say('data', 'DATA');
      case 'data':
        return this.#say('message', `${stuffed(this.#terms.message)}.`);
      case 'message':
        return { type: 'end', end: { type: 'taken' } };
    }
  }

  /** The connection is encrypted: what was said before counts for nothing (RFC 3207, 4.2). */
  encrypted(): SmtpAction {
    this.#isEncrypted = true;
    return this.#say('hello', `EHLO ${this.#terms.ownName}`);
  }

  #afterHello(lines: readonly string[]): SmtpAction {
    const offered = lines.map((line) => line.trim().toUpperCase().split(/[ =]+/));
    if (!this.#isEncrypted) {
      const isOffered = offered.some(([name]) => name === 'STARTTLS');
      // Nobody in between takes the encryption away by keeping silent about it.
      return isOffered ? this.#say('start_tls', 'STARTTLS') : later('starttls is not offered');
    }
    const { login } = this.#terms;
    if (login === null) return this.#begin();
    const ways = offered.find(([name]) => name === 'AUTH') ?? [];
    if (ways.includes('PLAIN')) return this.#say('auth', `AUTH PLAIN ${base64(`\0${login.user}\0${login.password}`)}`);
    return ways.includes('LOGIN') ? this.#say('auth_user', 'AUTH LOGIN') : later('no way to log in is offered');
  }

  #begin(): SmtpAction {
    return this.#say('from', `MAIL FROM:<${this.#terms.from}>`);
  }

  #say(next: Step, text: string): SmtpAction {
    this.#step = next;
    return { type: 'send', text: `${text}\r\n` };
  }

  #fail({ code, lines }: SmtpReply): SmtpAction {
    const [, subject, way] = ENHANCED.exec(lines[0] ?? '') ?? [];
    const detail = `${this.#step} ${code}${subject === undefined ? '' : ` 5.${subject}.${way}`}`;
    if (code < 500 || OURS.has(code) || !OF_THE_MAIL.includes(this.#step)) return later(detail);
    const isForGood =
      subject === undefined
        ? this.#step === 'to' && NO_RECIPIENT.has(code)
        : FOR_GOOD.has(subject) && !OF_THE_SENDER.has(`${subject}.${way}`);
    return isForGood ? { type: 'end', end: { type: 'refused', detail } } : later(detail);
  }
}

const EXPECTED: Readonly<Record<Step, number>> = {
  greeting: 220,
  hello: 250,
  start_tls: 220,
  auth_user: 334,
  auth_password: 334,
  auth: 235,
  from: 250,
  to: 250,
  data: 354,
  message: 250,
};

function later(detail: string): SmtpAction {
  return { type: 'end', end: { type: 'later', detail } };
}

/** RFC 5321, 4.5.2: a line that begins with a dot gets another, so that none ends the mail. It ends with the end of a line. */
function stuffed(message: string): string {
  const whole = message.endsWith('\r\n') ? message : `${message}\r\n`;
  return whole.replace(/^\./gm, '..');
}

function base64(text: string): string {
  let bytes = '';
  for (const byte of new TextEncoder().encode(text)) bytes += String.fromCharCode(byte);
  return btoa(bytes);
}
