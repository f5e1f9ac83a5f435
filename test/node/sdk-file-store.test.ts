import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { hostname, tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { type IcebergState, startIceberg } from '../../clients/sdk/algorithms/iceberg.ts';
import { type Kept, LeasedState, StateHeld } from '../../clients/sdk/algorithms/lease.ts';
import { fileStore } from '../../clients/sdk/file-store.ts';

const SDK = join(import.meta.dirname, '..', '..', 'clients', 'sdk');
const terms = {
  symbol: 'ACME-USD',
  side: 'buy',
  quantity: '10',
  limitPrice: '20',
  lotSize: '1',
  sizeMin: '1',
} as const;
const begun = startIceberg('run', { ...terms, sliceSize: '4', jitterPercent: 0 });
const keptBy = (holder: string | null, placed = 1): Kept<IcebergState> => ({
  state: { ...begun, placed },
  lease: holder === null ? null : { holder, until: 9e12 },
});

let folder: string;
let path: string;
beforeEach(() => {
  folder = mkdtempSync(join(tmpdir(), 'file-store-'));
  path = join(folder, 'run.json');
});
afterEach(() => rmSync(folder, { recursive: true }));

const leased = () => new LeasedState(fileStore<IcebergState>(path), begun, Date.now);

describe('a state in files', () => {
  test('has one version at a time, which only the first one gets', async () => {
    const [one, other] = [fileStore<IcebergState>(path), fileStore<IcebergState>(path)];
    expect(await one.read()).toBeNull();
    const raced = await Promise.all([one.swap(0, keptBy('one')), other.swap(0, keptBy('other'))]);
    expect(raced.filter((isKept) => isKept)).toHaveLength(1);
    expect(await one.swap(1, keptBy('one', 2))).toBe(true);
    expect(await other.swap(1, keptBy('other', 3))).toBe(false);
    expect(await other.read()).toEqual({ kept: keptBy('one', 2), version: 2 });
    expect(readdirSync(folder)).toEqual(['run.json.2']);
  });

  test('is not overtaken by one who was asleep while versions came and went', async () => {
    const [awake, asleep] = [fileStore<IcebergState>(path), fileStore<IcebergState>(path)];
    for (const version of [0, 1, 2, 3]) await awake.swap(version, keptBy('awake', version));
    expect(await asleep.swap(1, keptBy('asleep'))).toBe(false);
    expect(await awake.read()).toMatchObject({ version: 4, kept: { lease: { holder: 'awake' } } });
    expect(readdirSync(folder)).toEqual(['run.json.4']);
  });

  test('is read past what a crash has left: a half of a version, and an old one', async () => {
    const store = fileStore<IcebergState>(path);
    await store.swap(0, keptBy('one'));
    writeFileSync(`${path}.0b6f6f0e.new`, '{"state"');
    writeFileSync(`${path}.2`, JSON.stringify(keptBy('one', 2)));
    expect(await store.read()).toMatchObject({ version: 2 });
    expect(await store.swap(2, keptBy('one', 3))).toBe(true);
    expect(readdirSync(folder).filter((name) => !name.endsWith('.new'))).toEqual(['run.json.3']);
  });

  test('says who runs it while that process lives, and is taken at once when it is gone', async () => {
    const first = leased();
    await first.take();
    const refused = await leased()
      .take()
      .catch((error: unknown) => error);
    expect(refused).toBeInstanceOf(StateHeld);
    expect(String(refused)).toContain(`${hostname()} process ${process.pid}`);
    await first.release();
    writeFileSync(
      join(folder, 'crash.mjs'),
      `import { LeasedState } from '${SDK}/algorithms/lease.ts';
import { fileStore } from '${SDK}/file-store.ts';
await new LeasedState(fileStore(${JSON.stringify(path)}), ${JSON.stringify(begun)}, Date.now).take();
process.exit(1);
`,
    );
    expect(() => execFileSync(process.execPath, ['crash.mjs'], { cwd: folder, stdio: 'ignore' })).toThrow();
    const [left = ''] = readdirSync(folder).filter((name) => name.startsWith('run.json.'));
    expect(JSON.parse(readFileSync(join(folder, left), 'utf8')).lease.until).toBeGreaterThan(Date.now());
    expect(await leased().take()).toEqual(begun);
  });

  test('waits for a process of another machine, and for none of this process that was before it', async () => {
    const store = fileStore<IcebergState>(path);
    expect(store.isGone?.(`elsewhere process ${process.pid} 0b6f`)).toBe(false);
    expect(store.isGone?.(`${hostname()} process ${process.pid} 0b6f`)).toBe(true);
    expect(store.isGone?.(`${hostname()} process ${process.ppid} 0b6f`)).toBe(false);
    expect(store.isGone?.('whoever')).toBe(false);
  });
});
