import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { readPatterns } from './fix/compare-message.ts';
import { runScript } from './fix/run-script.ts';
import { readScript } from './fix/script.ts';
import { startAcceptanceGateway } from './fix/start-acceptance-gateway.ts';

/**
 * `npm run fix:acceptance [-- <folder>]`: runs every acceptance script of a folder against the session layer of the FIX gateway. The
 * last line counts; the exit status is 1 when a script fails, and in CI when there is none to run though the
 * shared data, or the folder that was named, is expected there.
 */
const FOLDER_DEFAULT = join(import.meta.dirname, '..', '..', 'shared', 'data', 'fix44');

const folder = resolve(process.argv[2] ?? FOLDER_DEFAULT);
const scripts = existsSync(folder) ? readdirSync(folder).filter((name) => name.endsWith('.def')) : [];
if (scripts.length > 0) await runScripts();
else {
  const isNamed = process.argv[2] !== undefined;
  // Where the folder of shared data is missing as a whole, nothing of it is expected.
  const isCi = process.env.CI === 'true' && (isNamed || existsSync(join(FOLDER_DEFAULT, '..', '..')));
  console.log(`${isCi ? 'FAILED' : 'skipped'}: there are no acceptance scripts in ${folder}\n0 passed, 0 failed`);
  process.exitCode = isCi ? 1 : 0;
}

async function runScripts(): Promise<void> {
  // The gateway's own log would drown the lines of this command.
  const write = process.stdout.write.bind(process.stdout);
  process.stdout.write = () => true;
  const gateway = await startAcceptanceGateway({ storeFolder: mkdtempSync(join(tmpdir(), 'fix-acceptance-')) });
  const formats = join(folder, 'fields.fmt');
  const patterns = readPatterns(existsSync(formats) ? readFileSync(formats, 'latin1') : '');
  let failed = 0;
  for (const name of scripts.sort()) {
    const problem = await problemOf(readFileSync(join(folder, name), 'latin1'), gateway.port, patterns);
    if (problem !== null) failed += 1;
    write(`${problem === null ? 'passed' : 'FAILED'}  ${name}${problem === null ? '' : `: ${problem}`}\n`);
  }
  write(`${scripts.length - failed} passed, ${failed} failed\n`);
  await gateway.drain();
  process.exitCode = failed === 0 ? 0 : 1;
}

async function problemOf(
  text: string,
  port: number,
  patterns: ReturnType<typeof readPatterns>,
): Promise<string | null> {
  try {
    return await runScript(readScript(text), port, patterns);
  } catch (error) {
    return error instanceof Error ? error.message : String(error);
  }
}
