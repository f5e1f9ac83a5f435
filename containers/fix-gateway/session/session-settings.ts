import type { Schedule } from './schedule.ts';

/** How a session behaves; the same for every session of a gateway. */
export interface SessionSettings {
  /** Who the peer is to us. */
  readonly targetCompId: string;
  /** Who we are. */
  readonly senderCompId: string;
  /** Every Logon begins at sequence number 1. */
  readonly resetOnLogon: boolean;
  /** A Logon that is refused is answered by a Logout with the reason, where FIX lets it; else its connection ends without a word. */
  readonly explainsRefusals: boolean;
  /** Orders are no real ones: TestMessageIndicator(464) of a Logon may say `Y`, and not `N`. */
  readonly isTest: boolean;
  readonly schedule: Schedule;
  /** How far SendingTime(52) may be from our clock. */
  readonly clockSkew_ms_max: number;
  /** MsgTypes that the application takes; others are answered BusinessMessageReject. */
  readonly supported: ReadonlySet<string>;
}
