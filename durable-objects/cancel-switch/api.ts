/** Whose open orders a switch cancels: those of an API key, or of an account where `keyId` is null. */
export interface SwitchHolder {
  readonly account: string;
  readonly keyId: string | null;
}

/** Least and longest time to which `cancel_after` arms a switch. */
export const CANCEL_AFTER_MS_MIN = 1_000;
export const CANCEL_AFTER_MS_MAX = 3_600_000;

/** How long a connection that cancels on its end is believed to live without a word of the object that holds it. */
export const CONNECTION_LEASE_MS = 60_000;

/** The trigger of `cancel_after`; each connection that cancels on its end has one of its own. */
export const TIMER = 'timer';

/**
 * What others ask of a switch: one object for each holder. Answers are durable: what is armed rings whatever crashes, and is repeated until
 * the orders are cancelled.
 */
export interface CancelSwitchApi {
  /**
   * Sets when a trigger cancels the holder's open orders, or disarms it (null). A time that has come cancels at once.
   *
   * @param takesOver ends the leases of the holder's other connections that have not run out: this one speaks for those that went unheard,
   * and one that lives renews its own
   * @returns false when the holder has as many triggers as it may
   */
  arm(holder: SwitchHolder, trigger: string, at_ms: number | null, takesOver?: boolean): Promise<boolean>;
}

/** A fresh stub of a holder's switch. After an exception a stub stays broken, so one is made for every call. */
export function cancelSwitchOf(
  env: { readonly CANCEL_SWITCH: { getByName(name: string): unknown } },
  { account, keyId }: SwitchHolder,
): CancelSwitchApi {
  return env.CANCEL_SWITCH.getByName(keyId === null ? `account:${account}` : `key:${keyId}`) as CancelSwitchApi;
}
