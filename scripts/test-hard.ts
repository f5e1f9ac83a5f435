import { spawn } from 'node:child_process';
import { once } from 'node:events';

/**
 * `npm run test:hard [-- passes [seed]]`: every test, its files in random order and its properties with cases of their own, beside two loops that keep a core busy each. It stops at the first pass that is red and
 * names its seed, with which the same order and cases come again. Tests inside a file keep their order: many are steps of one story.
 */
const BUSY_LOOPS = 2;

const [passes = '1', stated] = process.argv.slice(2);

/** @returns the exit status of vitest */
async function pass(seed: number): Promise<number> {
  const loops = Array.from({ length: BUSY_LOOPS }, () =>
    spawn(
      process.execPath,
      [
        '--eval',
        `process.on('disconnect', () => process.exit()); setImmediate(function busy() { const end = Date.now() + 50; while (Date.now() < end); setImmediate(busy); })`,
      ],
      {
        stdio: ['ignore', 'ignore', 'ignore', 'ipc'],
      },
    ),
  );
  try {
    const tests = spawn(
      process.execPath,
      ['node_modules/vitest/vitest.mjs', 'run', '--sequence.shuffle.files', `--sequence.seed=${seed}`],
      { stdio: 'inherit', env: { ...process.env, CASE_SEED: String(seed) } },
    );
    const [code] = (await once(tests, 'exit')) as [number | null];
    return code ?? 1;
  } finally {
    for (const loop of loops) loop.kill('SIGKILL');
  }
}

for (let n = 0; n < Number(passes); n++) {
  const seed = stated === undefined ? Date.now() % 1_000_000 : Number(stated) + n;
  console.log(`pass ${n + 1} of ${passes}, seed ${seed}`);
  const code = await pass(seed);
  if (code !== 0) {
    console.error(`red. The same order and cases again: npm run test:hard -- 1 ${seed}`);
    process.exit(code);
  }
}
