import type { Profile } from './middleware/profile.ts';
import type { ProfileName } from './middleware/profile-name.ts';

/** A profile's schemas, routes and libraries are evaluated when it is first called: the start of the Worker pays for none of them. */
const LOADERS: Readonly<Record<ProfileName, () => Promise<Profile>>> = {
  exchange: async () => (await import('./exchange/app.ts')).exchange,
  book: async () => (await import('./book/app.ts')).book,
  agent: async () => (await import('./agent/app.ts')).createAgent(await loadProfile('book')),
  iam: async () => (await import('./iam/app.ts')).iam,
  events: async () => (await import('./events/app.ts')).events,
  partner: async () => (await import('./partner/app.ts')).partner,
  bridge: async () => (await import('./bridge/app.ts')).bridge,
  console: async () => (await import('./console/app.ts')).createConsole(loadProfile),
};

const loaded = new Map<ProfileName, Profile>();

/** A REST profile by its name. Only what has loaded is kept: a promise belongs to the request that made it. */
export async function loadProfile(name: ProfileName): Promise<Profile> {
  const profile = loaded.get(name) ?? (await LOADERS[name]());
  loaded.set(name, profile);
  return profile;
}
