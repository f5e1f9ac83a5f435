"""Written by scripts/sdk/api-types.ts from the OpenAPI document of profile partner."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any, Literal, NotRequired, TypedDict

from ..calls import Calls
from ..operations import Operations


class GetSecuritiesAnswer(TypedDict):
    securities: list[Security]
    has_more: NotRequired[Literal[true]]
    """The list goes on: the next page is in the Link header. Left out where it ends here."""


class GetInvestorsAnswer(TypedDict):
    investors: list[Investor]
    has_more: NotRequired[Literal[true]]
    """The list goes on: the next page is in the Link header. Left out where it ends here."""


class GetInvestorsAccountsKeysAnswer(TypedDict):
    keys: list[InvestorKey]


class GetOrdersAnswer(TypedDict):
    orders: list[PartnerOrder]
    has_more: NotRequired[Literal[true]]
    """The list goes on: the next page is in the Link header. Left out where it ends here."""


class GetWebhooksAnswer(TypedDict):
    webhooks: list[Webhook]


class GetWebhooksDeliveriesAnswer(TypedDict):
    deliveries: list[Delivery]
    has_more: NotRequired[Literal[true]]
    """The list goes on: the next page is in the Link header. Left out where it ends here."""


class GetCaptableHoldersAnswer(TypedDict):
    holders: list[RegisteredHolder]
    has_more: NotRequired[Literal[true]]
    """The list goes on: the next page is in the Link header. Left out where it ends here."""


class GetCaptableHistoryAnswer(TypedDict):
    events: list[RegisterHistoryEvent]
    has_more: NotRequired[Literal[true]]
    """The list goes on: the next page is in the Link header. Left out where it ends here."""


class GetCorporateActionsAnswer(TypedDict):
    corporate_actions: list[CorporateAction]
    has_more: NotRequired[Literal[true]]
    """The list goes on: the next page is in the Link header. Left out where it ends here."""


class GetCorporateActionsPaymentsAnswer(TypedDict):
    payments: list[CorporateActionPayment]
    has_more: NotRequired[Literal[true]]
    """The list goes on: the next page is in the Link header. Left out where it ends here."""


class GetSettlementsAnswer(TypedDict):
    settlements: list[Settlement]
    has_more: NotRequired[Literal[true]]
    """The list goes on: the next page is in the Link header. Left out where it ends here."""


class GetTransfersAnswer(TypedDict):
    transfers: list[TransferInstruction]
    has_more: NotRequired[Literal[true]]
    """The list goes on: the next page is in the Link header. Left out where it ends here."""


GetReportsTransferLogAnswer = TypedDict(
    "GetReportsTransferLogAnswer",
    {"from": "str", "to": "str", "transfers": "list[TransferLogEntry]", "has_more": "NotRequired[Literal[true]]"},
)


GetReportsDividendHistoryAnswer = TypedDict(
    "GetReportsDividendHistoryAnswer",
    {"from": "str", "to": "str", "payments": "list[DividendHistoryEntry]", "has_more": "NotRequired[Literal[true]]"},
)


class Security(TypedDict):
    security_id: str
    status: Literal["submitted", "listed", "halted", "refused", "delisted"]
    status_reason: str | None
    asset_name: str
    asset_type: Literal["private_security"]
    security_class: Literal["common_stock", "preferred_stock", "membership_interest", "partnership_interest", "unit", "note", "trust_certificate", "other"]
    share_class: str
    issuer_id: str
    issuer_name: str
    issuer_type: Literal["private_corporation", "limited_liability_company", "limited_partnership", "public_company", "sole_proprietorship", "special_purpose_vehicle", "trust"]
    cusip: str | None
    isin: str | None
    currency: str
    last_valuation_price: Decimal
    last_valuation_date: str
    restrictions: Restrictions
    lister_restrictions: Restrictions
    agent_restrictions: AgentRestrictions | None
    transfer_agent_id: str | None
    transfer_agent_state: Literal["proposed", "accepted", "declined"] | None
    symbol: str | None
    market: str | None
    """Symbol of its order book; null until it is listed."""
    created_at: str
    updated_at: str


class Restrictions(TypedDict):
    """In effect: the agent’s where it has stated one."""

    legend_required: bool
    rule_144_holding_period_met: bool
    transfer_restrictions: str
    lock_up_expiry_date: str | None


class AgentRestrictions(TypedDict):
    legend_required: NotRequired[bool]
    rule_144_holding_period_met: NotRequired[bool]
    transfer_restrictions: NotRequired[str]
    lock_up_expiry_date: NotRequired[str | None]


class CrossListRequest(TypedDict):
    asset_name: str
    asset_type: Literal["private_security"]
    security_class: Literal["common_stock", "preferred_stock", "membership_interest", "partnership_interest", "unit", "note", "trust_certificate", "other"]
    share_class: str
    issuer_id: str
    issuer_name: str
    issuer_type: Literal["private_corporation", "limited_liability_company", "limited_partnership", "public_company", "sole_proprietorship", "special_purpose_vehicle", "trust"]
    cusip: NotRequired[str | None]
    isin: NotRequired[str | None]
    currency: str
    last_valuation_price: Decimal | int
    last_valuation_date: str
    restrictions: CrossListRequestRestrictions
    transfer_agent_id: NotRequired[str | None]
    """Organization of the transfer agent that is asked to keep its register."""


class CrossListRequestRestrictions(TypedDict):
    legend_required: bool
    rule_144_holding_period_met: bool
    transfer_restrictions: str
    lock_up_expiry_date: str | None


class SecurityWithQuote(TypedDict):
    security_id: str
    status: Literal["submitted", "listed", "halted", "refused", "delisted"]
    status_reason: str | None
    asset_name: str
    asset_type: Literal["private_security"]
    security_class: Literal["common_stock", "preferred_stock", "membership_interest", "partnership_interest", "unit", "note", "trust_certificate", "other"]
    share_class: str
    issuer_id: str
    issuer_name: str
    issuer_type: Literal["private_corporation", "limited_liability_company", "limited_partnership", "public_company", "sole_proprietorship", "special_purpose_vehicle", "trust"]
    cusip: str | None
    isin: str | None
    currency: str
    last_valuation_price: Decimal
    last_valuation_date: str
    restrictions: Restrictions
    lister_restrictions: Restrictions
    agent_restrictions: AgentRestrictions | None
    transfer_agent_id: str | None
    transfer_agent_state: Literal["proposed", "accepted", "declined"] | None
    symbol: str | None
    market: str | None
    """Symbol of its order book; null until it is listed."""
    created_at: str
    updated_at: str
    quote: SecurityQuote | None


class SecurityQuote(TypedDict):
    bid: Decimal | None
    ask: Decimal | None
    last: Decimal | None
    """Last trade; null before the first."""


class SecurityEdit(TypedDict):
    restrictions: NotRequired[RestrictionsRequest]
    last_valuation_price: NotRequired[Decimal | int]
    last_valuation_date: NotRequired[str]
    transfer_agent_id: NotRequired[str | None]


class RestrictionsRequest(TypedDict):
    legend_required: NotRequired[bool]
    rule_144_holding_period_met: NotRequired[bool]
    transfer_restrictions: NotRequired[str]
    lock_up_expiry_date: NotRequired[str | None]


class Quote(TypedDict):
    bid: Decimal | None
    ask: Decimal | None
    last: Decimal | None
    """Last trade; null before the first."""
    security_id: str
    timestamp: str


class Book(TypedDict):
    security_id: str
    bids: list[BookBidsItem]
    asks: list[BookAsksItem]
    sequence: Decimal
    """Of the last change that the levels include, as in /v1/ws/book/{id}."""
    timestamp: str


class BookBidsItem(TypedDict):
    price: Decimal
    quantity: Decimal


class BookAsksItem(TypedDict):
    price: Decimal
    quantity: Decimal


class Trades(TypedDict):
    security_id: str
    trades: list[TradesTradesItem]
    has_more: NotRequired[Literal[true]]
    """The list goes on: the next page is in the Link header. Left out where it ends here."""


class TradesTradesItem(TypedDict):
    trade_id: str
    sequence: Decimal
    """Gapless within the security."""
    price: Decimal
    quantity: Decimal
    side: Literal["buy", "sell"]
    """Of the taker."""
    executed_at: str
    status: Literal["executed", "bust", "correction"]
    """Whether the trade was taken back (nothing of it stands) or stands at another price since."""
    corrected_price: Decimal | None
    """What it stands at; null unless it was corrected."""
    adjusted_at: str | None
    """When it was taken back or corrected."""


class Chart(TypedDict):
    security_id: str
    interval: Literal["1m", "5m", "15m", "1h", "1d"]
    bars: list[ChartBarsItem]


class ChartBarsItem(TypedDict):
    time: str
    """Start of the bar."""
    open: Decimal
    high: Decimal
    low: Decimal
    close: Decimal
    volume: Decimal
    """Shares."""


class InvestorRequest(TypedDict):
    name: str
    account_type: Literal["entity", "individual"]
    country: str
    """ISO 3166-1 alpha-2, of residence or incorporation."""
    us_person: bool
    """Whether it is a US person, 17 CFR 230.902(k). Who resides or is incorporated in the United States is one: `country` US and false is refused."""


class Investor(TypedDict):
    investor_id: str
    name: str
    account_type: Literal["entity", "individual"]
    country: str
    us_person: bool
    accounts: list[InvestorAccount]
    created_at: str


class InvestorAccount(TypedDict):
    account_id: str
    kyc_status: Literal["pending", "completed", "rejected"]
    accreditation_status: Literal["none", "pending", "completed", "expired"]
    accreditation_type: Literal["506c", "506b"] | None
    frozen: bool
    created_at: str


class InvestorKeyRequest(TypedDict):
    name: str
    scopes: NotRequired[list[Literal["read", "trade"]]]
    security_ids: list[str]
    """Listed securities that it may trade, and nothing else."""
    ip_allowlist: NotRequired[list[str] | None]
    expires_at: NotRequired[str | None]
    """When the key ends by itself; the venue may set a maximum."""


class InvestorKeyWithSecret(TypedDict):
    key_id: str
    """X-API-Key, and Username (553) of a FIX session."""
    name: str
    scopes: list[Literal["read", "trade"]]
    markets: list[str]
    """Symbols of the order-book profile, and of FIX."""
    ip_allowlist: list[str] | None
    status: Literal["active", "revoked"]
    created_at: str
    revoked_at: str | None
    expires_at: str | None
    """When it ends by itself, as stated or by the maximum of the venue; null for never."""
    last_used_on: str | None
    """The day of its last use, UTC; null for none."""
    secret: str
    """X-API-Secret, and Password (554) of a FIX session. Shown this once."""


class InvestorKey(TypedDict):
    key_id: str
    """X-API-Key, and Username (553) of a FIX session."""
    name: str
    scopes: list[Literal["read", "trade"]]
    markets: list[str]
    """Symbols of the order-book profile, and of FIX."""
    ip_allowlist: list[str] | None
    status: Literal["active", "revoked"]
    created_at: str
    revoked_at: str | None
    expires_at: str | None
    """When it ends by itself, as stated or by the maximum of the venue; null for never."""
    last_used_on: str | None
    """The day of its last use, UTC; null for none."""


class ComplianceRecord(TypedDict):
    investor_id: str
    account_type: Literal["entity", "individual"]
    cleared: bool
    """Whether every check but accreditation has passed and not expired."""
    checks: list[ComplianceCheck]


class ComplianceCheck(TypedDict):
    kind: Literal["kyc", "kyb", "sanctions_screening", "adverse_media_screening", "transaction_monitoring", "accreditation"]
    status: Literal["pending", "passed", "failed", "expired"]
    provider: str | None
    """Who has found it; null before anything was found."""
    reference: str | None
    """Id of what was found, at the provider."""
    reason: str | None
    """Why it has failed."""
    checked_at: str | None
    expires_at: str | None
    in_progress: bool
    """Whether the check is being made, or made anew."""


class PartnerOrderRequest(TypedDict):
    security_id: str
    side: Literal["buy", "sell"]
    order_type: Literal["limit", "market"]
    quantity: Decimal | int
    price: NotRequired[Decimal | int]
    """Of limit orders."""
    time_in_force: NotRequired[Literal["day", "gtc", "ioc", "fok"]]
    """`day`, until the day ends in New York; of market orders `ioc`, and no other."""
    investor_id: str
    account_id: str
    """Of the investor."""
    broker_dealer: BrokerDealer


class BrokerDealer(TypedDict):
    firm_name: str
    crd_number: str
    """Of the firm, in the Central Registration Depository."""


class PartnerOrder(TypedDict):
    order_id: str
    security_id: str
    investor_id: str
    account_id: str
    broker_dealer: BrokerDealer
    side: Literal["buy", "sell"]
    order_type: Literal["market", "limit", "stop_loss", "stop_loss_limit", "take_profit", "take_profit_limit", "limit_maker"]
    """An order that a key of the account has placed may be of any type of the exchange."""
    quantity: Decimal
    price: Decimal | None
    stop_price: Decimal | None
    """Of an order that waits for its trigger."""
    time_in_force: Literal["day", "gtc", "ioc", "fok", "gtd", "post_only"]
    """`gtd` and `post_only` are those of orders that a key of the account has placed."""
    expires_at: str | None
    """Of a day order, and of `gtd`."""
    status: Literal["pending", "open", "partially_filled", "filled", "cancelled", "rejected", "expired"]
    filled_quantity: Decimal
    average_price: Decimal | None
    """Of what has been filled."""
    taken_back_quantity: NotRequired[Decimal]
    """Of what has been filled, what an agent or an operator has taken back since. Left out for none."""
    reason: str | None
    """Why it was rejected, cancelled or has expired."""
    created_at: str


class CancelledPartnerOrder(TypedDict):
    order_id: str
    status: Literal["pending", "open", "partially_filled", "filled", "cancelled", "rejected", "expired"]
    filled_quantity: Decimal
    cancelled_at: str


class WebhookBody(TypedDict):
    url: str
    """Of https, at a public name, on port 443 or 8443."""
    events: list[Literal["trade.executed", "settlement.recorded", "settlement.finalized", "transfer.initiated", "transfer.completed", "dividend.declared", "corporate_action.announced", "bridge.transfer.awaiting_funds", "bridge.transfer.confirming", "bridge.transfer.attesting", "bridge.transfer.queued", "bridge.transfer.challenge", "bridge.transfer.co_signing", "bridge.transfer.broadcast", "bridge.transfer.confirmed", "bridge.transfer.refundable", "bridge.transfer.refund_broadcast", "bridge.transfer.refunded", "bridge.transfer.expired", "bridge.transfer.paid_by_other", "bridge.transfer.cancelling", "bridge.transfer.uncovered", "bridge.transfer.covered"]]
    """Those that organizations of the caller’s role receive."""
    description: NotRequired[str | None]
    ordering: NotRequired[Literal["none", "security", "endpoint"]]
    """`none`: each message as soon as it can be sent; `security`: those of one security, or of one transfer of the bridge, one after the other; `endpoint`: all of them one after the other. It does not change."""
    security_ids: NotRequired[list[str] | None]
    """Events of these securities alone; null for all that you are told of. Refused of a tenant of the bridge: its events are of no security."""
    headers: NotRequired[dict[str, str]]
    """Up to 10 headers that each message has beside ours, such as a credential of your gateway. They are shown by their names alone."""


class CreatedWebhook(TypedDict):
    webhook_id: str
    url: str
    events: list[Literal["trade.executed", "settlement.recorded", "settlement.finalized", "transfer.initiated", "transfer.completed", "dividend.declared", "corporate_action.announced", "bridge.transfer.awaiting_funds", "bridge.transfer.confirming", "bridge.transfer.attesting", "bridge.transfer.queued", "bridge.transfer.challenge", "bridge.transfer.co_signing", "bridge.transfer.broadcast", "bridge.transfer.confirmed", "bridge.transfer.refundable", "bridge.transfer.refund_broadcast", "bridge.transfer.refunded", "bridge.transfer.expired", "bridge.transfer.paid_by_other", "bridge.transfer.cancelling", "bridge.transfer.uncovered", "bridge.transfer.covered"]]
    description: str | None
    ordering: Literal["none", "security", "endpoint"]
    """`none`: each message as soon as it can be sent; `security`: those of one security, or of one transfer of the bridge, one after the other; `endpoint`: all of them one after the other. It does not change."""
    security_ids: list[str] | None
    header_names: list[str]
    """Of the headers that you have stated."""
    status: Literal["enabled", "disabled"]
    disabled_reason: Literal["owner", "gone", "failing", "overflow"] | None
    """`owner`: by PATCH; `failing`: it failed for three days; `gone`: it answered 410; `overflow`: too much waited."""
    disabled_at: str | None
    created_at: str
    secret: str
    """Signs what is sent, by the Standard Webhooks pattern. Shown this once."""


class Webhook(TypedDict):
    webhook_id: str
    url: str
    events: list[Literal["trade.executed", "settlement.recorded", "settlement.finalized", "transfer.initiated", "transfer.completed", "dividend.declared", "corporate_action.announced", "bridge.transfer.awaiting_funds", "bridge.transfer.confirming", "bridge.transfer.attesting", "bridge.transfer.queued", "bridge.transfer.challenge", "bridge.transfer.co_signing", "bridge.transfer.broadcast", "bridge.transfer.confirmed", "bridge.transfer.refundable", "bridge.transfer.refund_broadcast", "bridge.transfer.refunded", "bridge.transfer.expired", "bridge.transfer.paid_by_other", "bridge.transfer.cancelling", "bridge.transfer.uncovered", "bridge.transfer.covered"]]
    description: str | None
    ordering: Literal["none", "security", "endpoint"]
    """`none`: each message as soon as it can be sent; `security`: those of one security, or of one transfer of the bridge, one after the other; `endpoint`: all of them one after the other. It does not change."""
    security_ids: list[str] | None
    header_names: list[str]
    """Of the headers that you have stated."""
    status: Literal["enabled", "disabled"]
    disabled_reason: Literal["owner", "gone", "failing", "overflow"] | None
    """`owner`: by PATCH; `failing`: it failed for three days; `gone`: it answered 410; `overflow`: too much waited."""
    disabled_at: str | None
    created_at: str


class WebhookWithBacklog(TypedDict):
    webhook_id: str
    url: str
    events: list[Literal["trade.executed", "settlement.recorded", "settlement.finalized", "transfer.initiated", "transfer.completed", "dividend.declared", "corporate_action.announced", "bridge.transfer.awaiting_funds", "bridge.transfer.confirming", "bridge.transfer.attesting", "bridge.transfer.queued", "bridge.transfer.challenge", "bridge.transfer.co_signing", "bridge.transfer.broadcast", "bridge.transfer.confirmed", "bridge.transfer.refundable", "bridge.transfer.refund_broadcast", "bridge.transfer.refunded", "bridge.transfer.expired", "bridge.transfer.paid_by_other", "bridge.transfer.cancelling", "bridge.transfer.uncovered", "bridge.transfer.covered"]]
    description: str | None
    ordering: Literal["none", "security", "endpoint"]
    """`none`: each message as soon as it can be sent; `security`: those of one security, or of one transfer of the bridge, one after the other; `endpoint`: all of them one after the other. It does not change."""
    security_ids: list[str] | None
    header_names: list[str]
    """Of the headers that you have stated."""
    status: Literal["enabled", "disabled"]
    disabled_reason: Literal["owner", "gone", "failing", "overflow"] | None
    """`owner`: by PATCH; `failing`: it failed for three days; `gone`: it answered 410; `overflow`: too much waited."""
    disabled_at: str | None
    created_at: str
    waiting: Decimal
    """Messages that wait to be sent."""
    waiting_bytes: Decimal
    failing_since: str | None
    """When what waits and was not taken was first tried; null while nothing fails."""
    next_try_at: str | None


class WebhookChange(TypedDict):
    url: NotRequired[str]
    """Of https, at a public name, on port 443 or 8443."""
    events: NotRequired[list[Literal["trade.executed", "settlement.recorded", "settlement.finalized", "transfer.initiated", "transfer.completed", "dividend.declared", "corporate_action.announced", "bridge.transfer.awaiting_funds", "bridge.transfer.confirming", "bridge.transfer.attesting", "bridge.transfer.queued", "bridge.transfer.challenge", "bridge.transfer.co_signing", "bridge.transfer.broadcast", "bridge.transfer.confirmed", "bridge.transfer.refundable", "bridge.transfer.refund_broadcast", "bridge.transfer.refunded", "bridge.transfer.expired", "bridge.transfer.paid_by_other", "bridge.transfer.cancelling", "bridge.transfer.uncovered", "bridge.transfer.covered"]]]
    """Those that organizations of the caller’s role receive."""
    description: NotRequired[str | None]
    security_ids: NotRequired[list[str] | None]
    """Events of these securities alone; null for all that you are told of. Refused of a tenant of the bridge: its events are of no security."""
    headers: NotRequired[dict[str, str]]
    """Up to 10 headers that each message has beside ours, such as a credential of your gateway. They are shown by their names alone."""
    enabled: NotRequired[bool]
    """What waits at a webhook that is disabled is given up; it can be replayed once it is enabled again."""


class RotatedSecret(TypedDict):
    webhook_id: str
    secret: str
    """Signs what is sent, by the Standard Webhooks pattern. Shown this once."""
    former_secret_ends_at: str
    """Until then the former signs, too."""


class WebhookTestBody(TypedDict):
    event: NotRequired[Literal["trade.executed", "settlement.recorded", "settlement.finalized", "transfer.initiated", "transfer.completed", "dividend.declared", "corporate_action.announced", "bridge.transfer.awaiting_funds", "bridge.transfer.confirming", "bridge.transfer.attesting", "bridge.transfer.queued", "bridge.transfer.challenge", "bridge.transfer.co_signing", "bridge.transfer.broadcast", "bridge.transfer.confirmed", "bridge.transfer.refundable", "bridge.transfer.refund_broadcast", "bridge.transfer.refunded", "bridge.transfer.expired", "bridge.transfer.paid_by_other", "bridge.transfer.cancelling", "bridge.transfer.uncovered", "bridge.transfer.covered"]]
    """A sample of this event, of a trade, a security or a transfer that does not exist; `webhook.test` without it."""


class DeliveryDetail(TypedDict):
    delivery_id: str
    sequence: Decimal
    """Place among the messages of the webhook: rising, with gaps."""
    event_id: str
    event_type: str
    replay_of: str | None
    status: Literal["waiting", "delivered", "dead", "skipped"]
    reason: Literal["owner", "gone", "failing", "overflow", "test_failed"] | None
    tries: Decimal
    created_at: str
    first_tried_at: str | None
    next_try_at: str | None
    ended_at: str | None
    payload: str
    """The body, byte for byte."""
    attempts: list[DeliveryDetailAttemptsItem]


class DeliveryDetailAttemptsItem(TypedDict):
    at: str
    duration_ms: Decimal
    status: Decimal | None
    """HTTP status; null where there was no answer."""
    error: Literal["status", "redirect", "timeout", "unreachable", "not_resolved", "not_public", "not_allowed"] | None
    response: str | None
    """The beginning of the answer’s body where the answer has the message’s `webhook-id` as a header of its own, else its media type."""


class Delivery(TypedDict):
    delivery_id: str
    sequence: Decimal
    """Place among the messages of the webhook: rising, with gaps."""
    event_id: str
    event_type: str
    replay_of: str | None
    status: Literal["waiting", "delivered", "dead", "skipped"]
    reason: Literal["owner", "gone", "failing", "overflow", "test_failed"] | None
    tries: Decimal
    created_at: str
    first_tried_at: str | None
    next_try_at: str | None
    ended_at: str | None


class DeliveryNow(TypedDict):
    delivery_id: str
    sequence: Decimal
    """Place among the messages of the webhook: rising, with gaps."""
    event_id: str
    event_type: str
    replay_of: str | None
    status: Literal["waiting", "delivered", "dead", "skipped"]
    reason: Literal["owner", "gone", "failing", "overflow", "test_failed"] | None
    tries: Decimal
    created_at: str
    first_tried_at: str | None
    next_try_at: str | None
    ended_at: str | None
    payload: str
    """The body, byte for byte."""
    attempts: list[DeliveryNowAttemptsItem]
    recipients: list[DeliveryNowRecipientsItem] | None
    """Of a trade: who is told of it, and who has taken it by now, you or others. The message says `pending` of all: it was made before. Null for other events."""


class DeliveryNowAttemptsItem(TypedDict):
    at: str
    duration_ms: Decimal
    status: Decimal | None
    """HTTP status; null where there was no answer."""
    error: Literal["status", "redirect", "timeout", "unreachable", "not_resolved", "not_public", "not_allowed"] | None
    response: str | None
    """The beginning of the answer’s body where the answer has the message’s `webhook-id` as a header of its own, else its media type."""


class DeliveryNowRecipientsItem(TypedDict):
    recipient_id: str
    name: str
    role: Literal["buyer_broker_dealer", "seller_broker_dealer", "transfer_agent", "cross_lister"]
    delivered_at: str | None
    """ISO 8601 in UTC, with milliseconds."""
    delivery_status: Literal["pending", "delivered"]


ReplayRange = TypedDict(
    "ReplayRange",
    {"from": "str", "to": "str", "after_sequence": "NotRequired[Decimal | int]"},
)


class Replayed(TypedDict):
    replayed: Decimal
    next_sequence: Decimal | None
    """Null where the range is done."""


class EventsList(TypedDict):
    events: list[ListedEvent]
    next_after: str | None
    """`after` of your next request for the same types: the last event here, or a later one of another type. Null where nothing was told yet."""
    has_more: NotRequired[Literal[true]]
    """The list goes on: the next page is in the Link header. Left out where it ends here."""


class ListedEvent(TypedDict):
    """The body of the webhook; GET /schemas/{event}.json has its shape."""

    webhook_event: ListedEventWebhookEvent


class ListedEventWebhookEvent(TypedDict):
    event_id: str
    event_type: Literal["trade.executed", "settlement.recorded", "settlement.finalized", "transfer.initiated", "transfer.completed", "dividend.declared", "corporate_action.announced", "bridge.transfer.awaiting_funds", "bridge.transfer.confirming", "bridge.transfer.attesting", "bridge.transfer.queued", "bridge.transfer.challenge", "bridge.transfer.co_signing", "bridge.transfer.broadcast", "bridge.transfer.confirmed", "bridge.transfer.refundable", "bridge.transfer.refund_broadcast", "bridge.transfer.refunded", "bridge.transfer.expired", "bridge.transfer.paid_by_other", "bridge.transfer.cancelling", "bridge.transfer.uncovered", "bridge.transfer.covered"]
    endpoint: str


class CapTable(TypedDict):
    security_id: str
    asset_name: str
    issuer_name: str
    security_class: str
    share_class: str
    as_of: str | None
    sequence: Decimal
    """Of the last event; 0 before the first."""
    last_recorded_at: str | None
    shares_outstanding: Decimal
    holders: Decimal
    pending_transfer_units: Decimal
    """Traded, or taken back, and not recorded yet; now."""


class RegisteredHolder(TypedDict):
    holder_id: str
    reference: str
    account_id: str | None
    name: str
    holder_kind: Literal["individual", "entity"]
    country: str | None
    shares: Decimal
    pending_shares: Decimal
    """What trades, and what was taken back, add or take that is not recorded yet; now. Both together are what the holder has in the ledger."""


class RegisterHistoryEvent(TypedDict):
    event_id: str
    event_type: Literal["issuance", "cancellation", "import", "transfer", "reversal", "split", "merger", "conversion"]
    sequence: Decimal
    """Place in the register, from 1 on without gaps."""
    recorded_at: str
    record_date: str | None
    notes: str | None
    outstanding_change: Decimal
    line_count: Decimal
    lines: list[RegisterHistoryEventLinesItem]
    """The first 20."""


class RegisterHistoryEventLinesItem(TypedDict):
    holder_id: str
    name: str
    shares: Decimal
    certificate_number: str | None
    legend_applied: bool


class RegisterEvent(TypedDict):
    event_id: str
    event_type: Literal["issuance", "cancellation", "import", "transfer", "reversal", "split", "merger", "conversion"]
    sequence: Decimal
    """Place in the register, from 1 on without gaps."""
    recorded_at: str
    record_date: str | None
    notes: str | None


class OpenCapTable(TypedDict):
    manifest: NotRequired[dict[str, Any]]
    """OCF_MANIFEST_FILE. An import does not read it."""
    files: dict[str, OpenCapTableFilesValue]
    """By the path under which the manifest names them."""


class OpenCapTableFilesValue(TypedDict):
    file_type: str
    items: NotRequired[list[OpenCapTableFilesValueItemsItem] | None]


class OpenCapTableFilesValueItemsItem(TypedDict):
    object_type: str
    id: str


class HolderImportRequest(TypedDict):
    holders: list[dict[str, str | Decimal | int | bool | None]]
    """Fields of a row: holder_reference, holder_name, holder_kind, country, account_id, shares, cost, certificate_number, acquired_at, restriction_ends_at, legend. Up to 25000 rows."""
    record_date: NotRequired[str | None]
    notes: NotRequired[str | None]


class IssuedShares(TypedDict):
    dry_run: bool
    rows: Decimal
    shares: Decimal
    event: RegisterEvent | None
    """Null for a dry run."""
    rows_without_cost: NotRequired[Decimal]
    """Of an OCF document: stock whose cost is not stated, or not in US dollars."""


class IssuanceRequest(TypedDict):
    holder_reference: NotRequired[str | None]
    """Of a holder without an account, as you know them."""
    holder_name: NotRequired[str | None]
    holder_kind: NotRequired[Literal["individual", "entity"] | None]
    country: NotRequired[str | None]
    account_id: NotRequired[str | None]
    shares: Decimal | int
    cost: NotRequired[Decimal | int | None]
    """US dollars paid."""
    certificate_number: NotRequired[str | None]
    acquired_at: NotRequired[str | None]
    restriction_ends_at: NotRequired[str | None]
    """When the shares may be resold freely; null for now. By the hold of the offering, when left out."""
    legend: NotRequired[bool | None]
    record_date: NotRequired[str | None]
    notes: NotRequired[str | None]


class CancellationRequest(TypedDict):
    holder_id: str
    shares: Decimal | int
    record_date: NotRequired[str | None]
    notes: NotRequired[str | None]


class CorporateActionRequest1(TypedDict):
    security_id: str
    description: str
    action_type: Literal["dividend"]
    record_date: str
    """A day in New York, or a moment. A record date ends with its day, any other begins with it."""
    payment_date: str
    """A day in New York, or a moment. A record date ends with its day, any other begins with it."""
    amount_per_share: Decimal | int
    currency: str


class CorporateActionRequest2(TypedDict):
    security_id: str
    description: str
    action_type: Literal["stock_split"]
    effective_date: str
    """A day in New York, or a moment. A record date ends with its day, any other begins with it."""
    ratio_from: Decimal | int
    """Of `ratio_from` shares come `ratio_to`: 3-for-2 is from 2 to 3, a reverse split 1-for-10 is from 10 to 1."""
    ratio_to: Decimal | int
    """Of `ratio_from` shares come `ratio_to`: 3-for-2 is from 2 to 3, a reverse split 1-for-10 is from 10 to 1."""


class CorporateActionRequest3(TypedDict):
    security_id: str
    description: str
    action_type: Literal["name_change"]
    effective_date: str
    """A day in New York, or a moment. A record date ends with its day, any other begins with it."""
    asset_name: NotRequired[str]
    cusip: NotRequired[str]
    isin: NotRequired[str]


class CorporateActionRequest4(TypedDict):
    security_id: str
    description: str
    action_type: Literal["share_cancellation"]
    effective_date: str
    """A day in New York, or a moment. A record date ends with its day, any other begins with it."""
    holder_id: str
    """Who gives shares back to the issuer."""
    shares: Decimal | int


class CorporateActionRequest5(TypedDict):
    security_id: str
    description: str
    action_type: Literal["merger"]
    effective_date: str
    """A day in New York, or a moment. A record date ends with its day, any other begins with it."""
    counterparty: str
    """Into whom."""
    cash_per_share: NotRequired[Decimal | int]
    """What each share is paid with, in `currency`: every share ends, and the security is delisted. Where `stock` is left out, too, the venue tells of the merger and moves nothing."""
    currency: NotRequired[str]
    stock: NotRequired[MergerStockRequest]


class MergerStockRequest(TypedDict):
    """Shares of which security each holder gets, alone or beside the cash: every share ends, and the security is delisted."""

    security_id: str
    """The surviving security: you are its agent, too."""
    ratio_from: Decimal | int
    """Of `ratio_from` shares come `ratio_to`: 3-for-2 is from 2 to 3, a reverse split 1-for-10 is from 10 to 1."""
    ratio_to: Decimal | int
    """Of `ratio_from` shares come `ratio_to`: 3-for-2 is from 2 to 3, a reverse split 1-for-10 is from 10 to 1."""
    restriction_ends_at: NotRequired[str | None]
    """A day in New York, which it begins with, or a moment. No share that holders get is free before: where the period of their lots begins anew (17 CFR 230.144(d)(3)(viii)). Null: each lot keeps its end."""


class CorporateAction(TypedDict):
    corporate_action_id: str
    security_id: str
    action_type: Literal["dividend", "stock_split", "merger", "name_change", "share_cancellation"]
    status: Literal["announced", "recorded", "funding", "funded", "effective", "returning", "completed", "reversing", "reversed", "cancelled"]
    """`recorded`: who is entitled is fixed. `funding`, `funded`: the payer is asked, and has paid. `effective`: the security is halted, its shares are being split, or held for a merger; those of a cancellation move. `returning`: it may not be carried on, and what was paid in goes back. `cancelled` before anything has moved."""
    waiting_for: Literal["agent_released", "agent_suspended", "security_stopped", "surviving_security", "shares_split", "held_by_operator", "lister_consent", "payment_account", "above_amount_max", "insufficient_funds", "not_current", "market_open", "shares_held", "open_transfers", "register_differs", "fractions", "split_refused", "merger_refused", "ledger_full", "payer_full"] | None
    """Why it does not go on though it is due; it is tried again every five minutes. `split_refused` and `merger_refused` are for good: cancel it. `fractions`: rounded up, holders would have too much more in all. `shares_split`: it counts shares, which were split since it was announced: cancel it, and announce what it comes to now. `lister_consent`: a lister has not agreed. `payer_full`: what goes back to who has paid would make their balance larger than an amount may be. `agent_released`, `agent_suspended`, `security_stopped`, `held_by_operator`: it may not be carried on for the time being."""
    description: str
    record_date: str | None
    payment_date: str | None
    amount_per_share: Decimal | None
    currency: str | None
    effective_date: str | None
    ratio_from: Decimal | None
    ratio_to: Decimal | None
    asset_name: str | None
    cusip: str | None
    isin: str | None
    counterparty: str | None
    holder_id: str | None
    """Of a cancellation: who gives shares back."""
    shares: Decimal | None
    """Of a cancellation: how many."""
    cash_per_share: Decimal | None
    """Of a merger for cash."""
    stock: MergerStock | None
    """Of a merger for shares of another security."""
    payment_account_id: str | None
    """Named by the lister: who pays a dividend, or a merger for cash."""
    amount_max: Decimal | None
    consented_at: str | None
    """When the lister has agreed."""
    survivor_consented_at: str | None
    """When the lister of the surviving security has agreed."""
    total_amount: Decimal | None
    """What the payer pays to holders with an account."""
    external_amount: Decimal | None
    """What holders without an account are entitled to: the agent pays them."""
    reason: str | None
    """Why it was cancelled or reversed."""
    created_at: str
    recorded_at: str | None
    funded_at: str | None
    ended_at: str | None


class MergerStock(TypedDict):
    security_id: str
    ratio_from: Decimal
    ratio_to: Decimal
    restriction_ends_at: str | None
    """None of these shares is free before. Null where each lot keeps the end of what it was."""


class CorporateActionPayment(TypedDict):
    payee_id: str
    """The account, or the registered holder without one."""
    account_id: str | None
    holder_reference: str | None
    name: str | None
    shares: Decimal
    """At the record date; of a merger, all that ended."""
    amount: Decimal | None
    """Rounded down to the smallest unit of the currency."""
    status: Literal["entitled", "due", "external", "nothing", "paid", "unpaid", "returned", "not_returned"]
    """`external`: no account, the agent pays. `nothing`: less than the smallest unit, or a merger without cash. `unpaid`: the account took no money, which went back to who pays; the agent pays. `not_returned`: taken back, and no longer available."""
    paid_at: str | None
    returned_at: str | None


class CorporateActionReason(TypedDict):
    reason: str


class PaymentAccount(TypedDict):
    account_id: str
    """Of an investor whom you have introduced."""
    amount_max: NotRequired[Decimal | int | None]
    """More than this is not paid without another consent. Null for no bound."""


class Settlement(TypedDict):
    settlement_id: str
    """Of its trade, too."""
    trade_id: str
    security_id: str
    status: Literal["pending", "recorded", "SETTLED", "FAILED", "REVERSED"]
    """`pending` until its transfer is completed, where an agent keeps the register; SETTLED at once where none does. `recorded` and FAILED are of the chain."""
    settlement_type: Literal["bilateral"]
    number_of_shares: Decimal
    price_per_share: Decimal
    gross_trade_amount: Decimal
    settlement_currency: str
    buyer: SettlementParty
    seller: SettlementParty
    executed_at: str
    settled_at: str | None
    reversed_at: str | None
    reversal_reason: str | None
    reversed_by: Literal["transfer_agent", "operator"] | None
    adjustment: SettlementAdjustment | None
    """What was made of the trade since it was executed; price and amount above are those of the trade."""
    finality: Literal["pending", "final", "checkpoint_final"] | None
    """`final`: 16 of the committee’s 20 members have voted for its block; who these are, `finality_members` says. It is a record that stays: an operator may still take the trade back or correct it, which is recorded in a later block. `checkpoint_final`: its block stands in a checkpoint with a hybrid certificate, too. `pending`: in no final block yet. Null: not known at present."""
    finality_members: Literal["embedded", "objects", "places"] | None
    """Who the members of that committee are. `embedded`: all twenty in one object of the venue, by one secret, so that `final` is the venue’s own word. `objects`: each in an object of the venue’s, with a key of its own. `places`: some or all in processes of their own. Null while it is not final, and where it is not known."""
    blockchain_transaction_id: str
    """SHA-256 of the settlement record: under it the registry on chain knows the settlement."""


class SettlementParty(TypedDict):
    investor_id: str
    account_id: str
    broker_dealer: SettlementPartyBrokerDealer


class SettlementPartyBrokerDealer(TypedDict):
    firm_name: str
    crd_number: str


class SettlementAdjustment(TypedDict):
    type: Literal["bust", "correction"]
    """`bust`: the trade was taken back, and nothing of it stands. `correction`: it stands at another price."""
    price_per_share: Decimal | None
    """What it stands at; null of a bust."""
    gross_trade_amount: Decimal | None
    reason: str
    adjusted_at: str


class SettlementTransactions(TypedDict):
    settlement_id: str
    transactions: list[SettlementTransactionsTransactionsItem]


class SettlementTransactionsTransactionsItem(TypedDict):
    tx_hash: str
    block_number: Decimal
    submitted_at: str
    """Time of its block."""
    explorer_link: str | None


class SettlementVerification(TypedDict):
    settlement_id: str
    blockchain_transaction_id: str
    status: Literal["not_recorded", "verified", "mismatch", "unavailable"]
    """What the registry on chain says, read for this answer. `verified`: it has this record under the trade’s id. `not_recorded`: nothing of the trade yet. `mismatch`: something of it, and not this record. `unavailable`: the chain does not answer."""
    settlement_status: Literal["pending", "recorded", "SETTLED", "FAILED", "REVERSED"]
    """What has become of the settlement: REVERSED where its trade was taken back, whatever `status` says of the record."""
    adjustment: VerifiedAdjustment | None
    finality: Literal["pending", "final", "checkpoint_final"] | None
    """`final`: 16 of the committee’s 20 members have voted for its block; who these are, `finality_members` says. It is a record that stays: an operator may still take the trade back or correct it, which is recorded in a later block. `checkpoint_final`: its block stands in a checkpoint with a hybrid certificate, too. `pending`: in no final block yet. Null: not known at present."""
    finality_members: Literal["embedded", "objects", "places"] | None
    """Who the members of that committee are. `embedded`: all twenty in one object of the venue, by one secret, so that `final` is the venue’s own word. `objects`: each in an object of the venue’s, with a key of its own. `places`: some or all in processes of their own. Null while it is not final, and where it is not known."""
    block: SettlementVerificationBlock | None
    """The final block that has it, and the millisecond that the block is of. GET …/receipt proves it."""
    registry_address: str | None
    """Where anybody can read it: `getTxsByUUID(settlement_id)`. Null where the venue has no registry."""
    explorer_links: list[str]


class SettlementVerificationBlock(TypedDict):
    """The final block that has it, and the millisecond that the block is of. GET …/receipt proves it."""

    height: Decimal
    hash: str
    slot: str


class VerifiedAdjustment(TypedDict):
    type: Literal["bust", "correction"]
    """`bust`: the trade was taken back, and nothing of it stands. `correction`: it stands at another price."""
    price_per_share: Decimal | None
    """What it stands at; null of a bust."""
    gross_trade_amount: Decimal | None
    reason: str
    adjusted_at: str
    status: Literal["not_recorded", "verified", "unavailable"]
    """Whether the registry on chain has the record of it."""


class Receipt(TypedDict):
    version: Literal["edge.receipt.v1"]
    settlement: ReceiptSettlement
    parties: list[ReceiptPartiesItem]
    inclusion: ReceiptInclusion
    headers: list[ReceiptHeadersItem]
    certificate: ReceiptCertificate
    committee: ReceiptCommittee
    checkpoint: NotRequired[ReceiptCheckpoint]
    adjustment: NotRequired[ReceiptAdjustment]


class ReceiptSettlement(TypedDict):
    tradeId: str
    assetId: str
    currency: str
    quantity: Decimal
    price: Decimal
    notional: Decimal
    buyerCommitment: str
    sellerCommitment: str
    executedAt: Decimal


class ReceiptPartiesItem(TypedDict):
    party: Literal["buyer", "seller"]
    account: str
    salt: str


class ReceiptInclusion(TypedDict):
    index: Decimal
    path: list[str]


class ReceiptHeadersItem(TypedDict):
    committee: str
    height: Decimal
    parent: str
    slot: Decimal
    firstRow: Decimal
    lastRow: Decimal
    journalHash: str
    settlements: Decimal
    settlementsRoot: str
    booksRoot: str


class ReceiptCertificate(TypedDict):
    height: Decimal
    hash: str
    votes: list[ReceiptCertificateVotesItem]


class ReceiptCertificateVotesItem(TypedDict):
    member: Decimal
    signature: str


class ReceiptCommittee(TypedDict):
    epoch: Decimal
    keys: list[str]


class ReceiptCheckpoint(TypedDict):
    checkpoint: ReceiptCheckpointCheckpoint
    path: list[str]
    certificate: ReceiptCheckpointCertificate
    keys: ReceiptCheckpointKeys


class ReceiptCheckpointCheckpoint(TypedDict):
    committee: str
    keys: str
    number: Decimal
    parent: str
    firstHeight: Decimal
    lastHeight: Decimal
    lastBlock: str
    blocksRoot: str


class ReceiptCheckpointCertificate(TypedDict):
    number: Decimal
    hash: str
    bls: ReceiptCheckpointCertificateBls
    mlDsa: list[ReceiptCheckpointCertificateMlDsaItem]


class ReceiptCheckpointCertificateBls(TypedDict):
    members: list[Decimal]
    signature: str


class ReceiptCheckpointCertificateMlDsaItem(TypedDict):
    member: Decimal
    signature: str


class ReceiptCheckpointKeys(TypedDict):
    epoch: Decimal
    committee: str
    members: list[ReceiptCheckpointKeysMembersItem]


class ReceiptCheckpointKeysMembersItem(TypedDict):
    bls: str
    proof: str
    mlDsa: str
    endorsement: str


class ReceiptAdjustment(TypedDict):
    record: ReceiptAdjustmentRecord
    inclusion: ReceiptAdjustmentInclusion
    headers: list[ReceiptAdjustmentHeadersItem]
    certificate: ReceiptAdjustmentCertificate
    committee: ReceiptAdjustmentCommittee
    checkpoint: NotRequired[ReceiptAdjustmentCheckpoint]


class ReceiptAdjustmentRecord(TypedDict):
    adjustmentId: str
    tradeId: str
    price: Decimal
    notional: Decimal
    adjustedAt: Decimal


class ReceiptAdjustmentInclusion(TypedDict):
    index: Decimal
    path: list[str]


class ReceiptAdjustmentHeadersItem(TypedDict):
    committee: str
    height: Decimal
    parent: str
    slot: Decimal
    firstRow: Decimal
    lastRow: Decimal
    journalHash: str
    settlements: Decimal
    settlementsRoot: str
    booksRoot: str


class ReceiptAdjustmentCertificate(TypedDict):
    height: Decimal
    hash: str
    votes: list[ReceiptAdjustmentCertificateVotesItem]


class ReceiptAdjustmentCertificateVotesItem(TypedDict):
    member: Decimal
    signature: str


class ReceiptAdjustmentCommittee(TypedDict):
    epoch: Decimal
    keys: list[str]


class ReceiptAdjustmentCheckpoint(TypedDict):
    checkpoint: ReceiptAdjustmentCheckpointCheckpoint
    path: list[str]
    certificate: ReceiptAdjustmentCheckpointCertificate
    keys: ReceiptAdjustmentCheckpointKeys


class ReceiptAdjustmentCheckpointCheckpoint(TypedDict):
    committee: str
    keys: str
    number: Decimal
    parent: str
    firstHeight: Decimal
    lastHeight: Decimal
    lastBlock: str
    blocksRoot: str


class ReceiptAdjustmentCheckpointCertificate(TypedDict):
    number: Decimal
    hash: str
    bls: ReceiptAdjustmentCheckpointCertificateBls
    mlDsa: list[ReceiptAdjustmentCheckpointCertificateMlDsaItem]


class ReceiptAdjustmentCheckpointCertificateBls(TypedDict):
    members: list[Decimal]
    signature: str


class ReceiptAdjustmentCheckpointCertificateMlDsaItem(TypedDict):
    member: Decimal
    signature: str


class ReceiptAdjustmentCheckpointKeys(TypedDict):
    epoch: Decimal
    committee: str
    members: list[ReceiptAdjustmentCheckpointKeysMembersItem]


class ReceiptAdjustmentCheckpointKeysMembersItem(TypedDict):
    bls: str
    proof: str
    mlDsa: str
    endorsement: str


class TransferInstruction(TypedDict):
    transfer_instruction_id: str
    trade_id: str
    security_id: str
    buyer_account_id: str
    seller_account_id: str
    units_to_transfer: Decimal
    status: Literal["pending", "pending_transfer", "rejecting", "rejected", "completed", "reversed"]
    """`pending` awaits its acknowledgment; an accepted one is `pending_transfer` until it is completed. `reversed`: an operator has taken its trade back, also after it was completed."""
    acknowledged: bool
    acknowledged_at: str | None
    record_date: str | None
    notes: str | None
    reason: str | None
    new_certificate_number: str | None
    legend_applied: bool | None
    cap_table_updated_at: str | None
    ended_at: str | None
    created_at: str


class TransferAcknowledgeRequest(TypedDict):
    acknowledged: bool
    """False rejects it: its trade is taken back."""
    transfer_instruction_id: NotRequired[str]
    record_date: NotRequired[str]
    units_to_transfer: NotRequired[Decimal | int]
    status: NotRequired[Literal["pending_transfer", "completed"]]
    """`completed`: it is completed as well, with the fields of that request."""
    notes: NotRequired[str]
    """Of a rejection, why."""
    new_certificate_number: NotRequired[str]
    legend_applied: NotRequired[bool]
    cap_table_updated_at: NotRequired[str]


class TransferCompleteRequest(TypedDict):
    status: Literal["completed"]
    record_date: str
    new_certificate_number: str
    legend_applied: bool
    cap_table_updated_at: str
    together: NotRequired[list[TransferCompleteRequestTogetherItem]]
    """Other accepted transfers of the same security that are completed with this one, all of them or none: for transfers that wait for each other, of which each seller is registered with too little until another one is completed."""


class TransferCompleteRequestTogetherItem(TypedDict):
    transfer_instruction_id: str
    record_date: str
    new_certificate_number: str
    legend_applied: bool
    cap_table_updated_at: str


class ShareholderRegister(TypedDict):
    security_id: str
    asset_name: str
    issuer_name: str
    security_class: str
    share_class: str
    as_of: str | None
    sequence: Decimal
    """Place of the register that all pages show."""
    shares_outstanding: Decimal
    holders: list[ShareholderRegisterHoldersItem]
    has_more: NotRequired[Literal[true]]
    """The list goes on: the next page is in the Link header. Left out where it ends here."""


class ShareholderRegisterHoldersItem(TypedDict):
    holder_id: str
    reference: str
    account_id: str | None
    name: str
    holder_kind: Literal["individual", "entity"]
    country: str | None
    shares: Decimal
    percent: Decimal
    """Of what is outstanding, cut off behind four decimals."""
    certificates: str | None
    """The first 20, with blanks between."""
    has_more_certificates: bool
    """Whether lines of the holder name more than these: the history of the register has them all."""
    legend: bool


class TransferLogEntry(TypedDict):
    transfer_instruction_id: str
    security_id: str
    asset_name: str
    status: Literal["pending", "pending_transfer", "rejecting", "rejected", "completed", "reversed"]
    units: Decimal
    seller_account_id: str
    seller_name: str | None
    buyer_account_id: str
    buyer_name: str | None
    received_at: str
    turnaround_due_at: str
    """Three business days, 17 CFR 240.17Ad-2(a)."""
    acknowledged_at: str | None
    recorded_at: str | None
    """When the register got it."""
    ended_at: str | None
    record_date: str | None
    certificate_number: str | None
    legend_applied: bool | None
    reason: str | None


class DividendHistoryEntry(TypedDict):
    corporate_action_id: str
    security_id: str
    asset_name: str
    action_status: str
    record_date: str | None
    payment_date: str
    amount_per_share: Decimal
    currency: str
    payee_id: str
    name: str | None
    shares: Decimal
    amount: Decimal | None
    status: Literal["entitled", "due", "external", "nothing", "paid", "unpaid", "returned", "not_returned"]
    paid_at: str | None
    returned_at: str | None


class FormTA2(TypedDict):
    firm_name: str
    sec_registration_number: str | None
    year: Decimal
    as_of: str
    """The end of the year in New York, or now."""
    questions: Literal["1-5, 11", "all"]
    """What has to be completed: the first where fewer than 1,000 items were received and no more than 1,000 accounts are kept, 17 CFR 240.17Ac2-2(a)(1), by what the venue knows."""
    items: list[FormTA2ItemsItem]
    turnaround: list[FormTA2TurnaroundItem]


class FormTA2ItemsItem(TypedDict):
    question: str
    """Of Form TA-2, 17 CFR 249b.102."""
    title: str
    value: Decimal | bool | str | None
    """Null where the agent alone knows it."""
    source: Literal["venue", "agent"]
    rule: str | None


class FormTA2TurnaroundItem(TypedDict):
    month: str
    received: Decimal
    in_time: Decimal
    late: Decimal
    open: Decimal
    """Not turned around, and not late yet."""
    compliant: bool
    """At least 90 percent in time, 17 CFR 240.17Ad-2(a)."""


class SecurityReason(TypedDict):
    reason: str


class AgentAnswer(TypedDict):
    accepted: bool
    reason: NotRequired[str | None]


class RestrictionsInEffect(TypedDict):
    legend_required: bool
    rule_144_holding_period_met: bool
    transfer_restrictions: str
    lock_up_expiry_date: str | None
    security_id: str
    lister_restrictions: Restrictions
    agent_restrictions: AgentRestrictions | None


JsonSchema = "dict[str, Any]"


CorporateActionRequest = "CorporateActionRequest1 | CorporateActionRequest2 | CorporateActionRequest3 | CorporateActionRequest4 | CorporateActionRequest5"


OPERATIONS: Operations = {
    "POST /v1/securities": {
        "isRepeatable": True,
        "numbers": [
            "last_valuation_price"
        ]
    },
    "PATCH /v1/securities/{id}": {
        "isRepeatable": True,
        "numbers": [
            "last_valuation_price"
        ]
    },
    "DELETE /v1/securities/{id}": {
        "isRepeatable": True
    },
    "POST /v1/investors": {
        "isRepeatable": True
    },
    "POST /v1/investors/{id}/accounts": {
        "isRepeatable": True
    },
    "POST /v1/investors/{id}/compliance/{kind}/rescreen": {
        "isRepeatable": True
    },
    "POST /v1/orders": {
        "isRepeatable": True,
        "numbers": [
            "price",
            "quantity"
        ]
    },
    "DELETE /v1/orders/{id}": {
        "isRepeatable": True
    },
    "PATCH /v1/webhooks/{id}": {
        "isRepeatable": True
    },
    "POST /v1/webhooks/{id}/deliveries/{delivery_id}/replay": {
        "isRepeatable": True
    },
    "POST /v1/webhooks/{id}/replay": {
        "isRepeatable": True,
        "numbers": [
            "after_sequence"
        ]
    },
    "POST /v1/captable/{security_id}/import": {
        "isRepeatable": True
    },
    "POST /v1/captable/{security_id}/issuances": {
        "isRepeatable": True,
        "numbers": [
            "cost",
            "shares"
        ]
    },
    "POST /v1/captable/{security_id}/cancellations": {
        "isRepeatable": True,
        "numbers": [
            "shares"
        ]
    },
    "POST /v1/corporate-actions": {
        "isRepeatable": True,
        "numbers": [
            "amount_per_share",
            "cash_per_share",
            "ratio_from",
            "ratio_to",
            "shares",
            "stock.ratio_from",
            "stock.ratio_to"
        ]
    },
    "POST /v1/corporate-actions/{id}/cancel": {
        "isRepeatable": True
    },
    "POST /v1/corporate-actions/{id}/payment-account": {
        "isRepeatable": True,
        "numbers": [
            "amount_max"
        ]
    },
    "POST /v1/corporate-actions/{id}/consent": {
        "isRepeatable": True
    },
    "POST /v1/corporate-actions/{id}/reverse": {
        "isRepeatable": True
    },
    "POST /v1/transfers/{id}/acknowledge": {
        "numbers": [
            "units_to_transfer"
        ]
    },
    "POST /v1/securities/{id}/halt": {
        "isRepeatable": True
    },
    "POST /v1/securities/{id}/lift": {
        "isRepeatable": True
    },
    "POST /v1/securities/{id}/agent": {
        "isRepeatable": True
    },
    "PATCH /v1/securities/{id}/restrictions": {
        "isRepeatable": True
    }
}


class PartnerCalls(Calls):
    """Every operation of profile partner; `get_x_pages` are the pages of a list."""

    operations = OPERATIONS

    def get_securities(self, *, status: Literal["submitted", "listed", "halted", "refused", "delisted"] | None = None, limit: int | None = None, cursor: str | None = None) -> GetSecuritiesAnswer:
        """Your cross-listed securities"""
        return self.call("GET", "/v1/securities", query={"status": status, "limit": limit, "cursor": cursor})

    def get_securities_pages(self, *, status: Literal["submitted", "listed", "halted", "refused", "delisted"] | None = None, limit: int | None = None, cursor: str | None = None) -> Iterator[GetSecuritiesAnswer]:
        """Your cross-listed securities"""
        return self.pages("/v1/securities", query={"status": status, "limit": limit, "cursor": cursor})

    def post_securities(self, body: CrossListRequest, *, idempotency_key: str | None = None) -> Security:
        """Cross-list a security: it waits until an operator of the venue lists it"""
        return self.call("POST", "/v1/securities", body=body, idempotency_key=idempotency_key)

    def get_securities_by_id(self, id: str) -> SecurityWithQuote:
        """A cross-listed security with its live quote"""
        return self.call("GET", "/v1/securities/{id}", path_values={"id": id})

    def patch_securities(self, id: str, body: SecurityEdit, *, idempotency_key: str | None = None) -> Security:
        """Change restrictions, valuation or transfer agent"""
        return self.call("PATCH", "/v1/securities/{id}", path_values={"id": id}, body=body, idempotency_key=idempotency_key)

    def delete_securities(self, id: str, *, idempotency_key: str | None = None) -> Security:
        """Delist: open orders are cancelled, holders keep what they hold; for good"""
        return self.call("DELETE", "/v1/securities/{id}", path_values={"id": id}, idempotency_key=idempotency_key)

    def get_securities_quote(self, id: str) -> Quote:
        """Best bid, best ask and last price of a security"""
        return self.call("GET", "/v1/securities/{id}/quote", path_values={"id": id})

    def get_securities_book(self, id: str, *, depth: int | None = None) -> Book:
        """Levels of the order book of a security, best first"""
        return self.call("GET", "/v1/securities/{id}/book", path_values={"id": id}, query={"depth": depth})

    def get_securities_trades(self, id: str, *, limit: int | None = None, cursor: int | None = None) -> Trades:
        """Trades of a security, newest first"""
        return self.call("GET", "/v1/securities/{id}/trades", path_values={"id": id}, query={"limit": limit, "cursor": cursor})

    def get_securities_trades_pages(self, id: str, *, limit: int | None = None, cursor: int | None = None) -> Iterator[Trades]:
        """Trades of a security, newest first"""
        return self.pages("/v1/securities/{id}/trades", path_values={"id": id}, query={"limit": limit, "cursor": cursor})

    def get_securities_chart(self, id: str, *, range: Literal["1d", "5d", "1m", "3m", "6m", "1y", "5y"] | None = None, interval: Literal["1m", "5m", "15m", "1h", "1d"] | None = None) -> Chart:
        """OHLCV bars of a security"""
        return self.call("GET", "/v1/securities/{id}/chart", path_values={"id": id}, query={"range": range, "interval": interval})

    def get_investors(self, *, limit: int | None = None, cursor: str | None = None) -> GetInvestorsAnswer:
        """Investors that you have introduced, oldest first"""
        return self.call("GET", "/v1/investors", query={"limit": limit, "cursor": cursor})

    def get_investors_pages(self, *, limit: int | None = None, cursor: str | None = None) -> Iterator[GetInvestorsAnswer]:
        """Investors that you have introduced, oldest first"""
        return self.pages("/v1/investors", query={"limit": limit, "cursor": cursor})

    def post_investors(self, body: InvestorRequest, *, idempotency_key: str | None = None) -> Investor:
        """Introduce an investor"""
        return self.call("POST", "/v1/investors", body=body, idempotency_key=idempotency_key)

    def get_investors_by_id(self, id: str) -> Investor:
        """An investor"""
        return self.call("GET", "/v1/investors/{id}", path_values={"id": id})

    def post_investors_accounts(self, id: str, *, idempotency_key: str | None = None) -> InvestorAccount:
        """Open an account of an investor"""
        return self.call("POST", "/v1/investors/{id}/accounts", path_values={"id": id}, idempotency_key=idempotency_key)

    def get_investors_accounts_keys(self, id: str, account_id: str) -> GetInvestorsAccountsKeysAnswer:
        """Keys of an investor’s account, newest first"""
        return self.call("GET", "/v1/investors/{id}/accounts/{account_id}/keys", path_values={"id": id, "account_id": account_id})

    def post_investors_accounts_keys(self, id: str, account_id: str, body: InvestorKeyRequest) -> InvestorKeyWithSecret:
        """Make a key for an investor’s account; its secret is shown once"""
        return self.call("POST", "/v1/investors/{id}/accounts/{account_id}/keys", path_values={"id": id, "account_id": account_id}, body=body)

    def delete_investors_accounts_keys(self, id: str, account_id: str, key_id: str) -> None:
        """End a key, and cancel its open orders"""
        return self.call("DELETE", "/v1/investors/{id}/accounts/{account_id}/keys/{key_id}", path_values={"id": id, "account_id": account_id, "key_id": key_id})

    def get_investors_compliance(self, id: str) -> ComplianceRecord:
        """The compliance record of an investor"""
        return self.call("GET", "/v1/investors/{id}/compliance", path_values={"id": id})

    def post_investors_compliance_rescreen(self, id: str, kind: str, *, idempotency_key: str | None = None) -> ComplianceRecord:
        """Have a check made anew"""
        return self.call("POST", "/v1/investors/{id}/compliance/{kind}/rescreen", path_values={"id": id, "kind": kind}, idempotency_key=idempotency_key)

    def get_orders(self, *, security_id: str | None = None, investor_id: str | None = None, status: Literal["pending", "open", "partially_filled", "filled", "cancelled", "rejected", "expired"] | None = None, limit: int | None = None, cursor: str | None = None) -> GetOrdersAnswer:
        """Orders of your investors, newest first"""
        return self.call("GET", "/v1/orders", query={"security_id": security_id, "investor_id": investor_id, "status": status, "limit": limit, "cursor": cursor})

    def get_orders_pages(self, *, security_id: str | None = None, investor_id: str | None = None, status: Literal["pending", "open", "partially_filled", "filled", "cancelled", "rejected", "expired"] | None = None, limit: int | None = None, cursor: str | None = None) -> Iterator[GetOrdersAnswer]:
        """Orders of your investors, newest first"""
        return self.pages("/v1/orders", query={"security_id": security_id, "investor_id": investor_id, "status": status, "limit": limit, "cursor": cursor})

    def post_orders(self, body: PartnerOrderRequest, *, idempotency_key: str | None = None) -> PartnerOrder:
        """Place an order for your investor"""
        return self.call("POST", "/v1/orders", body=body, idempotency_key=idempotency_key)

    def get_orders_by_id(self, id: str) -> PartnerOrder:
        """An order of your investor"""
        return self.call("GET", "/v1/orders/{id}", path_values={"id": id})

    def delete_orders(self, id: str, *, idempotency_key: str | None = None) -> CancelledPartnerOrder:
        """Cancel an order of your investor"""
        return self.call("DELETE", "/v1/orders/{id}", path_values={"id": id}, idempotency_key=idempotency_key)

    def get_webhooks(self) -> GetWebhooksAnswer:
        """Your webhooks"""
        return self.call("GET", "/v1/webhooks")

    def post_webhooks(self, body: WebhookBody) -> CreatedWebhook:
        """Register a webhook; its secret is shown once"""
        return self.call("POST", "/v1/webhooks", body=body)

    def get_webhooks_by_id(self, id: str) -> WebhookWithBacklog:
        """A webhook, with what waits there"""
        return self.call("GET", "/v1/webhooks/{id}", path_values={"id": id})

    def patch_webhooks(self, id: str, body: WebhookChange, *, idempotency_key: str | None = None) -> Webhook:
        """Change, disable or enable a webhook; what waits is tried at once"""
        return self.call("PATCH", "/v1/webhooks/{id}", path_values={"id": id}, body=body, idempotency_key=idempotency_key)

    def delete_webhooks(self, id: str) -> None:
        """Delete a webhook, with what waits there and its log"""
        return self.call("DELETE", "/v1/webhooks/{id}", path_values={"id": id})

    def post_webhooks_rotate_secret(self, id: str) -> RotatedSecret:
        """Give a webhook another secret; each former one signs beside it for 24 hours"""
        return self.call("POST", "/v1/webhooks/{id}/rotate-secret", path_values={"id": id})

    def post_webhooks_test(self, id: str, *, body: WebhookTestBody | None = None) -> DeliveryDetail:
        """Send a test at once, past what waits; disabled webhooks, too"""
        return self.call("POST", "/v1/webhooks/{id}/test", path_values={"id": id}, body=body)

    def get_webhooks_deliveries(self, id: str, *, status: Literal["waiting", "delivered", "dead", "skipped"] | None = None, event_id: str | None = None, limit: int | None = None, cursor: int | None = None) -> GetWebhooksDeliveriesAnswer:
        """What was sent to a webhook in the last 30 days, and what waits"""
        return self.call("GET", "/v1/webhooks/{id}/deliveries", path_values={"id": id}, query={"status": status, "event_id": event_id, "limit": limit, "cursor": cursor})

    def get_webhooks_deliveries_pages(self, id: str, *, status: Literal["waiting", "delivered", "dead", "skipped"] | None = None, event_id: str | None = None, limit: int | None = None, cursor: int | None = None) -> Iterator[GetWebhooksDeliveriesAnswer]:
        """What was sent to a webhook in the last 30 days, and what waits"""
        return self.pages("/v1/webhooks/{id}/deliveries", path_values={"id": id}, query={"status": status, "event_id": event_id, "limit": limit, "cursor": cursor})

    def get_webhooks_deliveries_by_delivery_id(self, id: str, delivery_id: str) -> DeliveryNow:
        """A delivery with its body and every try"""
        return self.call("GET", "/v1/webhooks/{id}/deliveries/{delivery_id}", path_values={"id": id, "delivery_id": delivery_id})

    def post_webhooks_deliveries_replay(self, id: str, delivery_id: str, *, idempotency_key: str | None = None) -> DeliveryDetail:
        """Send a delivery again, under the same webhook-id, behind what waits"""
        return self.call("POST", "/v1/webhooks/{id}/deliveries/{delivery_id}/replay", path_values={"id": id, "delivery_id": delivery_id}, idempotency_key=idempotency_key)

    def post_webhooks_deliveries_skip(self, id: str, delivery_id: str) -> DeliveryDetail:
        """Give up a delivery that waits, so that those behind it go on"""
        return self.call("POST", "/v1/webhooks/{id}/deliveries/{delivery_id}/skip", path_values={"id": id, "delivery_id": delivery_id})

    def post_webhooks_replay(self, id: str, body: ReplayRange, *, idempotency_key: str | None = None) -> Replayed:
        """Send again what was first queued in a range of time, 1,000 events a call"""
        return self.call("POST", "/v1/webhooks/{id}/replay", path_values={"id": id}, body=body, idempotency_key=idempotency_key)

    def get_events(self, *, after: str | None = None, types: str | None = None, wait: int | None = None, limit: int | None = None) -> EventsList:
        """What happened to your securities, trades and transfers of the bridge in the last 30 days, for those who receive no webhooks"""
        return self.call("GET", "/v1/events", query={"after": after, "types": types, "wait": wait, "limit": limit})

    def get_captable(self, security_id: str, *, as_of: str | None = None) -> CapTable:
        """The cap table"""
        return self.call("GET", "/v1/captable/{security_id}", path_values={"security_id": security_id}, query={"as_of": as_of})

    def get_captable_holders(self, security_id: str, *, as_of: str | None = None, limit: int | None = None, cursor: str | None = None) -> GetCaptableHoldersAnswer:
        """Registered holders"""
        return self.call("GET", "/v1/captable/{security_id}/holders", path_values={"security_id": security_id}, query={"as_of": as_of, "limit": limit, "cursor": cursor})

    def get_captable_holders_pages(self, security_id: str, *, as_of: str | None = None, limit: int | None = None, cursor: str | None = None) -> Iterator[GetCaptableHoldersAnswer]:
        """Registered holders"""
        return self.pages("/v1/captable/{security_id}/holders", path_values={"security_id": security_id}, query={"as_of": as_of, "limit": limit, "cursor": cursor})

    def get_captable_history(self, security_id: str, *, limit: int | None = None, cursor: int | None = None) -> GetCaptableHistoryAnswer:
        """Everything that has changed the register"""
        return self.call("GET", "/v1/captable/{security_id}/history", path_values={"security_id": security_id}, query={"limit": limit, "cursor": cursor})

    def get_captable_history_pages(self, security_id: str, *, limit: int | None = None, cursor: int | None = None) -> Iterator[GetCaptableHistoryAnswer]:
        """Everything that has changed the register"""
        return self.pages("/v1/captable/{security_id}/history", path_values={"security_id": security_id}, query={"limit": limit, "cursor": cursor})

    def get_captable_ocf(self, security_id: str, *, formation_date: str | None = None, country_of_formation: str | None = None) -> OpenCapTable:
        """The register as Open Cap Table Format"""
        return self.call("GET", "/v1/captable/{security_id}/ocf", path_values={"security_id": security_id}, query={"formation_date": formation_date, "country_of_formation": country_of_formation})

    def post_captable_import(self, security_id: str, *, body: HolderImportRequest | OpenCapTable | None = None, format: Literal["rows", "ocf"] | None = None, stock_class_id: str | None = None, dry_run: Literal["true", "false"] | None = None, idempotency_key: str | None = None) -> IssuedShares:
        """Import holders"""
        return self.call("POST", "/v1/captable/{security_id}/import", path_values={"security_id": security_id}, query={"format": format, "stock_class_id": stock_class_id, "dry_run": dry_run}, body=body, idempotency_key=idempotency_key)

    def post_captable_issuances(self, security_id: str, body: IssuanceRequest, *, idempotency_key: str | None = None) -> IssuedShares:
        """Issue shares"""
        return self.call("POST", "/v1/captable/{security_id}/issuances", path_values={"security_id": security_id}, body=body, idempotency_key=idempotency_key)

    def post_captable_cancellations(self, security_id: str, body: CancellationRequest, *, idempotency_key: str | None = None) -> RegisterEvent:
        """Cancel shares of a holder"""
        return self.call("POST", "/v1/captable/{security_id}/cancellations", path_values={"security_id": security_id}, body=body, idempotency_key=idempotency_key)

    def get_corporate_actions(self, *, security_id: str | None = None, action_type: Literal["dividend", "stock_split", "merger", "name_change", "share_cancellation"] | None = None, status: Literal["announced", "recorded", "funding", "funded", "effective", "returning", "completed", "reversing", "reversed", "cancelled"] | None = None, limit: int | None = None, cursor: str | None = None) -> GetCorporateActionsAnswer:
        """Corporate actions of your securities, newest first"""
        return self.call("GET", "/v1/corporate-actions", query={"security_id": security_id, "action_type": action_type, "status": status, "limit": limit, "cursor": cursor})

    def get_corporate_actions_pages(self, *, security_id: str | None = None, action_type: Literal["dividend", "stock_split", "merger", "name_change", "share_cancellation"] | None = None, status: Literal["announced", "recorded", "funding", "funded", "effective", "returning", "completed", "reversing", "reversed", "cancelled"] | None = None, limit: int | None = None, cursor: str | None = None) -> Iterator[GetCorporateActionsAnswer]:
        """Corporate actions of your securities, newest first"""
        return self.pages("/v1/corporate-actions", query={"security_id": security_id, "action_type": action_type, "status": status, "limit": limit, "cursor": cursor})

    def post_corporate_actions(self, body: CorporateActionRequest, *, idempotency_key: str | None = None) -> CorporateAction:
        """Announce a corporate action"""
        return self.call("POST", "/v1/corporate-actions", body=body, idempotency_key=idempotency_key)

    def get_corporate_actions_by_id(self, id: str) -> CorporateAction:
        """A corporate action"""
        return self.call("GET", "/v1/corporate-actions/{id}", path_values={"id": id})

    def get_corporate_actions_payments(self, id: str, *, status: Literal["entitled", "due", "external", "nothing", "paid", "unpaid", "returned", "not_returned"] | None = None, limit: int | None = None, cursor: str | None = None) -> GetCorporateActionsPaymentsAnswer:
        """What each holder is entitled to of a dividend, or of a merger for cash"""
        return self.call("GET", "/v1/corporate-actions/{id}/payments", path_values={"id": id}, query={"status": status, "limit": limit, "cursor": cursor})

    def get_corporate_actions_payments_pages(self, id: str, *, status: Literal["entitled", "due", "external", "nothing", "paid", "unpaid", "returned", "not_returned"] | None = None, limit: int | None = None, cursor: str | None = None) -> Iterator[GetCorporateActionsPaymentsAnswer]:
        """What each holder is entitled to of a dividend, or of a merger for cash"""
        return self.pages("/v1/corporate-actions/{id}/payments", path_values={"id": id}, query={"status": status, "limit": limit, "cursor": cursor})

    def post_corporate_actions_cancel(self, id: str, body: CorporateActionReason, *, idempotency_key: str | None = None) -> CorporateAction:
        """Take an action back before anything has moved"""
        return self.call("POST", "/v1/corporate-actions/{id}/cancel", path_values={"id": id}, body=body, idempotency_key=idempotency_key)

    def post_corporate_actions_payment_account(self, id: str, body: PaymentAccount, *, idempotency_key: str | None = None) -> CorporateAction:
        """Let an account pay a dividend"""
        return self.call("POST", "/v1/corporate-actions/{id}/payment-account", path_values={"id": id}, body=body, idempotency_key=idempotency_key)

    def post_corporate_actions_consent(self, id: str, *, idempotency_key: str | None = None) -> CorporateAction:
        """Agree that shares end or are divided down"""
        return self.call("POST", "/v1/corporate-actions/{id}/consent", path_values={"id": id}, idempotency_key=idempotency_key)

    def post_corporate_actions_reverse(self, id: str, body: CorporateActionReason, *, idempotency_key: str | None = None) -> CorporateAction:
        """Take back a dividend that was paid, from those who still have it"""
        return self.call("POST", "/v1/corporate-actions/{id}/reverse", path_values={"id": id}, body=body, idempotency_key=idempotency_key)

    def get_settlements(self, *, security_id: str | None = None, status: Literal["pending", "recorded", "SETTLED", "FAILED", "REVERSED"] | None = None, from_: str | None = None, to: str | None = None, limit: int | None = None, cursor: str | None = None) -> GetSettlementsAnswer:
        """Settlements of your securities, newest first"""
        return self.call("GET", "/v1/settlements", query={"security_id": security_id, "status": status, "from": from_, "to": to, "limit": limit, "cursor": cursor})

    def get_settlements_pages(self, *, security_id: str | None = None, status: Literal["pending", "recorded", "SETTLED", "FAILED", "REVERSED"] | None = None, from_: str | None = None, to: str | None = None, limit: int | None = None, cursor: str | None = None) -> Iterator[GetSettlementsAnswer]:
        """Settlements of your securities, newest first"""
        return self.pages("/v1/settlements", query={"security_id": security_id, "status": status, "from": from_, "to": to, "limit": limit, "cursor": cursor})

    def get_settlements_by_id(self, id: str) -> Settlement:
        """A settlement"""
        return self.call("GET", "/v1/settlements/{id}", path_values={"id": id})

    def get_settlements_txs(self, id: str) -> SettlementTransactions:
        """Its transactions on chain"""
        return self.call("GET", "/v1/settlements/{id}/txs", path_values={"id": id})

    def get_settlements_verify(self, id: str) -> SettlementVerification:
        """Compare it with the chain"""
        return self.call("GET", "/v1/settlements/{id}/verify", path_values={"id": id})

    def get_settlements_receipt(self, id: str) -> Receipt:
        """What proves that it is recorded, and what was made of it"""
        return self.call("GET", "/v1/settlements/{id}/receipt", path_values={"id": id})

    def get_transfers(self, *, status: Literal["pending", "pending_transfer", "rejecting", "rejected", "completed", "reversed"] | None = None, security_id: str | None = None, limit: int | None = None, cursor: str | None = None) -> GetTransfersAnswer:
        """Transfers of your securities"""
        return self.call("GET", "/v1/transfers", query={"status": status, "security_id": security_id, "limit": limit, "cursor": cursor})

    def get_transfers_pages(self, *, status: Literal["pending", "pending_transfer", "rejecting", "rejected", "completed", "reversed"] | None = None, security_id: str | None = None, limit: int | None = None, cursor: str | None = None) -> Iterator[GetTransfersAnswer]:
        """Transfers of your securities"""
        return self.pages("/v1/transfers", query={"status": status, "security_id": security_id, "limit": limit, "cursor": cursor})

    def get_transfers_by_id(self, id: str) -> TransferInstruction:
        """A transfer"""
        return self.call("GET", "/v1/transfers/{id}", path_values={"id": id})

    def post_transfers_acknowledge(self, id: str, body: TransferAcknowledgeRequest) -> TransferInstruction:
        """Accept or reject a transfer"""
        return self.call("POST", "/v1/transfers/{id}/acknowledge", path_values={"id": id}, body=body)

    def post_transfers_complete(self, id: str, body: TransferCompleteRequest) -> TransferInstruction:
        """Record a transfer on the cap table"""
        return self.call("POST", "/v1/transfers/{id}/complete", path_values={"id": id}, body=body)

    def get_reports_shareholder_register(self, *, security_id: str, as_of: str | None = None, format: Literal["json", "csv", "html"] | None = None, limit: int | None = None, cursor: str | None = None) -> ShareholderRegister | str:
        """The register of holders of a security"""
        return self.call("GET", "/v1/reports/shareholder-register", query={"security_id": security_id, "as_of": as_of, "format": format, "limit": limit, "cursor": cursor})

    def get_reports_shareholder_register_pages(self, *, security_id: str, as_of: str | None = None, format: Literal["json", "csv", "html"] | None = None, limit: int | None = None, cursor: str | None = None) -> Iterator[ShareholderRegister | str]:
        """The register of holders of a security"""
        return self.pages("/v1/reports/shareholder-register", query={"security_id": security_id, "as_of": as_of, "format": format, "limit": limit, "cursor": cursor})

    def get_reports_transfer_log(self, *, from_: str, to: str, security_id: str | None = None, format: Literal["json", "csv", "html"] | None = None, limit: int | None = None, cursor: str | None = None) -> GetReportsTransferLogAnswer | str:
        """Transfers that were received in a range of days, oldest first"""
        return self.call("GET", "/v1/reports/transfer-log", query={"from": from_, "to": to, "security_id": security_id, "format": format, "limit": limit, "cursor": cursor})

    def get_reports_transfer_log_pages(self, *, from_: str, to: str, security_id: str | None = None, format: Literal["json", "csv", "html"] | None = None, limit: int | None = None, cursor: str | None = None) -> Iterator[GetReportsTransferLogAnswer | str]:
        """Transfers that were received in a range of days, oldest first"""
        return self.pages("/v1/reports/transfer-log", query={"from": from_, "to": to, "security_id": security_id, "format": format, "limit": limit, "cursor": cursor})

    def get_reports_dividend_history(self, *, from_: str, to: str, security_id: str | None = None, format: Literal["json", "csv", "html"] | None = None, limit: int | None = None, cursor: str | None = None) -> GetReportsDividendHistoryAnswer | str:
        """Payments of dividends whose payment date, as it was stated, lies in a range of days"""
        return self.call("GET", "/v1/reports/dividend-history", query={"from": from_, "to": to, "security_id": security_id, "format": format, "limit": limit, "cursor": cursor})

    def get_reports_dividend_history_pages(self, *, from_: str, to: str, security_id: str | None = None, format: Literal["json", "csv", "html"] | None = None, limit: int | None = None, cursor: str | None = None) -> Iterator[GetReportsDividendHistoryAnswer | str]:
        """Payments of dividends whose payment date, as it was stated, lies in a range of days"""
        return self.pages("/v1/reports/dividend-history", query={"from": from_, "to": to, "security_id": security_id, "format": format, "limit": limit, "cursor": cursor})

    def get_reports_form_ta_2(self, *, year: int, format: Literal["json", "csv", "html"] | None = None) -> FormTA2 | str:
        """Data for Form TA-2 of a calendar year"""
        return self.call("GET", "/v1/reports/form-ta-2", query={"year": year, "format": format})

    def post_securities_halt(self, id: str, body: SecurityReason, *, idempotency_key: str | None = None) -> Security:
        """Halt trading: open orders are cancelled"""
        return self.call("POST", "/v1/securities/{id}/halt", path_values={"id": id}, body=body, idempotency_key=idempotency_key)

    def post_securities_lift(self, id: str, body: SecurityReason, *, idempotency_key: str | None = None) -> Security:
        """Lift a halt of one’s own"""
        return self.call("POST", "/v1/securities/{id}/lift", path_values={"id": id}, body=body, idempotency_key=idempotency_key)

    def post_securities_agent(self, id: str, body: AgentAnswer, *, idempotency_key: str | None = None) -> Security:
        """Accept or decline to be the transfer agent of a security"""
        return self.call("POST", "/v1/securities/{id}/agent", path_values={"id": id}, body=body, idempotency_key=idempotency_key)

    def get_securities_restrictions(self, id: str) -> RestrictionsInEffect:
        """Restrictions on transfers, in effect and as each has stated them"""
        return self.call("GET", "/v1/securities/{id}/restrictions", path_values={"id": id})

    def patch_securities_restrictions(self, id: str, body: RestrictionsRequest, *, idempotency_key: str | None = None) -> RestrictionsInEffect:
        """State restrictions; those of the transfer agent count before those of the lister"""
        return self.call("PATCH", "/v1/securities/{id}/restrictions", path_values={"id": id}, body=body, idempotency_key=idempotency_key)
