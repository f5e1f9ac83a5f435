import { type ChildProcess, fork } from 'node:child_process';
import { once } from 'node:events';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const MAIN = join(import.meta.dirname, '..', '..', 'containers', 'bridge-signer', 'main.ts');
const NUMBERS = [0, 1, 2, 3, 4];

/** A call that has come for a signer, as `sign`. */
export interface SignerCallSeen {
  readonly signer: number;
  readonly call: string;
}

/** Five signers that an organization runs, each a process with a memory of its own. */
export interface OwnSigners {
  /** Opens each of them. */
  readonly token: string;
  /** Where the exchange reaches the five, by number: one door to all, which outlives each process. */
  readonly addresses: readonly string[];
  /** Every call that has come to the door, whether its signer was there or not. */
  readonly seen: readonly SignerCallSeen[];
  /** Waited for before a call goes on to its signer. */
  before: (call: SignerCallSeen) => Promise<void>;
  /** Starts signers that do not run, all where none is named; `places`, where given, says from now on where chains and vaults are. */
  start(organization: string, options?: { readonly of?: readonly number[]; readonly places?: object }): Promise<void>;
  /** Ends all by SIGTERM, as a restart does. */
  stop(): Promise<void>;
  /** SIGKILL. */
  kill(...of: readonly number[]): Promise<void>;
  /** Kills all, and removes what they had on disk. */
  close(): Promise<void>;
}

export async function ownSigners(): Promise<OwnSigners> {
  const token = 'a-token-of-the-tenants-own-signers-0123';
  const folder = mkdtempSync(join(tmpdir(), 'own-signers-'));
  const running = new Map<number, { readonly child: ChildProcess; readonly port: number }>();
  const seen: SignerCallSeen[] = [];
  const placesFile = join(folder, 'places.json');
  let hasPlaces = false;

  async function startOne(organization: string, number: number): Promise<void> {
    const child = fork(MAIN, {
      // Its end is told by the channel, so none outlives the test.
      stdio: ['ignore', 'ignore', 'inherit', 'ipc'],
      env: {
        ...process.env,
        BRIDGE_SIGNER_TOKEN: token,
        BRIDGE_SIGNER_PORT: '0',
        BRIDGE_SIGNER_ORGANIZATIONS: organization,
        BRIDGE_SIGNER_NUMBER: String(number),
        BRIDGE_SIGNER_KEY: Buffer.alloc(32, number + 1).toString('base64url'),
        BRIDGE_SIGNER_MEMORY: join(folder, String(number)),
        ...(hasPlaces && { BRIDGE_SIGNER_PLACES: placesFile }),
      },
    });
    const ended = once(child, 'exit').then(() => {
      running.delete(number);
      return null;
    });
    const said = await Promise.race([once(child, 'message') as Promise<[{ port: number }]>, ended]);
    if (said === null) throw new Error(`signer ${number} ended while starting`);
    running.set(number, { child, port: said[0].port });
  }

  async function end(signal: NodeJS.Signals, of: readonly number[]): Promise<void> {
    const children = of.flatMap((number) => running.get(number)?.child ?? []);
    const ended = children.map((child) => once(child, 'exit'));
    for (const child of children) child.kill(signal);
    await Promise.all(ended);
  }

  async function pass(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const [, number = '', path = '', call = ''] = /^\/([0-4])(\/v1\/[^/]+\/(\w+))$/.exec(request.url ?? '') ?? [];
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const asked = { signer: Number(number), call };
    seen.push(asked);
    await signers.before(asked);
    const signer = running.get(asked.signer);
    if (signer === undefined) throw new Error('nobody listens there');
    const { authorization = '' } = request.headers;
    const answered = await fetch(`http://127.0.0.1:${signer.port}${path}`, {
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: Buffer.concat(chunks),
    });
    response.writeHead(answered.status, { 'content-type': 'application/json' }).end(await answered.text());
  }

  const server = createServer((request, response) => {
    pass(request, response).catch(() => response.socket?.destroy());
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const { port } = server.address() as AddressInfo;

  const signers: OwnSigners = {
    token,
    addresses: NUMBERS.map((number) => `http://127.0.0.1:${port}/${number}`),
    seen,
    before: async () => undefined,
    async start(organization, { of = NUMBERS, places } = {}) {
      if (places !== undefined) {
        writeFileSync(placesFile, JSON.stringify(places));
        hasPlaces = true;
      }
      await Promise.all(of.filter((number) => !running.has(number)).map((number) => startOne(organization, number)));
    },
    stop: () => end('SIGTERM', NUMBERS),
    kill: (...of) => end('SIGKILL', of),
    async close() {
      await end('SIGKILL', NUMBERS);
      server.closeAllConnections();
      server.close();
      await once(server, 'close');
      rmSync(folder, { recursive: true, force: true });
    },
  };
  return signers;
}
