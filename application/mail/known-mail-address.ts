import { database } from '../../data/database.ts';
import { findHeldAddress, type HeldAddress } from '../../data/identity/mail-address.ts';
import { log } from '../../durable-objects/log/log.ts';

/** What a user has confirmed; of one that no stated key opens (docs/design/keys.md) the log says so. Null where none is confirmed. */
export async function heldMailAddress(env: Env, userId: string): Promise<HeldAddress | null> {
  const held = await findHeldAddress(database(env.DB), userId, env.IAM_KEY_ENCRYPTION_KEY);
  if (held !== null && held.address === null)
    log('error', 'no stated key opens the mail address of a user', { user: userId });
  return held;
}

/** The confirmed mail address of a user; null where none is confirmed, or no stated key opens it: what is done for the user goes on without it. */
export async function knownMailAddress(env: Env, userId: string): Promise<string | null> {
  return (await heldMailAddress(env, userId))?.address ?? null;
}
