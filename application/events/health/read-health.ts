import { answers } from '../../../data/events/answers.ts';
import { eventsDatabase } from '../../../data/events/database.ts';
import type { InferenceHealth } from '../../../protocol/inference/wire.ts';
import type { EventsCaller } from '../events-caller.ts';
import { inferenceClient } from '../inference/inference-client.ts';

/** `ok`, or in a word what is the matter. */
type ServiceState = 'ok' | 'starting' | 'draining' | 'unavailable' | 'unreachable';

export interface ServiceHealth {
  /** `degraded`: what is stored can be read, and some of what is asked of the models fails. `unhealthy`: nothing can be stored. */
  readonly status: 'healthy' | 'degraded' | 'unhealthy';
  readonly services: {
    readonly gateway: ServiceState;
    /** Database and image store. */
    readonly ingest: ServiceState;
    /** The face model. */
    readonly embed: ServiceState;
    /** The upscaling model. */
    readonly enhance: ServiceState;
  };
}

export async function readHealth(env: Env, caller: EventsCaller): Promise<ServiceHealth> {
  const [ingest, models] = await Promise.all([ingestOf(env), inferenceClient(env, caller).health()]);
  const services = {
    gateway: 'ok',
    ingest,
    embed: stateOf(models, ({ faces }) => faces !== null),
    enhance: stateOf(models, ({ upscaling }) => upscaling !== null),
  } as const;
  const isWhole = Object.values(services).every((state) => state === 'ok');
  return { status: isWhole ? 'healthy' : ingest === 'ok' ? 'degraded' : 'unhealthy', services };
}

async function ingestOf(env: Env): Promise<ServiceState> {
  try {
    const [database] = await Promise.all([answers(eventsDatabase(env.EVENTS_DB)), env.EVENT_IMAGES.head('health')]);
    return database ? 'ok' : 'unreachable';
  } catch {
    return 'unreachable';
  }
}

function stateOf(health: InferenceHealth | null, has: (models: InferenceHealth['models']) => boolean): ServiceState {
  if (health === null) return 'unreachable';
  if (health.status !== 'ok') return health.status;
  return has(health.models) ? 'ok' : 'unavailable';
}
