import { desc } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { devMails } from '../schema/mail.ts';

export type DevMail = Omit<Readonly<typeof devMails.$inferSelect>, 'sequence'>;

const MAILS_MAX = 100;

/** Once for each id. */
export async function addDevMail(db: Database, mail: DevMail): Promise<void> {
  await db.insert(devMails).values(mail).onConflictDoNothing();
}

/** The latest mails, newest first. */
export async function listDevMails(db: Database): Promise<DevMail[]> {
  const rows = await db.select().from(devMails).orderBy(desc(devMails.sequence)).limit(MAILS_MAX);
  return rows.map(({ sequence: _, ...mail }) => mail);
}
