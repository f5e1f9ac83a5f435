import type { Socket } from 'node:net';
import { BEGIN_STRING, type FixMessage, textOf, typeOf } from '../codec/fix-message.ts';
import { Framer } from '../codec/framer.ts';
import { MSG_TYPE } from '../codec/msg-types.ts';
import { readMessage } from '../codec/read-message.ts';
import { TAG } from '../codec/tags.ts';
import { writeTimestamp } from '../codec/timestamp.ts';
import { writeMessage } from '../codec/write-message.ts';
import { log } from '../log.ts';
import type { Authenticator, LogonRefusal, Peer } from './authenticator.ts';
import type { SessionHost } from './session-host.ts';

/** How long a connection may stay silent before its Logon. */
const LOGON_MS_MAX = 10_000;

/**
 * Waits for the Logon of a new connection, asks who it is, and hands the connection to its session. Everything else than a Logon, and a
 * second connection of a session, is closed.
 *
 * @param address of the client, which is not the socket's where a proxy stands in between
 */
export function acceptConnection(
  socket: Socket,
  address: string,
  compId: string,
  authenticate: Authenticator,
  hostOf: (peer: Peer) => SessionHost | null,
): void {
  const framer = new Framer();
  const waiting: string[] = [];
  let host: SessionHost | null = null;
  let asked = false;
  const close = (reason: string, answer = '') => {
    log('info', 'refused', { address, reason });
    socket.end(answer, 'latin1');
    socket.destroySoon();
  };
  const patience = setTimeout(() => close('no logon'), LOGON_MS_MAX);
  socket.setNoDelay(true);
  socket.setEncoding('latin1');
  socket.on('error', () => socket.destroy());
  socket.once('close', () => clearTimeout(patience));
  socket.on('data', (bytes: string) => {
    const frames = framer.push(bytes);
    if (host !== null) return host.receive(frames);
    waiting.push(...frames);
    if (asked || waiting.length === 0) return;
    asked = true;
    const logon = readLogon(waiting[0] ?? '');
    if (logon === null) return close('the first message is no valid logon');
    authenticate(logon, address).then(
      (answer) => {
        clearTimeout(patience);
        if (socket.destroyed) return;
        if (!answer.ok) return close(answer.error ?? 'unknown peer', refusalOf(answer.error, logon, compId));
        const peer = answer.value;
        host = hostOf(peer);
        if (host === null) return close('draining');
        if (host.isConnected) {
          host = null;
          return close('the session is connected already');
        }
        host.connect(socket);
        peer.admitted(host.application);
        host.receive(waiting.splice(0));
      },
      (error: unknown) => {
        log('error', 'authentication_failed', { error: error instanceof Error ? error.message : '' });
        socket.destroy();
      },
    );
  });
}

function readLogon(frame: string): FixMessage | null {
  const read = readMessage(frame);
  if (!read.ok || typeOf(read.value) !== MSG_TYPE.Logon) return null;
  return textOf(read.value, TAG.BeginString) === BEGIN_STRING ? read.value : null;
}

function refusalOf(text: LogonRefusal, logon: FixMessage, compId: string): string {
  if (text === null) return '';
  return writeMessage(
    MSG_TYPE.Logout,
    [
      [TAG.MsgSeqNum, '1'],
      [TAG.SenderCompID, compId],
      [TAG.TargetCompID, textOf(logon, TAG.SenderCompID) ?? ''],
      [TAG.SendingTime, writeTimestamp(Date.now())],
    ],
    [[TAG.Text, text]],
  );
}
