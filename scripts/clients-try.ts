import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { demoKeyOf } from '../application/seed/demo-credentials.ts';
import { localSystem } from '../test/black-box/local-system.ts';
import { type Door, Missing, type Place, type Steps } from './clients-try/door.ts';
import { grpcDoor } from './clients-try/grpc-door.ts';
import { NEAR_DOORS } from './clients-try/near-doors.ts';
import { PACKAGED_DOORS } from './clients-try/packaged-doors.ts';

/**
 * `npm run clients:try`: one order is placed, seen and cancelled through each client: the TypeScript library from its tarball, the Python one from its
 * wheel, ccxt's driver from its tarball, gRPC by reflection, FIX by QuickFIX, and the agent server over stdio. At a system that is started for it, or at ORIGIN
 * (then GRPC_ADDRESS and FIX_ADDRESS name its gateways, and KEY and SECRET a key that may trade SYMBOL at PRICE). Prints a table, and
 * exits 1 where a door fails; one for which something is missing says what, and fails nothing.
 */
const DOORS: readonly Door[] = [...PACKAGED_DOORS, ...NEAR_DOORS, grpcDoor];

type Outcome = { readonly steps: Steps } | { readonly missing: string } | { readonly failed: string };

const folder = mkdtempSync(join(tmpdir(), 'clients-try-'));
try {
  process.exitCode = await tryAll();
} finally {
  rmSync(folder, { recursive: true, force: true });
}

async function tryAll(): Promise<number> {
  const { ORIGIN, GRPC_ADDRESS = null, FIX_ADDRESS = null } = process.env;
  if (ORIGIN !== undefined) return tryAt({ ...terms(), origin: ORIGIN, grpc: GRPC_ADDRESS, fix: FIX_ADDRESS });
  console.log('starting a system; ORIGIN names one that runs');
  const system = await localSystem({ SERVICES: 'grpc,fix' });
  try {
    const printed = await system.start();
    const grpc = /gRPC +(localhost:\d+)/.exec(printed)?.[1] ?? null;
    const fix = /FIX 4\.4 +(localhost:\d+)/.exec(printed)?.[1] ?? null;
    return await tryAt({ ...terms(), origin: system.origin, grpc, fix });
  } finally {
    await system.stop('SIGTERM');
  }
}

function terms(): Omit<Place, 'origin' | 'grpc' | 'fix'> {
  const demo = demoKeyOf('bob');
  const { KEY = demo.id, SECRET = demo.secret, SYMBOL = 'ACME-USD', PRICE = '19.50' } = process.env;
  return { key: { id: KEY, secret: SECRET }, symbol: SYMBOL, price: PRICE, folder };
}

async function tryAt(place: Place): Promise<number> {
  const rows: (readonly [door: string, outcome: Outcome])[] = [];
  for (const door of DOORS) rows.push([door.name, await tried(door, place)]);
  const width = Math.max(...rows.map(([name]) => name.length));
  console.log(`\n${place.origin}`);
  for (const [name, outcome] of rows) console.log(`${name.padEnd(width)}  ${wordsOf(outcome)}`);
  const failed = rows.filter(([, outcome]) => 'failed' in outcome).length;
  const missing = rows.filter(([, outcome]) => 'missing' in outcome).length;
  console.log(`\n${rows.length - failed - missing} worked, ${failed} failed, ${missing} could not be tried`);
  return failed === 0 ? 0 : 1;
}

async function tried(door: Door, place: Place): Promise<Outcome> {
  try {
    return { steps: await door.attempt(place) };
  } catch (error) {
    const message = error instanceof Error ? error.message : String(error);
    return error instanceof Missing ? { missing: message } : { failed: message };
  }
}

function wordsOf(outcome: Outcome): string {
  if ('missing' in outcome) return `not tried: ${outcome.missing}`;
  if ('failed' in outcome) return `FAILED: ${outcome.failed}`;
  const { placed, seen, cancelled } = outcome.steps;
  return `placed ${placed}, seen (${seen}), cancelled (${cancelled})`;
}
