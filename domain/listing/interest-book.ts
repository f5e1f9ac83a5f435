import { attributesOf, type InvestorFacts } from '../accreditation/attributes-of.ts';
import { ATTRIBUTE } from '../orders/eligibility.ts';

/** What investors are: verified by a third party, self-certified, or neither any more. */
export const INVESTOR_CLASSES = ['verified', 'self_certified', 'not_accredited'] as const;

type InvestorClass = (typeof INVESTOR_CLASSES)[number];

/** Scaled integers. */
interface Interest {
  readonly account: string;
  readonly quantity: number;
  /** As far as its account may buy and could pay now. */
  readonly payable: number;
  readonly price: number;
}

interface InterestSum {
  readonly indications: number;
  readonly investors: number;
  readonly quantity: number;
  readonly payable: number;
}

/** Interest in an asset, without who it is of. */
export interface InterestBook extends InterestSum {
  readonly byClass: Readonly<Record<InvestorClass, InterestSum>>;
  /** By falling price. */
  readonly levels: readonly (InterestSum & { readonly price: number })[];
}

/** @param facts of the investors, by account */
export function interestBook(interests: readonly Interest[], facts: ReadonlyMap<string, InvestorFacts>): InterestBook {
  const byClass = Map.groupBy(interests, ({ account }) => classOf(facts.get(account)));
  const levels = Array.from(
    Map.groupBy(interests, ({ price }) => price),
    ([price, of]) => ({ price, ...sumOf(of) }),
  );
  return {
    ...sumOf(interests),
    byClass: {
      verified: sumOf(byClass.get('verified') ?? []),
      self_certified: sumOf(byClass.get('self_certified') ?? []),
      not_accredited: sumOf(byClass.get('not_accredited') ?? []),
    },
    levels: levels.sort((a, b) => b.price - a.price),
  };
}

function classOf(facts: InvestorFacts | undefined): InvestorClass {
  const attributes = facts === undefined ? 0 : attributesOf(facts);
  if ((attributes & ATTRIBUTE.verified_accredited) !== 0) return 'verified';
  return (attributes & ATTRIBUTE.self_certified_accredited) === 0 ? 'not_accredited' : 'self_certified';
}

function sumOf(interests: readonly Interest[]): InterestSum {
  return {
    indications: interests.length,
    investors: new Set(interests.map(({ account }) => account)).size,
    quantity: interests.reduce((sum, { quantity }) => sum + quantity, 0),
    payable: interests.reduce((sum, { payable }) => sum + payable, 0),
  };
}
