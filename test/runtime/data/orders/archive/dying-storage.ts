import { env } from 'cloudflare:workers';

/** Storage of a run that dies at one of its calls. */
export interface DyingStorage {
  readonly env: Pick<Env, 'DB' | 'ORDER_ARCHIVE' | 'ORDER_ARCHIVE_AFTER_DAYS'>;
  /** Whether it came to that call. */
  readonly died: () => boolean;
  /** Calls to the bucket so far. */
  readonly reads: () => number;
}

/**
 * D1 and the bucket of the archive for a run that dies at the nth call (from 0) to either: with the call `before` it has its effect, or
 * `after`, when only the answer is lost. Nothing that it calls afterwards does anything. The storage itself is real.
 */
export function dyingStorage(n: number, moment: 'before' | 'after'): DyingStorage {
  let calls = 0;
  let dead = false;
  let reads = 0;
  async function pass<T>(call: () => Promise<T>): Promise<T> {
    if (dead) throw new Error('killed');
    if (calls++ !== n) return call();
    if (moment === 'after') await call();
    dead = true;
    throw new Error('killed');
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
  const db = {
    prepare: (query: string) => statement(env.DB.prepare(query)),
    batch: (statements: D1PreparedStatement[]) =>
      pass(() => env.DB.batch(statements.map((one) => real.get(one) ?? one))),
  };
  const bucket = {
    get: (key: string) => {
      reads += 1;
      return pass(() => env.ORDER_ARCHIVE.get(key));
    },
    put: (key: string, text: string, options: R2PutOptions) => pass(() => env.ORDER_ARCHIVE.put(key, text, options)),
    head: (key: string) => pass(() => env.ORDER_ARCHIVE.head(key)),
    delete: (keys: string[]) => pass(() => env.ORDER_ARCHIVE.delete(keys)),
  };
  return {
    died: () => dead,
    reads: () => reads,
    env: { ...env, DB: db as unknown as D1Database, ORDER_ARCHIVE: bucket as unknown as R2Bucket },
  };
}

/** The same, living on: it counts. */
export function countingStorage(): DyingStorage {
  return dyingStorage(Number.POSITIVE_INFINITY, 'before');
}
