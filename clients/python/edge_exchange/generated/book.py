"""Written by scripts/sdk/api-types.ts from the OpenAPI document of profile book."""

from __future__ import annotations

from collections.abc import Iterator
from decimal import Decimal
from typing import Any, Literal, NotRequired, TypedDict

from ..calls import Calls
from ..operations import Operations


class PostOrdersBatchBody(TypedDict):
    orders: list[OrderRequest]


class DeleteOrdersBatchBody(TypedDict):
    order_ids: list[str]


class PostAgentToolCallsAnswer(TypedDict):
    id: str
    called_at: Decimal


class Markets(TypedDict):
    markets: list[Market]


class Market(TypedDict):
    symbol: str
    base_asset: str
    quote_asset: str
    status: Literal["open", "halted", "closed"]
    """Orders are taken while open."""
    halted_until: Decimal | None
    """Unix milliseconds at which a halt ends by itself; null for none, or for one that does not."""
    tick_size: Decimal
    """Prices are multiples of it."""
    lot_size: Decimal
    """Sizes are multiples of it."""
    size_min: Decimal
    size_max: Decimal
    notional_min: Decimal
    """What an order that may rest comes to at least, price times size, in the quote asset; one that ends at once may come to less."""
    price_decimals: Decimal
    size_decimals: Decimal
    maker_fee_bps: Decimal
    """Basis points of the amount traded, in the quote asset."""
    taker_fee_bps: Decimal
    reference_price: Decimal | None
    """Last trade, before the first what the venue has set."""
    price_band: MarketPriceBand | None
    """Limits outside are refused and nothing trades there; null where there is no band."""
    open_orders_per_account_max: Decimal
    """Open orders that an account may have in this book; one more is RISK_LIMIT_EXCEEDED."""
    open_orders_max: Decimal
    """The same of the whole book."""
    order_types: dict[str, list[str]]
    """Times in force by order type."""


class MarketPriceBand(TypedDict):
    """Limits outside are refused and nothing trades there; null where there is no band."""

    low: Decimal
    high: Decimal
    width_bps: Decimal


class Currencies(TypedDict):
    currencies: list[CurrenciesCurrenciesItem]


class CurrenciesCurrenciesItem(TypedDict):
    asset: str
    """Symbol, as balances and markets have it."""
    name: str
    type: Literal["stocks", "fixed-income", "commodities", "forex", "privates", "pre-ipo", "crypto", "currency", "allowance"]
    decimals: Decimal
    """Its smallest amount is one of the last of them."""


class OrderBook(TypedDict):
    symbol: str
    bids: list[OrderBookBidsItem]
    asks: list[OrderBookAsksItem]
    sequence: Decimal
    """Of the last change that the levels include."""
    timestamp: Decimal
    """Unix milliseconds."""


class OrderBookBidsItem(TypedDict):
    price: Decimal
    size: Decimal


class OrderBookAsksItem(TypedDict):
    price: Decimal
    size: Decimal


class Trades(TypedDict):
    symbol: str
    trades: list[TradesTradesItem]


class TradesTradesItem(TypedDict):
    trade_id: str
    sequence: Decimal
    """Gapless within the symbol."""
    symbol: str
    price: Decimal
    size: Decimal
    side: Literal["buy", "sell"]
    """Of the taker."""
    timestamp: Decimal
    """Unix milliseconds."""
    status: Literal["executed", "bust", "correction"]
    """Whether the trade was taken back (nothing of it stands) or stands at another price since."""
    corrected_price: Decimal | None
    """What it stands at; null unless it was corrected."""
    adjusted_at: Decimal | None
    """When it was taken back or corrected."""


class Ticker(TypedDict):
    symbol: str
    bid: Decimal | None
    ask: Decimal | None
    last: Decimal | None
    """Last trade; null before the first."""
    volume24h: Decimal
    """Base quantity of the last 24 hours, to the minute."""
    quote_volume24h: Decimal
    change24h: Decimal | None
    """Last price less that of 24 hours ago."""
    change_percent24h: Decimal | None
    high24h: Decimal | None
    low24h: Decimal | None
    timestamp: Decimal
    """Unix milliseconds."""


