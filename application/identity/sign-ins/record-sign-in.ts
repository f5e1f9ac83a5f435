import { uuidv7 } from 'uuidv7';
import { database } from '../../../data/database.ts';
import { addSignIn, type SignInEntry } from '../../../data/identity/sign-ins.ts';
import { isCounted } from '../../../domain/identity/sign-in-entry.ts';
import { log } from '../../../durable-objects/log/log.ts';
import { isD1Away } from '../../log/is-d1-away.ts';
import { type Caller, placeOf } from '../caller.ts';
import { hourlyId } from '../hourly-id.ts';

/** What happened to whose credentials. */
export interface SignInEvent extends Omit<SignInEntry, 'id' | 'at' | 'device' | 'place'> {
  readonly caller?: Caller | undefined;
  /** Its own id where it happens once for good; left out for another each time. */
  readonly id?: string;
}

/** An event as it is written down; of what is counted the entry of its hour. */
export async function entryOf({ caller, id, ...event }: SignInEvent, env: Env): Promise<SignInEntry> {
  const at = Date.now();
  const { userId, type, reason, clientId, sessionId } = event;
  const name = `${type} ${reason ?? ''} ${userId} ${type === 'machine_token_issued' ? clientId : (sessionId ?? '')}`;
  return {
    ...event,
    id: id ?? (isCounted(type) ? await hourlyId(at, name) : uuidv7()),
    device: caller?.device ?? null,
    place: caller === undefined ? null : await placeOf(userId, caller.clientAddress, env),
    at,
  };
}

/** Writes an event down by itself. A database that is away takes no entry, and what happened stands. */
export async function recordSignIn(env: Env, event: SignInEvent): Promise<void> {
  try {
    await addSignIn(database(env.DB), await entryOf(event, env));
  } catch (error) {
    if (!isD1Away(error)) throw error;
    log('warn', 'an entry of signing in was not written down', { user: event.userId, type: event.type });
  }
}
