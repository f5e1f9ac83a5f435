import { type SQL, sql } from 'drizzle-orm';
import { type MailKind, type MailLanguage, ruleOfMail } from '../../domain/mail/mail-kinds.ts';
import { limitOfMail, type MailLimit } from '../../domain/mail/mail-limits.ts';
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
      AND ${hasRoomFor(sql`${countedFor}`, limit, now)}
    ON CONFLICT (id) DO NOTHING
    RETURNING id`;
}

/** Whether a user or an address has had fewer mails than their limit. */
export function hasRoomFor(countedFor: SQL, { count, within_ms, kinds }: MailLimit, now: number): SQL {
  const had = sql`SELECT count(*) FROM mail_messages WHERE counted_for = ${countedFor} AND created_at > ${now - within_ms} AND kind IN ${kinds}`;
  return sql`(${had}) < ${count}`;
}

/** Whether a person wants mail of a kind. */
export function isWanted(userId: SQL | string | null, kind: MailKind): SQL {
  const rule = ruleOfMail(kind);
  if (userId === null || rule.class === 'security') return sql`true`;
  return sql`coalesce((SELECT is_on FROM mail_preferences WHERE user_id = ${userId} AND kind = ${kind}), ${rule.isOnByDefault ? 1 : 0}) = 1`;
}

/** Posts a mail by itself. False where it was posted before, or is not to be. */
export async function addMailMessage(db: Database, mail: PostedMail): Promise<boolean> {
  const [written] = await sqlBatch(db, [mailMessage(mail)]);
  return (written ?? []).length > 0;
}

/** Posts mails, each by itself as above. @returns the ids of those that were */
export async function addMailMessages(db: Database, mails: readonly PostedMail[]): Promise<string[]> {
  const written = await sqlBatch<{ id: string }[][]>(
    db,
    mails.map((mail) => mailMessage(mail)),
  );
  return written.flatMap((rows) => rows.map(({ id }) => id));
}

/** A mail that a consumer may send now. */
export interface ClaimedMail {
  readonly id: string;
  readonly userId: string | null;
  readonly kind: MailKind;
  readonly language: MailLanguage;
  readonly contentSealed: string;
  /** Of this claim; what it ends with counts for this one alone. */
  readonly attempts: number;
  readonly createdAt: number;
  readonly goodUntil: number;
  readonly isWanted: boolean;
  /** Whether it takes the last room that the limit of its kind has, for a user. */
  readonly isLast: boolean;
}

/**
 * Claims a mail for the one who is about to send it, if it is due and nobody else's: one that waits, or whose claim was never ended.
 *
 * @param until when the claim is over
 */
export async function claimMail(
  db: Database,
  id: string,
  { now, until }: { readonly now: number; readonly until: number },
): Promise<ClaimedMail | null> {
  const [claimed] = await sqlBatch<[Omit<ClaimedMail, 'isWanted' | 'isLast'>[]]>(db, [
    sql`
      UPDATE mail_messages SET state = 'sending', attempts = attempts + 1, due_at = ${until}
      WHERE id = ${id} AND state IN ('queued', 'sending') AND due_at <= ${now}
      RETURNING id, user_id AS userId, kind, language, content_sealed AS contentSealed, attempts,
                created_at AS createdAt, good_until AS goodUntil`,
  ]);
  const mail = claimed[0];
  if (mail === undefined) return null;
  const { count, within_ms, kinds } = limitOfMail(mail.kind);
  const [asked] = await sqlBatch<[{ wanted: number; place: number }[]]>(db, [
    sql`
      SELECT ${isWanted(mail.userId, mail.kind)} AS wanted,
             (SELECT count(*) FROM mail_messages o WHERE o.counted_for = m.counted_for AND o.created_at > m.created_at - ${within_ms}
                AND o.kind IN ${kinds} AND o.rowid <= m.rowid) AS place
      FROM mail_messages m WHERE m.id = ${id}`,
  ]);
  const { wanted = 0, place = 0 } = asked[0] ?? {};
  return { ...mail, isWanted: wanted === 1, isLast: mail.userId !== null && place >= count };
}

/** What a claim ends with. */
export type MailEnd =
  | { readonly state: 'sent'; readonly at: number }
  | { readonly state: 'refused' | 'dropped'; readonly reason: string }
  | { readonly state: 'queued'; readonly dueAt: number };

/** Ends a claim, unless it was over and somebody else has claimed the mail since. What a final mail said is forgotten. */
export async function endClaim(db: Database, { id, attempts }: ClaimedMail, end: MailEnd): Promise<void> {
  const change = sql.join(
    end.state === 'queued'
      ? [sql`due_at = ${end.dueAt}`]
      : [sql`content_sealed = ''`, end.state === 'sent' ? sql`sent_at = ${end.at}` : sql`reason = ${end.reason}`],
    sql`, `,
  );
  await sqlBatch(db, [
    sql`UPDATE mail_messages SET state = ${end.state}, ${change}
        WHERE id = ${id} AND state = 'sending' AND attempts = ${attempts}`,
  ]);
}

/** Ids of mails that nobody has carried although they were due at a time, the oldest first. */
export async function listOverdueMails(db: Database, dueBy: number, limit: number): Promise<string[]> {
  const rows = await db.all<{ id: string }>(sql`
    SELECT id FROM mail_messages WHERE state IN ('queued', 'sending') AND due_at <= ${dueBy} ORDER BY due_at LIMIT ${limit}`);
  return rows.map(({ id }) => id);
}

/** Deletes mails from before a time, some at once. False where there may be more. */
export async function deleteMailsBefore(db: Database, time: number, limit: number): Promise<boolean> {
  const deleted = await sqlBatch(db, [
    sql`DELETE FROM mail_messages WHERE rowid IN (SELECT rowid FROM mail_messages WHERE created_at < ${time} LIMIT ${limit}) RETURNING 1`,
    sql`DELETE FROM dev_mails WHERE rowid IN (SELECT rowid FROM dev_mails WHERE created_at < ${time} LIMIT ${limit}) RETURNING 1`,
  ]);
  return deleted.every((rows) => rows.length < limit);
}
