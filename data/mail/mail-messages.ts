import { type SQL, sql } from 'drizzle-orm';
import { type MailKind, type MailLanguage, ruleOfMail } from '../../domain/mail/mail-kinds.ts';
import type { MailLimit } from '../../domain/mail/mail-limits.ts';
import type { Database } from '../database.ts';
import { sqlBatch } from '../sql-batch.ts';

/** A mail as it is posted. */
export interface PostedMail {
  readonly id: string;
  readonly userId: string | null;
  readonly countedFor: string;
  readonly kind: MailKind;
  readonly language: MailLanguage;
  readonly contentSealed: string;
  /** Unix milliseconds. */
  readonly now: number;
  readonly limit: MailLimit;
}

/**
 * The statement that posts a mail, for the batch of the change that it tells of: once for each id, to who has a confirmed address, wants such mail, and has not had too many.
 *
 * @param when condition of the batch under which it is written
 */
export function mailMessage(mail: PostedMail, when: SQL = sql`true`): SQL {
  const { id, userId, countedFor, kind, language, contentSealed, now, limit } = mail;
  const reader = userId === null ? sql`true` : sql`EXISTS (SELECT 1 FROM mail_addresses WHERE user_id = ${userId})`;
  return sql`
    INSERT INTO mail_messages (id, user_id, counted_for, kind, language, content_sealed, created_at, due_at, good_until)
    SELECT ${id}, ${userId}, ${countedFor}, ${kind}, ${language}, ${contentSealed}, CAST(${now} AS INTEGER), CAST(${now} AS INTEGER),
           CAST(${now + ruleOfMail(kind).goodFor_ms} AS INTEGER)
    WHERE ${when} AND ${reader} AND ${isWanted(userId, kind)}
      AND (SELECT count(*) FROM mail_messages WHERE counted_for = ${countedFor} AND created_at > ${now - limit.within_ms} AND kind IN ${limit.kinds}) < ${limit.count}
    ON CONFLICT (id) DO NOTHING
    RETURNING id`;
}

/** Whether a person wants mail of a kind. */
export function isWanted(userId: string | null, kind: MailKind): SQL {
  const rule = ruleOfMail(kind);
  if (userId === null || rule.class === 'security') return sql`true`;
  return sql`coalesce((SELECT is_on FROM mail_preferences WHERE user_id = ${userId} AND kind = ${kind}), ${rule.isOnByDefault ? 1 : 0}) = 1`;
}

/** Posts a mail by itself. False where it was posted before, or is not to be. */
export async function addMailMessage(db: Database, mail: PostedMail): Promise<boolean> {
  const [written] = await sqlBatch(db, [mailMessage(mail)]);
  return (written ?? []).length > 0;
}
