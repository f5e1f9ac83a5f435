/** What the clock asks of a session (FIX 4.4 volume 2, heartbeats and test requests). */
export type HeartbeatDuty = 'heartbeat' | 'test_request' | 'timeout' | null;

export interface HeartbeatState {
  /** HeartBtInt(108); 0 for none. */
  readonly interval_ms: number;
  readonly lastSent_ms: number;
  readonly lastReceived_ms: number;
  /** Test requests since something was received. */
  readonly testRequests: number;
}

/** Silence after which the peer is asked, and after which it is taken for lost: in intervals, with time for transmission. */
const ASK_AFTER = 1.2;
const LOST_AFTER = 2.4;

export function heartbeatDuty(state: HeartbeatState, now_ms: number): HeartbeatDuty {
  const { interval_ms, lastSent_ms, lastReceived_ms, testRequests } = state;
  if (interval_ms === 0) return null;
  const silence_ms = now_ms - lastReceived_ms;
  if (silence_ms >= LOST_AFTER * interval_ms) return 'timeout';
  if (silence_ms >= ASK_AFTER * (testRequests + 1) * interval_ms) return 'test_request';
  return testRequests === 0 && now_ms - lastSent_ms >= interval_ms ? 'heartbeat' : null;
}

/** When `heartbeatDuty` may next ask for something. */
export function nextDutyAt(state: HeartbeatState): number {
  const { interval_ms, lastSent_ms, lastReceived_ms, testRequests } = state;
  if (interval_ms === 0) return Number.POSITIVE_INFINITY;
  const ask = lastReceived_ms + ASK_AFTER * (testRequests + 1) * interval_ms;
  const lost = lastReceived_ms + LOST_AFTER * interval_ms;
  return Math.min(ask, lost, testRequests === 0 ? lastSent_ms + interval_ms : lost);
}