class Tickers(TypedDict):
    tickers: list[MarketSummary]
    timestamp: Decimal
    """Unix milliseconds."""


class MarketSummary(TypedDict):
    symbol: str
    last: Decimal | None
    """Last trade; null before the first."""
    volume24h: Decimal
    """Base quantity since the full hour of 24 hours ago: of 24 to 25 hours."""
    quote_volume24h: Decimal
    change24h: Decimal | None
    """Last price less that at this full hour."""
    change_percent24h: Decimal | None
    high24h: Decimal | None
    low24h: Decimal | None


class Candles(TypedDict):
    symbol: str
    interval: Literal["1m", "5m", "15m", "1h", "1d", "4h", "1w"]
    candles: list[CandlesCandlesItem]


class CandlesCandlesItem(TypedDict):
    timestamp: Decimal
    """Start of the candle, Unix milliseconds."""
    open: Decimal
    high: Decimal
    low: Decimal
    close: Decimal
    volume: Decimal
    """Base quantity."""
    quote_volume: Decimal
    trades: Decimal


class ServerTime(TypedDict):
    timestamp: Decimal
    """Unix milliseconds."""


class VenueStatus(TypedDict):
    status: Literal["open", "halted"]
    """`halted`: no market takes orders. A single market has its own status in `GET /v1/markets`."""
    timestamp: Decimal
    """Unix milliseconds."""


class OrderRequest(TypedDict):
    symbol: str
    side: Literal["buy", "sell"]
    type: Literal["market", "limit", "stop_loss", "stop_loss_limit", "take_profit", "take_profit_limit", "limit_maker"]
    price: NotRequired[Decimal | int | None]
    """Limit; of limit, limit_maker, stop_loss_limit and take_profit_limit."""
    size: Decimal | int
    time_in_force: NotRequired[Literal["GTC", "IOC", "FOK", "GTD", "POST_ONLY"] | None]
    """GTC when left out, for market IOC."""
    stop_price: NotRequired[Decimal | int | None]
    """Trigger; of the stop and take-profit types. One without a price takes what is there within 5 % of its trigger; what it does not find stands there, as a limit, until it is filled or cancelled."""
    expires_at: NotRequired[Decimal | int | None]
    """Unix milliseconds; of GTD."""
    client_order_id: NotRequired[str | None]
    """Unique per account; neither `.` nor `..`."""
    self_trade_prevention: NotRequired[Literal["cancel_newest", "cancel_oldest", "cancel_both", "decrement"] | None]
    """cancel_newest when left out: the taker is cancelled."""
    display_size: NotRequired[Decimal | int | None]
    """What the book shows of the order, 0 nothing. Of batches of our gateways alone."""


class Order(TypedDict):
    order_id: str
    client_order_id: str | None
    symbol: str
    side: Literal["buy", "sell"]
    type: str
    time_in_force: str
    price: Decimal | None
    stop_price: Decimal | None
    size: Decimal
    filled_size: Decimal
    remaining_size: Decimal
    """What it may yet fill: less than the rest of its size once self-trade prevention has taken from it, 0 once it is final."""
    average_price: Decimal | None
    """Of what has been filled; null before the first fill."""
    status: Literal["open", "partially_filled", "filled", "cancelled", "rejected", "pending_trigger", "expired"]
    reason: str | None
    """Why it was rejected, cancelled or has expired."""
    expires_at: Decimal | None
    """Unix milliseconds; of GTD orders."""
    created_at: Decimal
    """Unix milliseconds."""
    updated_at: Decimal
    """When it came to stand like this, Unix milliseconds."""
    is_indication: bool
    """An indication of interest in a pre-IPO asset, placed in profile A: while it is open it binds nobody and holds nothing."""


class Orders(TypedDict):
    orders: list[Order]


