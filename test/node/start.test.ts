import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, it, vi } from 'vitest';
import { missingFiles } from '../../scripts/local/built-files.ts';
import { linesThatMatter, saysUnbuildable } from '../../scripts/local/log-lines.ts';
import { listProcesses, processOf } from '../../scripts/local/process-group.ts';
import { isServerAlive, isStarterAlive, type Running } from '../../scripts/local/running.ts';
import { chosenServices } from '../../scripts/local/services.ts';
import { IDLE_LOOKS_MAX, LOOKS_MAX, LOOKS_UNTIL_TOLD, waitUntilReady } from '../../scripts/local/wait-until-ready.ts';

const KEEPER = join(import.meta.dirname, '..', '..', 'scripts', 'local', 'group-keeper.ts');
const folders: string[] = [];
const started: ChildProcess[] = [];

function folder(): string {
  const path = mkdtempSync(join(tmpdir(), 'start-test-'));
  folders.push(path);
  return path;
}

afterEach(() => {
  for (const child of started.splice(0)) child.kill('SIGKILL');
  for (const path of folders.splice(0)) rmSync(path, { recursive: true, force: true });
});

describe('B-15: a start waits for the server', () => {
  /** A server that answers at this look, and works as long as `works` says. */
  async function waits({
    answersAt,
    works,
    endsAt = Number.POSITIVE_INFINITY,
    failsAt = Number.POSITIVE_INFINITY,
  }: {
    answersAt: number;
    works: (look: number) => boolean;
    endsAt?: number;
    failsAt?: number;
  }) {
    let looks = 0;
    let work = 0;
    const said: string[] = [];
    const outcome = await waitUntilReady(['book/healthz'], {
      isHealthy: async () => looks >= answersAt,
      hasEnded: () => looks >= endsAt,
      isUnbuildable: () => looks >= failsAt,
      work: () => (works(looks) ? ++work : work),
      pause: async () => void looks++,
      say: (text) => void said.push(text),
    });
    return { outcome, looks, said };
  }

  it('E-17, R-21: as long as it works, however long that is, and says what it waits for', async () => {
    const { outcome, said } = await waits({ answersAt: 5 * IDLE_LOOKS_MAX, works: () => true });
    expect(outcome).toEqual({ type: 'ready' });
    expect(said).toHaveLength((5 * IDLE_LOOKS_MAX) / LOOKS_UNTIL_TOLD);
    expect(said[0]).toContain('book/healthz');
  });

  it('R-21: and gives up where it does nothing any more', async () => {
    const { outcome, looks } = await waits({ answersAt: Number.POSITIVE_INFINITY, works: (look) => look < 100 });
    expect(outcome).toEqual({ type: 'idle', path: 'book/healthz' });
    expect(looks).toBeLessThan(IDLE_LOOKS_MAX + 110);
  });

  it('and begins to count anew whenever it works again', async () => {
    const { outcome } = await waits({
      answersAt: 3 * IDLE_LOOKS_MAX,
      works: (look) => look % (IDLE_LOOKS_MAX - 10) === 0,
    });
    expect(outcome).toEqual({ type: 'ready' });
  });

  it('and not for one that works without end', async () => {
    const { outcome, looks } = await waits({ answersAt: Number.POSITIVE_INFINITY, works: () => true });
    expect(outcome).toEqual({ type: 'never', path: 'book/healthz' });
    expect(looks).toBeLessThanOrEqual(LOOKS_MAX);
  });

  it('and says at once that it has ended', async () => {
    const { outcome, looks } = await waits({ answersAt: Number.POSITIVE_INFINITY, works: () => true, endsAt: 3 });
    expect(outcome).toEqual({ type: 'ended', path: 'book/healthz' });
    expect(looks).toBe(3);
  });

  it('and says at once that its code cannot be built, for which it waits itself', async () => {
    const { outcome, looks } = await waits({ answersAt: Number.POSITIVE_INFINITY, works: () => true, failsAt: 3 });
    expect(outcome).toEqual({ type: 'unbuildable', path: 'book/healthz' });
    expect(looks).toBe(3);
    expect(saysUnbuildable('\u001b[31m✘ \u001b[0m[ERROR] Build failed with \u001b[1m1\u001b[0m error:\n')).toBe(true);
    expect(saysUnbuildable('✘ [ERROR] a request failed: the build failed to answer\nBuild failed')).toBe(false);
  });
});

describe('B-15: of a log there is shown', () => {
  const bindings = Array.from(
    { length: 60 },
    (_, at) => `env.SETTING_${at} ("(hidden)")   Environment Variable   local`,
  );

  it('the complaint, and not the table of bindings after it', () => {
    const lines = linesThatMatter(
      ['⎔ Starting', '\u001b[31m✘ [ERROR]\u001b[0m Could not resolve "viem"', '  in a.ts:3', ...bindings].join('\n'),
    );
    expect(lines).toEqual(['⎔ Starting', '✘ [ERROR] Could not resolve "viem"', '  in a.ts:3']);
  });

  it('the last complaint, where much was written after it', () => {
    const lines = linesThatMatter(
      ['Address already in use', ...Array.from({ length: 100 }, () => '{"event":"x"}')].join('\n'),
    );
    expect(lines[0]).toBe('Address already in use');
  });

  it('the end, where nothing complains', () => {
    expect(linesThatMatter(['one', 'two', ...bindings].join('\n'))).toEqual(['one', 'two']);
  });
});

