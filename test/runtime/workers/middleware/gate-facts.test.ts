import { describe, expect, it } from 'vitest';
import { Loaded } from '../../../../durable-objects/gate/loaded.ts';
import { RevocationMemory } from '../../../../durable-objects/gate/revocation-memory.ts';

describe('facts that the Gate holds', () => {
  it('are read once, by many who ask at once, and again after a minute', async () => {
    let reads = 0;
    const loaded = new Loaded(async () => ++reads);
    expect(await Promise.all([loaded.get(0), loaded.get(0), loaded.get(0)])).toEqual([1, 1, 1]);
    expect(loaded.get(59_999)).toBe(1);
    expect(await loaded.get(60_000)).toBe(2);
  });

  it('are never served from before a change: a read under way when it came is read again', async () => {
    let stored = 'before';
    let finish = () => {};
    const loaded = new Loaded(async () => {
      const seen = stored;
      await new Promise<void>((resolve) => {
        finish = resolve;
      });
      return seen;
    });
    const asked = Promise.resolve(loaded.get(0));
    stored = 'after';
    loaded.drop();
    finish();
    await scheduler.wait(0);
    finish();
    expect(await asked).toBe('after');
  });

  it('outlive a database that cannot be read, but not a change', async () => {
    let broken = false;
    const loaded = new Loaded(async () => {
      if (broken) throw new Error('D1 is out of reach');
      return 'facts';
    });
    await loaded.get(0);
    broken = true;
    expect(await loaded.get(60_000)).toBe('facts');
    loaded.drop();
    await expect(loaded.get(60_000)).rejects.toThrow('out of reach');
  });
});

describe('revocations that the Gate remembers', () => {
  it('are looked up once per token, and anew after each revocation', async () => {
    const revoked = new Set<string>();
    let lookups = 0;
    const memory = new RevocationMemory(async (ids) => {
      lookups++;
      return new Set(ids.filter((id) => revoked.has(id)));
    });
    expect(await memory.isRevoked(['token', 'grant'], 0)).toBe(false);
    expect(await memory.isRevoked(['token', 'grant'], 1)).toBe(false);
    expect(lookups).toBe(1);
    revoked.add('grant');
    memory.clear();
    expect(await memory.isRevoked(['token', 'grant'], 2)).toBe(true);
    expect(await memory.isRevoked(['other', 'grant'], 3)).toBe(true);
  });

  it('outlive a database that cannot be read; a token never seen does not pass', async () => {
    let broken = false;
    const memory = new RevocationMemory(async () => {
      if (broken) throw new Error('D1 is out of reach');
      return new Set();
    });
    await memory.isRevoked(['token'], 0);
    broken = true;
    expect(await memory.isRevoked(['token'], 60_000)).toBe(false);
    await expect(memory.isRevoked(['unseen'], 60_000)).rejects.toThrow('out of reach');
  });
});
