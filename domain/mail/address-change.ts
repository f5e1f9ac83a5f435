import { DAY_MS } from '../calendar/durations.ts';

/** How long another mail address waits once its code was shown, so that its person, who is told at the one before, can stop it. */
export const ADDRESS_CHANGE_WAIT_MS = DAY_MS;
/** How many a user asks for in a day: each mails an address that they name. */
export const ADDRESS_CHANGES_OF_DAY_MAX = 3;
