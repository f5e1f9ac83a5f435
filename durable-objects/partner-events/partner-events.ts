import { DurableObject } from 'cloudflare:workers';
import { type EventBody, MESSAGES_PER_CALL_MAX } from '../webhook-endpoint/api.ts';
import { EVENTS_PER_PAGE_MAX, type EventsPage, type EventsQuery, type PartnerEventsApi, WAIT_MS_MAX } from './api.ts';
import { EventLog } from './event-log.ts';

/** Readers that wait at once; the one that has waited longest makes room for another. */
const READERS_MAX = 20;

type Ending = 'news' | 'over';

/** What one organization is told of, named by its id, and those who wait for more of it. */
export class PartnerEvents extends DurableObject<Env> implements PartnerEventsApi {
  #log = new EventLog(this.ctx.storage);
  /** In the order in which they came. */
  readonly #readers = new Set<(ending: Ending) => void>();
  #hasAlarm = false;

  async append(messages: readonly EventBody[]): Promise<void> {
    if (messages.length > MESSAGES_PER_CALL_MAX) throw new RangeError(`${messages.length} messages`);
    const isNew = this.#log.append(messages, Date.now());
    if (!this.#hasAlarm) await this.#forgetLater();
    if (isNew) for (const end of [...this.#readers]) end('news');
  }

  async read({ waitMs, ...query }: EventsQuery): Promise<EventsPage | null> {
    if (query.limit > EVENTS_PER_PAGE_MAX || waitMs > WAIT_MS_MAX) throw new RangeError('more than a page has');
    const until = Date.now() + waitMs;
    for (;;) {
      const page = this.#log.read(query);
      const left = until - Date.now();
      if (page === null || page.events.length > 0 || left <= 0) return page;
      if ((await this.#next(left)) === 'over') return page;
    }
  }

  async clear(): Promise<void> {
    await this.ctx.storage.deleteAlarm();
    await this.ctx.storage.deleteAll();
    this.#hasAlarm = false;
    this.#log = new EventLog(this.ctx.storage);
    for (const end of [...this.#readers]) end('over');
  }

  /** Readers that wait now. */
  get waiting(): number {
    return this.#readers.size;
  }

  override async alarm(): Promise<void> {
    this.#hasAlarm = false;
    await this.#forgetLater();
  }

  async #forgetLater(): Promise<void> {
    const at = this.#log.forget(Date.now());
    if (at === null) return;
    await this.ctx.storage.setAlarm(at);
    this.#hasAlarm = true;
  }

  /** Until something was told, the time is over, or others need the place. */
  #next(ms: number): Promise<Ending> {
    const [first] = this.#readers;
    if (first !== undefined && this.#readers.size >= READERS_MAX) first('over');
    return new Promise((resolve) => {
      const end = (ending: Ending): void => {
        clearTimeout(timer);
        this.#readers.delete(end);
        resolve(ending);
      };
      const timer = setTimeout(() => end('over'), ms);
      this.#readers.add(end);
    });
  }
}
