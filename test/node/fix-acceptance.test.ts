import { execFile } from 'node:child_process';
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';

const SCRIPT = join(import.meta.dirname, '..', '..', 'scripts', 'fix-acceptance.ts');

test.each([
  ['false', 0, 'skipped'],
  ['true', 1, 'FAILED'],
])('FIX acceptance without scripts, with CI=%s, ends with %d and says why', async (CI, code, word) => {
  const folder = mkdtempSync(join(tmpdir(), 'no-scripts-'));
  const ended = await new Promise((resolve) => {
    execFile(process.execPath, [SCRIPT, folder], { env: { ...process.env, CI } }, (error, stdout) =>
      resolve({ code: error === null ? 0 : error.code, stdout }),
    );
  });
  expect(ended).toEqual({
    code,
    stdout: `${word}: there are no acceptance scripts in ${folder}\n0 passed, 0 failed\n`,
  });
});
