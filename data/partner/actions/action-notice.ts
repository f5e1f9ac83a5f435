import { sql } from 'drizzle-orm';
import type { ActionNotice } from '../../../domain/corporate-actions/action-notice.ts';
import type { OperatorAction } from '../../audit/trail/operator-events.ts';
import { changeOnce } from '../../change-once.ts';
import type { Database } from '../../database.ts';

/** As operators have set it; null where nobody has. */
export async function findNotice(db: Database): Promise<ActionNotice | null> {
  const row = await db.get<ActionNotice>(
    sql`SELECT shares_ms AS sharesMs, other_ms AS otherMs FROM corporate_action_notice WHERE id = 1`,
  );
  return row ?? null;
}

export function storeNotice(
  db: Database,
  { sharesMs, otherMs }: ActionNotice,
  { before, now }: { readonly before: ActionNotice; readonly now: number },
  action: OperatorAction,
): Promise<boolean> {
  return changeOnce(db, {
    action,
    type: 'operator.action_notice_set',
    subject: 'corporate-actions',
    details: {},
    before,
    after: { sharesMs, otherMs },
    now,
    when: sql`TRUE`,
    writes: (takesPlace) => [
      sql`
        INSERT INTO corporate_action_notice (id, shares_ms, other_ms, updated_at)
        SELECT 1, ${sharesMs}, ${otherMs}, ${now} WHERE ${takesPlace}
        ON CONFLICT (id) DO UPDATE SET shares_ms = excluded.shares_ms, other_ms = excluded.other_ms, updated_at = excluded.updated_at`,
    ],
  });
}
