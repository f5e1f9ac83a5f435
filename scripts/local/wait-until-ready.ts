/** What waiting needs; tests have another clock. */
export interface ReadinessHost {
  /** Whether this path answers. */
  isHealthy(path: string): Promise<boolean>;
  hasEnded(): boolean;
  /** Whether its code cannot be built: it then waits for a change of a file, for ever. */
  isUnbuildable(): boolean;
  /** A number that grows as long as the server works on its start: lines of its log, processor time. */
  work(): number;
  pause(): Promise<void>;
  /** Is told what is waited for, when that takes long. */
  say(text: string): void;
}

/** Looks without an answer and without any work after which a start has failed. The work of a busy machine is seen, however slow. @internal */
export const IDLE_LOOKS_MAX = 600;
/** Looks after which it is said what is waited for, and again. @internal */
export const LOOKS_UNTIL_TOLD = 150;
/** Looks in all: a server that works for so long and never answers has lost its way. @internal */
export const LOOKS_MAX = 9_000;

export type Readiness =
  | { readonly type: 'ready' }
  | { readonly type: 'ended' | 'unbuildable' | 'idle' | 'never'; readonly path: string };

/** Waits until every path has answered, as long as the server works. */
export async function waitUntilReady(paths: readonly string[], host: ReadinessHost): Promise<Readiness> {
  let work = host.work();
  let idle = 0;
  let looks = 0;
  for (const path of paths) {
    while (!(await host.isHealthy(path))) {
      if (host.hasEnded()) return { type: 'ended', path };
      if (host.isUnbuildable()) return { type: 'unbuildable', path };
      const before = work;
      work = host.work();
      idle = work > before ? 0 : idle + 1;
      looks += 1;
      if (idle >= IDLE_LOOKS_MAX) return { type: 'idle', path };
      if (looks >= LOOKS_MAX) return { type: 'never', path };
      if (looks % LOOKS_UNTIL_TOLD === 0) host.say(`waiting for ${path}: the server still works on its start`);
      await host.pause();
    }
    idle = 0;
  }
  return { type: 'ready' };
}
