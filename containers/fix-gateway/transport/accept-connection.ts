import type { Socket } from 'node:net';
import { BEGIN_STRING, type FixMessage, textOf, typeOf } from '../codec/fix-message.ts';
import { Framer } from '../codec/framer.ts';
import { MSG_TYPE } from '../codec/msg-types.ts';
import { readMessage } from '../codec/read-message.ts';
import { TAG } from '../codec/tags.ts';
import { writeTimestamp } from '../codec/timestamp.ts';
import { writeMessage } from '../codec/write-message.ts';
import { log } from '../log.ts';
import type { Peer } from './authenticator.ts';
import type { Backend } from './backend.ts';
import type { SessionHost } from './session-host.ts';

/** How long a connection may stay silent before its Logon. */
const LOGON_MS_MAX = 10_000;
/** How long a peer that is refused has to read why and close. */
const CLOSE_MS_MAX = 1_000;
/** How long a connection is silent before TCP asks whether its peer is there. */
const KEEP_ALIVE_MS = 30_000;

/** Who takes a connection, and as whom. */
export interface Reception extends Pick<Backend, 'authenticate' | 'explainsRefusals'> {
  /** Our CompID. */
  readonly compId: string;
  /** Null while the gateway drains. */
  hostOf(peer: Peer): SessionHost | null;
}

/**
 * Waits for the Logon of a new connection, asks who it is, and hands the connection to its session. Everything else than a Logon, and a
 * second connection of a session, whose sequence numbers a Logout would take, is closed without a word.
 *
 * @param address of the client, which is not the socket's where a proxy stands in between
 */
export function acceptConnection(socket: Socket, address: string, reception: Reception): void {
  const { compId, explainsRefusals, authenticate, hostOf } = reception;
  const framer = new Framer();
  const waiting: string[] = [];
  let host: SessionHost | null = null;
  let asked = false;
  let refused = false;
  const close = (reason: string, answer = '') => {
    refused = true;
    socket.resume();
    log('info', 'refused', { address, reason });
    socket.end(answer, 'latin1');
    // Closed at once, with bytes of the peer's unread, TCP would take back the answer.
    setTimeout(() => socket.destroy(), CLOSE_MS_MAX).unref();
  };
  const refuse = (reason: string, logon: FixMessage) =>
    close(reason, explainsRefusals ? refusalOf(reason, logon, compId) : '');
  const patience = setTimeout(() => close('no logon'), LOGON_MS_MAX);
  socket.setNoDelay(true);
  // A peer may ask for no heartbeats (HeartBtInt 0): one whose host is gone would hold its session for good.
  socket.setKeepAlive(true, KEEP_ALIVE_MS);
  socket.setEncoding('latin1');
  socket.on('error', () => socket.destroy());
  socket.once('close', () => clearTimeout(patience));
  socket.on('data', (bytes: string) => {
    if (refused) return;
    const frames = framer.push(bytes);
    if (host !== null) return host.receive(socket, frames);
    waiting.push(...frames);
    if (asked || waiting.length === 0) return;
    asked = true;
    clearTimeout(patience);
    // What follows the Logon waits in TCP until it is known whose it is.
    socket.pause();
    const logon = readLogon(waiting[0] ?? '');
    if (logon === null) return close('the first message is no valid logon');
    authenticate(logon, address).then(
      (answer) => {
        if (socket.destroyed) return;
        if (!answer.ok) return refuse(answer.error, logon);
        const peer = answer.value;
        const found = hostOf(peer);
        if (found === null) return refuse('the gateway is closing', logon);
        if (found.isConnected) return close('the session is connected already');
        host = found;
        host.connect(socket);
        peer.admitted(host.application);
        host.receive(socket, waiting.splice(0));
        socket.resume();
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
  if (!read.ok || read.value.isCut || typeOf(read.value) !== MSG_TYPE.Logon) return null;
  return textOf(read.value, TAG.BeginString) === BEGIN_STRING ? read.value : null;
}

function refusalOf(text: string, logon: FixMessage, compId: string): string {
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