class CancelledOrders(TypedDict):
    order_ids: list[str]
    """Orders that are cancelled."""
    pending_order_ids: list[str]
    """Orders that a broker may have and was asked to end. Each stays as it is until the broker answers, and may still fill; its end comes as that of any order, in feeds and reads."""


class PlacementResults(TypedDict):
    results: list[PlacementResultsResultsItem1 | PlacementResultsResultsItem2]


class PlacementResultsResultsItem1(TypedDict):
    order: Order


class PlacementResultsResultsItem2(TypedDict):
    error: PlacementResultsResultsItem2Error


class PlacementResultsResultsItem2Error(TypedDict):
    code: str
    message: str
    details: dict[str, Any]


class CancellationResults(TypedDict):
    results: list[CancellationResultsResultsItem1 | CancellationResultsResultsItem2]


class CancellationResultsResultsItem1(TypedDict):
    order: OrderChange


class CancellationResultsResultsItem2(TypedDict):
    error: CancellationResultsResultsItem2Error


class CancellationResultsResultsItem2Error(TypedDict):
    code: str
    message: str
    details: dict[str, Any]


class OrderChange(TypedDict):
    order_id: str
    client_order_id: str | None
    symbol: str
    side: Literal["buy", "sell"] | None
    """Null in the rare case that neither the book nor the database says it at the moment."""
    type: str | None
    """Null in the rare case that neither the book nor the database says it at the moment."""
    time_in_force: str | None
    """Null in the rare case that neither the book nor the database says it at the moment."""
    price: Decimal | None
    stop_price: Decimal | None
    size: Decimal
    filled_size: Decimal
    remaining_size: Decimal
    """What it may yet fill: less than the rest of its size once self-trade prevention has taken from it, 0 once it is final."""
    average_price: Decimal | None
    """Of what has been filled; null before the first fill."""
    status: Literal["open", "partially_filled", "filled", "cancelled", "rejected", "pending_trigger", "expired"]
    reason: str | None
    """Why it was rejected, cancelled or has expired."""
    expires_at: Decimal | None
    """Unix milliseconds; of GTD orders."""
    created_at: Decimal
    """Unix milliseconds."""
    updated_at: Decimal
    """When it came to stand like this, Unix milliseconds."""
    is_indication: bool
    """An indication of interest in a pre-IPO asset, placed in profile A: while it is open it binds nobody and holds nothing."""


class OrderPreview(TypedDict):
    symbol: str
    side: Literal["buy", "sell"]
    type: str
    time_in_force: str
    size: Decimal
    price: Decimal | None
    worst_price: Decimal
    """The limit, or the collar of an order without one."""
    estimated_filled_size: Decimal
    """At once, in the book as it stands."""
    estimated_average_price: Decimal | None
    estimated_fee: Decimal
    estimated_total: Decimal
    """Paid by a buy or received by a sale, after fees."""
    held_asset: str
    held: Decimal
    available: Decimal


class CancelAfter(TypedDict):
    timeout_ms: Decimal | int
    """1,000 to 3,600,000; 0 disarms the switch."""


class CancelSwitch(TypedDict):
    cancel_at: Decimal | None
    """Unix milliseconds; null once disarmed."""


class Amendment(TypedDict):
    size: NotRequired[Decimal | int | None]
    """New total size, above what has been filled."""
    price: NotRequired[Decimal | int | None]
    """New limit."""
    stop_price: NotRequired[Decimal | int | None]
    """New trigger, of a stop that awaits it."""


class Fills(TypedDict):
    fills: list[Fill]


