import type { SmtpConnection, SmtpPlace } from './smtp-mailer.ts';

/** A socket of Workers. Its certificate is checked against the hostname by the runtime. Port 25 is closed there. */
export async function dialSmtp({ hostname, port, isEncrypted }: SmtpPlace): Promise<SmtpConnection> {
  // Here alone: Node, where the mailer is tried against a played server, has no such module.
  const { connect } = await import('cloudflare:sockets');
  const socket = connect(
    { hostname, port },
    { secureTransport: isEncrypted ? 'on' : 'starttls', allowHalfOpen: false },
  );
  try {
    await socket.opened;
  } catch (error) {
    await socket.close().catch(() => undefined);
    throw error;
  }
  return socket as unknown as SmtpConnection;
}
