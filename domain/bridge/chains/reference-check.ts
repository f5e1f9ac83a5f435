import type { ReferenceCheck } from './chain-adapter.ts';

/** So many times what a signer's own node asks for today a payment may pay: fees rise and fall between its reference and its signatures. */
const FEE_FACTOR_MAX = 4n;
/** So far ahead of what an account has used a number may be: more payments of one vault are never under way (`TAKEN_MAX` of its watcher). */
const NUMBERS_AHEAD_MAX = 1_000n;

/** Nothing of a reference is otherwise than it says. */
export const REFERENCE_HOLDS: ReferenceCheck = { fault: null, spends: [] };

/** What the first of these says is not so; otherwise the reference holds. */
export function checkedReference(
  ...faults: readonly (ReferenceCheck['fault'] | readonly ReferenceCheck['fault'][])[]
): ReferenceCheck {
  return { fault: faults.flat().find((fault) => fault !== null) ?? null, spends: [] };
}

/** What is not so, and never will be. */
export function neverSo(isSo: boolean, what: string): ReferenceCheck['fault'] {
  return isSo ? null : { reason: `its reference is wrong: ${what}`, isForGood: true };
}

/** What is not so now. */
export function notSo(isSo: boolean, what: string): ReferenceCheck['fault'] {
  return isSo ? null : { reason: `its reference does not hold now: ${what}`, isForGood: false };
}

/**
 * The most that a payment may pay where a node asks for so much. Chains whose highest fee is cents have the bound of `build` alone: fees that fall stop no payment there.
 *
 * @param least what a payment may pay whatever the node says: nodes that ask for nothing must not stop payments
 */
export function feeCeiling(asked: bigint, least: bigint): bigint {
  const ceiling = asked * FEE_FACTOR_MAX;
  return ceiling > least ? ceiling : least;
}

/** Whether a number of an account is one that a payment may have: not so far ahead that all before it would be lost, or that it would land in some years. */
export function farAhead(number: string, used: bigint): ReferenceCheck['fault'] {
  return notSo(BigInt(number) <= used + NUMBERS_AHEAD_MAX, 'its number is far ahead of the account’s');
}

/** A sweep waits for no dearer day: whoever orders it must not choose a fee that burns the deposit. */
export function sweepFeeFault(price: bigint, asked: bigint): ReferenceCheck['fault'] {
  return notSo(price <= feeCeiling(asked, 1n), 'its fee is far above what the node asks for');
}
