/** The one recorder of the venue. */
const RECORDER = 'recorder';

export interface RecorderStatus {
  /** What is final and not in the registry yet, and since when the oldest of it waits, Unix ms. */
  readonly waiting: number;
  readonly waitingSince: number | null;
  /** What the registry refuses for good: it has as many records of their trades as it takes, which the recorder has not made. */
  readonly refused: number;
  /** Transactions that are handed in and not confirmed. */
  readonly inFlight: number;
  /** Height of the last block whose entries it has. */
  readonly height: number;
  /** Number of the last checkpoint that it knows to be in the registry; 0 where it has not asked yet. */
  readonly checkpoint: number;
  /** Transactions of 100 settlements that its account could pay when it was last looked at; null before. */
  readonly affordable: number | null;
  /** Why it does not go on, if it does not; it tries again by itself. */
  readonly waitsFor: string | null;
  /** The same of checkpoints, which are tried with the next settlements, and by themselves within a minute. */
  readonly checkpointsWaitFor: string | null;
}

/** Records what is final, and checkpoints, in the registry on chain (docs/design/registry.md#the-recorder). */
export interface RecorderApi {
  /** Blocks may have become final. Returns at once. */
  wake(): Promise<void>;
  status(): Promise<RecorderStatus>;
}

interface RecorderEnv {
  /** Absent from Workers that serve nobody, such as those of scripts. */
  readonly RECORDER?: { getByName(name: string): unknown };
}

/** A fresh stub. After an exception a stub stays broken, so one is made for every call. */
export function recorderOf(env: Required<RecorderEnv>): RecorderApi {
  return env.RECORDER.getByName(RECORDER) as RecorderApi;
}

/** Tells the recorder that blocks may have become final. What it does not hear it finds within five minutes. */
export async function wakeRecorder({ RECORDER: recorders }: RecorderEnv): Promise<void> {
  if (recorders !== undefined) await recorderOf({ RECORDER: recorders }).wake();
}