describe('a checkout without what the installation makes', () => {
  const put = (root: string, file: string, text: string) => {
    mkdirSync(dirname(join(root, file)), { recursive: true });
    writeFileSync(join(root, file), text);
  };

  it('B-15, X-16: is told which file is missing and what makes it', () => {
    const root = folder();
    put(root, 'web/reference/scalar.js', 'x');
    expect(missingFiles(root)).toContain('bls.wasm');
    expect(missingFiles(root)).toContain('node scripts/build-bls-module.ts');
    expect(missingFiles(root)).not.toContain('scalar.js');
    put(root, 'domain/consensus/checkpoints/bls.wasm', '');
    expect(missingFiles(root)).toContain('bls.wasm');
    put(root, 'domain/consensus/checkpoints/bls.wasm', 'x');
    expect(missingFiles(root)).toBeNull();
  });
});

describe('the server of a start that was killed', () => {
  const RUNNING: Running = { pid: 10, start: '100', server: 20, serverStart: '200', port: 8_787 };
  const listed = (pid: number, group: number, start: string, command = 'node') => ({
    pid,
    group,
    start,
    used: 0,
    command,
  });

  it('is known by its process id and its start', () => {
    expect(isStarterAlive(RUNNING, [listed(10, 10, '100')])).toBe(true);
    expect(isStarterAlive(RUNNING, [listed(10, 10, '101')])).toBe(false);
    expect(isServerAlive(RUNNING, [listed(20, 20, '200')])).toBe(true);
    expect(isServerAlive(RUNNING, [listed(20, 20, '201', 'node wrangler.js')])).toBe(false);
  });

  it('is found by what is left of its group, and no other program is taken for it', () => {
    expect(isServerAlive(RUNNING, [listed(21, 20, '210', '/x/workerd serve')])).toBe(true);
    expect(isServerAlive(RUNNING, [listed(21, 20, '210', 'vim notes')])).toBe(false);
    expect(isServerAlive(RUNNING, [])).toBe(false);
  });

  it('is listed by the system as it is, whatever its name', () => {
    const stat = '7 (a) (b c) S 1 42 42 0 -1 0 0 0 0 0 30 12 0 0 20 0 1 0 777 0 0';
    expect(processOf(7, stat, 'x')).toEqual({ pid: 7, group: 42, start: '777', used: 42, command: 'x' });
    expect(processOf(7, stat.replace(' S ', ' Z '), 'x')).toBeNull();
    expect(listProcesses().find(({ pid }) => pid === process.pid)?.start).toMatch(/\d/);
  });

  it.each(['starter', 'keeper', 'program'])(
    'E-17: leaves nothing when its %s ends by SIGKILL, not even what it has started itself',
    async (killed) => {
      const root = folder();
      const grandchild = 'setInterval(() => {}, 1e6);';
      // A server of two processes that take no notice of SIGTERM; both hold the pipe that this test reads.
      writeFileSync(
        join(root, 'server.mjs'),
        `process.on('SIGTERM', () => {});
       const { spawn } = await import('node:child_process');
       spawn(process.execPath, ['-e', ${JSON.stringify(grandchild)}], { stdio: ['ignore', 'inherit', 'inherit'] });
       console.log('program ' + process.pid);
       setInterval(() => {}, 1e6);`,
      );
      writeFileSync(
        join(root, 'starter.mjs'),
        `const { spawn } = await import('node:child_process');
       const child = spawn(process.execPath, [${JSON.stringify(KEEPER)}, '10', ${JSON.stringify(join(root, 'server.mjs'))}],
         { detached: true, stdio: ['ignore', 'inherit', 'inherit', 'ipc'] });
       console.log('keeper ' + child.pid);
       console.log('starter ' + process.pid);
       child.on('exit', () => process.exit());`,
      );
      const starter = spawn(process.execPath, [join(root, 'starter.mjs')], { stdio: ['ignore', 'pipe', 'inherit'] });
      started.push(starter);
      const closed = once(starter.stdout, 'close');
      let said = '';
      while (!/program \d+[\s\S]*/.test(said) || !/starter \d+/.test(said))
        said += String(((await once(starter.stdout, 'data')) as [Buffer])[0]);
      const pids = Object.fromEntries(
        Array.from(said.matchAll(/(\w+) (\d+)/g), ([, name, pid]) => [name, Number(pid)]),
      );
      if (killed === 'keeper') {
        // Its starter ends the group then, as scripts/start.ts does.
        process.kill(-(pids.keeper ?? 0), 'SIGKILL');
      } else process.kill(pids[killed] ?? 0, 'SIGKILL');
      await closed;
      // A process closes its files a moment before it has ended.
      await vi.waitFor(() => expect(listProcesses().filter(({ group }) => group === pids.keeper)).toEqual([]));
    },
  );
});

describe('SERVICES says what a start brings up beside the Worker', () => {
  it.each([
    ['not stated', undefined, ['inference', 'chains', 'grpc', 'fix']],
    ['empty', '', []],
    ['two of them, with a space', 'fix, chains', ['fix', 'chains']],
  ])('%s', (_, stated, services) => {
    expect([...chosenServices(stated)]).toEqual(services);
  });

  it('refuses a name that is none of them, and says which there are', () => {
    expect(() => chosenServices('chains,gprc')).toThrow(
      'SERVICES names "gprc", and there are inference, chains, grpc, fix.',
    );
  });
});
