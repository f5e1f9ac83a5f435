import { uuidv7 } from 'uuidv7';
import { deposit } from '../../application/ledger/transfers.ts';
import { announceAction } from '../../application/partner/actions/announce-action.ts';
import { carryOnActions } from '../../application/partner/actions/carry-on-actions.ts';
import { namePaymentAccount } from '../../application/partner/actions/change-action.ts';
import { introduceInvestor, openInvestorAccount } from '../../application/partner/investors/introduce-investor.ts';
import { issueShares } from '../../application/partner/register/issue-shares.ts';
import { checkRegistration } from '../../application/partner/registration/check-registrations.ts';
import { answerProposal } from '../../application/partner/securities/change-security.ts';
import { openAccount } from '../../data/accounts/accounts.ts';
import { createAsset } from '../../data/catalog/assets.ts';
import { type Database, database } from '../../data/database.ts';
import { findAction } from '../../data/partner/actions/corporate-actions.ts';
import { findPartnerOrganization, type PartnerOrganization } from '../../data/partner/organizations.ts';
import { listHoldings, readCapTable } from '../../data/partner/register/cap-table.ts';
import { findRegisteredSecurity } from '../../data/partner/register/registered-security.ts';
import { listRegisterAt, registerPlace } from '../../data/partner/reports.ts';
import type { ActionTerms, DividendTerms } from '../../domain/corporate-actions/corporate-action.ts';
import type { RawImportRow } from '../../domain/register/import-rows.ts';
import { apply, becomeLister, benchAction, done, listedSecurity } from './listed-security.ts';

export * from './exchange-objects.ts';

const CASH = 10_000_000_000;
/** As pages of the interface are at most. */
const PAGE_ROWS = 1_000;
const REPORT_ROWS = 10_000;
/** Rows that name accounts, of one import. */
const ACCOUNT_ROWS = 900;
const SHARES_EACH = 10;
const JOB_RUNS_MAX = 50;

const LISTER = '019b76da-a800-7000-9000-000000000001';
const AGENT = '019b76da-a800-7000-9000-000000000002';
const PAYER = '019b76da-a800-7000-9000-000000000003';

async function setUp(env: Env): Promise<void> {
  const db = database(env.DB);
  const createdAt = Date.now();
  await createAsset(db, { id: 'usd', symbol: 'USD', name: 'US dollar', category: 'currency', scale: 2, createdAt });
  await becomeLister(env, LISTER);
  const number = { crdNumber: null, secRegistrationNumber: '84-12345', checkId: uuidv7() };
  await apply(env, { organization: AGENT, role: 'transfer_agent', ...number });
  await checkRegistration(env, await partner(db, AGENT));
  const terms = {
    organization: LISTER,
    name: 'Issuer Inc',
    accountType: 'entity',
    country: 'US',
    usPerson: true,
  } as const;
  const payer = done(await introduceInvestor(env, terms, benchAction()));
  done(await openInvestorAccount(env, payer, { ...benchAction(), id: PAYER }));
  const cash = {
    account: PAYER,
    asset: 'usd',
    amount: CASH,
    cost: 0,
    lots: [],
    reference: null,
    createdAt,
    action: null,
  };
  done(await deposit(env, { id: uuidv7(), ...cash }));
}

/** A listed security whose register the agent keeps, and accounts that take shares of it. @returns its id */
async function list(env: Env, symbol: string, accounts: number): Promise<string> {
  const db = database(env.DB);
  const id = await listedSecurity(env, LISTER, { symbol, transferAgent: AGENT });
  done(await answerProposal(env, await partner(db, AGENT), { id, accepted: true, reason: null }, benchAction()));
  for (let at = 0; at < accounts; at++) {
    const account = accountOf(symbol, at);
    const user = { id: `user-${account}`, owner: LISTER, phone: null, email: 'bench@example.com', name: account };
    await openAccount(db, { ...user, roles: [], createdAt: 0 }, { id: account, kycStatus: 'completed' });
    await env.DB.prepare('INSERT INTO register_consents (account, created_at) VALUES (?, 0)').bind(account).run();
  }
  return id;
}

const accountOf = (symbol: string, at: number) => `${symbol}-account-${String(at).padStart(6, '0')}`;

/** One import of so many holders without an account. */
async function importHolders(env: Env, security: string, rows: number): Promise<void> {
  await imported(env, security, holderRows(rows));
}

function holderRows(count: number): RawImportRow[] {
  return Array.from({ length: count }, (_, at) => ({
    holder_reference: `H-${String(at).padStart(7, '0')}`,
    holder_name: `Holder number ${at}`,
    holder_kind: 'individual',
    country: 'US',
    shares: SHARES_EACH,
    cost: 100,
    certificate_number: `C-${at}`,
    acquired_at: '2025-01-02',
    restriction_ends_at: null,
  }));
}

async function importAccounts(env: Env, security: string, symbol: string, accounts: number): Promise<void> {
  for (let from = 0; from < accounts; from += ACCOUNT_ROWS) {
    const rows = Array.from({ length: Math.min(ACCOUNT_ROWS, accounts - from) }, (_, at) => ({
      account_id: accountOf(symbol, from + at),
      shares: SHARES_EACH,
      restriction_ends_at: null,
    }));
    await imported(env, security, rows);
  }
}

