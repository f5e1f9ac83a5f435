import { createHash } from 'node:crypto';
import { createServer as createHealthServer } from 'node:http';
import type { AddressInfo, Socket } from 'node:net';
import { join } from 'node:path';
import type { Settings } from './settings.ts';
import { SessionFile } from './store/session-file.ts';
import { acceptConnection } from './transport/accept-connection.ts';
import type { Peer } from './transport/authenticator.ts';
import type { Backend } from './transport/backend.ts';
import { createListener } from './transport/create-listener.ts';
import { SessionHost } from './transport/session-host.ts';

/** FIX 4.4 volume 2 suggests two minutes. */
const CLOCK_SKEW_MS_MAX = 120_000;
const LOGOUT_WAIT_MS = 2_500;

export interface Gateway {
  readonly port: number;
  readonly healthPort: number;
  /** Logs every session out, lets what is in work finish, and closes the stores. */
  drain(): Promise<void>;
}

/** Serves FIX sessions, and GET /healthz beside. */
export async function startGateway(
  settings: Omit<Settings, 'exchangeUrl' | 'gatewaySecret'>,
  backend: Backend,
): Promise<Gateway> {
  const { compId, isTest, schedule, storeFolder } = settings;
  const hosts = new Map<string, SessionHost>();
  const sockets = new Set<Socket>();
  let draining = false;

  const hostOf = (peer: Peer): SessionHost | null => {
    if (draining) return null;
    const known = hosts.get(peer.session);
    if (known !== undefined) return known;
    const file = `${createHash('sha256').update(peer.session).digest('hex').slice(0, 32)}.jsonl`;
    const host = new SessionHost(
      peer.session,
      {
        senderCompId: compId,
        targetCompId: peer.compId,
        resetOnLogon: backend.resetOnLogon,
        explainsRefusals: backend.explainsRefusals,
        isTest,
        schedule,
        clockSkew_ms_max: CLOCK_SKEW_MS_MAX,
        supported: backend.supported,
      },
      new SessionFile(join(storeFolder, file), Date.now()),
      peer.applicationOf,
    );
    hosts.set(peer.session, host);
    return host;
  };

  const server = createListener(settings, (socket, address) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
    acceptConnection(socket, address, { compId, ...backend, hostOf });
  });
  const health = createHealthServer(async (request, response) => {
    const found = request.url === '/healthz';
    const status = draining ? 'draining' : (await backend.isHealthy()) ? 'ok' : 'exchange_unreachable';
    response.writeHead(found ? (status === 'ok' ? 200 : 503) : 404, { 'content-type': 'application/json' });
    const connected = [...hosts.values()].filter((host) => host.isConnected).length;
    response.end(found ? JSON.stringify({ status, sessions: connected }) : '{}');
  });
  const port = await listen(server, settings.port, settings.host);
  const healthPort = await listen(health, settings.healthPort, settings.host);

  return {
    port,
    healthPort,
    async drain() {
      draining = true;
      server.close();
      for (const host of hosts.values()) host.logout('the gateway is closing');
      const deadline = Date.now() + LOGOUT_WAIT_MS;
      while ([...hosts.values()].some((host) => host.isConnected) && Date.now() < deadline) {
        await new Promise((resolve) => setTimeout(resolve, 50));
      }
      await Promise.race([
        Promise.all([...hosts.values()].map((host) => host.close())),
        new Promise((resolve) => setTimeout(resolve, settings.drain_ms).unref()),
      ]);
      for (const socket of sockets) socket.destroy();
      health.close();
      await backend.close();
    },
  };
}

function listen(
  server: {
    listen(port: number, host: string, then: () => void): unknown;
    address(): AddressInfo | string | null;
    once(event: 'error', then: (error: Error) => void): unknown;
  },
  port: number,
  host: string,
): Promise<number> {
  return new Promise((resolve, reject) => {
    server.once('error', reject);
    server.listen(port, host, () => resolve((server.address() as AddressInfo).port));
  });
}
