import type { EventsDatabase } from './database.ts';
import { roles } from './schema.ts';

/** Whether the database answers. */
export async function answers(db: EventsDatabase): Promise<boolean> {
  try {
    await db.select({ name: roles.name }).from(roles).limit(1);
    return true;
  } catch {
    return false;
  }
}
