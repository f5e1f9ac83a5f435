import { integer, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** Which run does a job now, so that no other does it beside. */
export const jobLeases = sqliteTable('job_leases', {
  job: text().primaryKey(),
  holder: text().notNull(),
  /** Then whoever held it has ended, whatever became of him. */
  endsAt: integer().notNull(),
});

/** How large this database was when it was last looked at; one row. */
export const databaseSize = sqliteTable('database_size', {
  id: integer().primaryKey(),
  bytes: integer().notNull(),
  seenAt: integer().notNull(),
});
