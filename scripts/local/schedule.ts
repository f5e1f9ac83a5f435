import { unstable_readConfig } from 'wrangler';
import { MINUTE_MS } from '../../domain/calendar/durations.ts';
import { PATHS } from './paths.ts';

/** What a scheduled run takes at most; the next one is not begun before. */
const RUN_WAIT_MS = 10 * MINUTE_MS;

/** What the schedule needs; tests have another clock. */
export interface ScheduleHost {
  now(): number;
  /** Until this moment, Unix ms. */
  sleepUntil(at: number): Promise<void>;
  /** Has the jobs of a cron done. */
  run(cron: string): Promise<void>;
  failed(cron: string, error: unknown): void;
}

/**
 * Whether a cron is due in the minute that begins then, in UTC. Its minute may be `*`, a number or `*\/n`; its other fields are `*`.
 *
 * @throws Error for any other
 *
 * @internal
 */
export function isDue(cron: string, minuteBegins: number): boolean {
  const [minute = '', ...others] = cron.split(' ');
  const every = /^\*(?:\/(\d+))?$/.exec(minute);
  if (others.length !== 4 || others.some((field) => field !== '*') || (every === null && !/^\d+$/.test(minute)))
    throw new Error(`the local schedule does not know ${cron}`);
  const now = new Date(minuteBegins).getUTCMinutes();
  return every === null ? now === Number(minute) : now % Number(every[1] ?? 1) === 0;
}

/** Has crons run at their minutes, as Cloudflare does: a cron that is still running is left out, one that fails is told. */
export class Schedule {
  readonly #crons: readonly string[];
  readonly #host: ScheduleHost;
  readonly #running = new Set<string>();
  #isStopped = false;

  constructor(crons: readonly string[], host: ScheduleHost) {
    for (const cron of crons) isDue(cron, 0);
    this.#crons = crons;
    this.#host = host;
    void this.#keep();
  }

  stop(): void {
    this.#isStopped = true;
  }

  async #keep(): Promise<void> {
    for (let minute = minuteAfter(this.#host.now()); ; minute = minuteAfter(Math.max(minute, this.#host.now()))) {
      await this.#host.sleepUntil(minute);
      if (this.#isStopped) return;
      for (const cron of this.#crons) if (isDue(cron, minute)) void this.#run(cron);
    }
  }

  async #run(cron: string): Promise<void> {
    if (this.#running.has(cron)) return;
    this.#running.add(cron);
    try {
      await this.#host.run(cron);
    } catch (error) {
      if (!this.#isStopped) this.#host.failed(cron, error);
    } finally {
      this.#running.delete(cron);
    }
  }
}

function minuteAfter(at: number): number {
  return (Math.floor(at / MINUTE_MS) + 1) * MINUTE_MS;
}

/** `wrangler dev` runs no cron by itself: those of wrangler.toml are asked of it. */
export function keepSchedule(port: number, failed: ScheduleHost['failed']): Schedule {
  const { triggers } = unstable_readConfig({ config: PATHS.wranglerConfig }, { hideWarnings: true });
  return new Schedule(triggers.crons ?? [], {
    now: Date.now,
    sleepUntil: (at) =>
      new Promise((resolve) => {
        setTimeout(resolve, Math.max(0, at - Date.now())).unref();
      }),
    run: async (cron) => {
      const asked = new URLSearchParams({ cron });
      const url = `http://localhost:${port}/cdn-cgi/handler/scheduled?${asked}`;
      const response = await fetch(url, { signal: AbortSignal.timeout(RUN_WAIT_MS) });
      const answer = await response.text();
      if (!response.ok || answer !== 'ok') throw new Error(`answered ${response.status} ${answer}`);
    },
    failed,
  });
}
