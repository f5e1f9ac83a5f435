import { copyFileSync, cpSync, existsSync, mkdirSync, readdirSync, symlinkSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { type Door, Missing, type Place, type Steps } from './door.ts';
import { runCommand, runProgram } from './run-program.ts';

const PROGRAMS = import.meta.dirname;
const CLIENTS = join(PROGRAMS, '..', '..', 'clients');
const PYTHONS = ['python3', '/usr/bin/python3', 'python3.13', 'python3.12', 'python3.11'];
const QUICKFIX = '/usr/include/quickfix/SocketInitiator.h';

/** The TypeScript library, from the tarball that would be published, in a folder that has nothing else of ours. */
const sdk: Door = {
  name: 'TypeScript, packed',
  attempt: (place) => runPacked(place, 'sdk', []),
};

/** The driver for ccxt, from its tarball, beside the packages that npm would install with it. */
const ccxt: Door = {
  name: 'ccxt, packed',
  attempt: (place) => runPacked(place, 'ccxt', ['ccxt', '@noble/hashes']),
};

async function runPacked(place: Place, name: string, besides: readonly string[]): Promise<Steps> {
  const cwd = folderOf(place, name);
  const modules = join(cwd, 'node_modules');
  const installed = join(modules, '@edge-exchange', name);
  mkdirSync(installed, { recursive: true });
  const pack = ['pack', '--silent', '--pack-destination', cwd];
  await runCommand({ command: 'npm', args: pack, cwd: join(CLIENTS, name) });
  const tarball = readdirSync(cwd).find((file) => file.endsWith('.tgz')) ?? '';
  await runCommand({ command: 'tar', args: ['-xzf', tarball, '-C', installed, '--strip-components=1'], cwd });
  for (const besideIt of besides) {
    mkdirSync(dirname(join(modules, besideIt)), { recursive: true });
    symlinkSync(join(CLIENTS, '..', 'node_modules', besideIt), join(modules, besideIt));
  }
  copyFileSync(join(PROGRAMS, `${name}-program.mjs`), join(cwd, 'program.mjs'));
  return runProgram(place, { command: process.execPath, args: ['program.mjs'], cwd });
}

/** The Python library, from its wheel, which Python imports as it is. */
const python: Door = {
  name: 'Python, as a wheel',
  async attempt(place) {
    const cwd = folderOf(place, 'python');
    const command = await pythonWith(cwd);
    const source = join(cwd, 'source');
    cpSync(join(CLIENTS, 'python'), source, { recursive: true });
    const build = ['-B', '-m', 'build', '--wheel', '--no-isolation', '--outdir', cwd];
    await runCommand({ command, args: build, cwd: source });
    const wheel = readdirSync(cwd).find((name) => name.endsWith('.whl')) ?? '';
    copyFileSync(join(PROGRAMS, 'python_program.py'), join(cwd, 'program.py'));
    const env = { PYTHONPATH: join(cwd, wheel) };
    return runProgram(place, { command, args: ['-B', 'program.py'], cwd, env });
  },
};

/** A FIX engine that is none of ours. */
const quickfix: Door = {
  name: 'FIX, by QuickFIX',
  async attempt(place) {
    if (place.fix === null) throw new Missing('no gateway for FIX: FIX_ADDRESS names one');
    if (!existsSync(QUICKFIX)) throw new Missing('libquickfix-dev of Debian is not installed');
    const cwd = folderOf(place, 'quickfix');
    const command = join(cwd, 'program');
    const source = join(PROGRAMS, 'quickfix_program.cpp');
    // Its headers are of before C++17.
    const options = ['-std=c++14', '-w', '-o', command, source, '-lquickfix', '-lpthread'];
    await runCommand({ command: 'g++', args: options, cwd });
    return runProgram(place, { command, args: [], cwd });
  },
};

export const PACKAGED_DOORS: readonly Door[] = [sdk, ccxt, python, quickfix];

function folderOf({ folder }: Place, name: string): string {
  const path = join(folder, name);
  mkdirSync(path);
  return path;
}

async function pythonWith(cwd: string): Promise<string> {
  const asked = 'import sys, websockets, build, wheel, setuptools; sys.exit(sys.version_info < (3, 11))';
  for (const command of PYTHONS) {
    try {
      await runCommand({ command, args: ['-c', asked], cwd });
      return command;
    } catch {}
  }
  throw new Missing('no Python from 3.11 on with websockets, build, wheel and setuptools (of Debian: python3-…)');
}
