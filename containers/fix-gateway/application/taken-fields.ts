import { type FixMessage, textOf } from '../codec/fix-message.ts';
import { MSG_TYPE } from '../codec/msg-types.ts';
import { TAG } from '../codec/tags.ts';

/** What becomes of a field of a request; a field of the dictionary without a treatment is refused. */
export type Treatment =
  /** The gateway does what it says, or holds it against the order that the request names. */
  | 'done'
  /** It asks for nothing: free text, references of the peer's own, and who is behind the request. */
  | 'harmless'
  /** These values ask for what is done anyway; others are refused. */
  | readonly string[]
  /** Says the same as another field, or is refused. */
  | ((value: string, message: FixMessage) => boolean);

type Treatments = ReadonlyMap<number, Treatment>;

/** PartyRole(452) of those who are behind a request. Other roles clear, give up or settle, which nobody here does for them. */
const BEHIND_THE_REQUEST = ['3', '11', '12', '13', '24', '36'];

/** `ACME-USD` is priced in USD. */
const isQuote: Treatment = (currency, message) => (textOf(message, TAG.Symbol) ?? '').endsWith(`-${currency}`);
const isSymbol: Treatment = (id, message) => id === textOf(message, TAG.Symbol);

function all(treatment: Treatment, tags: readonly number[]): [number, Treatment][] {
  return tags.map((tag) => [tag, treatment]);
}

const TEXTS = all('harmless', [TAG.Text, TAG.EncodedTextLen, TAG.EncodedText]);

const OWN_NAMES = all('harmless', [TAG.SecondaryClOrdID, TAG.ClOrdLinkID]);

const PARTIES: readonly [number, Treatment][] = [
  ...all('harmless', [TAG.Account, TAG.AcctIDSource, TAG.NoPartyIDs, TAG.PartyID, TAG.PartyIDSource]),
  ...all('harmless', [TAG.NoPartySubIDs, TAG.PartySubID, TAG.PartySubIDType]),
  [TAG.PartyRole, BEHIND_THE_REQUEST],
];

/** Symbol names a pair whole. What else identifies an instrument must name the same; descriptions in words are harmless. */
const INSTRUMENT: readonly [number, Treatment][] = [
  [TAG.Symbol, 'done'],
  [TAG.SecurityID, isSymbol],
  // Exchange symbol.
  [TAG.SecurityIDSource, ['8']],
  ...all('harmless', [TAG.Issuer, TAG.EncodedIssuerLen, TAG.EncodedIssuer]),
  ...all('harmless', [TAG.SecurityDesc, TAG.EncodedSecurityDescLen, TAG.EncodedSecurityDesc]),
];

/** Terms of a NewOrderSingle, and of an OrderCancelReplaceRequest, where what cannot be changed must stand as it is. */
const TERMS: readonly [number, Treatment][] = [
  ...all('done', [TAG.ClOrdID, TAG.Side, TAG.OrderQty, TAG.OrdType, TAG.Price, TAG.StopPx]),
  ...all('done', [TAG.TimeInForce, TAG.ExpireTime, TAG.MaxFloor]),
  // 6 is participate don't initiate.
  [TAG.ExecInst, ['6']],
  ...INSTRUMENT,
  ...OWN_NAMES,
  ...PARTIES,
  ...TEXTS,
  ...all('harmless', [TAG.TransactTime, TAG.AccountType, TAG.ComplianceID, TAG.SolicitedFlag]),
  ...all('harmless', [TAG.OrderCapacity, TAG.CustOrderCapacity]),
  [TAG.Currency, isQuote],
  [TAG.SettlCurrency, isQuote],
  // Automated execution; 2 lets a broker intervene, of whom there is none.
  [TAG.HandlInst, ['1', '2']],
  // Every fill settles at once, in cash, whole units at a price per unit.
  [TAG.SettlType, ['0', '1']],
  [TAG.CashMargin, ['1']],
  [TAG.BookingType, ['0']],
  [TAG.GTBookingInst, ['0']],
  [TAG.ProcessCode, ['0']],
  [TAG.QtyType, ['0']],
  [TAG.PriceType, ['2']],
  [TAG.LocateReqd, ['N']],
  [TAG.ForexReq, ['N']],
];

const TARGET: readonly [number, Treatment][] = all('done', [TAG.OrderID, TAG.OrigClOrdID, TAG.ClOrdID]);

/**
 * Every field of a request's body that the gateway takes, by MsgType (docs/fix.md#fields). What is not here would be traded on other terms
 * than the peer states, and is refused by name.
 */
export const TAKEN_FIELDS: ReadonlyMap<string, Treatments> = new Map<string, Treatments>([
  [MSG_TYPE.NewOrderSingle, new Map(TERMS)],
  [MSG_TYPE.OrderCancelReplaceRequest, new Map([...TERMS, ...TARGET])],
  [
    MSG_TYPE.OrderCancelRequest,
    new Map<number, Treatment>([
      ...TARGET,
      ...INSTRUMENT,
      [TAG.Side, 'done'],
      ...OWN_NAMES,
      ...PARTIES,
      ...TEXTS,
      // A cancel ends an order whatever quantity it names (FIX 4.4 volume 4, Order Cancel Request).
      ...all('harmless', [TAG.TransactTime, TAG.AccountType, TAG.ComplianceID, TAG.OrderQty]),
    ]),
  ],
  [
    MSG_TYPE.OrderMassCancelRequest,
    new Map<number, Treatment>([
      ...all('done', [TAG.ClOrdID, TAG.MassCancelRequestType]),
      [TAG.Side, ['1', '2']],
      ...INSTRUMENT,
      ...TEXTS,
      ...all('harmless', [TAG.TransactTime, TAG.SecondaryClOrdID]),
    ]),
  ],
  [
    MSG_TYPE.OrderStatusRequest,
    new Map<number, Treatment>([
      ...all('done', [TAG.OrderID, TAG.ClOrdID, TAG.OrdStatusReqID, TAG.Side]),
      ...INSTRUMENT,
      ...OWN_NAMES,
      ...PARTIES,
    ]),
  ],
  [
    MSG_TYPE.SecurityListRequest,
    new Map<number, Treatment>([
      ...all('done', [TAG.SecurityReqID, TAG.SecurityListRequestType]),
      ...INSTRUMENT,
      ...TEXTS,
      [TAG.SubscriptionRequestType, ['0']],
    ]),
  ],
  [
    MSG_TYPE.MarketDataRequest,
    new Map<number, Treatment>([
      ...all('done', [TAG.MDReqID, TAG.SubscriptionRequestType, TAG.MarketDepth, TAG.MDUpdateType]),
      ...all('done', [TAG.NoMDEntryTypes, TAG.MDEntryType, TAG.NoRelatedSym, TAG.Symbol]),
      // Sizes are sums of a price, and each level that goes is told.
      [TAG.AggregatedBook, ['Y']],
      [TAG.MDImplicitDelete, ['N']],
      [TAG.ApplQueueAction, ['0']],
    ]),
  ],
]);
