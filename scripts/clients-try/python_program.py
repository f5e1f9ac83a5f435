import asyncio
import json
import os
import uuid

from edge_exchange import BookClient, KeyCredentials
from edge_exchange.feeds import OwnAccount, book_feed

ORIGIN, KEY, SECRET, SYMBOL, PRICE = (os.environ[name] for name in ("ORIGIN", "KEY", "SECRET", "SYMBOL", "PRICE"))
CLIENT_ORDER_ID = f"try-python-{uuid.uuid4().hex[:8]}"


async def proof() -> dict[str, str]:
    return {"api_key": KEY, "api_secret": SECRET}


async def main() -> None:
    book = BookClient(f"{ORIGIN}/book", KeyCredentials(KEY, SECRET))
    feed = book_feed(f"{ORIGIN}/book", auth=proof)
    seen: asyncio.Future[str] = asyncio.get_running_loop().create_future()

    def heard(order: dict) -> None:
        if order["client_order_id"] == CLIENT_ORDER_ID and not seen.done():
            seen.set_result(f"{order['status']} in the feed")

    OwnAccount(feed, order=heard)
    running = asyncio.create_task(feed.run())
    order = {"client_order_id": CLIENT_ORDER_ID, "symbol": SYMBOL, "side": "buy", "type": "limit", "price": PRICE, "size": 1}
    placed = await asyncio.to_thread(book.place_order, order)
    told = await asyncio.wait_for(seen, 30)
    cancelled = await asyncio.to_thread(book.cancel_called_order, CLIENT_ORDER_ID)
    running.cancel()
    assert cancelled["status"] == "cancelled", cancelled["status"]
    print(json.dumps({"placed": placed["order_id"], "seen": told, "cancelled": cancelled["status"]}))


asyncio.run(main())
