import type { TokenSource } from '../../protocol/calls/token-source.ts';
import { log } from './log.ts';
import type { Settings } from './settings.ts';

/** A frame and when it was read. */
export interface Frame {
  readonly jpeg: Uint8Array;
  /** Unix milliseconds. */
  readonly capturedAt: number;
}

/** Frames that wait while the service is slow or away; beyond it the oldest goes, as the newest says most. */
const WAITING_MAX = 120;
const RETRY_MS_MIN = 250;
const RETRY_MS_MAX = 30_000;
const REQUEST_MS_MAX = 30_000;
const REASON_LENGTH_MAX = 300;

export interface SenderCounts {
  readonly sent: number;
  /** Refused by the service for good. */
  readonly refused: number;
  /** Given up because too many waited. */
  readonly dropped: number;
  readonly waiting: number;
}

/**
 * Sends frames in order, one at a time; repeats one until the service has taken or refused it. The service counts a frame once however
 * often it comes, so a repetition after a lost answer does no harm.
 */
export class FrameSender {
  readonly #settings: Settings;
  readonly #tokens: TokenSource;
  readonly #waiting: Frame[] = [];
  #counts = { sent: 0, refused: 0, dropped: 0 };
  #working: Promise<void> | null = null;

  constructor(settings: Settings, tokens: TokenSource) {
    this.#settings = settings;
    this.#tokens = tokens;
  }

  get counts(): SenderCounts {
    return { ...this.#counts, waiting: this.#waiting.length };
  }

  push(frame: Frame): void {
    this.#waiting.push(frame);
    if (this.#waiting.length > WAITING_MAX) {
      // The first is being sent.
      this.#waiting.splice(1, 1);
      this.#counts.dropped++;
    }
    this.#working ??= this.#work().finally(() => {
      this.#working = null;
    });
  }

  /** Until nothing waits, or for so long. */
  async drain(ms_max: number): Promise<void> {
    await Promise.race([this.#working, new Promise((resolve) => setTimeout(resolve, ms_max))]);
  }

  async #work(): Promise<void> {
    let delay_ms = RETRY_MS_MIN;
    for (let frame = this.#waiting[0]; frame !== undefined; frame = this.#waiting[0]) {
      const outcome = await this.#send(frame);
      if (outcome.type === 'again') {
        const wait = Math.max(delay_ms, outcome.after_ms);
        log('error', 'frame_not_taken', { reason: outcome.reason, again_in_ms: wait });
        await new Promise((resolve) => setTimeout(resolve, wait));
        delay_ms = Math.min(RETRY_MS_MAX, delay_ms * 2);
        continue;
      }
      delay_ms = RETRY_MS_MIN;
      this.#waiting.shift();
      if (outcome.type === 'sent') this.#counts.sent++;
      else {
        this.#counts.refused++;
        log('error', 'frame_refused', { captured_at: frame.capturedAt, reason: outcome.reason });
      }
    }
  }

  async #send({ jpeg, capturedAt }: Frame): Promise<Outcome> {
    const { eventsUrl, cameraId } = this.#settings;
    const query = new URLSearchParams({ captured_at: new Date(capturedAt).toISOString() });
    try {
      const token = await this.#tokens.token();
      const response = await fetch(`${eventsUrl}/cameras/${encodeURIComponent(cameraId)}/frames?${query}`, {
        method: 'POST',
        headers: { authorization: `Bearer ${token}`, 'content-type': 'image/jpeg' },
        body: jpeg as Uint8Array<ArrayBuffer>,
        signal: AbortSignal.timeout(REQUEST_MS_MAX),
      });
      const answer = await response.text();
      if (response.ok) return { type: 'sent' };
      if (response.status === 401) this.#tokens.forget();
      const reason = `${response.status} ${answer.slice(0, REASON_LENGTH_MAX)}`;
      const again = response.status === 401 || response.status === 429 || response.status >= 500;
      if (!again) return { type: 'refused', reason };
      return { type: 'again', reason, after_ms: 1_000 * Number(response.headers.get('retry-after') ?? 0) || 0 };
    } catch (error) {
      return { type: 'again', reason: error instanceof Error ? error.message : String(error), after_ms: 0 };
    }
  }
}

type Outcome =
  | { readonly type: 'sent' }
  | { readonly type: 'refused'; readonly reason: string }
  | { readonly type: 'again'; readonly reason: string; readonly after_ms: number };
