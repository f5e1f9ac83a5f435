type Listener = () => void;

const listeners = new Set<Listener>();

/** Told when a person's session has ended. @returns what ends the telling */
export function whenForgotten(listener: Listener): () => void {
  listeners.add(listener);
  return () => void listeners.delete(listener);
}

export function forgetPerson(): void {
  for (const listener of listeners) listener();
}
