import { z } from 'zod';

const SessionId = z.uuid();

/** Whether a text may name a session: none of ours is named otherwise, and nothing is asked about another. */
export function isSessionId(text: string): boolean {
  return SessionId.safeParse(text).success;
}
