/** A system of states and steps whose every reachable state is to be looked at. States are plain JSON values. */
export interface Model<State> {
  readonly initial: State;
  /** Every state that one step leads to, with a name of the step. Must not change `state`. */
  steps(state: State): Iterable<readonly [step: string, next: State]>;
  /** What does not hold in this state, or null. */
  violation(state: State): string | null;
}

export interface Exploration {
  readonly states: number;
  /** The first violation found, by a shortest way there. */
  readonly violation: { readonly what: string; readonly path: readonly string[] } | null;
}

/** Breadth first over every reachable state, until one breaks an invariant. @throws Error beyond `statesMax` */
export function explore<State>(model: Model<State>, statesMax: number): Exploration {
  const cameFrom = new Map<string, readonly [from: string, step: string] | null>();
  const keyOf = (state: State): string => JSON.stringify(state);
  const first = keyOf(model.initial);
  cameFrom.set(first, null);
  let frontier = [first];
  while (frontier.length > 0) {
    const next: string[] = [];
    for (const key of frontier) {
      const state = JSON.parse(key) as State;
      const what = model.violation(state);
      if (what !== null) return { states: cameFrom.size, violation: { what, path: pathTo(cameFrom, key) } };
      for (const [step, reached] of model.steps(state)) {
        const reachedKey = keyOf(reached);
        if (cameFrom.has(reachedKey)) continue;
        cameFrom.set(reachedKey, [key, step]);
        if (cameFrom.size > statesMax) throw new Error(`more than ${statesMax} states`);
        next.push(reachedKey);
      }
    }
    frontier = next;
  }
  return { states: cameFrom.size, violation: null };
}

function pathTo(cameFrom: ReadonlyMap<string, readonly [string, string] | null>, key: string): string[] {
  const path: string[] = [];
  for (let at = cameFrom.get(key); at != null; at = cameFrom.get(at[0])) path.unshift(at[1]);
  return path;
}
