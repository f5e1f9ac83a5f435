import { BEGIN_STRING, type Field, type FixMessage, integerOf, textOf, typeOf } from '../codec/fix-message.ts';
import { MSG_TYPE } from '../codec/msg-types.ts';
import { readMessage } from '../codec/read-message.ts';
import { TAG } from '../codec/tags.ts';
import { readTimestamp, writeTimestamp } from '../codec/timestamp.ts';
import { writeMessage } from '../codec/write-message.ts';
import { SESSION_REJECT_REASON as REASON, SESSION_REJECT_TEXT } from '../dictionary/session-reject-reason.ts';
import { type Fault, validateMessage } from '../dictionary/validate-message.ts';
import { type HeartbeatState, heartbeatDuty, nextDutyAt } from './heartbeat.ts';
import { logonRefusal } from './logon-terms.ts';
import { rejectOf, reversedRoute, unsupportedType } from './rejects.ts';
import { resendOf } from './resend.ts';
import { periodStart } from './schedule.ts';
import type { SessionEffect } from './session-effect.ts';
import type { SessionSettings } from './session-settings.ts';
import type { SessionStore } from './session-store.ts';
import { splitOwn } from './split-own.ts';

/** Messages beyond a gap that wait for it to be filled; more are asked for again. */
const QUEUED_MAX = 10_000;
const LOGOUT_ANSWER_MS = 2_000;

/** Where a connection of the session stands. */
type Phase = 'disconnected' | 'awaiting_logon' | 'logged_on' | 'logging_out';

/**
 * The session layer of FIX 4.4 (volume 2), acceptor's side, as a state machine: what arrives, the time and the store go in, effects come
 * out. It does no I/O but the store's and reads no clock.
 */
export class Session {
  readonly #settings: SessionSettings;
  readonly #store: SessionStore;
  #phase: Phase = 'disconnected';
  #effects: SessionEffect[] = [];
  #heartbeat: HeartbeatState = { interval_ms: 0, lastSent_ms: 0, lastReceived_ms: 0, testRequests: 0 };
  #logoutSentAt_ms = 0;
  /** Numbers asked for by our last ResendRequest, until they have arrived. */
  #resend: { readonly begin: number; readonly end: number } | null = null;
  #queued = new Map<number, FixMessage>();
  /** First number given to a message while nobody was connected. */
  #offlineFrom: number;

  constructor(settings: SessionSettings, store: SessionStore) {
    this.#settings = settings;
    this.#store = store;
    this.#offlineFrom = store.nextSender;
  }

  get phase(): Phase {
    return this.#phase;
  }

