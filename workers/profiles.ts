import { createAgent } from './agent/app.ts';
import { book } from './book/app.ts';
import { events } from './events/app.ts';
import { exchange } from './exchange/app.ts';
import { iam } from './iam/app.ts';
import type { Profile } from './middleware/profile.ts';
import type { ProfileName } from './middleware/profile-name.ts';

/** Every REST profile, by name. */
export const profiles: Readonly<Record<ProfileName, Profile>> = {
  exchange,
  book,
  agent: createAgent(book),
  iam,
  events,
};
