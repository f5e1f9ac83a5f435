import { unstable_readConfig } from 'wrangler';
import type { StatedEnvironment } from './setting-problems.ts';

interface Queues {
  readonly producers?: readonly { readonly binding: string; readonly queue: string }[];
  readonly consumers?: readonly { readonly queue: string; readonly dead_letter_queue?: string }[];
}

/** What a wrangler configuration says of an environment; the local one has no name. */
export function readEnvironment(config: string, name: string): StatedEnvironment {
  const read = unstable_readConfig({ config, ...(name === '' ? {} : { env: name }) }, { hideWarnings: true });
  const { producers, consumers }: Queues = read.queues;
  return {
    vars: read.vars,
    requiredSecrets: read.secrets?.required ?? [],
    compatibilityFlags: read.compatibility_flags,
    cpu_ms: read.limits?.cpu_ms ?? null,
    queues: (producers ?? []).map(({ binding, queue }) => {
      const consumer = consumers?.find((each) => each.queue === queue);
      return { binding, queue, consumer: consumer ? { deadLetters: consumer.dead_letter_queue ?? null } : null };
    }),
  };
}
