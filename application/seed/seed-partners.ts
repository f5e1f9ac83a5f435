import { findAsset } from '../../data/catalog/assets.ts';
import { database } from '../../data/database.ts';
import { findInvestor } from '../../data/partner/investors.ts';
import { findPartnerOrganization } from '../../data/partner/organizations.ts';
import { findRegisteredSecurity } from '../../data/partner/register/registered-security.ts';
import { deposit } from '../ledger/transfers.ts';
import { introduceInvestor, openInvestorAccount } from '../partner/investors/introduce-investor.ts';
import { carryOnScreening } from '../partner/investors/screen-investors.ts';
import { issueShares } from '../partner/register/issue-shares.ts';
import { checkRegistration } from '../partner/registration/check-registrations.ts';
import { decidePartner } from '../partner/registration/decide-partner.ts';
import { answerProposal, listSecurity, submitSecurity } from '../partner/securities/change-security.ts';
import { DEMO_AGENT, DEMO_INVESTORS, DEMO_LISTER, DEMO_LISTING, DEMO_SECURITY, demoId } from './demo-partners.ts';
import { ACTIONS, actionOf, apply, done, OPERATOR } from './demo-steps.ts';

interface PartnerSeed {
  readonly env: Env;
  /** Unix milliseconds. */
  readonly now: number;
}

/**
 * Fills the demo with a cross-lister and a transfer agent, a listed security with its register, and two investors, by what the profiles themselves call.
 * Every step is done once for its fixed id, so that running it again goes on where a crash has ended it, and changes nothing afterwards.
 */
export async function seedPartners({ env, now }: PartnerSeed): Promise<void> {
  await seedLister(env, now);
  await seedAgent(env, now);
  await seedSecurity(env);
  for (const [index, investor] of DEMO_INVESTORS.entries()) await seedInvestor(env, investor, index, now);
}

async function seedLister(env: Env, now: number): Promise<void> {
  const { id, name, crdNumber, contactEmail, secret } = DEMO_LISTER;
  const terms = { name, contactEmail, crdNumber, secRegistrationNumber: null } as const;
  await apply(env, { organization: id, role: 'cross_lister', ...terms, checkId: null, now }, secret, 0);
  const decision = { id, decision: 'approve', reason: 'demo' } as const;
  done('the lister is approved', await decidePartner(env, decision, actionOf(1, OPERATOR)));
}

async function seedAgent(env: Env, now: number): Promise<void> {
  const { id, name, secRegistrationNumber, contactEmail, secret } = DEMO_AGENT;
  const terms = { name, contactEmail, crdNumber: null, secRegistrationNumber } as const;
  await apply(
    env,
    { organization: id, role: 'transfer_agent', ...terms, checkId: demoId(ACTIONS + 2), now },
    secret,
    3,
  );
  const agent = await findPartnerOrganization(database(env.DB), id);
  if (agent !== null) await checkRegistration(env, agent);
}

async function seedSecurity(env: Env): Promise<void> {
  const { id, ...security } = DEMO_SECURITY;
  const submission = { id, actor: DEMO_LISTER.id, requestId: 'demo' };
  done('the security is submitted', await submitSecurity(env, security, submission));
  const listing = { id, listing: DEMO_LISTING, reason: 'demo' };
  done('the security is listed', await listSecurity(env, listing, actionOf(4, OPERATOR)));
  const agent = await findPartnerOrganization(database(env.DB), DEMO_AGENT.id);
  if (agent === null) throw new Error('demo: the agent is not there');
  const answer = { id, accepted: true, reason: null };
  done('the agent accepts', await answerProposal(env, agent, answer, actionOf(5, DEMO_AGENT.id)));
}

async function seedInvestor(
  env: Env,
  { id, account, name, cash, shares, certificate }: (typeof DEMO_INVESTORS)[number],
  index: number,
  now: number,
): Promise<void> {
  const db = database(env.DB);
  const by = { actor: DEMO_LISTER.id, requestId: 'demo' };
  const terms = {
    organization: DEMO_LISTER.id,
    name,
    accountType: 'individual',
    country: 'US',
    usPerson: true,
  } as const;
  const introduced = (await findInvestor(db, id)) ?? done(name, await introduceInvestor(env, terms, { id, ...by }));
  done(`${name}: account`, await openInvestorAccount(env, introduced, { id: account, ...by }));
  await carryOnScreening(env, introduced);
  const first = ACTIONS + 0x10 * (index + 1);
  const dollar = await findAsset(db, 'usd');
  if (dollar === null) throw new Error('demo: there is no dollar');
  if (cash > 0) {
    const funds = {
      id: demoId(first),
      account,
      asset: 'usd',
      amount: cash * 10 ** dollar.scale,
      cost: 0,
      lots: [],
      reference: 'demo',
    };
    done(`${name}: cash`, await deposit(env, { ...funds, createdAt: now, action: null }));
  }
  if (shares === 0) return;
  const agent = await findPartnerOrganization(db, DEMO_AGENT.id);
  const register = agent === null ? null : await findRegisteredSecurity(db, agent, DEMO_SECURITY.id);
  if (agent === null || register === null || register.scale === null)
    throw new Error('demo: the security has no register');
  const rows = [{ account_id: account, shares, certificate_number: certificate, restriction_ends_at: null }];
  const asAgent = { actor: DEMO_AGENT.id, agent: agent.organization };
  const action = { id: demoId(first + 1), ...asAgent, recordDate: null, notes: null, now };
  done(`${name}: shares`, await issueShares(env, { ...register, scale: register.scale }, 'issuance', rows, { action }));
}
