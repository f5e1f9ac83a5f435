import { unstable_readConfig } from 'wrangler';
import type { StatedEnvironment } from './setting-problems.ts';

/** What a wrangler configuration says of an environment; the local one has no name. */
export function readEnvironment(config: string, name: string): StatedEnvironment {
  const read = unstable_readConfig({ config, ...(name === '' ? {} : { env: name }) }, { hideWarnings: true });
  return {
    vars: read.vars,
    requiredSecrets: read.secrets?.required ?? [],
    compatibilityFlags: read.compatibility_flags,
    cpu_ms: read.limits?.cpu_ms ?? null,
  };
}
