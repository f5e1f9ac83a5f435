import { createProfile } from '../middleware/profile.ts';
import { agentToolCallsRoute } from './agent-tool-calls-route.ts';
import { amendOrderRoute } from './amend-order-route.ts';
import { balancesRoute } from './balances-route.ts';
import { cancelAllRoute } from './cancel-all-route.ts';
import { cancelBatchRoute } from './cancel-batch-route.ts';
import { cancelOrderRoute } from './cancel-order-route.ts';
import { fillsRoute } from './fills-route.ts';
import { keySessionRoute } from './key-session-route.ts';
import { marketsRoute } from './markets-route.ts';
import { orderRoute } from './order-route.ts';
import { orderbookRoute } from './orderbook-route.ts';
import { ordersRoute } from './orders-route.ts';
import { placeBatchRoute } from './place-batch-route.ts';
import { placeOrderRoute } from './place-order-route.ts';
import { previewOrderRoute } from './preview-order-route.ts';
import { rpcRoutes } from './rpc/rpc-routes.ts';
import { streamRoute } from './stream-route.ts';
import { tickerRoute } from './ticker-route.ts';
import { tradesRoutes } from './trades-routes.ts';
import { wsRoute } from './ws-route.ts';

/** Profile B of exchange.md, and the calls that profile E's tools wrap. */
export const book = createProfile({
  name: 'book',
  title: 'Order book API',
  description:
    'Order-book REST interface: books, trades, tickers, markets, orders and balances. Numbers are JSON numbers, timestamps Unix milliseconds.',
});

marketsRoute(book);
orderbookRoute(book);
tradesRoutes(book);
tickerRoute(book);
placeOrderRoute(book);
placeBatchRoute(book);
previewOrderRoute(book);
ordersRoute(book);
orderRoute(book);
fillsRoute(book);
amendOrderRoute(book);
// Before the route of a single order, whose pattern it fits.
cancelBatchRoute(book);
cancelOrderRoute(book);
cancelAllRoute(book);
balancesRoute(book);
keySessionRoute(book);
agentToolCallsRoute(book);
wsRoute(book);
streamRoute(book);
rpcRoutes(book);
