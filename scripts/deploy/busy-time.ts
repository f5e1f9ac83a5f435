/** The parts of a CPU profile of V8 that are read here. */
export interface CpuProfile {
  readonly nodes: readonly { readonly id: number; readonly callFrame: { readonly functionName: string } }[];
  /** The node that each sample found at work. */
  readonly samples: readonly number[];
  /** Microseconds before each sample. */
  readonly timeDeltas: readonly number[];
}

/** Twice the pause between two samples. */
const SAMPLE_US_MAX = 2_000;

/**
 * Milliseconds in which a profile found work. A sample that comes late counts for two at most: something else had the core meanwhile, and a busy machine
 * would measure five times as much.
 */
export function busyTime_ms({ nodes, samples, timeDeltas }: CpuProfile): number {
  const idle = new Set(nodes.filter(({ callFrame }) => callFrame.functionName === '(idle)').map(({ id }) => id));
  const busy_us = samples.reduce(
    (sum, node, at) => (idle.has(node) ? sum : sum + Math.min(timeDeltas[at] ?? 0, SAMPLE_US_MAX)),
    0,
  );
  return busy_us / 1_000;
}
