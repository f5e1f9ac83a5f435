import type { Profile } from '../middleware/profile.ts';
import type { ProfileName } from '../middleware/profile-name.ts';

/** Another profile, in this process. */
export type LoadProfile = (name: ProfileName) => Promise<Profile>;
