import { renameSync } from 'node:fs';
import { log } from '../log.ts';
import { SessionFile } from './session-file.ts';

type Names = Pick<SessionFile, 'state' | 'putState' | 'flush' | 'close'>;

/** Remembers nothing over the end of the process. */
const NOWHERE: Names = { state: () => [], putState: () => undefined, flush: () => undefined, close: () => undefined };

/**
 * The file of what sessions call their orders. Drop copies alone go by it, so no gateway stays away for it: one that cannot be read is put beside, and where the disk takes none the
 * names end with the process.
 */
export function openNames(path: string, now_ms: number): Names {
  try {
    return closing(openOrBegin(path, now_ms));
  } catch (error) {
    failed(error);
    return NOWHERE;
  }
}

function openOrBegin(path: string, now_ms: number): SessionFile {
  try {
    return new SessionFile(path, now_ms);
  } catch (error) {
    if (!(error instanceof SyntaxError)) throw error;
    failed(error);
    renameSync(path, `${path}.unreadable`);
    return new SessionFile(path, now_ms);
  }
}

/** A full disk at the end keeps nothing else from being closed. */
function closing(file: SessionFile): Names {
  return {
    state: <Value>(prefix: string) => file.state<Value>(prefix),
    putState: (key, value) => file.putState(key, value),
    flush: () => file.flush(),
    close: () => {
      try {
        file.close();
      } catch (error) {
        failed(error);
      }
    },
  };
}

function failed(error: unknown): void {
  log('error', 'names_failed', { error: error instanceof Error ? error.message : '' });
}
