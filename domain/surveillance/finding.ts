import type { Side } from '../orders/order.ts';
import type { SurveillanceRule } from './surveillance-case.ts';

/** A trade as the rules see it, in scaled integers of its market. */
export interface WatchedTrade {
  readonly id: string;
  readonly price: number;
  readonly quantity: number;
  readonly buyOrder: string;
  readonly sellOrder: string;
  /** Accounts. */
  readonly buyer: string;
  readonly seller: string;
  /** Unix milliseconds. */
  readonly executedAt: number;
}

/** An order that its owner has taken off, by a cancel or by an end that they have set or brought about, as the rules see it. */
export interface WatchedOrder {
  readonly id: string;
  readonly account: string;
  readonly side: Side;
  readonly price: number;
  readonly quantity: number;
  readonly filled: number;
  readonly createdAt: number;
  readonly cancelledAt: number;
}

/** User id of whom an account is; null for an account of the venue itself. */
export type PersonOf = (account: string) => string | null;

/** How two people are family: the other one is the `relation` of `of`, a user id. */
export interface Kinship {
  readonly relation: string;
  readonly of: string;
}

/** How the people of two accounts are family by a recorded relation; null where they are not. */
export type FamilyOf = (account: string, other: string) => Kinship | null;

/** The relation of two accounts of one person. */
export const SAME_PERSON = 'same_person';

/** What a number of a finding is counted in. */
export const NUMBER_UNITS = ['count', 'quantity', 'price', 'bps', 'ms'] as const;

/** A number that has decided, by name: scaled integers of the market as text where it is a price or a quantity. */
export interface FindingNumber {
  readonly unit: (typeof NUMBER_UNITS)[number];
  readonly value: string;
}

/** What a rule says of people in one market on one day, with what shows it. */
export interface Finding {
  readonly rule: SurveillanceRule;
  /** User ids, in order. */
  readonly people: readonly string[];
  readonly accounts: readonly string[];
  /** How they are related, where that is why the rule looks at both. */
  readonly relation: string | null;
  /** User id of whom the other one is that; null where they are no two. */
  readonly relationOf: string | null;
  readonly numbers: Readonly<Record<string, FindingNumber>>;
  /** The first of each kind, EVIDENCE_MAX at most; `numbers` say how many there are. */
  readonly trades: readonly WatchedTrade[];
  readonly orders: readonly WatchedOrder[];
  /** What weighs more is kept where a day has too many findings: basis points of what the rule asks for. */
  readonly weight: number;
}

/** Trades, and orders, that a finding shows. */
export const EVIDENCE_MAX = 50;

export function counted(value: number): FindingNumber {
  return { unit: 'count', value: String(value) };
}

export function quantityOf(value: bigint | number): FindingNumber {
  return { unit: 'quantity', value: String(value) };
}

export function priceOf(value: number): FindingNumber {
  return { unit: 'price', value: String(value) };
}

export function bpsNumber(value: number): FindingNumber {
  return { unit: 'bps', value: String(value) };
}

/** Whole basis points that a part is of a whole, rounded down; 0 of nothing. */
export function bpsOf(part: bigint, whole: bigint): number {
  return whole === 0n ? 0 : Number((part * 10_000n) / whole);
}

/** What every trade has moved, once. */
export function totalQuantity(trades: readonly WatchedTrade[]): bigint {
  return trades.reduce((sum, { quantity }) => sum + BigInt(quantity), 0n);
}

/** The same text for the same people, in whatever order they come. */
export function subjectOf(people: readonly string[]): string {
  return [...new Set(people)].sort().join('+');
}
