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

/** A port that nobody listens on now. */
export function freePort(): Promise<number> {
  return new Promise((resolve, reject) => {
    const server = createServer();
    server.once('error', reject);
    server.listen(0, '127.0.0.1', () => {
      const address = server.address();
      server.close(() =>
        typeof address === 'object' && address !== null ? resolve(address.port) : reject(new Error('no port')),
      );
    });
  });
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
