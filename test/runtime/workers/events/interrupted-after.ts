import { env } from 'cloudflare:workers';

/** The bindings of the events service, whose call after so many others does not come through, nor any later one. */
export function interruptedAfter(calls: number): Env {
  let left = calls;
  const failing = <T extends object>(binding: T, ...counted: string[]): T =>
    new Proxy(binding, {
      get(target, name) {
        const value = Reflect.get(target, name) as unknown;
        if (typeof value !== 'function') return value;
        const method = value.bind(target) as (...args: unknown[]) => unknown;
        if (!counted.includes(String(name))) return method;
        return (...args: unknown[]) => {
          if (left === 0) throw new Error('interrupted');
          left--;
          return method(...args);
        };
      },
    });
  return {
    ...env,
    EVENTS_DB: failing(env.EVENTS_DB, 'batch', 'prepare'),
    EVENT_KEYS: failing(env.EVENT_KEYS, 'delete'),
    EVENT_IMAGES: failing(env.EVENT_IMAGES, 'list', 'delete'),
    GALLERY: failing(env.GALLERY, 'getByName'),
  };
}