class Fill(TypedDict):
    trade_id: str
    sequence: Decimal
    """Of the trade, gapless within the symbol."""
    order_id: str
    symbol: str
    side: Literal["buy", "sell"]
    price: Decimal
    size: Decimal
    fee: Decimal
    """In the quote asset."""
    liquidity: Literal["maker", "taker"]
    filled_size: Decimal | None
    """What the order had filled with it, this fill included; null for the oldest trades."""
    remaining_size: Decimal | None
    """What the order had left to fill."""
    timestamp: Decimal
    """Unix milliseconds."""
    status: Literal["executed", "bust", "correction"]
    """Whether the trade was taken back (nothing of it stands) or stands at another price since."""
    corrected_price: Decimal | None
    """What it stands at; null unless it was corrected."""
    corrected_fee: Decimal | None
    """What was charged after all, as the feeds tell it: 0 for one that was taken back; null where it stands as dealt."""
    adjusted_at: Decimal | None
    """When it was taken back or corrected."""
    adjustment_sequence: Decimal | None
    """Place of that among all adjustments: a later one has a higher number. The cursor of `/v1/fills/adjusted`."""


class Balances(TypedDict):
    balances: list[BalancesBalancesItem]


class BalancesBalancesItem(TypedDict):
    asset: str
    """Symbol."""
    free: Decimal
    locked: Decimal
    """Held by open orders."""
    unsettled: NotRequired[Decimal]
    """Proceeds of sales that have not settled, in neither of the two; left out where there are none."""


class AccountFees(TypedDict):
    fees: list[AccountFeesFeesItem]


class AccountFeesFeesItem(TypedDict):
    symbol: str
    maker_fee_bps: Decimal
    """Basis points of the amount traded, of an order that waited."""
    taker_fee_bps: Decimal
    """The same of an order that meets one that waits."""
    currency: str
    """What the fee is charged in."""


class LedgerEntries(TypedDict):
    entries: list[LedgerEntriesEntriesItem]
    complete: bool
    """False while a market of the account cannot settle: what it has executed is missing, and appears once it has settled, with the time at which it was executed."""


class LedgerEntriesEntriesItem(TypedDict):
    timestamp: Decimal
    """Unix milliseconds."""
    kind: Literal["trade", "fee", "adjustment", "deposit", "withdrawal", "distribution", "register_entry", "split", "booking", "bridge"]
    reference: str
    """Of the trade, transfer or other transaction."""
    asset: str
    """Symbol."""
    amount: Decimal
    """Below 0 for what has left the account."""


class Transfers(TypedDict):
    transfers: list[TransfersTransfersItem]


class TransfersTransfersItem(TypedDict):
    transfer_id: str
    type: Literal["deposit", "withdrawal"]
    asset: str
    """Symbol."""
    amount: Decimal
    status: str
    timestamp: Decimal
    """Unix milliseconds."""


class KeySession(TypedDict):
    token: str
    """For the header X-API-Session, beside X-API-Key."""
    expires_at: Decimal
    """Unix milliseconds."""


class AgentToolCall(TypedDict):
    tool: str
    parameters: NotRequired[Any]
    result_code: str


OPERATIONS: Operations = {
    "POST /v1/orders": {
        "isRepeatable": True,
        "numbers": [
            "display_size",
            "expires_at",
            "price",
            "size",
            "stop_price"
        ]
    },
    "DELETE /v1/orders": {
        "isRepeatable": True
    },
    "POST /v1/orders/batch": {
        "isRepeatable": True,
        "numbers": [
            "orders.*.display_size",
            "orders.*.expires_at",
            "orders.*.price",
            "orders.*.size",
            "orders.*.stop_price"
        ]
    },
    "DELETE /v1/orders/batch": {
        "isRepeatable": True
    },
    "POST /v1/orders/preview": {
        "numbers": [
            "display_size",
            "expires_at",
            "price",
            "size",
            "stop_price"
        ]
    },
    "POST /v1/orders/cancel-after": {
        "numbers": [
            "timeout_ms"
        ]
    },
    "PATCH /v1/orders/{order_id}": {
        "isRepeatable": True,
        "numbers": [
            "price",
            "size",
            "stop_price"
        ]
    },
    "DELETE /v1/orders/{order_id}": {
        "isRepeatable": True
    },
    "DELETE /v1/orders/client/{client_order_id}": {
        "isRepeatable": True
    }
}


