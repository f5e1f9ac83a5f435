import { execFile } from 'node:child_process';
import { type Place, type Steps, WAIT_MS } from './door.ts';

interface Program {
  readonly command: string;
  readonly args: readonly string[];
  readonly cwd: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** Runs a command; resolves with what it printed. */
export function runCommand({ command, args, cwd, env = {} }: Program): Promise<string> {
  return new Promise((resolve, reject) => {
    const options = { cwd, env: { ...process.env, ...env }, timeout: WAIT_MS };
    execFile(command, args, options, (failed, stdout, stderr) => {
      if (failed === null) resolve(stdout);
      else reject(new Error(`${command} ended with ${failed.code ?? failed.signal}: ${lastLine(stderr || stdout)}`));
    });
  });
}

/** Runs a program that prints its steps as the last line, in JSON. It finds where it is tried in its environment. */
export async function runProgram(place: Place, program: Program): Promise<Steps> {
  const printed = await runCommand({
    ...program,
    env: {
      ...program.env,
      ORIGIN: place.origin,
      FIX_ADDRESS: place.fix ?? '',
      KEY: place.key.id,
      SECRET: place.key.secret,
      SYMBOL: place.symbol,
      PRICE: place.price,
    },
  });
  return JSON.parse(lastLine(printed)) as Steps;
}

function lastLine(text: string): string {
  return text.trim().split('\n').at(-1) ?? '';
}
