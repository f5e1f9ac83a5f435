import type { SQL } from 'drizzle-orm';
import { database } from '../../data/database.ts';
import { sealSecret } from '../../data/identity/sealed-secret.ts';
import { addMailMessage, mailMessage, type PostedMail } from '../../data/mail/mail-messages.ts';
import { isMailAddress } from '../../domain/mail/mail-address.ts';
import { factsOfMail, type MailKind, type MailLanguage } from '../../domain/mail/mail-kinds.ts';
import { limitOfMail } from '../../domain/mail/mail-limits.ts';
import { log } from '../../durable-objects/log/log.ts';
import { describeBug } from '../log/describe-bug.ts';
import { heldMailAddress } from './known-mail-address.ts';
import { mailAddressHash } from './mail-addresses.ts';
import { type MailContent, mailContext } from './mail-content.ts';

export interface Mail {
  /** The caller's own: the same id is sent once at most. */
  readonly id: string;
  /** Whose confirmed address it goes to. */
  readonly userId: string | null;
  /** An address outright, in place of a user's: the one that is to be confirmed. */
  readonly to: string | null;
  readonly kind: MailKind;
  /** A user who has stated a language is written to in that one. */
  readonly language: MailLanguage;
  /** What its text names (`MAIL_KINDS`); times as ISO 8601. */
  readonly facts: Readonly<Record<string, string>>;
}

/**
 * Posts a mail: it is written down, and a Queue carries it (docs/design/mail.md). What the Queue loses is found by a job. Nothing is posted twice under one id, to a user without a
 * confirmed address, who has switched the kind off, or who has had as many as the limits allow.
 *
 * @throws RangeError of an address that is none
 */
export async function postMail(env: Env, mail: Mail): Promise<void> {
  const row = await messageOf(env, mail);
  if (await addMailMessage(database(env.DB), row)) await carryMail(env, [mail.id]);
}

/**
 * The statement that posts a mail, for the batch of the change that it tells of: the mail is there exactly if the change is. The job of five minutes carries it; `carryMail` does at
 * once.
 *
 * @param when condition of the batch under which it is written
 */
export async function mailRow(env: Env, mail: Mail, when?: SQL): Promise<SQL> {
  return mailMessage(await messageOf(env, mail), when);
}

/** Has posted mails carried now. Ids of none do no harm. */
export async function carryMail(env: Env, ids: readonly string[]): Promise<void> {
  if (ids.length === 0) return;
  try {
    await env.MAIL.sendBatch(ids.map((id) => ({ body: { id } })));
  } catch (error) {
    log('warn', 'the queue of mails took nothing: the job carries them', describeBug(error));
  }
}

/** A mail as it is written down. To a user whose address no stated key opens it waits (`send-mail.ts`), and what it tells of goes on. */
export async function messageOf(env: Env, { id, userId, to, kind, language, facts }: Mail): Promise<PostedMail> {
  if ((userId === null) === (to === null)) throw new RangeError('a mail goes to a user or to an address');
  if (to !== null && !isMailAddress(to)) throw new RangeError('a mail address that is none');
  // The address of now: a change of it takes no mail along that was posted before.
  const held = userId === null ? null : await heldMailAddress(env, userId);
  const content: MailContent = {
    to: userId === null ? to : (held?.address ?? null),
    ...(held !== null && held.address === null ? { closed: held.sealed } : {}),
    facts: factsOfMail(kind, facts),
  };
  return {
    id,
    userId,
    countedFor: userId ?? (await mailAddressHash(env, to ?? '')),
    kind,
    language,
    contentSealed: await sealSecret(JSON.stringify(content), env.IAM_KEY_ENCRYPTION_KEY, mailContext(id)),
    now: Date.now(),
    limit: limitOfMail(kind),
  };
}
