import { DurableObject } from 'cloudflare:workers';
import { log } from '../log/log.ts';
import type { OrderEntryDoor } from '../order-entry/api.ts';
import { type CancelSwitchApi, type SwitchHolder, TIMER } from './api.ts';

const STATE_KEY = 'armed';
/** Triggers of one holder: five connections, those that ended and are not done with, and the timer. */
const TRIGGERS_MAX = 32;
const RETRY_MS = 1_000;
/** An alarm may ring some milliseconds before its time; the rest is waited for. */
const ALARM_EARLY_MS = 100;

/** What a switch keeps on disk. */
interface Armed {
  readonly holder: SwitchHolder;
  /** Unix milliseconds by trigger. */
  readonly triggers: Readonly<Record<string, number>>;
}

/**
 * Cancels the open orders of a key or an account when one of its triggers rings (docs/design/cancel-switch.md): a timer that was not set again, a
 * connection that ended. A trigger that has rung stays on disk until a cancellation has found nothing left to cancel, so a crash of this object,
 * of a book or of the ledger only delays it.
 */
export class CancelSwitch extends DurableObject<Env> implements CancelSwitchApi {
  async arm(holder: SwitchHolder, trigger: string, at_ms: number | null, takesOver = false): Promise<boolean> {
    const armed = this.#armed?.triggers ?? {};
    const before = takesOver ? withoutLeases(armed) : armed;
    const { [trigger]: _, ...others } = before;
    const triggers = at_ms === null ? others : { ...others, [trigger]: at_ms };
    if (Object.keys(triggers).length > TRIGGERS_MAX) return false;
    await this.#keep({ holder, triggers });
    return true;
  }

  override async alarm(): Promise<void> {
    const armed = this.#armed;
    if (armed === undefined) return;
    const early_ms = Math.min(...Object.values(armed.triggers)) - Date.now();
    if (early_ms > 0 && early_ms <= ALARM_EARLY_MS) await new Promise((resolve) => setTimeout(resolve, early_ms + 1));
    const now_ms = Date.now();
    const rung = Object.entries(armed.triggers).filter(([, at]) => at <= now_ms);
    if (rung.length > 0 && !(await this.#cancel(armed.holder))) {
      await this.ctx.storage.setAlarm(Date.now() + RETRY_MS);
      return;
    }
    // One that was set anew meanwhile goes on.
    const now = this.#armed ?? armed;
    const left = Object.entries(now.triggers).filter(
      ([trigger, at]) => !rung.some(([name, of]) => name === trigger && of === at),
    );
    await this.#keep({ holder: now.holder, triggers: Object.fromEntries(left) });
  }

  async #cancel(holder: SwitchHolder): Promise<boolean> {
    try {
      const door = this.ctx.exports.OrderEntryService as unknown as OrderEntryDoor;
      const isDone = await door.cancelAll(holder);
      log(isDone ? 'info' : 'warn', 'cancel switch', { ...holder, done: isDone });
      return isDone;
    } catch (error) {
      log('warn', 'cancel switch', {
        ...holder,
        done: false,
        reason: error instanceof Error ? error.message : String(error),
      });
      return false;
    }
  }

  get #armed(): Armed | undefined {
    return this.ctx.storage.kv.get<Armed>(STATE_KEY);
  }

  async #keep(armed: Armed): Promise<void> {
    const times = Object.values(armed.triggers);
    if (times.length === 0) {
      this.ctx.storage.kv.delete(STATE_KEY);
      await this.ctx.storage.deleteAlarm();
      return;
    }
    this.ctx.storage.kv.put(STATE_KEY, armed);
    await this.ctx.storage.setAlarm(Math.max(Date.now(), Math.min(...times)));
  }
}

/** The timer, and what has rung and is not done with. */
function withoutLeases(triggers: Armed['triggers']): Armed['triggers'] {
  const now_ms = Date.now();
  return Object.fromEntries(Object.entries(triggers).filter(([trigger, at]) => trigger === TIMER || at <= now_ms));
}
