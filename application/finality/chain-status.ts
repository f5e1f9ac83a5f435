import { type CheckpointerStatus, checkpointerOf } from '../../durable-objects/checkpointer/api.ts';
import { type RecorderStatus, recorderOf } from '../../durable-objects/recorder/api.ts';
import { type SequencerStatus, sequencerOf } from '../../durable-objects/sequencer/api.ts';
import { withinTime } from '../objects/within-time.ts';

/** Each is waited for by itself, so that one that hangs keeps none of the others from being told. */
const OBJECT_WAIT_MS = 3_000;

/** Where blocks, their checkpoints and their registry stand; null of what does not answer in time. */
export interface ChainStatus {
  readonly sequencer: SequencerStatus | null;
  readonly checkpointer: CheckpointerStatus | null;
  readonly recorder: RecorderStatus | null;
}

export async function chainStatus(env: Pick<Env, 'SEQUENCER' | 'CHECKPOINTER' | 'RECORDER'>): Promise<ChainStatus> {
  const [sequencer, checkpointer, recorder] = await Promise.all([
    withinTime(OBJECT_WAIT_MS, sequencerOf(env).status()),
    withinTime(OBJECT_WAIT_MS, checkpointerOf(env).status()),
    withinTime(OBJECT_WAIT_MS, recorderOf(env).status()),
  ]);
  return { sequencer, checkpointer, recorder };
}
