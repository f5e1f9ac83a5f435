import type { Profile } from '../../middleware/profile.ts';
import { changeAccountFactsRoute } from './change-account-facts-route.ts';
import { changeMarketRulesRoute } from './change-market-rules-route.ts';
import { createAssetRoute } from './create-asset-route.ts';
import { createDepositRoute } from './create-deposit-route.ts';
import { createMarketRoute } from './create-market-route.ts';
import { createOrganizationRoute } from './create-organization-route.ts';
import { createUserRoute } from './create-user-route.ts';
import { createWithdrawalRoute } from './create-withdrawal-route.ts';
import { freezeAccountRoute } from './freeze-account-route.ts';
import { getAccountRoute } from './get-account-route.ts';
import { getAuditRoute } from './get-audit-route.ts';
import { getBookStateHashRoute } from './get-book-state-hash-route.ts';
import { getLedgerRoute } from './get-ledger-route.ts';
import { haltMarketRoute } from './halt-market-route.ts';
import { haltVenueRoute } from './halt-venue-route.ts';
import { listAccountsRoute } from './list-accounts-route.ts';
import { listAuditTrailRoute } from './list-audit-trail-route.ts';
import { listBooksRoute } from './list-books-route.ts';
import { rebuildReadModelRoute } from './rebuild-read-model-route.ts';
import { resumeBookRoute } from './resume-book-route.ts';

/**
 * What people who run the exchange need: organizations, users, assets and markets, money in and out, compliance facts, halts, market
 * rules, the state of ledger and books and what lets them go on, the audit, and the trail of what they did.
 */
export function registerOperatorRoutes(exchange: Profile): void {
  createOrganizationRoute(exchange);
  createUserRoute(exchange);
  createAssetRoute(exchange);
  createMarketRoute(exchange);
  createDepositRoute(exchange);
  createWithdrawalRoute(exchange);
  listAccountsRoute(exchange);
  getAccountRoute(exchange);
  changeAccountFactsRoute(exchange);
  freezeAccountRoute(exchange);
  haltMarketRoute(exchange);
  changeMarketRulesRoute(exchange);
  haltVenueRoute(exchange);
  listBooksRoute(exchange);
  getBookStateHashRoute(exchange);
  resumeBookRoute(exchange);
  getLedgerRoute(exchange);
  rebuildReadModelRoute(exchange);
  getAuditRoute(exchange);
  listAuditTrailRoute(exchange);
}
