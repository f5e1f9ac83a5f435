import { createProfile } from '../middleware/profile.ts';
import { cancelOrderRoute } from './cancel-order-route.ts';
import { createOrderRoute } from './create-order-route.ts';
import { getAccountRoute } from './get-account-route.ts';
import { getAssetImageRoute } from './get-asset-image-route.ts';
import { getAssetRoute } from './get-asset-route.ts';
import { getBookRoute } from './get-book-route.ts';
import { getChartRoute } from './get-chart-route.ts';
import { getNavigationRoute } from './get-navigation-route.ts';
import { getOrderRoute } from './get-order-route.ts';
import { getQuoteRoute } from './get-quote-route.ts';
import { getTimeRoute } from './get-time-route.ts';
import { issueTenantTokenRoute } from './issue-tenant-token-route.ts';
import { listAssetsRoute } from './list-assets-route.ts';
import { listExchangePortfolioRoute } from './list-exchange-portfolio-route.ts';
import { listOrdersRoute } from './list-orders-route.ts';
import { listPortfolioRoute } from './list-portfolio-route.ts';
import { listTransactionsRoute } from './list-transactions-route.ts';
import { modifyOrderRoute } from './modify-order-route.ts';
import { activateUserRoute } from './operator/activate-user-route.ts';
import { adjustTradeRoutes } from './operator/adjust-trade-route.ts';
import { changeAccountFactsRoute } from './operator/change-account-facts-route.ts';
import { changeAssetRoute } from './operator/change-asset-route.ts';
import { changeMarketRulesRoute } from './operator/change-market-rules-route.ts';
import { changeUserRoute } from './operator/change-user-route.ts';
import { createAssetRoute } from './operator/create-asset-route.ts';
import { createCurrencyRoute } from './operator/create-currency-route.ts';
import { createDepositRoute } from './operator/create-deposit-route.ts';
import { createMarketRoute } from './operator/create-market-route.ts';
import { createOAuthClientRoute } from './operator/create-oauth-client-route.ts';
import { createOrganizationRoute } from './operator/create-organization-route.ts';
import { createUserRoute } from './operator/create-user-route.ts';
import { createWithdrawalRoute } from './operator/create-withdrawal-route.ts';
import { freezeAccountRoute } from './operator/freeze-account-route.ts';
import { getAccountDetailRoute } from './operator/get-account-detail-route.ts';
import { getAuditRoute } from './operator/get-audit-route.ts';
import { getBookStateHashRoute } from './operator/get-book-state-hash-route.ts';
import { getLedgerRoute } from './operator/get-ledger-route.ts';
import { getLedgerStateHashRoute } from './operator/get-ledger-state-hash-route.ts';
import { haltMarketRoute } from './operator/halt-market-route.ts';
import { haltVenueRoute } from './operator/halt-venue-route.ts';
import { listAccountsRoute } from './operator/list-accounts-route.ts';
import { listAssetsOfVenueRoute } from './operator/list-assets-of-venue-route.ts';
import { listAuditTrailRoute } from './operator/list-audit-trail-route.ts';
import { listBooksRoute } from './operator/list-books-route.ts';
import { listOAuthClientsRoute } from './operator/list-oauth-clients-route.ts';
import { listUsersRoute } from './operator/list-users-route.ts';
import { rebuildReadModelRoute } from './operator/rebuild-read-model-route.ts';
import { resumeBookRoute } from './operator/resume-book-route.ts';
import { revokeOAuthClientRoute } from './operator/revoke-oauth-client-route.ts';
import { rotateOAuthClientRoute } from './operator/rotate-oauth-client-route.ts';
import { setAssetStatusRoute } from './operator/set-asset-status-route.ts';
import { uploadAssetImageRoute } from './operator/upload-asset-image-route.ts';

/** Profile A, the asset exchange (docs/design/shape.md#profiles). */
export const exchange = createProfile({
  name: 'exchange',
  title: 'Asset exchange',
  fieldNames: 'camelCase',
  description:
    'Assets, quotes, charts, order books, orders, portfolio, transactions and account. Numbers are JSON numbers, timestamps ISO 8601 in UTC.',
});

issueTenantTokenRoute(exchange);
listAssetsRoute(exchange);
getAssetRoute(exchange);
getAssetImageRoute(exchange);
getQuoteRoute(exchange);
getChartRoute(exchange);
getBookRoute(exchange);
getNavigationRoute(exchange);
getTimeRoute(exchange);
createOrderRoute(exchange);
getOrderRoute(exchange);
listOrdersRoute(exchange);
modifyOrderRoute(exchange);
cancelOrderRoute(exchange);
listPortfolioRoute(exchange);
listExchangePortfolioRoute(exchange);
listTransactionsRoute(exchange);
getAccountRoute(exchange);

// For people who run the venue.
createOrganizationRoute(exchange);
createUserRoute(exchange);
listUsersRoute(exchange);
changeUserRoute(exchange);
activateUserRoute(exchange);
createOAuthClientRoute(exchange);
listOAuthClientsRoute(exchange);
rotateOAuthClientRoute(exchange);
revokeOAuthClientRoute(exchange);
createCurrencyRoute(exchange);
createAssetRoute(exchange);
listAssetsOfVenueRoute(exchange);
changeAssetRoute(exchange);
setAssetStatusRoute(exchange);
uploadAssetImageRoute(exchange);
createMarketRoute(exchange);
createDepositRoute(exchange);
createWithdrawalRoute(exchange);
adjustTradeRoutes(exchange);
listAccountsRoute(exchange);
getAccountDetailRoute(exchange);
changeAccountFactsRoute(exchange);
freezeAccountRoute(exchange);
haltMarketRoute(exchange);
changeMarketRulesRoute(exchange);
haltVenueRoute(exchange);
listBooksRoute(exchange);
getBookStateHashRoute(exchange);
resumeBookRoute(exchange);
getLedgerRoute(exchange);
getLedgerStateHashRoute(exchange);
rebuildReadModelRoute(exchange);
getAuditRoute(exchange);
listAuditTrailRoute(exchange);
