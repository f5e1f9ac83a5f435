import { type CheckpointerStatus, checkpointerOf } from '../../durable-objects/checkpointer/api.ts';
import { type RecorderStatus, recorderOf } from '../../durable-objects/recorder/api.ts';
import { type SequencerStatus, sequencerOf } from '../../durable-objects/sequencer/api.ts';

/** Where blocks, their checkpoints and their registry stand; null of what does not answer. */
export interface ChainStatus {
  readonly sequencer: SequencerStatus | null;
  readonly checkpointer: CheckpointerStatus | null;
  readonly recorder: RecorderStatus | null;
}

export async function chainStatus(env: Pick<Env, 'SEQUENCER' | 'CHECKPOINTER' | 'RECORDER'>): Promise<ChainStatus> {
  const [sequencer, checkpointer, recorder] = await Promise.all([
    orNull(() => sequencerOf(env).status()),
    orNull(() => checkpointerOf(env).status()),
    orNull(() => recorderOf(env).status()),
  ]);
  return { sequencer, checkpointer, recorder };
}

async function orNull<T>(ask: () => Promise<T>): Promise<T | null> {
  try {
    return await ask();
  } catch {
    return null;
  }
}
