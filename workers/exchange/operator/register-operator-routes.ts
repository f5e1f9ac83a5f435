import type { Profile } from '../../middleware/profile.ts';
import { registerChangeAccountFacts } from './change-account-facts.ts';
import { registerChangeMarketRules } from './change-market-rules.ts';
import { registerCreateAsset } from './create-asset.ts';
import { registerCreateDeposit } from './create-deposit.ts';
import { registerCreateMarket } from './create-market.ts';
import { registerCreateOrganization } from './create-organization.ts';
import { registerCreateUser } from './create-user.ts';
import { registerCreateWithdrawal } from './create-withdrawal.ts';
import { registerFreezeAccount } from './freeze-account.ts';
import { registerGetAccount } from './get-account.ts';
import { registerGetAudit } from './get-audit.ts';
import { registerGetBookStateHash } from './get-book-state-hash.ts';
import { registerGetLedger } from './get-ledger.ts';
import { registerHaltMarket } from './halt-market.ts';
import { registerHaltVenue } from './halt-venue.ts';
import { registerListAccounts } from './list-accounts.ts';
import { registerListAuditTrail } from './list-audit-trail.ts';
import { registerListBooks } from './list-books.ts';
import { registerRebuildReadModel } from './rebuild-read-model.ts';
import { registerResumeBook } from './resume-book.ts';

/**
 * What people who run the exchange need: organizations, users, assets and markets, money in and out, compliance facts, halts, market
 * rules, the state of ledger and books and what lets them go on, the audit, and the trail of what they did.
 */
export function registerOperatorRoutes(exchange: Profile): void {
  registerCreateOrganization(exchange);
  registerCreateUser(exchange);
  registerCreateAsset(exchange);
  registerCreateMarket(exchange);
  registerCreateDeposit(exchange);
  registerCreateWithdrawal(exchange);
  registerListAccounts(exchange);
  registerGetAccount(exchange);
  registerChangeAccountFacts(exchange);
  registerFreezeAccount(exchange);
  registerHaltMarket(exchange);
  registerChangeMarketRules(exchange);
  registerHaltVenue(exchange);
  registerListBooks(exchange);
  registerGetBookStateHash(exchange);
  registerResumeBook(exchange);
  registerGetLedger(exchange);
  registerRebuildReadModel(exchange);
  registerGetAudit(exchange);
  registerListAuditTrail(exchange);
}
