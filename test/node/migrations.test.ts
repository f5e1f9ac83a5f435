import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { losses } from '../../scripts/migrations/additive.ts';

describe('a migration that a running Worker of the deployment before can live with', () => {
  it.each([
    ['a table', 'CREATE TABLE `notes` (`id` text PRIMARY KEY NOT NULL, `text` text NOT NULL);'],
    ['a column that may be null', 'ALTER TABLE `orders` ADD `note` text;'],
    ['a column with a default', "ALTER TABLE `orders` ADD COLUMN `note` text DEFAULT '' NOT NULL;"],
    ['an index', 'CREATE INDEX `orders_note` ON `orders` (`note`);'],
    [
      'a unique index of a new table',
      'CREATE TABLE `notes` (`id` text);\nCREATE UNIQUE INDEX `notes_id` ON `notes` (`id`);',
    ],
    ['an index less', 'DROP INDEX `orders_note`;'],
    ['a view that is made again', 'DROP VIEW postings;\nCREATE VIEW postings AS SELECT 1 AS id, 2 AS note;'],
    ['words in a comment', '-- we do not DROP TABLE orders\n/* ALTER TABLE a RENAME TO b; */ SELECT 1;'],
  ])('adds %s', (_, sql) => {
    expect(losses(sql)).toEqual([]);
  });

  it.each([
    ['DROP TABLE `orders`;', 'drops the table orders'],
    ['CREATE TABLE orders_new (id text); DROP TABLE IF EXISTS orders;', 'drops the table orders'],
    ['ALTER TABLE `orders` DROP COLUMN `note`;', 'drops the column note'],
    ['DROP VIEW postings;', 'drops the view postings'],
    ['DROP TRIGGER orders_take_hold;', 'drops the trigger orders_take_hold'],
    ['ALTER TABLE `orders_new` RENAME TO `orders`;', 'renames'],
    ['alter table orders\n  rename column note to remark;', 'renames'],
    ['ALTER TABLE `orders` ADD `note` text NOT NULL;', 'adds a column that a running Worker does not fill'],
    ['CREATE UNIQUE INDEX `orders_note` ON `orders` (`note`);', 'refuses rows that a running Worker may write'],
  ])('is not %s', (sql, reason) => {
    expect(losses(sql)).toEqual([expect.stringContaining(reason)]);
  });

  it('is told apart in migrations that there are: one that made a read model of the tables, one that gave events their aliases', () => {
    const losing = losses(readFileSync('migrations/exchange/0011_projection.sql', 'utf8'));
    expect(losing.length).toBeGreaterThan(5);
    expect(losses(readFileSync('migrations/events/0004_attendee_aliases.sql', 'utf8'))).toEqual([]);
  });
});
