import { InferenceSession } from 'onnxruntime-node';

/**
 * Ending a thread while onnxruntime runs in it ends the whole process (its addon throws into nothing). So a thread says, in memory that it
 * shares with the pool, when it is in there, and is then left to end itself.
 */
const FREE = 0;
const NATIVE = 1;
const CONDEMNED = 2;

/** Memory of one thread and the pool. */
export type GuardState = Int32Array<SharedArrayBuffer>;

export function createGuardState(): GuardState {
  return new Int32Array(new SharedArrayBuffer(Int32Array.BYTES_PER_ELEMENT));
}

/** Of the pool: the thread is to end. Whether it can be terminated now; else it ends itself once its native call has returned. */
export function condemn(state: GuardState): boolean {
  return Atomics.exchange(state, 0, CONDEMNED) !== NATIVE;
}

/** Of the thread: whatever loads or runs a model in it from now on is seen. `end` is called where the thread was condemned meanwhile. */
export function guardNativeCalls(state: GuardState, end: () => never): void {
  let depth = 0;
  const guarded = async <Result>(call: () => Promise<Result>): Promise<Result> => {
    if (depth === 0 && Atomics.compareExchange(state, 0, FREE, NATIVE) === CONDEMNED) end();
    depth++;
    try {
      return await call();
    } finally {
      depth--;
      if (depth === 0 && Atomics.compareExchange(state, 0, NATIVE, FREE) === CONDEMNED) end();
    }
  };
  const factory = InferenceSession as unknown as SessionClass;
  const { create } = factory;
  const { run } = factory.prototype;
  factory.create = (...given) => guarded(() => create.apply(factory, given));
  factory.prototype.run = function guardedRun(...given) {
    return guarded(() => run.apply(this, given));
  };
}

/** What the package's types show as an interface is a class, whose methods every session of this thread goes through. */
interface SessionClass {
  create(...given: unknown[]): Promise<unknown>;
  readonly prototype: { run(this: unknown, ...given: unknown[]): Promise<unknown> };
}
