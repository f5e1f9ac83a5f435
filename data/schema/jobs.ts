import { integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core';

/** `goes_on`: it has more to do than one run may. */
export const JOB_OUTCOMES = ['done', 'goes_on', 'failed'] as const;

/** Which run does a job now, so that no other does it beside. */
export const jobLeases = sqliteTable('job_leases', {
  job: text().primaryKey(),
  holder: text().notNull(),
  /** Then whoever held it has ended, whatever became of him. */
  endsAt: integer().notNull(),
});

/** When a job ran last, and when and why it failed last. One row a job. */
export const jobRuns = sqliteTable('job_runs', {
  job: text().primaryKey(),
  beganAt: integer().notNull(),
  endedAt: integer().notNull(),
  outcome: text({ enum: JOB_OUTCOMES }).notNull(),
  /** Null while it never failed. */
  failedAt: integer(),
  failure: text(),
  /** Runs since its last success that failed. */
  failuresInRow: integer().notNull().default(0),
});

/** How large this database was when it was last looked at; one row. */
export const databaseSize = sqliteTable('database_size', {
  id: integer().primaryKey(),
  bytes: integer().notNull(),
  seenAt: integer().notNull(),
  /** From how many bytes on registers take no rows, by the setting of the deployment. */
  stopBytes: integer(),
});

/** How large each store was when it was last looked at on a day (UTC), for 90 days. Created WITHOUT ROWID. */
export const storeSizes = sqliteTable(
  'store_sizes',
  {
    store: text().notNull(),
    /** YYYY-MM-DD */
    day: text().notNull(),
    bytes: integer().notNull(),
    bytesMax: integer().notNull(),
    seenAt: integer().notNull(),
  },
  (t) => [primaryKey({ columns: [t.store, t.day] })],
);
