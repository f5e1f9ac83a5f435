import type { Instrument } from '../../../data/catalog/instruments.ts';
import type { ExecutionRouteName } from '../../../domain/assets/asset.ts';
import { lockupFailure } from '../../../domain/assets/issuer-lockup.ts';
import type { AccountFacts, Principal } from '../../../domain/identity/principal.ts';
import { accreditationFailure } from '../../../domain/order-entry/accreditation-failure.ts';
import { instrumentFailure, preIpoFailure } from '../../../domain/order-entry/instrument-failure.ts';
import { keyLimitsFailure } from '../../../domain/order-entry/key-limits-failure.ts';
import type { Side } from '../../../domain/orders/order.ts';
import type { OrderEntryFailure } from '../order-entry-failure.ts';

/** Everything for which the instrument takes no order of a side, whoever sends it, in the order of the validations. */
export function opennessFailures({
  instrument,
  route,
  side,
  preIpo,
}: {
  readonly instrument: Instrument;
  readonly route: ExecutionRouteName;
  readonly side: Side;
  /** What the client takes the order to be; null where it says nothing. */
  readonly preIpo: boolean | null;
}): OrderEntryFailure[] {
  return failures(instrumentFailure(instrument, route), preIpoFailure({ preIpo }, route, side));
}

/** Everything for which this account, by this credential, may not be that side of a trade in the instrument, in the order of the validations. */
export function partyFailures({
  principal,
  facts,
  instrument,
  side,
  quantity,
  now,
}: {
  readonly principal: Pick<Principal, 'symbols' | 'orderSizeLimits'>;
  readonly facts: AccountFacts;
  readonly instrument: Instrument;
  readonly side: Side;
  /** Scaled; 0 asks of no order in particular. */
  readonly quantity: number;
  /** Unix milliseconds. */
  readonly now: number;
}): OrderEntryFailure[] {
  return failures(
    accreditationFailure(side, instrument.asset, facts),
    lockupFailure(side, instrument.asset, now),
    keyLimitsFailure(principal, instrument, quantity),
  );
}

function failures(...found: readonly (OrderEntryFailure | null)[]): OrderEntryFailure[] {
  return found.filter((failure) => failure !== null);
}
