import { database } from '../../data/database.ts';
import { findMailAddress } from '../../data/identity/mail-address.ts';
import { log } from '../../durable-objects/log/log.ts';
import { describeBug } from '../log/describe-bug.ts';

/** The confirmed mail address of a user; null where none is confirmed, or no stated key opens it (docs/design/keys.md): what is done for the user goes on without it. */
export async function knownMailAddress(env: Env, userId: string): Promise<string | null> {
  try {
    return await findMailAddress(database(env.DB), userId, env.IAM_KEY_ENCRYPTION_KEY);
  } catch (error) {
    log('error', 'no stated key opens the mail address of a user', { user: userId, ...describeBug(error) });
    return null;
  }
}
