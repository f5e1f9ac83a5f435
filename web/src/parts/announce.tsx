import { useSyncExternalStore } from 'react';

interface Said {
  readonly polite: string;
  readonly assertive: string;
}

let said: Said = { polite: '', assertive: '' };
const watchers = new Set<() => void>();

/** Says one sentence to who listens: own fills and refusals politely, the loss of the feed at once. Prices are never said. */
export function announce(text: string, urgency: keyof Said = 'polite'): void {
  // The same sentence twice is said twice: a reader only notices what differs.
  said = { ...said, [urgency]: said[urgency] === text ? `${text}\u00a0` : text };
  for (const watcher of watchers) watcher();
}

export function LiveRegions() {
  const { polite, assertive } = useSyncExternalStore(
    (watcher) => {
      watchers.add(watcher);
      return () => watchers.delete(watcher);
    },
    () => said,
  );
  return (
    <>
      <p className="hidden-text" role="status" aria-live="polite">
        {polite}
      </p>
      <p className="hidden-text" role="alert" aria-live="assertive">
        {assertive}
      </p>
      {polite !== '' && (
        <p className="toast" key={polite} aria-hidden="true">
          {polite}
        </p>
      )}
    </>
  );
}
