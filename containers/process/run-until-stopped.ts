import type { Log } from './log.ts';

/** Keeps a server until SIGTERM or SIGINT, or the end of the process that started it, which learns the port. */
export function runUntilStopped(
  server: { readonly port: number; stop(): Promise<void> },
  host: string,
  log: Log,
): void {
  log('info', 'listening', { host, port: server.port });
  let isStopping = false;
  const stop = async (why: string) => {
    if (isStopping) return;
    isStopping = true;
    await server.stop();
    log('info', 'stopped', { why });
    process.exit(0);
  };
  process.on('SIGTERM', () => stop('SIGTERM'));
  process.on('SIGINT', () => stop('SIGINT'));
  // Of a parent that has asked for a channel; it learns the port.
  process.once('disconnect', () => stop('disconnect'));
  process.send?.({ port: server.port });
}
