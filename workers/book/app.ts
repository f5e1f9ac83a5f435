import { createProfile } from '../middleware/profile.ts';
import { amendOrderRoute } from './amend-order-route.ts';
import { cancelAfterRoute } from './cancel-after-route.ts';
import { cancelAllOrdersRoute } from './cancel-all-orders-route.ts';
import { cancelBatchRoute } from './cancel-batch-route.ts';
import { cancelCalledOrderRoute } from './cancel-called-order-route.ts';
import { cancelOrderRoute } from './cancel-order-route.ts';
import { getCalledOrderRoute } from './get-called-order-route.ts';
import { getOrderRoute } from './get-order-route.ts';
import { getOrderbookRoute } from './get-orderbook-route.ts';
import { getStatusRoute } from './get-status-route.ts';
import { getTickerRoute } from './get-ticker-route.ts';
import { getTimeRoute } from './get-time-route.ts';
import { listAccountFeesRoute } from './list-account-fees-route.ts';
import { listAdjustedFillsRoute } from './list-adjusted-fills-route.ts';
import { listBalancesRoute } from './list-balances-route.ts';
import { listCandlesRoute } from './list-candles-route.ts';
import { listCurrenciesRoute } from './list-currencies-route.ts';
import { listFillsRoute } from './list-fills-route.ts';
import { listLedgerRoute } from './list-ledger-route.ts';
import { listMarketsRoute } from './list-markets-route.ts';
import { listOrdersRoute } from './list-orders-route.ts';
import { listTickersRoute } from './list-tickers-route.ts';
import { listTradesRoute } from './list-trades-route.ts';
import { listTransfersRoute } from './list-transfers-route.ts';
import { openSocketRoute } from './open-socket-route.ts';
import { openStreamRoute } from './open-stream-route.ts';
import { openOrderSocketRoute } from './order-socket/open-order-socket-route.ts';
import { placeBatchRoute } from './place-batch-route.ts';
import { placeOrderRoute } from './place-order-route.ts';
import { previewOrderRoute } from './preview-order-route.ts';
import { recordAgentToolCallRoute } from './record-agent-tool-call-route.ts';
import { callRpcRoute } from './rpc/call-rpc-route.ts';
import { watchKeySessionRoute } from './watch-key-session-route.ts';

/** Profile B, the order book, and the calls that the agent's tools wrap (docs/design/shape.md#profiles). */
export const book = createProfile({
  name: 'book',
  title: 'Order book API',
  fieldNames: 'snake_case',
  description:
    'Order-book REST interface: books, trades, tickers, markets, orders and balances. Numbers are JSON numbers, timestamps Unix milliseconds.',
});

listMarketsRoute(book);
listCurrenciesRoute(book);
getOrderbookRoute(book);
listTradesRoute(book);
getTickerRoute(book);
listTickersRoute(book);
listCandlesRoute(book);
getTimeRoute(book);
getStatusRoute(book);
placeOrderRoute(book);
placeBatchRoute(book);
previewOrderRoute(book);
cancelAfterRoute(book);
listOrdersRoute(book);
getOrderRoute(book);
getCalledOrderRoute(book);
listFillsRoute(book);
listAdjustedFillsRoute(book);
amendOrderRoute(book);
// Before the route of a single order, whose pattern it fits.
cancelBatchRoute(book);
cancelOrderRoute(book);
cancelCalledOrderRoute(book);
cancelAllOrdersRoute(book);
listBalancesRoute(book);
listAccountFeesRoute(book);
listLedgerRoute(book);
listTransfersRoute(book);
watchKeySessionRoute(book);
recordAgentToolCallRoute(book);
openSocketRoute(book);
openStreamRoute(book);
openOrderSocketRoute(book);
callRpcRoute(book);
