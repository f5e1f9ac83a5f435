import { execFile } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** Tools of the pages that not every machine has: their lines are left out, and named. */
const NOT_EVERYWHERE = /^(grpcurl|npx|npm)\b/;

/** What a page shows in a shell: its blocks of `sh`, and the lines of indented ones that call `curl`, in their order. */
export function commandsOf(page: string): string {
  const commands: string[] = [];
  let block: 'sh' | 'other' | null = null;
  for (const line of page.split('\n')) {
    const fence = /^```(\w*)$/.exec(line.trim());
    if (fence !== null) block = block === null ? (fence[1] === 'sh' ? 'sh' : 'other') : null;
    else if (block === 'sh') commands.push(line);
    else if (block === null && /^ {2,}curl /.test(line)) commands.push(line.trim());
  }
  return commands.filter((line) => !NOT_EVERYWHERE.test(line)).join('\n');
}

/** One call of curl, as a page has made it. */
export interface PageCall {
  readonly status: number;
  /** What it was called with, the secrets of the demo included. */
  readonly line: string;
  readonly body: string;
}

/** `curl`, which notes what it was called with and how it was answered, and else is as it was. */
const NOTING = `
curl() {
  local said status
  said=$(command curl --max-time 60 -w '\\n%{http_code}' "$@") || return
  status=\${said##*$'\\n'}
  said=\${said%$'\\n'*}
  printf '%s\\0%s\\0%s\\0' "$status" "$*" "$said" >> "$CALLS"
  printf '%s\\n' "$said"
}
set -eo pipefail
`;

/** Runs what a page shows, in one shell, against a system at another place than the page says. */
export async function runPage(
  page: string,
  origin: string,
): Promise<{ readonly calls: PageCall[]; readonly error: string | null }> {
  const folder = mkdtempSync(join(tmpdir(), 'page-'));
  const calls = join(folder, 'calls');
  writeFileSync(calls, '');
  const script = NOTING + commandsOf(page).replaceAll('localhost:8787', new URL(origin).host);
  try {
    const error = await new Promise<string | null>((resolve) => {
      execFile('bash', ['-c', script], { env: { ...process.env, CALLS: calls } }, (failed, stdout, stderr) =>
        resolve(failed === null ? null : `${failed.message}\n${stdout}\n${stderr}`),
      );
    });
    const parts = readFileSync(calls, 'utf8').split('\0');
    return {
      error,
      calls: Array.from({ length: Math.floor(parts.length / 3) }, (_, at) => {
        const [status, line = '', body = ''] = parts.slice(at * 3);
        return { status: Number(status), line, body };
      }),
    };
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
}
