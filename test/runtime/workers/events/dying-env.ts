import { env } from 'cloudflare:workers';

/** A Worker that dies at one of its calls to storage. */
export interface Dying {
  readonly env: Env;
  /** Whether it came to that call. */
  readonly died: () => boolean;
}

/**
 * The bindings of a Worker that dies at the nth call (from 0) to the events database, the image store, the queue or a gallery: with
 * the call `before` it has its effect, or `after`, when only the answer is lost. Nothing that it calls afterwards does anything.
 */
export function dyingAt(n: number, moment: 'before' | 'after'): Dying {
  let calls = 0;
  let dead = false;

  async function pass<T>(call: () => Promise<T>): Promise<T> {
    if (dead) throw new Error('killed');
    if (calls++ !== n) return call();
    if (moment === 'after') await call();
    dead = true;
    throw new Error('killed');
  }

  /** Calls of these names pass through the wire that breaks; what they are called on stays what it is. */
  function watched<T extends object>(target: T, names: readonly string[]): T {
    return new Proxy(target, {
      get(object, name) {
        const value = Reflect.get(object, name) as unknown;
        if (typeof value !== 'function') return value;
        const call = (...parameters: unknown[]) => Reflect.apply(value, object, parameters) as Promise<unknown>;
        return names.includes(String(name)) ? (...parameters: unknown[]) => pass(() => call(...parameters)) : call;
      },
    });
  }

  const real = new WeakMap<object, D1PreparedStatement>();
  function statement(prepared: D1PreparedStatement): D1PreparedStatement {
    const proxy = new Proxy(prepared, {
      get(object, name) {
        if (name === 'bind') return (...values: unknown[]) => statement(object.bind(...values));
        const value = Reflect.get(object, name) as (...parameters: unknown[]) => Promise<unknown>;
        return (...parameters: unknown[]) => pass(() => Reflect.apply(value, object, parameters));
      },
    });
    real.set(proxy, prepared);
    return proxy;
  }
  const database = {
    prepare: (query: string) => statement(env.EVENTS_DB.prepare(query)),
    batch: (statements: D1PreparedStatement[]) =>
      pass(() => env.EVENTS_DB.batch(statements.map((one) => real.get(one) ?? one))),
  };
  const galleries = {
    getByName: (name: string) => watched(env.GALLERY.getByName(name), ['add', 'remove', 'search', 'status', 'erase']),
  };
  return {
    died: () => dead,
    env: {
      ...env,
      EVENTS_DB: database as unknown as D1Database,
      GALLERY: galleries as unknown as Env['GALLERY'],
      EVENT_IMAGES: watched(env.EVENT_IMAGES, ['get', 'put', 'delete', 'list']),
      EVENT_WORK: watched(env.EVENT_WORK, ['send']),
      EVENT_REEMBED: watched(env.EVENT_REEMBED, ['send']),
    },
  };
}
