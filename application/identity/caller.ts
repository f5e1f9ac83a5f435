import { rateSubjectOf } from '../../domain/limits/address.ts';
import { keyedHash } from './one-time-code/code-hash.ts';

/** From where and by what somebody asks for tokens. */
export interface Caller {
  readonly clientAddress: string;
  /** Words of ours (`domain/identity/device-words.ts`); null for none. */
  readonly device: string | null;
}

const PLACE_CHARACTERS = 16;

/**
 * What is kept of an address beside a user: a keyed hash of both, so that it tells the user's own places apart, and neither where they are nor
 * who else was there.
 */
export async function placeOf(userId: string, clientAddress: string, env: Env): Promise<string> {
  const hash = await keyedHash(`${userId}\n${rateSubjectOf(clientAddress)}`, env, 'sign-in place');
  return hash.slice(0, PLACE_CHARACTERS);
}
