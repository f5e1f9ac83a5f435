const PROBE_EVERY_MS = 2_000;
const PROBE_WAIT_MS = 20_000;
/** A Worker that is started anew, or a machine that is busy for a minute, lets one or two pass. */
const FAILURES_MAX = 3;

/** What the watch needs; tests have another clock. */
export interface ServerWatchHost {
  /** Whether the server answered in time, whatever it said. */
  probe(): Promise<boolean>;
  pause(): Promise<void>;
}

/**
 * Resolves once the server has answered nothing several times in a row: its processes live, and it has lost its way (`wrangler dev` does
 * when the process that listens is killed). Never resolves after `stop`.
 */
export class ServerWatch {
  readonly silent: Promise<void>;
  #isStopped = false;

  constructor(host: ServerWatchHost) {
    this.silent = this.#watch(host);
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #watch({ probe, pause }: ServerWatchHost): Promise<void> {
    let failures = 0;
    while (failures < FAILURES_MAX) {
      await pause();
      if (this.#isStopped) await new Promise(() => undefined);
      failures = (await probe()) ? 0 : failures + 1;
    }
    if (this.#isStopped) await new Promise(() => undefined);
  }
}

/** Watches what answers at a URL. */
export function watchServer(url: string): ServerWatch {
  return new ServerWatch({
    probe: () =>
      fetch(url, { signal: AbortSignal.timeout(PROBE_WAIT_MS) }).then(
        async (response) => {
          await response.body?.cancel();
          return true;
        },
        () => false,
      ),
    pause: () =>
      new Promise((resolve) => {
        setTimeout(resolve, PROBE_EVERY_MS).unref();
      }),
  });
}
