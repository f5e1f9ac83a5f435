import { DurableObject } from 'cloudflare:workers';
import { HOUR_MS } from '../../domain/calendar/durations.ts';
import {
  ANSWER_UNITS_MAX,
  type IdempotencyKeyClaim,
  type IdempotencyKeyHolder,
  type IdempotencyKeyState,
  type IdempotencyKeysApi,
  type IdempotentAnswer,
  WAIT_MS_MAX,
} from './api.ts';
import { decideClaim, KEPT_MS } from './claim-decision.ts';
import { KeyRecords } from './key-records.ts';
import { WaitingClaims } from './waiting-claims.ts';

/** Expired keys are deleted together, not each in a wake-up of its own. */
const SWEEP_MS_MIN = HOUR_MS;
/** Between two parts of one sweep. */
const SWEEP_PAUSE_MS = 1_000;

/** The Idempotency-Keys of one scope (api.ts). Time is the object's own, so that one clock measures every lease. */
export class IdempotencyKeys extends DurableObject<Env> implements IdempotencyKeysApi {
  readonly #records = new KeyRecords(this.ctx.storage);
  readonly #waiting = new WaitingClaims();
  #hasAlarm = false;

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env);
    ctx.blockConcurrencyWhile(async () => {
      this.#hasAlarm = (await ctx.storage.getAlarm()) !== null;
    });
  }

  async claim(claim: IdempotencyKeyClaim): Promise<IdempotencyKeyState> {
    const deadline = Date.now() + WAIT_MS_MAX;
    for (let mayWait = true; ; ) {
      const now = Date.now();
      const decision = decideClaim(this.#records.find(claim.key), claim, now);
      if (decision.type === 'take') return this.#take(claim, decision.resourceId, now);
      if (decision.type !== 'in_flight' || !mayWait) return decision;
      mayWait = await this.#waiting.wait(claim.key, deadline - now);
    }
  }

  async answer(holder: IdempotencyKeyHolder, answer: IdempotentAnswer): Promise<void> {
    if (answer.body.length > ANSWER_UNITS_MAX) return this.release(holder);
    this.#records.answer(holder, answer);
    this.#waiting.wake(holder.key);
  }

  async release(holder: IdempotencyKeyHolder): Promise<void> {
    this.#records.release(holder);
    this.#waiting.wake(holder.key);
  }

  /** Deletes what has expired; an object without keys leaves nothing. */
  override async alarm(): Promise<void> {
    this.#hasAlarm = false;
    const now = Date.now();
    this.#records.forgetExpired(now);
    const oldest = this.#records.oldestClaimedAt();
    if (oldest === null) return this.#records.clear();
    const expiresAt = oldest + KEPT_MS;
    this.#setAlarm(expiresAt < now ? now + SWEEP_PAUSE_MS : Math.max(expiresAt, now + SWEEP_MS_MIN));
  }

  /** No await between the row and the alarm: storage writes them as one. */
  #take(claim: IdempotencyKeyClaim, resourceId: string, now: number): IdempotencyKeyState {
    if (!this.#records.take(claim, resourceId, now)) return { type: 'full' };
    if (!this.#hasAlarm) this.#setAlarm(now + KEPT_MS);
    return { type: 'claimed', resourceId };
  }

  #setAlarm(at: number): void {
    this.#hasAlarm = true;
    void this.ctx.storage.setAlarm(at);
  }
}
