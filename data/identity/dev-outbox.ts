import { desc } from 'drizzle-orm';
import type { Database } from '../database.ts';
import { devOutbox } from '../schema/identity.ts';

export interface SentMessage {
  readonly phone: string;
  readonly text: string;
  /** Unix milliseconds. */
  readonly createdAt: number;
}

const MESSAGES_MAX = 50;

export async function addToDevOutbox(db: Database, message: SentMessage): Promise<void> {
  await db.insert(devOutbox).values(message);
}

/** The latest messages, newest first. */
export async function listDevOutbox(db: Database): Promise<SentMessage[]> {
  return db
    .select({ phone: devOutbox.phone, text: devOutbox.text, createdAt: devOutbox.createdAt })
    .from(devOutbox)
    .orderBy(desc(devOutbox.id))
    .limit(MESSAGES_MAX);
}
