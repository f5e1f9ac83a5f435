import { type SQL, sql } from 'drizzle-orm';
import { surveillanceCases } from '../schema/surveillance.ts';

/** Cases that are about one of these people. */
export function isAbout(people: readonly string[]): SQL {
  return sql`EXISTS (SELECT 1 FROM json_each(${surveillanceCases.people}) about
    JOIN json_each(${JSON.stringify(people)}) named ON named.value = about.value)`;
}

/** Nobody who may be looking reads, counts or decides what is about themselves. */
export function notAbout(people: readonly string[]): SQL {
  return sql`NOT ${isAbout(people)}`;
}
