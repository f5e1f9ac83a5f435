import { createProfile } from '../middleware/profile.ts';
import { cancelSharesRoute, importHoldersRoute, issueSharesRoute } from './captable/change-captable-routes.ts';
import {
  exportRegisterRoute,
  getCapTableRoute,
  listHistoryRoute,
  listHoldersRoute,
} from './captable/read-captable-routes.ts';
import {
  announceActionRoute,
  cancelActionRoute,
  consentToActionRoute,
  namePaymentAccountRoute,
  reverseDividendRoute,
} from './corporate-actions/change-action-routes.ts';
import {
  getCorporateActionRoute,
  listActionPaymentsRoute,
  listCorporateActionsRoute,
} from './corporate-actions/read-action-routes.ts';
import { getComplianceRoute, rescreenRoute } from './investors/compliance-routes.ts';
import { createInvestorRoute } from './investors/create-investor-route.ts';
import { getInvestorRoute } from './investors/get-investor-route.ts';
import { investorKeyRoutes } from './investors/investor-key-routes.ts';
import { listInvestorsRoute } from './investors/list-investors-route.ts';
import { openAccountRoute } from './investors/open-account-route.ts';
import { getBookRoute, getChartRoute, getQuoteRoute, listTradesRoute } from './market-data/market-data-routes.ts';
import { openBookStreamRoute, openTradesStreamRoute } from './market-data/stream-routes.ts';
import { cancelOrderRoute } from './orders/cancel-order-route.ts';
import { placeOrderRoute } from './orders/place-order-route.ts';
import { getOrderRoute, listOrdersRoute } from './orders/read-order-routes.ts';
import { formTa2Route } from './reports/form-ta-2-route.ts';
import { dividendHistoryRoute, shareholderRegisterRoute, transferLogRoute } from './reports/report-routes.ts';
import {
  answerProposalRoute,
  delistSecurityRoute,
  editSecurityRoute,
  haltSecurityRoutes,
  stateRestrictionsRoute,
  submitSecurityRoute,
} from './securities/change-security-routes.ts';
import { getRestrictionsRoute } from './securities/get-restrictions-route.ts';
import { getSecurityRoute } from './securities/get-security-route.ts';
import { listSecuritiesRoute } from './securities/list-securities-route.ts';
import {
  getSettlementReceiptRoute,
  getSettlementRoute,
  listSettlementsRoute,
  listSettlementTransactionsRoute,
  verifySettlementRoute,
} from './settlements/settlement-routes.ts';
import {
  acknowledgeTransferRoute,
  completeTransferRoute,
  getTransferRoute,
  listTransfersRoute,
} from './transfers/transfer-routes.ts';
import { changeWebhookRoute } from './webhooks/change-webhook-route.ts';
import { createWebhookRoute } from './webhooks/create-webhook-route.ts';
import { deleteWebhookRoute } from './webhooks/delete-webhook-route.ts';
import { getDeliveryRoute } from './webhooks/get-delivery-route.ts';
import { getEventSchemaRoutes } from './webhooks/get-event-schema-routes.ts';
import { getWebhookRoute } from './webhooks/get-webhook-route.ts';
import { listDeliveriesRoute } from './webhooks/list-deliveries-route.ts';
import { listEventsRoute } from './webhooks/list-events-route.ts';
import { listWebhooksRoute } from './webhooks/list-webhooks-route.ts';
import { replayDeliveryRoute } from './webhooks/replay-delivery-route.ts';
import { replayRangeRoute } from './webhooks/replay-range-route.ts';
import { rotateWebhookSecretRoute } from './webhooks/rotate-webhook-secret-route.ts';
import { skipDeliveryRoute } from './webhooks/skip-delivery-route.ts';
import { testWebhookRoute } from './webhooks/test-webhook-route.ts';

/** Cross-listing operators and transfer agents (docs/design/partner.md). */
export const partner = createProfile({
  name: 'partner',
  title: 'Partner API',
  fieldNames: 'snake_case',
  description:
    'For organizations that list securities here, route their investors’ orders, or keep the register of holders as a transfer agent. Numbers are JSON numbers, timestamps ISO 8601.',
});

listSecuritiesRoute(partner);
getSecurityRoute(partner);

getQuoteRoute(partner);
getBookRoute(partner);
listTradesRoute(partner);
getChartRoute(partner);
openBookStreamRoute(partner);
openTradesStreamRoute(partner);

createInvestorRoute(partner);
listInvestorsRoute(partner);
getInvestorRoute(partner);
openAccountRoute(partner);
investorKeyRoutes(partner);
getComplianceRoute(partner);
rescreenRoute(partner);

placeOrderRoute(partner);
listOrdersRoute(partner);
getOrderRoute(partner);
cancelOrderRoute(partner);
createWebhookRoute(partner);
listWebhooksRoute(partner);
getWebhookRoute(partner);
changeWebhookRoute(partner);
deleteWebhookRoute(partner);
rotateWebhookSecretRoute(partner);
testWebhookRoute(partner);
listDeliveriesRoute(partner);
getDeliveryRoute(partner);
replayDeliveryRoute(partner);
skipDeliveryRoute(partner);
replayRangeRoute(partner);
listEventsRoute(partner);
getEventSchemaRoutes(partner);
getCapTableRoute(partner);
listHoldersRoute(partner);
listHistoryRoute(partner);
exportRegisterRoute(partner);
importHoldersRoute(partner);
issueSharesRoute(partner);
cancelSharesRoute(partner);
announceActionRoute(partner);
listCorporateActionsRoute(partner);
getCorporateActionRoute(partner);
listActionPaymentsRoute(partner);
cancelActionRoute(partner);
namePaymentAccountRoute(partner);
consentToActionRoute(partner);
reverseDividendRoute(partner);
listSettlementsRoute(partner);
getSettlementRoute(partner);
listSettlementTransactionsRoute(partner);
verifySettlementRoute(partner);
getSettlementReceiptRoute(partner);
listTransfersRoute(partner);
getTransferRoute(partner);
acknowledgeTransferRoute(partner);
completeTransferRoute(partner);
shareholderRegisterRoute(partner);
transferLogRoute(partner);
dividendHistoryRoute(partner);
formTa2Route(partner);
submitSecurityRoute(partner);
editSecurityRoute(partner);
delistSecurityRoute(partner);
haltSecurityRoutes(partner);
answerProposalRoute(partner);
getRestrictionsRoute(partner);
stateRestrictionsRoute(partner);