  /** When `tick` has something to do, in Unix milliseconds. */
  get nextTickAt_ms(): number {
    if (this.#phase === 'logging_out') return this.#logoutSentAt_ms + LOGOUT_ANSWER_MS;
    return this.#phase === 'logged_on' ? nextDutyAt(this.#heartbeat) : Number.POSITIVE_INFINITY;
  }

  connect(now_ms: number): SessionEffect[] {
    this.#phase = 'awaiting_logon';
    this.#queued.clear();
    this.#resend = null;
    this.#heartbeat = { interval_ms: 0, lastSent_ms: now_ms, lastReceived_ms: now_ms, testRequests: 0 };
    this.#resetForPeriod(now_ms);
    return this.#flush();
  }

  disconnect(): void {
    if (this.#phase === 'logged_on' || this.#phase === 'logging_out') this.#offlineFrom = this.#store.nextSender;
    this.#phase = 'disconnected';
  }

  /** @param frame what the framer cut out of the stream. */
  receive(frame: string, now_ms: number): SessionEffect[] {
    const read = readMessage(frame);
    if (!read.ok) {
      this.#event(`garbled message ignored: ${read.error.reason}`);
      if (read.error.mayBeLogon || this.#phase === 'awaiting_logon') this.#drop('the logon is garbled');
    } else if (this.#phase !== 'disconnected') {
      this.#process(read.value, now_ms);
    }
    return this.#flush();
  }

  /** Processes one message that came early and follows now; null when there is none. To be asked after every `receive`. */
  receiveQueued(now_ms: number): SessionEffect[] | null {
    if (this.#phase !== 'logged_on' && this.#phase !== 'logging_out') return null;
    const { nextTarget } = this.#store;
    const next = this.#queued.get(nextTarget);
    if (next === undefined) return null;
    this.#queued.delete(nextTarget);
    const type = typeOf(next);
    // These were answered when they came; now they only count.
    if (type === MSG_TYPE.Logon || type === MSG_TYPE.ResendRequest) this.#advance();
    else this.#process(next, now_ms);
    return this.#flush();
  }

  /**
   * Sends an application message, or stores it for the next connection.
   *
   * @param kept whether it is sent again when the peer asks for its number; market data is not, it would be stale.
   */
  send(
    type: string,
    body: readonly Field[],
    now_ms: number,
    kept = true,
    header: readonly Field[] = [],
  ): SessionEffect[] {
    if (kept || this.#phase === 'logged_on') this.#emit(type, body, now_ms, header, kept);
    return this.#flush();
  }

  /** Ends the session in good order: Logout, and a disconnection once the peer has answered or the time for that is over. */
  logout(text: string, now_ms: number): SessionEffect[] {
    if (this.#phase === 'logged_on') this.#logOut(text, now_ms);
    else if (this.#phase === 'awaiting_logon') this.#drop(text);
    return this.#flush();
  }

  tick(now_ms: number): SessionEffect[] {
    if (this.#phase === 'logging_out' && now_ms - this.#logoutSentAt_ms >= LOGOUT_ANSWER_MS) {
      this.#drop('the peer did not answer the logout');
    } else if (this.#phase === 'logged_on') {
      if (periodStart(this.#settings.schedule, now_ms) === null) this.#logOut('the session period has ended', now_ms);
      else this.#keepAlive(now_ms);
    }
    return this.#flush();
  }

  #keepAlive(now_ms: number): void {
    switch (heartbeatDuty(this.#heartbeat, now_ms)) {
      case 'timeout':
        this.#drop('the peer is silent');
        return;
      case 'test_request':
        this.#heartbeat = { ...this.#heartbeat, testRequests: this.#heartbeat.testRequests + 1 };
        this.#emit(MSG_TYPE.TestRequest, [[TAG.TestReqID, 'TEST']], now_ms);
        return;
      case 'heartbeat':
        this.#emit(MSG_TYPE.Heartbeat, [], now_ms);
        return;
      case null:
    }
  }

  #process(message: FixMessage, now_ms: number): void {
    if (textOf(message, TAG.BeginString) !== BEGIN_STRING) {
      this.#refuseVersion(message, now_ms);
      return;
    }
    const type = typeOf(message);
    if (this.#phase === 'awaiting_logon' && type !== MSG_TYPE.Logon) {
      this.#drop('the first message is no logon');
      return;
    }
    if (message.isCut) {
      this.#onCut(message, now_ms);
      return;
    }
    const fault = validateMessage(message);
    if (fault !== null) {
      this.#refuse(message, fault, now_ms);
      return;
    }
    switch (type) {
      case MSG_TYPE.Logon:
        this.#onLogon(message, now_ms);
        return;
      case MSG_TYPE.ResendRequest:
        this.#onResendRequest(message, now_ms);
        return;
      case MSG_TYPE.SequenceReset:
        this.#onSequenceReset(message, now_ms);
        return;
      case MSG_TYPE.Logout:
        this.#onLogout(message, now_ms);
        return;
      case MSG_TYPE.Heartbeat:
      case MSG_TYPE.Reject:
        this.#inTurn(message, now_ms, () => this.#advance());
        return;
      case MSG_TYPE.TestRequest:
        this.#inTurn(message, now_ms, () => {
          this.#advance();
          this.#emit(MSG_TYPE.Heartbeat, [[TAG.TestReqID, textOf(message, TAG.TestReqID) ?? '']], now_ms);
        });
        return;
      default:
        this.#inTurn(message, now_ms, () => this.#onApplication(message, now_ms));
        return;
    }
  }

  /** A message that is too long counts as received, and is refused: asked for again it would be too long again. */
  #onCut(message: FixMessage, now_ms: number): void {
    const fault = { reason: REASON.OTHER, tag: TAG.BodyLength };
    if (this.#phase === 'awaiting_logon') this.#refuse(message, fault, now_ms);
    else this.#inTurn(message, now_ms, () => this.#refuse(message, fault, now_ms));
  }

  #onApplication(message: FixMessage, now_ms: number): void {
    const sequence = this.#store.nextTarget;
    if (!this.#settings.supported.has(typeOf(message))) {
      this.#advance();
      this.#emit(MSG_TYPE.BusinessMessageReject, unsupportedType(message), now_ms, reversedRoute(message));
      return;
    }
    this.#store.recordAccepted(sequence, message.text);
    this.#effects.push({ type: 'deliver', sequence, message });
  }

  #onLogon(logon: FixMessage, now_ms: number): void {
    const reset = textOf(logon, TAG.ResetSeqNumFlag) === 'Y';
    if (this.#phase !== 'awaiting_logon' && !reset) {
      this.#drop('a second logon');
      return;
    }
    if (periodStart(this.#settings.schedule, now_ms) === null) {
      this.#refuseLogon('outside of the session period', now_ms);
      return;
    }
    if (!this.#isTimely(logon, now_ms)) {
      this.#refuseLogon('SendingTime accuracy problem', now_ms);
      return;
    }
    if (!this.#isFromPeer(logon)) {
      this.#refuseLogon('CompID problem', now_ms);
      return;
    }
    const unheld = logonRefusal(logon, this.#settings.isTest);
    if (unheld !== null) {
      this.#refuseLogon(unheld, now_ms);
      return;
    }
    const sequence = integerOf(logon, TAG.MsgSeqNum);
    if (reset && sequence !== 1) {
      const text = `MsgSeqNum of a Logon with ResetSeqNumFlag must be 1, and is ${sequence}`;
      if (this.#phase === 'logged_on') this.#logOut(text, now_ms);
      this.#refuseLogon(text, now_ms);
      return;
    }
    const unsent = reset || this.#settings.resetOnLogon ? this.#reset(now_ms) : [];
    if (this.#isTooLow(logon)) {
      this.#onTooLow(logon, now_ms);
      return;
    }
    this.#phase = 'logged_on';
    this.#received(now_ms);
    const interval_s = integerOf(logon, TAG.HeartBtInt) ?? 0;
    this.#heartbeat = { ...this.#heartbeat, interval_ms: interval_s * 1_000 };
    const body: Field[] = [
      [TAG.EncryptMethod, '0'],
      [TAG.HeartBtInt, String(interval_s)],
    ];
    this.#emit(MSG_TYPE.Logon, reset ? [...body, [TAG.ResetSeqNumFlag, 'Y']] : body, now_ms);
    if (this.#isTooHigh(logon)) this.#onTooHigh(logon, now_ms);
    else this.#advance();
    for (const [type, fields] of unsent) this.#emit(type, fields, now_ms, [], true);
    this.#effects.push({ type: 'logged_on', logon });
  }

  /** Begins at 1 again. Returns application messages that no connection has carried: they are sent under new numbers. */
  #reset(now_ms: number): (readonly [type: string, body: Field[]])[] {
    const offline =
      this.#phase === 'awaiting_logon' ? this.#store.sent(this.#offlineFrom, this.#store.nextSender - 1) : [];
    const unsent = offline.flatMap(({ text }) => {
      const read = text === null ? null : readMessage(text);
      return read?.ok ? [contentOf(read.value)] : [];
    });
    this.#store.reset(now_ms);
    this.#queued.clear();
    this.#resend = null;
    return unsent;
  }

  #onResendRequest(request: FixMessage, now_ms: number): void {
    // Answered whatever its number: two peers that both miss messages would wait for each other otherwise.
    if (!this.#isAcceptable(request, now_ms)) return;
    this.#received(now_ms);
    const begin = integerOf(request, TAG.BeginSeqNo) ?? 1;
    const asked = integerOf(request, TAG.EndSeqNo) ?? 0;
    const last = this.#store.nextSender - 1;
    const end = asked === 0 || asked > last ? last : asked;
    for (const resent of resendOf(this.#store.sent(begin, end), Math.max(1, begin), end)) {
      const header: Field[] = [
        [TAG.PossDupFlag, 'Y'],
        [TAG.OrigSendingTime, resent.sentAt ?? writeTimestamp(now_ms)],
        ...resent.header,
      ];
      this.#write(resent.type, resent.sequence, header, resent.body, now_ms);
    }
    if (this.#isTooHigh(request)) this.#onTooHigh(request, now_ms);
    else if (!this.#isTooLow(request)) this.#advance();
  }

  #onSequenceReset(message: FixMessage, now_ms: number): void {
    const gapFill = textOf(message, TAG.GapFillFlag) === 'Y';
    const apply = () => {
      const next = integerOf(message, TAG.NewSeqNo) ?? 0;
      const { nextTarget } = this.#store;
      if (next > nextTarget) this.#store.recordNextTarget(next);
      else if (next < nextTarget) this.#refuse(message, { reason: REASON.VALUE_INCORRECT, tag: null }, now_ms);
    };
    if (gapFill) {
      this.#inTurn(message, now_ms, apply);
      return;
    }
    if (!this.#isAcceptable(message, now_ms)) return;
    this.#received(now_ms);
    apply();
  }

  #onLogout(message: FixMessage, now_ms: number): void {
    if (!this.#isAcceptable(message, now_ms)) return;
    if (this.#phase === 'logged_on') this.#emit(MSG_TYPE.Logout, [], now_ms);
    if (integerOf(message, TAG.MsgSeqNum) === this.#store.nextTarget) this.#advance();
    this.#drop('logout');
  }

  /** Runs what a message asks for once every message before it has been processed. */
  #inTurn(message: FixMessage, now_ms: number, act: () => void): void {
    if (!this.#isAcceptable(message, now_ms)) return;
    if (this.#isTooHigh(message)) {
      this.#onTooHigh(message, now_ms);
      return;
    }
    if (this.#isTooLow(message)) {
      this.#onTooLow(message, now_ms);
      return;
    }
    this.#received(now_ms);
    act();
    if (this.#resend !== null && this.#store.nextTarget > this.#resend.end) this.#resend = null;
  }

  #isAcceptable(message: FixMessage, now_ms: number): boolean {
    let reason: Fault['reason'];
    if (!this.#isTimely(message, now_ms)) reason = REASON.SENDING_TIME_ACCURACY;
    else if (!this.#isFromPeer(message)) reason = REASON.COMP_ID_PROBLEM;
    else return true;
    this.#refuse(message, { reason, tag: null }, now_ms);
    this.#logOut(null, now_ms);
    return false;
  }

  #onTooHigh(message: FixMessage, now_ms: number): void {
    const sequence = integerOf(message, TAG.MsgSeqNum) ?? 0;
    if (this.#queued.size < QUEUED_MAX) this.#queued.set(sequence, message);
    if (this.#resend !== null && sequence >= this.#resend.begin) return;
    const begin = this.#store.nextTarget;
    this.#resend = { begin, end: sequence - 1 };
    this.#emit(
      MSG_TYPE.ResendRequest,
      [
        [TAG.BeginSeqNo, String(begin)],
        [TAG.EndSeqNo, '0'],
      ],
      now_ms,
    );
  }

  #onTooLow(message: FixMessage, now_ms: number): void {
    if (textOf(message, TAG.PossDupFlag) !== 'Y') {
      const { nextTarget } = this.#store;
      const text = `MsgSeqNum too low, expecting ${nextTarget} but received ${textOf(message, TAG.MsgSeqNum)}`;
      this.#logOut(text, now_ms);
      this.#drop(text);
      return;
    }
    this.#received(now_ms);
    if (typeOf(message) === MSG_TYPE.SequenceReset) return;
    const original = textOf(message, TAG.OrigSendingTime);
    if (original === null) {
      this.#refuse(message, { reason: REASON.REQUIRED_TAG_MISSING, tag: TAG.OrigSendingTime }, now_ms);
      return;
    }
    const sent = readTimestamp(textOf(message, TAG.SendingTime) ?? '') ?? 0;
    if ((readTimestamp(original) ?? 0) <= sent) return;
    this.#refuse(message, { reason: REASON.SENDING_TIME_ACCURACY, tag: null }, now_ms);
    this.#logOut(null, now_ms);
  }

  #refuse(message: FixMessage, fault: Fault, now_ms: number): void {
    if (this.#phase === 'awaiting_logon') {
      const about = fault.tag === null ? '' : ` (tag ${fault.tag})`;
      this.#refuseLogon(`the logon is not valid: ${SESSION_REJECT_TEXT[fault.reason]}${about}`, now_ms);
      return;
    }
    const type = typeOf(message);
    if (
      type !== MSG_TYPE.Logon &&
      type !== MSG_TYPE.SequenceReset &&
      integerOf(message, TAG.MsgSeqNum) === this.#store.nextTarget
    )
      this.#advance();
    this.#received(now_ms);
    this.#emit(MSG_TYPE.Reject, rejectOf(message, fault), now_ms, reversedRoute(message));
    if (type === MSG_TYPE.Logon) this.#drop('the logon is not valid');
  }

  /** Ends a connection whose Logon does not hold. */
  #refuseLogon(reason: string, now_ms: number): void {
    if (this.#settings.explainsRefusals) this.#logOut(reason, now_ms);
    this.#drop(reason);
  }

  #refuseVersion(message: FixMessage, now_ms: number): void {
    if (this.#phase === 'awaiting_logon') {
      this.#drop('another version of FIX');
      return;
    }
    if (typeOf(message) === MSG_TYPE.Logout) {
      this.#onLogout(message, now_ms);
      return;
    }
    this.#advance();
    this.#logOut('Incorrect BeginString', now_ms);
  }

  #logOut(text: string | null, now_ms: number): void {
    if (this.#phase !== 'logged_on' && this.#phase !== 'awaiting_logon') return;
    this.#emit(MSG_TYPE.Logout, text === null ? [] : [[TAG.Text, text]], now_ms);
    this.#phase = 'logging_out';
    this.#logoutSentAt_ms = now_ms;
  }

  #drop(reason: string): void {
    this.disconnect();
    this.#effects.push({ type: 'disconnect', reason });
  }

  #advance(): void {
    this.#store.recordNextTarget(this.#store.nextTarget + 1);
  }

  #received(now_ms: number): void {
    this.#heartbeat = { ...this.#heartbeat, lastReceived_ms: now_ms, testRequests: 0 };
  }

  #emit(type: string, body: readonly Field[], now_ms: number, header: readonly Field[] = [], kept?: boolean): void {
    const sequence = this.#store.nextSender;
    const text = this.#text(type, sequence, header, body, now_ms);
    this.#store.recordSent({ sequence, text: (kept ?? type === MSG_TYPE.BusinessMessageReject) ? text : null });
    if (this.#phase === 'disconnected') return;
    this.#put(text, now_ms);
  }

  #write(type: string, sequence: number, header: readonly Field[], body: readonly Field[], now_ms: number): void {
    this.#put(this.#text(type, sequence, header, body, now_ms), now_ms);
  }

  #put(text: string, now_ms: number): void {
    this.#effects.push({ type: 'send', text });
    this.#heartbeat = { ...this.#heartbeat, lastSent_ms: now_ms };
  }

  #text(type: string, sequence: number, header: readonly Field[], body: readonly Field[], now_ms: number): string {
    const { senderCompId, targetCompId } = this.#settings;
    const own: Field[] = [
      [TAG.MsgSeqNum, String(sequence)],
      [TAG.SenderCompID, senderCompId],
      [TAG.SendingTime, writeTimestamp(now_ms)],
      [TAG.TargetCompID, targetCompId],
    ];
    return writeMessage(type, [...own, ...header], body);
  }

  #isTooHigh(message: FixMessage): boolean {
    return (integerOf(message, TAG.MsgSeqNum) ?? 0) > this.#store.nextTarget;
  }

  #isTooLow(message: FixMessage): boolean {
    return (integerOf(message, TAG.MsgSeqNum) ?? 0) < this.#store.nextTarget;
  }

  #isTimely(message: FixMessage, now_ms: number): boolean {
    const sent = readTimestamp(textOf(message, TAG.SendingTime) ?? '');
    return sent !== null && Math.abs(now_ms - sent) <= this.#settings.clockSkew_ms_max;
  }

  #isFromPeer(message: FixMessage): boolean {
    const { senderCompId, targetCompId } = this.#settings;
    return textOf(message, TAG.SenderCompID) === targetCompId && textOf(message, TAG.TargetCompID) === senderCompId;
  }

  /** Begins at 1 again in a period that the sequence numbers are older than. */
  #resetForPeriod(now_ms: number): void {
    const start = periodStart(this.#settings.schedule, now_ms);
    if (start === null || this.#store.createdAt_ms >= start) return;
    this.#store.reset(now_ms);
    this.#offlineFrom = 1;
    this.#event('a new session period: sequence numbers begin at 1');
  }

  #event(text: string): void {
    this.#effects.push({ type: 'event', text });
  }

  #flush(): SessionEffect[] {
    const effects = this.#effects;
    this.#effects = [];
    return effects;
  }
}

/** Type and body of a message of ours, without its header. */
function contentOf(message: FixMessage): readonly [type: string, body: Field[]] {
  return [typeOf(message), splitOwn(message).body];
}
