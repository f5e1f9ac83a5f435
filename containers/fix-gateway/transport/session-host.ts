import type { Socket } from 'node:net';
import type { Application, Logon, Outgoing } from '../application/application.ts';
import { type FixMessage, textOf } from '../codec/fix-message.ts';
import { readMessage } from '../codec/read-message.ts';
import { TAG } from '../codec/tags.ts';
import { log } from '../log.ts';
import { Session } from '../session/session.ts';
import type { SessionEffect } from '../session/session-effect.ts';
import type { SessionSettings } from '../session/session-settings.ts';
import type { SessionFile } from '../store/session-file.ts';
import type { SessionPort } from './session-port.ts';

/** A peer that reads slower than this is disconnected; what it misses is in the store. */
const UNREAD_BYTES_MAX = 32 * 1024 * 1024;
const CLOSE_MS_MAX = 1_000;
const TIMER_MS_MAX = 60_000;
/** A store that did not take what was recorded is tried again after this. */
const STORE_RETRY_MS = 1_000;

/**
 * One session over all its connections: runs the effects of its state machine, with the store written before anything is sent. While the
 * store takes nothing there is no connection: what was recorded is written once it does, and the peer asks for what it missed.
 */
export class SessionHost {
  readonly name: string;
  readonly #session: Session;
  readonly #store: SessionFile;
  readonly #application: Application;
  #socket: Socket | null = null;
  #outgoing = '';
  #flushing = false;
  #timer: NodeJS.Timeout | undefined;
  #storeRetry: NodeJS.Timeout | null = null;

  constructor(
    name: string,
    settings: SessionSettings,
    store: SessionFile,
    applicationOf: (port: SessionPort) => Application,
  ) {
    this.name = name;
    this.#store = store;
    this.#session = new Session(settings, store);
    this.#application = applicationOf({
      store,
      answer: (sequence, outgoing) => {
        store.recordAnswered(sequence);
        for (const one of outgoing) this.#send(one);
        this.#flushSoon();
      },
      send: (outgoing) => this.#send(outgoing),
    });
    for (const [sequence, text] of store.unanswered) {
      const read = readMessage(text);
      if (read.ok) this.#application.take(sequence, read.value);
    }
  }

  get application(): Application {
    return this.#application;
  }

  get isConnected(): boolean {
    return this.#session.phase !== 'disconnected';
  }

  /** Takes a connection over. Only while `isConnected` is false. */
  connect(socket: Socket): void {
    this.#socket = socket;
    socket.once('close', () => {
      if (this.#socket === socket) this.#disconnected('the connection was closed');
    });
    this.#run(this.#session.connect(Date.now()));
  }

  /** @param frames what the framer cut out of a connection; of one that the session has ended they are passed over. */
  receive(socket: Socket, frames: readonly string[]): void {
    if (socket !== this.#socket) return;
    for (const frame of frames) {
      this.#run(this.#session.receive(frame, Date.now()));
      for (;;) {
        const effects = this.#session.receiveQueued(Date.now());
        if (effects === null) break;
        this.#run(effects);
      }
    }
    this.#flush();
    this.#schedule();
  }

  logout(text: string): void {
    this.#run(this.#session.logout(text, Date.now()));
    this.#flush();
    this.#schedule();
  }

  async close(): Promise<void> {
    await this.#application.close();
    clearTimeout(this.#timer);
    if (this.#storeRetry !== null) clearTimeout(this.#storeRetry);
    this.#store.close();
  }

  #send({ type, body, header, kept }: Outgoing): void {
    this.#run(this.#session.send(type, body, Date.now(), kept, header));
    this.#flushSoon();
  }

  #run(effects: readonly SessionEffect[]): void {
    for (const effect of effects) {
      switch (effect.type) {
        case 'send':
          this.#outgoing += effect.text;
          break;
        case 'deliver':
          this.#application.take(effect.sequence, effect.message);
          break;
        case 'logged_on':
          log('info', 'logged_on', { session: this.name });
          this.#application.loggedOn(logonOf(effect.logon));
          break;
        case 'disconnect':
          this.#disconnected(effect.reason);
          break;
        case 'event':
          log('info', 'session', { session: this.name, what: effect.text });
      }
    }
  }

  #disconnected(reason: string): void {
    const socket = this.#socket;
    if (this.#isStored() && this.#outgoing !== '') socket?.write(this.#outgoing, 'latin1');
    this.#session.disconnect();
    this.#socket = null;
    this.#outgoing = '';
    clearTimeout(this.#timer);
    if (socket === null) return;
    log('info', 'disconnected', { session: this.name, reason });
    socket.end();
    setTimeout(() => socket.destroy(), CLOSE_MS_MAX).unref();
    this.#application.disconnected();
  }

  /** Gathers what is recorded and sent in this turn into one write each. */
  #flushSoon(): void {
    if (this.#flushing) return;
    this.#flushing = true;
    setImmediate(() => {
      this.#flushing = false;
      this.#flush();
      this.#schedule();
    });
  }

  #flush(): void {
    const socket = this.#socket;
    if (!this.#isStored()) {
      if (socket !== null) this.#disconnected('the store takes nothing');
      return;
    }
    if (this.#outgoing === '' || socket === null) return;
    socket.write(this.#outgoing, 'latin1');
    this.#outgoing = '';
    if (socket.writableLength > UNREAD_BYTES_MAX) this.#disconnected('the peer reads too slowly');
  }

  /** Writes what was recorded. Where the store does not take it, nothing may be sent that follows from it, and it is written later. */
  #isStored(): boolean {
    try {
      this.#store.flush();
      return true;
    } catch (error) {
      if (this.#storeRetry === null) {
        log('error', 'store_failed', { session: this.name, error: error instanceof Error ? error.message : '' });
        this.#storeRetry = setTimeout(() => {
          this.#storeRetry = null;
          this.#flush();
        }, STORE_RETRY_MS);
      }
      return false;
    }
  }

  #schedule(): void {
    clearTimeout(this.#timer);
    const at_ms = this.#session.nextTickAt_ms;
    if (!Number.isFinite(at_ms)) return;
    this.#timer = setTimeout(
      () => {
        this.#run(this.#session.tick(Date.now()));
        this.#flush();
        this.#schedule();
      },
      Math.min(TIMER_MS_MAX, Math.max(1, at_ms - Date.now())),
    );
  }
}

function logonOf(logon: FixMessage): Logon {
  return {
    senderCompId: textOf(logon, TAG.SenderCompID) ?? '',
    cancelOnDisconnect: textOf(logon, TAG.CancelOrdersOnDisconnect) === 'Y',
    dropCopy: textOf(logon, TAG.DropCopyFlag) === 'Y',
  };
}
