import { database } from '../../../data/database.ts';
import type { PartnerOrganization } from '../../../data/partner/organizations.ts';
import {
  type ClassCount,
  countHolders,
  type DividendTotals,
  dividendTotals,
  listReceivedItems,
} from '../../../data/partner/reports.ts';
import { calendarDate } from '../../../domain/calendar/calendar-date.ts';
import { newYorkTime } from '../../../domain/calendar/new-york-time.ts';
import { fromScaled } from '../../../domain/money/scaled.ts';
import { type TurnaroundMonth, TurnaroundTally } from '../../../domain/partner/reports/turnaround.ts';

/** Items that one reading counts at most at a time. */
const ITEMS_PER_READ = 5_000;
/** Below both, an agent completes a part of the form: 17 CFR 240.17Ac2-2(a)(1). */
const SHORT_FORM_ITEMS = 1_000;
const SHORT_FORM_ACCOUNTS = 1_000;

/** An answer to a question of Form TA-2; null where the agent alone knows it. */
interface FormItem {
  readonly question: string;
  readonly title: string;
  readonly value: number | boolean | string | null;
  readonly source: 'venue' | 'agent';
  readonly rule: string | null;
}

export interface FormTa2 {
  /** The end of the year in New York, or now. Unix ms. */
  readonly asOf: number;
  readonly isShort: boolean;
  readonly items: readonly FormItem[];
  readonly turnaround: readonly TurnaroundMonth[];
}

/** What the venue knows of an agent's year, by the questions of Form TA-2 (17 CFR 249b.102). Months are those of New York. */
export async function readFormTa2(
  { DB }: Pick<Env, 'DB'>,
  { organization, firmName, secRegistrationNumber }: PartnerOrganization,
  year: number,
  now: number,
): Promise<FormTa2> {
  const db = database(DB);
  const from = newYorkTime(calendarDate(year, 1, 1), 0);
  const to = newYorkTime(calendarDate(year + 1, 1, 1), 0);
  const asOf = Math.min(to - 1, now);
  const tally = new TurnaroundTally();
  let received = 0;
  for (let after: { readonly at: number; readonly id: string } | null = null; ; ) {
    const items = await listReceivedItems(db, organization, { from, to, after, limit: ITEMS_PER_READ });
    for (const item of items) tally.add(item, now);
    received += items.length;
    const last = items.at(-1);
    if (last === undefined) break;
    after = { at: last.receivedAt, id: last.id };
  }
  const [classes, dividends] = await Promise.all([
    countHolders(db, organization, asOf),
    dividendTotals(db, organization, from, to),
  ]);
  const accounts = classes.reduce((sum, { holders }) => sum + holders, 0);
  const turnaround = tally.months();
  return {
    asOf,
    isShort: received < SHORT_FORM_ITEMS && accounts <= SHORT_FORM_ACCOUNTS,
    items: [
      venue('1(h)', 'Full name of registrant', firmName),
      venue('1', 'Transfer agent file number', secRegistrationNumber),
      agent('2', 'Service companies engaged, and for whom registrant was engaged'),
      agent('3', 'Appropriate regulatory agency, and amendments of Form TA-1'),
      venue('4', 'Items received for transfer during the reporting period', received),
      venue('5(a)', 'Individual securityholder accounts', accounts),
      ...categoriesOf(classes, accounts),
      venue(
        '6(a)',
        'Issues for which items are received and master securityholder files are maintained',
        issuesOf(classes),
      ),
      agent('6(b)', 'Issues for which items are received and no master securityholder files are maintained'),
      agent('6(c)', 'Issues for which no items are received and master securityholder files are maintained'),
      agent('7(a)', 'Issues with dividend reinvestment or direct purchase plans'),
      agent('7(b)', 'Issues with direct registration services'),
      ...dividendsOf(dividends),
      agent('8', 'Aged record differences and buy-ins', '17 CFR 240.17Ad-11'),
      ...complianceOf(turnaround),
      agent('10', 'Purchases and redemptions of open-end investment company securities'),
      agent('11', 'Searches for lost securityholders, and accounts remitted to the states', '17 CFR 240.17Ad-17'),
    ],
    turnaround,
  };
}

function venue(question: string, title: string, value: FormItem['value'], rule: string | null = null): FormItem {
  return { question, title, value, source: 'venue', rule };
}

function agent(question: string, title: string, rule: string | null = null): FormItem {
  return { question, title, value: null, source: 'agent', rule };
}

function issuesOf(classes: readonly ClassCount[]): number {
  return classes.reduce((sum, { securities }) => sum + securities, 0);
}

const CATEGORIES = ['corporate equity', 'corporate debt', 'limited partnership', 'other'] as const;

const CATEGORY_OF: Readonly<Record<string, (typeof CATEGORIES)[number]>> = {
  common_stock: 'corporate equity',
  preferred_stock: 'corporate equity',
  partnership_interest: 'limited partnership',
  note: 'corporate debt',
};

/** Shares of the accounts in percent, cut off to whole ones. */
function categoriesOf(classes: readonly ClassCount[], accounts: number): FormItem[] {
  return CATEGORIES.map((category) => {
    const ofIt = classes.filter(({ securityClass }) => (CATEGORY_OF[securityClass] ?? 'other') === category);
    const holders = ofIt.reduce((sum, each) => sum + each.holders, 0);
    const percent = accounts === 0 ? 0 : Math.floor((holders * 100) / accounts);
    return venue('5(d)', `Percentage of individual securityholder accounts: ${category}`, percent);
  });
}

function dividendsOf(totals: readonly DividendTotals[]): FormItem[] {
  const issues = totals.reduce((sum, each) => sum + each.issues, 0);
  return [
    venue('7(c)(i)', 'Issues for which dividends were paid', issues),
    ...totals.map(({ currency, scale, paid }) =>
      venue('7(c)(ii)', `Dividends paid, ${currency}`, fromScaled(paid, scale)),
    ),
  ];
}

function complianceOf(months: readonly TurnaroundMonth[]): FormItem[] {
  const rule = '17 CFR 240.17Ad-2(a)';
  const missed = months.filter(({ isCompliant }) => !isCompliant).length;
  return [
    venue('9(a)', 'Always in compliance with the turnaround time for routine items', missed === 0, rule),
    venue('9(b)(i)', 'Months in which it was not', missed, rule),
    agent('9(b)(ii)', 'Notices that were filed of it', '17 CFR 240.17Ad-2(c)'),
  ];
}
