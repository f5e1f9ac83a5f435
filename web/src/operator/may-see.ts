import type { Session } from '../session/session.ts';

/** Who may change how the venue runs: the API asks at every call all the same. */
export function mayRunVenue(session: Session | undefined): boolean {
  return session?.powers.includes('run_venue') === true;
}
