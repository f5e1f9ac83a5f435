import type { RegisterChange, RegisterEventType } from './register-event.ts';

/** Why a register does not take an event. */
export type ChangeFault =
  | { readonly type: 'nothing' }
  /** A change is of nothing, of parts of the smallest unit, or of more than can be counted. */
  | { readonly type: 'not_whole' }
  /** An issuance or import takes away, a cancellation gives, a split does both, or a transfer or its reversal changes what is outstanding. */
  | { readonly type: 'wrong_direction' }
  | { readonly type: 'not_held'; readonly holder: string; readonly required: number; readonly held: number };

/** Null when the register takes it: nobody has less than nothing after it. `heldOf` is what a holder is registered with now. */
export function changeFault(
  type: RegisterEventType,
  changes: readonly Pick<RegisterChange, 'holder' | 'shares'>[],
  heldOf: (holder: string) => number,
): ChangeFault | null {
  if (changes.length === 0) return { type: 'nothing' };
  const total = changes.reduce((sum, { shares }) => sum + shares, 0);
  if (changes.some(({ shares }) => shares === 0 || !Number.isSafeInteger(shares)) || !Number.isSafeInteger(total))
    return { type: 'not_whole' };
  if (!fits(type, changes, total)) return { type: 'wrong_direction' };
  const leaving = new Map<string, number>();
  for (const { holder, shares } of changes) leaving.set(holder, (leaving.get(holder) ?? 0) - shares);
  for (const [holder, required] of leaving) {
    const held = heldOf(holder);
    if (required > held) return { type: 'not_held', holder, required, held };
  }
  return null;
}

function fits(type: RegisterEventType, changes: readonly { readonly shares: number }[], total: number): boolean {
  switch (type) {
    case 'issuance':
    case 'import':
    case 'conversion':
      return changes.every(({ shares }) => shares > 0);
    case 'cancellation':
    case 'merger':
      return changes.every(({ shares }) => shares < 0);
    case 'split':
      return changes.every(({ shares }) => shares > 0 === total > 0);
    case 'transfer':
    case 'reversal':
      return total === 0;
  }
}
