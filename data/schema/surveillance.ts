import { sql } from 'drizzle-orm';
import { check, index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core';
import { CASE_OUTCOMES, CASE_STATES, SURVEILLANCE_RULES } from '../../domain/surveillance/surveillance-case.ts';

/** How far the surveillance of a trading day is: one row a day of UTC (docs/design/surveillance.md#the-nightly-run). */
export const surveillanceDays = sqliteTable(
  'surveillance_days',
  {
    /** YYYY-MM-DD */
    day: text().primaryKey(),
    /** Markets up to this symbol have been judged; '' before the first. */
    visited: text().notNull().default(''),
    /** Markets that were judged so far. A step moves it on from where it found `visited`, or aborts by the CHECK. */
    markets: integer().notNull().default(0),
    cases: integer().notNull().default(0),
    /** Findings that made no case, because the day or the market had as many as it may. */
    casesLeftOut: integer().notNull().default(0),
    /** Trades that were not read, and accounts whose cancelled orders were not all read, because a market had more than one run reads. */
    tradesLeftOut: integer().notNull().default(0),
    accountsLeftOut: integer().notNull().default(0),
    /** Runs that have begun with the market after `visited` and have not come through it. */
    tries: integer().notNull().default(0),
    /** Symbols of markets that were left out, because each run that began with them failed. */
    marketsLeftOut: text({ mode: 'json' }).$type<readonly string[]>().notNull().default([]),
    beganAt: integer().notNull(),
    /** Null while markets of the day are left. */
    doneAt: integer(),
  },
  (t) => [check('surveillance_days_markets', sql`${t.markets} >= 0`)],
);

/** What a rule has found of people in a market on a day, and what became of it. A record of D1's own. */
export const surveillanceCases = sqliteTable(
  'surveillance_cases',
  {
    /** UUIDv7. */
    id: text().primaryKey(),
    rule: text({ enum: SURVEILLANCE_RULES }).notNull(),
    /** User ids of whom it is about, in order, with '+' between them. */
    subject: text().notNull(),
    market: text().notNull(),
    /** Asset id of what the market trades. */
    asset: text().notNull(),
    /** YYYY-MM-DD, of UTC. */
    day: text().notNull(),
    people: text({ mode: 'json' }).$type<readonly string[]>().notNull(),
    accounts: text({ mode: 'json' }).$type<readonly string[]>().notNull(),
    /** JSON: numbers, trades and orders (domain/surveillance/finding.ts). */
    evidence: text().notNull(),
    state: text({ enum: CASE_STATES }).notNull().default('open'),
    /** User id of who looks into it. */
    assignee: text(),
    /** How it was closed, why, by whom and when; null while it is open. */
    outcome: text({ enum: CASE_OUTCOMES }),
    closeReason: text(),
    closedBy: text(),
    closedAt: integer(),
    /** One more with each change. */
    version: integer().notNull().default(1),
    createdAt: integer().notNull(),
    updatedAt: integer().notNull(),
  },
  (t) => [
    uniqueIndex('surveillance_cases_finding').on(t.day, t.market, t.rule, t.subject),
    index('surveillance_cases_state').on(t.state, t.id),
  ],
);

/** What operators have written down about a case. */
export const surveillanceNotes = sqliteTable(
  'surveillance_notes',
  {
    /** UUIDv7 of the action that made it. */
    id: text().primaryKey(),
    caseId: text()
      .notNull()
      .references(() => surveillanceCases.id),
    author: text().notNull(),
    text: text().notNull(),
    createdAt: integer().notNull(),
  },
  (t) => [index('surveillance_notes_case').on(t.caseId, t.id)],
);
