import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Which run does a job now, so that no other does it beside. */
export const jobLeases = sqliteTable('job_leases', {
  job: text().primaryKey(),
  holder: text().notNull(),
  /** Then whoever held it has ended, whatever became of him. */
  endsAt: integer().notNull(),
});
