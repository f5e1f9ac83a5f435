import { randomInt } from 'node:crypto';
import { createServer } from 'node:net';
import { DEFAULT_PORT } from './paths.ts';

/** The port of PORT, or 8787. Throws with a sentence for the person at the terminal when it is no port. */
export function chosenPort(): number {
  const text = process.env.PORT ?? '';
  if (text === '') return DEFAULT_PORT;
  const port = Number(text);
  if (!Number.isInteger(port) || port < 1 || port > 65_535)
    throw new Error(`PORT=${text} is not a port number (1 to 65535).`);
  return port;
}

/**
 * Ports that no system gives to who asks for any: Linux gives those from 32,768 on, others from 49,152. One that is chosen here
 * is taken by a socket of nobody else before the one it was chosen for listens.
 */
const CHOSEN_PORTS = { from: 20_000, to: 32_000 } as const;
const TRIES_MAX = 100;

/** A port that nobody listens on now, and that only who asks for it by number is given. @throws Error where there is none */
export async function freePort(): Promise<number> {
  for (let tried = 0; tried < TRIES_MAX; tried++) {
    const port = randomInt(CHOSEN_PORTS.from, CHOSEN_PORTS.to);
    if (await isPortFree(port)) return port;
  }
  throw new Error(`no free port between ${CHOSEN_PORTS.from} and ${CHOSEN_PORTS.to}`);
}

/** Whether nothing listens on the port, on IPv4 or IPv6 loopback. */
export async function isPortFree(port: number): Promise<boolean> {
  for (const host of ['127.0.0.1', '::1']) if (!(await canListen(port, host))) return false;
  return true;
}

function canListen(port: number, host: string): Promise<boolean> {
  return new Promise((resolve) => {
    const server = createServer();
    // A machine without IPv6 has nothing listening there either.
    server.once('error', (error: NodeJS.ErrnoException) =>
      resolve(error.code !== 'EADDRINUSE' && error.code !== 'EACCES'),
    );
    server.listen({ port, host, exclusive: true }, () => server.close(() => resolve(true)));
  });
}

/** The port that a setting names, 0 for any free one. Throws when it is no port or in use. */
export async function portOf(name: string, otherwise: number): Promise<number> {
  const port = Number(process.env[name] ?? otherwise);
  if (!Number.isInteger(port) || port < 0 || port > 65_535) throw new Error(`${name}=${process.env[name]} is no port.`);
  if (port !== 0 && !(await isPortFree(port)))
    throw new Error(
      `Port ${port} is in use. Stop what listens there, or choose another: ${name}=${port + 1} npm start`,
    );
  return port;
}
