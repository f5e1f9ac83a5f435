import { eq, sql } from 'drizzle-orm';
import type { MailKind } from '../../domain/mail/mail-kinds.ts';
import type { Database } from '../database.ts';
import { mailPreferences } from '../schema/mail.ts';

/** What a person has switched; kinds without an entry are as they come. */
export async function readMailPreferences(db: Database, userId: string): Promise<ReadonlyMap<MailKind, boolean>> {
  const rows = await db
    .select({ kind: mailPreferences.kind, isOn: mailPreferences.isOn })
    .from(mailPreferences)
    .where(eq(mailPreferences.userId, userId));
  return new Map(rows.map(({ kind, isOn }) => [kind, isOn]));
}

/** Switches kinds of mail, all or none; what was waiting of a kind that is off is not sent. */
export async function putMailPreferences(
  db: Database,
  userId: string,
  switched: ReadonlyMap<MailKind, boolean>,
  now: number,
): Promise<void> {
  if (switched.size === 0) return;
  const rows = [...switched].map(([kind, isOn]) => ({ userId, kind, isOn, changedAt: now }));
  await db
    .insert(mailPreferences)
    .values(rows)
    .onConflictDoUpdate({
      target: [mailPreferences.userId, mailPreferences.kind],
      set: { isOn: sql`excluded.is_on`, changedAt: sql`excluded.changed_at` },
    });
}