class BookCalls(Calls):
    """Every operation of profile book; `get_x_pages` are the pages of a list."""

    operations = OPERATIONS

    def get_markets(self, *, limit: int | None = None, cursor: str | None = None) -> Markets:
        """Trading pairs and their rules"""
        return self.call("GET", "/v1/markets", query={"limit": limit, "cursor": cursor})

    def get_markets_pages(self, *, limit: int | None = None, cursor: str | None = None) -> Iterator[Markets]:
        """Trading pairs and their rules"""
        return self.pages("/v1/markets", query={"limit": limit, "cursor": cursor})

    def get_currencies(self, *, limit: int | None = None, cursor: str | None = None) -> Currencies:
        """Assets that pairs trade, and those that they are paid in"""
        return self.call("GET", "/v1/currencies", query={"limit": limit, "cursor": cursor})

    def get_currencies_pages(self, *, limit: int | None = None, cursor: str | None = None) -> Iterator[Currencies]:
        """Assets that pairs trade, and those that they are paid in"""
        return self.pages("/v1/currencies", query={"limit": limit, "cursor": cursor})

    def get_orderbook(self, symbol: str, *, depth: int | None = None) -> OrderBook:
        """Levels of a book, best first"""
        return self.call("GET", "/v1/orderbook/{symbol}", path_values={"symbol": symbol}, query={"depth": depth})

    def get_trades(self, *, limit: int | None = None, cursor: int | None = None, symbol: str) -> Trades:
        """Trades of a symbol"""
        return self.call("GET", "/v1/trades", query={"limit": limit, "cursor": cursor, "symbol": symbol})

    def get_trades_pages(self, *, limit: int | None = None, cursor: int | None = None, symbol: str) -> Iterator[Trades]:
        """Trades of a symbol"""
        return self.pages("/v1/trades", query={"limit": limit, "cursor": cursor, "symbol": symbol})

    def get_trades_by_symbol(self, symbol: str, *, limit: int | None = None, cursor: int | None = None) -> Trades:
        """Trades of a symbol"""
        return self.call("GET", "/v1/trades/{symbol}", path_values={"symbol": symbol}, query={"limit": limit, "cursor": cursor})

    def get_trades_by_symbol_pages(self, symbol: str, *, limit: int | None = None, cursor: int | None = None) -> Iterator[Trades]:
        """Trades of a symbol"""
        return self.pages("/v1/trades/{symbol}", path_values={"symbol": symbol}, query={"limit": limit, "cursor": cursor})

    def get_ticker(self, symbol: str) -> Ticker:
        """Best prices, last trade and the last 24 hours"""
        return self.call("GET", "/v1/ticker/{symbol}", path_values={"symbol": symbol})

    def get_tickers(self, *, limit: int | None = None, cursor: str | None = None) -> Tickers:
        """Last trade and the last 24 hours of all pairs"""
        return self.call("GET", "/v1/tickers", query={"limit": limit, "cursor": cursor})

    def get_tickers_pages(self, *, limit: int | None = None, cursor: str | None = None) -> Iterator[Tickers]:
        """Last trade and the last 24 hours of all pairs"""
        return self.pages("/v1/tickers", query={"limit": limit, "cursor": cursor})

    def get_candles(self, symbol: str, *, interval: Literal["1m", "5m", "15m", "1h", "1d", "4h", "1w"] | None = None, from_: int | None = None, limit: int | None = None, cursor: int | None = None) -> Candles:
        """Candles of a symbol"""
        return self.call("GET", "/v1/candles/{symbol}", path_values={"symbol": symbol}, query={"interval": interval, "from": from_, "limit": limit, "cursor": cursor})

    def get_candles_pages(self, symbol: str, *, interval: Literal["1m", "5m", "15m", "1h", "1d", "4h", "1w"] | None = None, from_: int | None = None, limit: int | None = None, cursor: int | None = None) -> Iterator[Candles]:
        """Candles of a symbol"""
        return self.pages("/v1/candles/{symbol}", path_values={"symbol": symbol}, query={"interval": interval, "from": from_, "limit": limit, "cursor": cursor})

    def get_time(self) -> ServerTime:
        """The clock that timestamps of signed requests are held against"""
        return self.call("GET", "/v1/time")

    def get_status(self) -> VenueStatus:
        """Whether the venue trades"""
        return self.call("GET", "/v1/status")

    def get_orders(self, *, status: Literal["open", "partially_filled", "filled", "cancelled", "rejected", "pending_trigger", "expired", "done", "all"] | None = None, symbol: str | None = None, client_order_id: str | None = None, limit: int | None = None, cursor: str | None = None) -> Orders:
        """Orders of the account"""
        return self.call("GET", "/v1/orders", query={"status": status, "symbol": symbol, "client_order_id": client_order_id, "limit": limit, "cursor": cursor})

    def get_orders_pages(self, *, status: Literal["open", "partially_filled", "filled", "cancelled", "rejected", "pending_trigger", "expired", "done", "all"] | None = None, symbol: str | None = None, client_order_id: str | None = None, limit: int | None = None, cursor: str | None = None) -> Iterator[Orders]:
        """Orders of the account"""
        return self.pages("/v1/orders", query={"status": status, "symbol": symbol, "client_order_id": client_order_id, "limit": limit, "cursor": cursor})

    def post_orders(self, body: OrderRequest, *, idempotency_key: str | None = None) -> Order:
        """Place an order"""
        return self.call("POST", "/v1/orders", body=body, idempotency_key=idempotency_key)

    def delete_orders(self, *, symbol: str | None = None, side: Literal["buy", "sell"] | None = None, idempotency_key: str | None = None) -> CancelledOrders:
        """Cancel every open order of the account, or those of a symbol or side"""
        return self.call("DELETE", "/v1/orders", query={"symbol": symbol, "side": side}, idempotency_key=idempotency_key)

    def post_orders_batch(self, body: PostOrdersBatchBody, *, idempotency_key: str | None = None) -> PlacementResults:
        """Place up to 100 orders, each by itself"""
        return self.call("POST", "/v1/orders/batch", body=body, idempotency_key=idempotency_key)

    def delete_orders_batch(self, body: DeleteOrdersBatchBody, *, idempotency_key: str | None = None) -> CancellationResults:
        """Cancel up to 100 orders, each by itself"""
        return self.call("DELETE", "/v1/orders/batch", body=body, idempotency_key=idempotency_key)

    def post_orders_preview(self, body: OrderRequest) -> OrderPreview:
        """What an order would do and cost, without placing it"""
        return self.call("POST", "/v1/orders/preview", body=body)

    def post_orders_cancel_after(self, body: CancelAfter) -> CancelSwitch:
        """Cancel all open orders unless called again in time"""
        return self.call("POST", "/v1/orders/cancel-after", body=body)

    def get_orders_by_order_id(self, order_id: str) -> Order:
        """An order of the account"""
        return self.call("GET", "/v1/orders/{order_id}", path_values={"order_id": order_id})

    def patch_orders(self, order_id: str, body: Amendment, *, idempotency_key: str | None = None) -> OrderChange:
        """Change size, price or trigger of an open order"""
        return self.call("PATCH", "/v1/orders/{order_id}", path_values={"order_id": order_id}, body=body, idempotency_key=idempotency_key)

    def delete_orders_by_order_id(self, order_id: str, *, symbol: str | None = None, idempotency_key: str | None = None) -> OrderChange:
        """Cancel an order"""
        return self.call("DELETE", "/v1/orders/{order_id}", path_values={"order_id": order_id}, query={"symbol": symbol}, idempotency_key=idempotency_key)

    def get_orders_client(self, client_order_id: str) -> Order:
        """An order of the account by its client order id"""
        return self.call("GET", "/v1/orders/client/{client_order_id}", path_values={"client_order_id": client_order_id})

    def delete_orders_client(self, client_order_id: str, *, idempotency_key: str | None = None) -> OrderChange:
        """Cancel an order by its client order id"""
        return self.call("DELETE", "/v1/orders/client/{client_order_id}", path_values={"client_order_id": client_order_id}, idempotency_key=idempotency_key)

    def get_fills(self, *, symbol: str | None = None, order_id: str | None = None, order: Literal["oldest_first", "newest_first"] | None = None, limit: int | None = None, cursor: str | None = None) -> Fills:
        """Fills of the account"""
        return self.call("GET", "/v1/fills", query={"symbol": symbol, "order_id": order_id, "order": order, "limit": limit, "cursor": cursor})

    def get_fills_pages(self, *, symbol: str | None = None, order_id: str | None = None, order: Literal["oldest_first", "newest_first"] | None = None, limit: int | None = None, cursor: str | None = None) -> Iterator[Fills]:
        """Fills of the account"""
        return self.pages("/v1/fills", query={"symbol": symbol, "order_id": order_id, "order": order, "limit": limit, "cursor": cursor})

    def get_fills_adjusted(self, *, symbol: str | None = None, limit: int | None = None, cursor: int | None = None) -> Fills:
        """Fills of the account that were taken back or corrected"""
        return self.call("GET", "/v1/fills/adjusted", query={"symbol": symbol, "limit": limit, "cursor": cursor})

    def get_fills_adjusted_pages(self, *, symbol: str | None = None, limit: int | None = None, cursor: int | None = None) -> Iterator[Fills]:
        """Fills of the account that were taken back or corrected"""
        return self.pages("/v1/fills/adjusted", query={"symbol": symbol, "limit": limit, "cursor": cursor})

    def get_account_balances(self) -> Balances:
        """What the account owns"""
        return self.call("GET", "/v1/account/balances")

    def get_account_fees(self, *, limit: int | None = None, cursor: str | None = None) -> AccountFees:
        """What trades of the account cost, by pair"""
        return self.call("GET", "/v1/account/fees", query={"limit": limit, "cursor": cursor})

    def get_account_fees_pages(self, *, limit: int | None = None, cursor: str | None = None) -> Iterator[AccountFees]:
        """What trades of the account cost, by pair"""
        return self.pages("/v1/account/fees", query={"limit": limit, "cursor": cursor})

    def get_account_ledger(self, *, from_: int | None = None, to: int | None = None, limit: int | None = None, cursor: str | None = None) -> LedgerEntries:
        """What has changed what the account owns"""
        return self.call("GET", "/v1/account/ledger", query={"from": from_, "to": to, "limit": limit, "cursor": cursor})

    def get_account_ledger_pages(self, *, from_: int | None = None, to: int | None = None, limit: int | None = None, cursor: str | None = None) -> Iterator[LedgerEntries]:
        """What has changed what the account owns"""
        return self.pages("/v1/account/ledger", query={"from": from_, "to": to, "limit": limit, "cursor": cursor})

    def get_account_transfers(self, *, type: Literal["deposit", "withdrawal"] | None = None, from_: int | None = None, limit: int | None = None, cursor: str | None = None) -> Transfers:
        """Deposits and withdrawals of the account"""
        return self.call("GET", "/v1/account/transfers", query={"type": type, "from": from_, "limit": limit, "cursor": cursor})

    def get_account_transfers_pages(self, *, type: Literal["deposit", "withdrawal"] | None = None, from_: int | None = None, limit: int | None = None, cursor: str | None = None) -> Iterator[Transfers]:
        """Deposits and withdrawals of the account"""
        return self.pages("/v1/account/transfers", query={"type": type, "from": from_, "limit": limit, "cursor": cursor})

    def post_key_sessions(self) -> KeySession:
        """A token that stands for the API key for a day"""
        return self.call("POST", "/v1/key-sessions")

    def post_agent_tool_calls(self, body: AgentToolCall) -> PostAgentToolCallsAnswer:
        """Log a call of an agent tool"""
        return self.call("POST", "/v1/agent/tool-calls", body=body)
