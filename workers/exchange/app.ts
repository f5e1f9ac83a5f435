import { createProfile } from '../middleware/profile.ts';
import { cancelOrderRoute } from './cancel-order-route.ts';
import { createOrderRoute } from './create-order-route.ts';
import { getAccountRoute } from './get-account-route.ts';
import { getAssetRoute } from './get-asset-route.ts';
import { getBookRoute } from './get-book-route.ts';
import { getChartRoute } from './get-chart-route.ts';
import { getNavigationRoute } from './get-navigation-route.ts';
import { getOrderRoute } from './get-order-route.ts';
import { getQuoteRoute } from './get-quote-route.ts';
import { issueTenantTokenRoute } from './issue-tenant-token-route.ts';
import { listAssetsRoute } from './list-assets-route.ts';
import { listExchangePortfolioRoute } from './list-exchange-portfolio-route.ts';
import { listOrdersRoute } from './list-orders-route.ts';
import { listPortfolioRoute } from './list-portfolio-route.ts';
import { listTransactionsRoute } from './list-transactions-route.ts';
import { modifyOrderRoute } from './modify-order-route.ts';
import { registerOperatorRoutes } from './operator/register-operator-routes.ts';

/** Profile A, the asset exchange (docs/design/shape.md#profiles). */
export const exchange = createProfile({
  name: 'exchange',
  title: 'Asset exchange',
  description:
    'Assets, quotes, charts, order books, orders, portfolio, transactions and account. Numbers are JSON numbers, timestamps ISO 8601 in UTC.',
});

issueTenantTokenRoute(exchange);
listAssetsRoute(exchange);
getAssetRoute(exchange);
getQuoteRoute(exchange);
getChartRoute(exchange);
getBookRoute(exchange);
getNavigationRoute(exchange);
createOrderRoute(exchange);
getOrderRoute(exchange);
listOrdersRoute(exchange);
modifyOrderRoute(exchange);
cancelOrderRoute(exchange);
listPortfolioRoute(exchange);
listExchangePortfolioRoute(exchange);
listTransactionsRoute(exchange);
getAccountRoute(exchange);
registerOperatorRoutes(exchange);
