import type { AccreditationType, AssetCategory, Regulation } from '../assets/asset.ts';
import { ATTRIBUTE } from '../orders/eligibility.ts';
import type { Side } from '../orders/order.ts';
import { requiresOf } from './requires-of.ts';

/**
 * What a member of the family is to a person, by 17 CFR 227.501(c). Adoptive relationships are among each kind. The inverse of each is one
 * of them, so that family is mutual.
 */
export const RELATIONSHIPS = [
  'child',
  'stepchild',
  'grandchild',
  'parent',
  'stepparent',
  'grandparent',
  'spouse',
  'spousal_equivalent',
  'sibling',
  'mother_in_law',
  'father_in_law',
  'son_in_law',
  'daughter_in_law',
  'brother_in_law',
  'sister_in_law',
] as const;

export type Relationship = (typeof RELATIONSHIPS)[number];

/** Accounts that one account is family of at the same time: its orders carry them. */
export const FAMILY_MAX = 32;

interface CarryingOrder {
  readonly side: Side;
  readonly attributes: number;
  /** As admission has decided it. */
  readonly requires: number;
  /** Family of its owner. */
  readonly family: readonly string[] | null;
}

interface TradedAsset {
  readonly tracksLots: boolean;
  readonly regulation: Regulation | null;
  readonly accreditationType: AccreditationType | null;
  readonly category: AssetCategory | null;
}

/**
 * The family that an order carries: of a sell that asks for family, and of a buy that may meet one by nothing else. An order that needs none
 * carries none, so that the end of a relation does not concern it.
 */
export function carriedFamily(order: CarryingOrder, asset: TradedAsset): readonly string[] | null {
  const { side, attributes, requires, family } = order;
  if (side === 'sell') return (requires & ATTRIBUTE.family) === 0 ? null : family;
  const isAccredited = (attributes & ATTRIBUTE.self_certified_accredited) !== 0;
  // Lots of any private security may come of a Reg CF offering, whatever its own regulation.
  const mayMeetFamily = asset.tracksLots && asset.regulation !== null && requiresOf(asset) === 0;
  return isAccredited || !mayMeetFamily ? null : family;
}
