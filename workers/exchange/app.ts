import { createProfile } from '../middleware/profile.ts';
import { registerCancelOrder } from './cancel-order.ts';
import { registerCreateOrder } from './create-order.ts';
import { registerGetAccount } from './get-account.ts';
import { registerGetAsset } from './get-asset.ts';
import { registerGetBook } from './get-book.ts';
import { registerGetChart } from './get-chart.ts';
import { registerGetNavigation } from './get-navigation.ts';
import { registerGetOrder } from './get-order.ts';
import { registerGetQuote } from './get-quote.ts';
import { registerListAssets } from './list-assets.ts';
import { registerListExchangePortfolio } from './list-exchange-portfolio.ts';
import { registerListOrders } from './list-orders.ts';
import { registerListPortfolio } from './list-portfolio.ts';
import { registerListTransactions } from './list-transactions.ts';
import { registerModifyOrder } from './modify-order.ts';
import { registerOperatorRoutes } from './operator/register-operator-routes.ts';
import { registerTenantToken } from './tenant-token.ts';

/** Profile A of exchange.md. */
export const exchange = createProfile({
  name: 'exchange',
  title: 'Asset exchange',
  description:
    'Assets, quotes, charts, order books, orders, portfolio, transactions and account. Numbers are JSON numbers, timestamps ISO 8601 in UTC.',
});

registerTenantToken(exchange);
registerListAssets(exchange);
registerGetAsset(exchange);
registerGetQuote(exchange);
registerGetChart(exchange);
registerGetBook(exchange);
registerGetNavigation(exchange);
registerCreateOrder(exchange);
registerGetOrder(exchange);
registerListOrders(exchange);
registerModifyOrder(exchange);
registerCancelOrder(exchange);
registerListPortfolio(exchange);
registerListExchangePortfolio(exchange);
registerListTransactions(exchange);
registerGetAccount(exchange);
registerOperatorRoutes(exchange);
