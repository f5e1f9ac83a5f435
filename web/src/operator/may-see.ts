import type { Session } from '../session/session.ts';

/** Who reads how the venue runs, and who may change that: the API asks at every call all the same. */
export function maySeeVenue(session: Session | undefined): boolean {
  return session?.powers.includes('audit_venue') === true;
}

export function mayRunVenue(session: Session | undefined): boolean {
  return session?.powers.includes('run_venue') === true;
}
