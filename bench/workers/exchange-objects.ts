import { DurableObject } from 'cloudflare:workers';

/** All objects and entry points of the exchange, as deployed: a bench Worker that serves them has whatever they ask for. */
export * from '../../workers/index.ts';

/**
 * In place of the one that is deployed: the committee's twenty members, which production runs elsewhere, would share the thread of what is measured. `bench:consensus`
 * measures them.
 */
export class Sequencer extends DurableObject<Env> {
  wake(): void {}
}
