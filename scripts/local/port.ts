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