async function imported(env: Env, security: string, rows: readonly RawImportRow[]): Promise<void> {
  const db = database(env.DB);
  const by = await partner(db, AGENT);
  const register = await findRegisteredSecurity(db, by, security);
  if (register === null || register.scale === null) throw new Error('the bench has no register');
  const asked = { actor: AGENT, agent: by.organization, recordDate: null, notes: null, now: Date.now() };
  const terms = { action: { id: uuidv7(), ...asked } };
  done(await issueShares(env, { ...register, scale: register.scale }, 'import', rows, terms));
}

/** The same lines into a table of their own, for a floor. */
async function plainRows(env: Env, count: number): Promise<void> {
  await env.DB.prepare('CREATE TABLE IF NOT EXISTS plain_rows (id INTEGER PRIMARY KEY, line TEXT NOT NULL)').run();
  const rows = holderRows(count);
  for (let from = 0; from < rows.length; from += PAGE_ROWS) {
    const page = JSON.stringify(rows.slice(from, from + PAGE_ROWS));
    await env.DB.prepare('INSERT INTO plain_rows (line) SELECT value FROM json_each(?)').bind(page).run();
  }
}

async function readAll(env: Env, security: string, asOf: number | null): Promise<number> {
  const db = database(env.DB);
  const { outstanding } = await readCapTable(db, security, asOf);
  let shares = 0;
  let after: string | null = null;
  for (;;) {
    const page: Awaited<ReturnType<typeof listHoldings>> = await listHoldings(db, security, {
      asOf,
      after,
      limit: PAGE_ROWS,
    });
    shares += page.reduce((sum, row) => sum + row.shares, 0);
    after = page.at(-1)?.holder ?? null;
    if (after === null || page.length < PAGE_ROWS) break;
  }
  if (shares !== outstanding) throw new Error(`holders have ${shares} of ${outstanding}`);
  return shares;
}

async function report(env: Env, security: string): Promise<number> {
  const db = database(env.DB);
  const sequence = await registerPlace(db, security, null);
  let rows = 0;
  let after = '';
  for (;;) {
    const page = await listRegisterAt(db, security, { sequence, after, limit: REPORT_ROWS });
    rows += page.length;
    after = page.at(-1)?.reference ?? '';
    if (page.length < REPORT_ROWS) return rows;
  }
}

/** From the announcement until the job has nothing left to do. */
async function carriedOut(
  env: Env,
  security: string,
  terms: Exclude<ActionTerms, DividendTerms> | Omit<DividendTerms, 'currencyAsset'>,
): Promise<void> {
  const db = database(env.DB);
  const soon = new Date(Date.now() + 1_000).toISOString();
  const recordDate = terms.type === 'dividend' ? soon : null;
  const announcement = { security, terms, description: 'bench', recordDate, dueDate: soon };
  const announced = done(await announceAction(env, await partner(db, AGENT), announcement, benchAction()));
  if (terms.type === 'dividend') {
    const payer = { id: announced.id, account: PAYER, amountMax: null };
    done(await namePaymentAccount(env, await partner(db, LISTER), payer, benchAction()));
  }
  for (let runs = 0; runs < JOB_RUNS_MAX; runs++) {
    await carryOnActions(env, Date.now() + 2_000);
    const found = await findAction(db, announced.id);
    if (found?.state === 'completed') return;
  }
  throw new Error(`the action stands at ${JSON.stringify(await findAction(db, announced.id))}`);
}

async function partner(db: Database, id: string): Promise<PartnerOrganization> {
  const found = await findPartnerOrganization(db, id);
  if (found === null) throw new Error('the bench has no such partner');
  return found;
}

export default {
  async fetch(request: Request, env: Env): Promise<Response> {
    const url = new URL(request.url);
    const number = (name: string): number => Number(url.searchParams.get(name) ?? 0);
    const text = (name: string): string => url.searchParams.get(name) ?? '';
    const security = text('security');
    switch (url.pathname) {
      case '/setup':
        return Response.json({ value: await setUp(env) });
      case '/list':
        return Response.json({ value: await list(env, text('symbol'), number('accounts')) });
      case '/import':
        return Response.json({ value: await importHolders(env, security, number('rows')) });
      case '/import-accounts':
        return Response.json({ value: await importAccounts(env, security, text('symbol'), number('rows')) });
      case '/plain':
        return Response.json({ value: await plainRows(env, number('rows')) });
      case '/holders':
        return Response.json({ value: await readAll(env, security, null) });
      case '/holders-as-of':
        return Response.json({ value: await readAll(env, security, number('at')) });
      case '/report':
        return Response.json({ value: await report(env, security) });
      case '/dividend': {
        const terms = { type: 'dividend', amountPerShare: 25_000_000, currency: 'USD' } as const;
        return Response.json({ value: await carriedOut(env, security, terms) });
      }
      case '/split':
        return Response.json({
          value: await carriedOut(env, security, { type: 'stock_split', ratioFrom: 2, ratioTo: 3 }),
        });
      default:
        return new Response(null, { status: 404 });
    }
  },
};
