import type { LimitedWindow } from './rate-windows.ts';

/** What each key of an account, and whoever signs in for it, may cancel in a minute whatever the others do. */
const SURE_CANCELS = 60;

/**
 * The windows on which one of an account's credentials cancels: its own and the account's, and its own alone as far as it is sure of cancels that the others
 * have used up. One that repeats cancels in vain holds up nobody else's.
 *
 * @param isDivisible whether a part of the cost is better than nothing
 */
export function windowsOfCancels(
  now: number,
  { cost, isDivisible }: { readonly cost: number; readonly isDivisible: boolean },
  own: LimitedWindow,
  account: LimitedWindow,
): [LimitedWindow, LimitedWindow] {
  const left = account.window.left(now, account.limit);
  if (left >= cost) return [own, account];
  const sure = { window: own.window, limit: { ...own.limit, limit: Math.min(own.limit.limit, SURE_CANCELS) } };
  const sureLeft = sure.window.left(now, sure.limit);
  if (sureLeft <= left || (sureLeft < cost && !isDivisible)) return [own, account];
  // It is counted there all the same.
  return [sure, { window: account.window, limit: { ...account.limit, limit: Number.POSITIVE_INFINITY } }];
}
