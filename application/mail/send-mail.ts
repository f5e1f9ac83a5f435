import { database } from '../../data/database.ts';
import { findMailLanguage, openMailAddress } from '../../data/identity/mail-address.ts';
import { type ClaimedMail, claimMail, endClaim, type MailEnd } from '../../data/mail/mail-messages.ts';
import { MINUTE_MS } from '../../domain/calendar/durations.ts';
import { ruleOfMail } from '../../domain/mail/mail-kinds.ts';
import { nextTryOfMail } from '../../domain/mail/mail-retries.ts';
import { renderMail } from '../../domain/mail/render-mail.ts';
import { log } from '../../durable-objects/log/log.ts';
import { heldMailAddress } from './known-mail-address.ts';
import { openMail } from './mail-content.ts';
import { mailerOf } from './mailers/mailer-of.ts';
import { unsubscribeAddress } from './unsubscribe-token.ts';

/** Longer than a mailer takes. A claim that nobody has ended by then is over, and the mail is sent again under its id. */
const CLAIM_MS = 5 * MINUTE_MS;

const CLOSED = Symbol('closed');
/** After which a mail to an address that no stated key opens is tried again. */
const CLOSED_RETRY_MS = 60 * MINUTE_MS;

/** When the mail is to be brought again, Unix milliseconds; null where it is final, or somebody else's. */
type BringAgainAt = number | null;

/** Sends a mail that is due. Whoever comes twice finds it claimed. */
export async function sendMail(env: Env, id: string): Promise<BringAgainAt> {
  const db = database(env.DB);
  const now = Date.now();
  const mail = await claimMail(db, id, { now, until: now + CLAIM_MS });
  if (mail === null) return null;
  const end = await endOf(env, mail, now);
  await endClaim(db, mail, end);
  return end.state === 'queued' ? end.dueAt : null;
}

async function endOf(env: Env, mail: ClaimedMail, now: number): Promise<MailEnd> {
  const { id, userId, kind, goodUntil, attempts, isLast } = mail;
  if (isLast) log('warn', 'a user gets no more mail of a kind for now', { mail: id, kind });
  if (goodUntil <= now) return dropped(mail, 'too_late');
  if (!mail.isWanted) return { state: 'dropped', reason: 'switched_off' };
  const mailer = mailerOf(env);
  if (mailer === null) return dropped(mail, 'no_provider');
  const db = database(env.DB);
  const { to: named, closed, facts } = await openMail(env, id, mail.contentSealed);
  const to = named ?? (userId === null ? null : await addressOf(env, userId, closed));
  if (to === null) return { state: 'dropped', reason: 'no_address' };
  // A key that was taken back too early is stated again. At its last hour the mail is found to be too late.
  if (to === CLOSED) return { state: 'queued', dueAt: Math.min(now + CLOSED_RETRY_MS, goodUntil) };
  const language = (userId === null ? null : await findMailLanguage(db, userId)) ?? mail.language;
  const isEndable = userId !== null && ruleOfMail(kind).class === 'preference';
  const unsubscribe = isEndable ? await unsubscribeAddress(env, { userId, kind }) : null;
  const answer = await mailer.send({ id, kind, to, ...renderMail({ kind, language, facts, unsubscribe, isLast }) });
  if (answer.type === 'taken') return { state: 'sent', at: Date.now() };
  if (answer.type === 'refused') return refused(mail, answer.detail);
  const again = nextTryOfMail({ attempts, now: Date.now(), retryAt: answer.retryAt, goodUntil });
  return again === null ? refused(mail, answer.detail) : { state: 'queued', dueAt: again };
}

/**
 * Where a user reads mail that names no address: none, or one that no stated key opens.
 *
 * @param closed the sealed address of when it was posted: it stays the one that is written to, whatever theirs has become
 */
async function addressOf(env: Env, userId: string, closed: string | undefined): Promise<string | typeof CLOSED | null> {
  if (closed !== undefined) return (await openMailAddress(closed, userId, env.IAM_KEY_ENCRYPTION_KEY)) ?? CLOSED;
  const held = await heldMailAddress(env, userId);
  return held === null ? null : (held.address ?? CLOSED);
}

function refused({ id, kind, attempts }: ClaimedMail, reason: string): MailEnd {
  log('error', 'a mail was not sent', { mail: id, kind, attempts, reason });
  return { state: 'refused', reason };
}

function dropped({ id, kind }: ClaimedMail, reason: string): MailEnd {
  log('warn', 'a mail was dropped', { mail: id, kind, reason });
  return { state: 'dropped', reason };
}
