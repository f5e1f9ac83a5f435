import {
  bpsNumber,
  bpsOf,
  counted,
  EVIDENCE_MAX,
  type FamilyOf,
  type Finding,
  type Kinship,
  type PersonOf,
  quantityOf,
  SAME_PERSON,
  subjectOf,
  totalQuantity,
  type WatchedTrade,
} from './finding.ts';

/**
 * From how many trades of a day on accounts of one person, or of family, make a case, or from which share of the market's day on if they are fewer.
 * FINRA 5210.02 asks firms to look for a pattern of trades without change in beneficial ownership and gives no number: these are ours. One small trade between
 * two own accounts happens by accident; family are two owners, so that more is asked of them.
 *
 * @internal
 */
export const WASH_THRESHOLDS = {
  same_person: { tradesMin: 2, shareBpsMin: 1_000 },
  family: { tradesMin: 3, shareBpsMin: 2_500 },
} as const;

interface WashTerms {
  /** Of one market and one day, in the order in which they were made. */
  readonly trades: readonly WatchedTrade[];
  readonly personOf: PersonOf;
  readonly familyOf: FamilyOf;
}

/** Trades between accounts of one beneficial owner: one person's, or of recorded family (SEA 9(a)(1), FINRA 5210, 6140(b)). */
export function findWashTrades({ trades, personOf, familyOf }: WashTerms): Finding[] {
  const whole = totalQuantity(trades);
  const byPair = new Map<
    string,
    { readonly kinship: Kinship | null; readonly people: readonly string[]; readonly own: WatchedTrade[] }
  >();
  for (const trade of trades) {
    const [buyer, seller] = [personOf(trade.buyer), personOf(trade.seller)];
    if (buyer === null || seller === null) continue;
    const kinship = buyer === seller ? null : familyOf(trade.buyer, trade.seller);
    if (kinship === null && buyer !== seller) continue;
    const people = [...new Set([buyer, seller])].sort();
    const subject = subjectOf(people);
    const pair = byPair.get(subject) ?? { kinship, people, own: [] };
    pair.own.push(trade);
    byPair.set(subject, pair);
  }
  return [...byPair.values()].flatMap(({ kinship, people, own }) => {
    const { tradesMin, shareBpsMin } = WASH_THRESHOLDS[kinship === null ? 'same_person' : 'family'];
    const quantity = totalQuantity(own);
    const share = bpsOf(quantity, whole);
    if (own.length < tradesMin && share < shareBpsMin) return [];
    return [
      {
        rule: 'wash_trade' as const,
        people,
        accounts: [...new Set(own.flatMap(({ buyer, seller }) => [buyer, seller]))].sort(),
        relation: kinship?.relation ?? SAME_PERSON,
        relationOf: kinship?.of ?? null,
        numbers: {
          trades: counted(own.length),
          quantity: quantityOf(quantity),
          day_quantity: quantityOf(whole),
          share_of_day: bpsNumber(share),
          trades_threshold: counted(tradesMin),
          share_threshold: bpsNumber(shareBpsMin),
        },
        trades: own.slice(0, EVIDENCE_MAX),
        orders: [],
        weight: Math.max(bpsOf(BigInt(own.length), BigInt(tradesMin)), bpsOf(BigInt(share), BigInt(shareBpsMin))),
      },
    ];
  });
}
