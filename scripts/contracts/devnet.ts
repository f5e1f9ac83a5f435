import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createRequire } from 'node:module';
import type { Socket } from 'node:net';
import { setTimeout as wait } from 'node:timers/promises';
import { type HDAccount, mnemonicToAccount } from 'viem/accounts';

/** Test accounts of the devnet: anvil's own, whose keys everybody knows. */
const MNEMONIC = 'test test test test test test test test test test test junk';
/** On a machine that is busy with other things. A devnet that cannot start ends at once, which is seen. */
const READY_MS_MAX = 120_000;
const POLL_MS = 25;
/** What a kill may lose of a chain that is kept in a file. */
const STATE_INTERVAL_S = 5;

export interface Devnet {
  readonly url: string;
  readonly chainId: number;
  readonly pid: number;
  stop(): Promise<void>;
}

export interface DevnetTerms {
  readonly chainId: number;
  /** 0 takes a free one. */
  readonly port?: number;
  /** A file in which the chain is kept; in memory alone when left out. */
  readonly state?: string;
  /** Seconds between blocks; a block for each transaction when left out. */
  readonly blockTime?: number;
  /** By whose rules it runs contracts, as Ethereum names it; anvil's newest when left out. */
  readonly hardfork?: string;
}

/** One of the devnet's accounts, which has ether. */
export function devnetAccount(index: number): HDAccount {
  return mnemonicToAccount(MNEMONIC, { addressIndex: index });
}

/** The program of the devnet; null where the package has none for this machine. */
export function anvilPath(): string | null {
  const machine = `${process.platform}-${process.arch === 'x64' ? 'amd64' : process.arch}`;
  const name = process.platform === 'win32' ? 'anvil.exe' : 'anvil';
  try {
    const { resolve } = createRequire(createRequire(import.meta.url).resolve('@foundry-rs/anvil/package.json'));
    return resolve(`@foundry-rs/anvil-${machine}/bin/${name}`);
  } catch {
    return null;
  }
}

/**
 * Starts a chain of its own.
 *
 * @throws Error where this machine has no anvil, or the chain does not answer in ten seconds
 */
export async function startDevnet({ chainId, port = 0, state, blockTime, hardfork }: DevnetTerms): Promise<Devnet> {
  const program = anvilPath();
  if (program === null) throw new Error(`anvil has no program for ${process.platform} on ${process.arch}`);
  const options = [
    '--host',
    '127.0.0.1',
    '--port',
    String(port),
    '--chain-id',
    String(chainId),
    '--mnemonic',
    MNEMONIC,
  ];
  if (state !== undefined) options.push('--state', state, '--state-interval', String(STATE_INTERVAL_S));
  if (blockTime !== undefined) options.push('--block-time', String(blockTime));
  if (hardfork !== undefined) options.push('--hardfork', hardfork);
  const child = spawn(program, options, { stdio: ['ignore', 'pipe', 'ignore'], detached: false });
  const ended = once(child, 'exit');
  const kill = () => child.kill('SIGKILL');
  process.once('exit', kill);
  child.once('exit', () => process.off('exit', kill));
  let said = '';
  child.stdout.on('data', (text: Buffer) => {
    if (said.length < 10_000) said += text.toString();
  });
  const address = () => /Listening on ([\d.]+:\d+)/.exec(said)?.[1];
  const until = Date.now() + READY_MS_MAX;
  while (address() === undefined) {
    if (child.exitCode !== null || Date.now() > until) {
      child.kill('SIGKILL');
      throw new Error(`the devnet of chain ${chainId} did not start: ${said.trim()}`);
    }
    await wait(POLL_MS);
  }
  // Whoever has started it may end without it: then it is killed.
  child.unref();
  (child.stdout as Socket).unref();
  const stop = async () => {
    child.ref();
    child.kill('SIGTERM');
    await ended;
  };
  return { url: `http://${address()}`, chainId, pid: child.pid ?? 0, stop };
}
