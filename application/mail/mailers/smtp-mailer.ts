import { domainOf, mimeMessage, senderOf } from '../../../domain/mail/mime-message.ts';
import { type SmtpAction, SmtpReplies, SmtpSession } from '../../../domain/mail/smtp-session.ts';
import type { Mailer, MailerAnswer, OutgoingMail } from './mailer.ts';

/** A connection to a server, as a socket of Workers is one. */
export interface SmtpConnection {
  readonly readable: ReadableStream<Uint8Array>;
  readonly writable: WritableStream<Uint8Array>;
  /** The same connection, encrypted from here on. */
  startTls(): SmtpConnection;
  close(): Promise<void>;
}

/** Where a server is, and whether the connection is encrypted from its beginning. */
export interface SmtpPlace {
  readonly hostname: string;
  readonly port: number;
  readonly isEncrypted: boolean;
}

export type Dial = (place: SmtpPlace) => Promise<SmtpConnection>;

interface SmtpMailerSettings {
  /** `smtps://user@host:465` is encrypted from its beginning, `smtp://user@host:587` by STARTTLS. Without a user nobody logs in. */
  readonly url: string;
  readonly password: string;
  readonly from: string;
}

/** Of each reply, and of the one after the whole mail, of which it is worse not to know than to wait. Together far below the claim of a mail. */
const WAITS_MS = { reply: 10_000, end: 60_000 };
const SESSION_MS_MAX = 120_000;

/**
 * A server of mail (RFC 5321). Its answers are read as far as they are replies, and bounded. Where the connection ends after the whole mail was said and before it was answered, nobody knows
 * whether it is delivered: it is sent again under the same `Message-ID`, which readers may know it by.
 */
export function smtpMailer(settings: SmtpMailerSettings, dial: Dial, waits = WAITS_MS): Mailer {
  return {
    async send(mail: OutgoingMail): Promise<MailerAnswer> {
      const place = placeOf(settings.url);
      const from = senderOf(settings.from);
      if (place === null || from === null) return later('MAIL_URL or MAIL_FROM does not do');
      const message = mimeMessage({ ...mail, from, now: Date.now() });
      if (message === null) return { type: 'refused', detail: 'the mail cannot be written' };
      const { user } = place;
      const session = new SmtpSession({
        isEncrypted: place.isEncrypted,
        ownName: domainOf(from.address),
        login: user === '' ? null : { user, password: settings.password },
        from: from.address,
        to: mail.to,
        message,
      });
      const until = Date.now() + SESSION_MS_MAX;
      return converse(session, { place, dial, waits, until });
    },
  };
}

/** Null for an address of no server. */
function placeOf(text: string): (SmtpPlace & { readonly user: string }) | null {
  const url = URL.parse(text);
  if (url === null || (url.protocol !== 'smtps:' && url.protocol !== 'smtp:') || url.hostname === '') return null;
  const isEncrypted = url.protocol === 'smtps:';
  const port = url.port === '' ? (isEncrypted ? 465 : 587) : Number(url.port);
  const user = decoded(url.username);
  return user === null ? null : { hostname: url.hostname, port, isEncrypted, user };
}

/** Null where a % is no code of anything: nobody knows what was meant. */
function decoded(text: string): string | null {
  try {
    return decodeURIComponent(text);
  } catch {
    return null;
  }
}

interface ConversationTerms {
  readonly place: SmtpPlace;
  readonly dial: Dial;
  readonly waits: typeof WAITS_MS;
  /** When it is given up in any case, Unix milliseconds. */
  readonly until: number;
}

async function converse(session: SmtpSession, { place, dial, waits, until }: ConversationTerms): Promise<MailerAnswer> {
  let line: Line | null = null;
  try {
    line = new Line(await dialled(dial(place), waits.reply));
    for (;;) {
      const wait = Math.min(session.isOpen ? waits.end : waits.reply, until - Date.now());
      const action = session.receive(await line.reply(wait));
      const next = action.type === 'start_tls' ? encrypted(session, line) : action;
      if (next.type === 'end') {
        // Nobody waits for what it says to this.
        await within(line.say('QUIT\r\n'), waits.reply).catch(() => undefined);
        return next.end.type === 'later' ? later(next.end.detail) : next.end;
      }
      if (next.type === 'send') await within(line.say(next.text), waits.reply);
    }
  } catch (error) {
    const name = error instanceof SmtpFault ? error.message : 'no connection';
    return later(`${session.isOpen ? 'not known' : session.step}: ${name}`);
  } finally {
    line?.close();
  }
}

/** A connection in time. One that comes too late is closed: nobody has it. */
async function dialled(dialling: Promise<SmtpConnection>, wait_ms: number): Promise<SmtpConnection> {
  let isLate = false;
  const close = (connection: SmtpConnection) => (isLate ? connection.close() : undefined);
  dialling.then(close).catch(() => undefined);
  try {
    return await within(dialling, wait_ms);
  } catch (error) {
    isLate = true;
    throw error;
  }
}

function encrypted(session: SmtpSession, line: Line): SmtpAction {
  line.startTls();
  return session.encrypted();
}

function later(detail: string): MailerAnswer {
  return { type: 'later', detail, retryAt: null };
}

class SmtpFault extends Error {}

/** A connection by its replies. */
class Line {
  #connection: SmtpConnection;
  #reader: ReadableStreamDefaultReader<Uint8Array>;
  #writer: WritableStreamDefaultWriter<Uint8Array>;
  #replies = new SmtpReplies();
  /** Replies that have arrived and that nobody has asked for: one command at a time has one. */
  #early = 0;

  constructor(connection: SmtpConnection) {
    this.#connection = connection;
    this.#reader = connection.readable.getReader();
    this.#writer = connection.writable.getWriter();
  }

  say(text: string): Promise<void> {
    return this.#writer.write(new TextEncoder().encode(text));
  }

  /** @throws SmtpFault where none comes in time, or what comes is none */
  async reply(wait_ms: number) {
    const until = Date.now() + wait_ms;
    for (;;) {
      const { value, done } = await within(this.#reader.read(), until - Date.now());
      if (done) throw new SmtpFault('the connection has ended');
      const [reply, ...early] = this.#replies.take(new TextDecoder('latin1').decode(value)) ?? [null];
      if (reply === null) throw new SmtpFault('no reply of SMTP');
      this.#early += early.length;
      if (this.#early > 0) throw new SmtpFault('a reply to nothing');
      if (reply !== undefined) return reply;
    }
  }

  /** @throws SmtpFault where something was said in clear beyond the reply: it would pass for what is said encrypted (CVE-2011-0411) */
  startTls(): void {
    if (this.#replies.isPending) throw new SmtpFault('a reply to nothing');
    this.#reader.releaseLock();
    this.#writer.releaseLock();
    this.#connection = this.#connection.startTls();
    this.#reader = this.#connection.readable.getReader();
    this.#writer = this.#connection.writable.getWriter();
  }

  close(): void {
    this.#connection.close().catch(() => undefined);
  }
}

/** @throws SmtpFault where it takes longer */
async function within<T>(work: Promise<T>, wait_ms: number): Promise<T> {
  let timer: ReturnType<typeof setTimeout> | undefined;
  const late = new Promise<never>((_, reject) => {
    timer = setTimeout(() => reject(new SmtpFault('no answer in time')), Math.max(0, wait_ms));
  });
  try {
    return await Promise.race([work, late]);
  } finally {
    clearTimeout(timer);
  }
}
