import { findInstrumentOfMarket, type Instrument } from '../../../data/catalog/instruments.ts';
import { database } from '../../../data/database.ts';
import { findSecurity, type SecuritiesOf } from '../../../data/partner/securities.ts';
import { followsSecurity } from '../../../domain/partner/follows-security.ts';

/** The instrument of a security, with its market. */
type FollowedInstrument = Instrument & { readonly market: NonNullable<Instrument['market']> };

export interface FollowedMarket {
  readonly securityId: string;
  /** Null before the security is listed: there is nothing to tell of it. */
  readonly instrument: FollowedInstrument | null;
}

/** What the partner follows under a security's id; null for one that is not there, or not for this partner. */
export async function followedMarket(env: Env, partner: SecuritiesOf, id: string): Promise<FollowedMarket | null> {
  const db = database(env.DB);
  const security = await findSecurity(db, id);
  if (security === null || !followsSecurity(partner, security)) return null;
  const instrument = security.market === null ? null : await findInstrumentOfMarket(db, security.market);
  const market = instrument?.market ?? null;
  return {
    securityId: id,
    instrument: instrument === null || market === null ? null : { ...instrument, market },
  };
}
