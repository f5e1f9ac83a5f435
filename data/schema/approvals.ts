import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';
import { APPROVAL_STATES } from '../../domain/identity/approval.ts';

/** Calls of operators that a second operator decides on, until they expire. */
export const operatorApprovals = sqliteTable(
  'operator_approvals',
  {
    /** Id of the action that asked. */
    id: text().primaryKey(),
    /** Method and path, such as `POST /exchange/v1/operator/deposits`. */
    call: text().notNull(),
    /** SHA-256 of call and body, hexadecimal. */
    hash: text().notNull(),
    /** JSON, as it was validated. */
    body: text().notNull(),
    /** User id. */
    askedBy: text().notNull(),
    /** User ids of everybody who may have asked: none of them decides. */
    people: text({ mode: 'json' }).$type<readonly string[]>().notNull(),
    askedAt: integer().notNull(),
    expiresAt: integer().notNull(),
    decidedBy: text(),
    decidedAt: integer(),
    state: text({ enum: APPROVAL_STATES }).notNull(),
    /** Id of the action that it was used for; null until then. */
    usedBy: text(),
  },
  (t) => [
    index('operator_approvals_expires_at').on(t.expiresAt),
    check('operator_approvals_state', sql`${t.state} in ('asked', 'approved', 'rejected')`),
  ],
);
