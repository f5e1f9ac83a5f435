import { database } from '../../../data/database.ts';
import type { PartnerOrganization } from '../../../data/partner/organizations.ts';
import {
  type ClassCount,
  countHolders,
  type DividendsPaid,
  dividendsPaid,
  listReceivedItems,
} from '../../../data/partner/reports.ts';
import { calendarDate } from '../../../domain/calendar/calendar-date.ts';
import { newYorkTime } from '../../../domain/calendar/new-york-time.ts';
import { fromScaled } from '../../../domain/money/scaled.ts';
import { type TurnaroundMonth, TurnaroundTally } from '../../../domain/partner/reports/turnaround.ts';
import { wholePercents } from '../../../domain/partner/reports/whole-percents.ts';

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
  /** Of an amount of cash: those of its currency. */
  readonly decimals?: number;
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
    dividendsPaid(db, organization, from, to),
  ]);
  const accounts = classes.reduce((sum, { holders }) => sum + holders, 0);
  const turnaround = tally.months();
  return {
    asOf,
    isShort: received < SHORT_FORM_ITEMS && accounts <= SHORT_FORM_ACCOUNTS,
    items: [
      venue('1(h)', 'Full name of registrant', firmName),
      venue('File number', 'Transfer agent file number', secRegistrationNumber),
      agent('2(a)', 'Service companies engaged: all, some or none of the transfer agent functions'),
      agent('2(b)', 'Names and file numbers of the service companies engaged'),
      agent('2(c)', 'Engaged as a service company by a named transfer agent'),
      agent('2(d)', 'Names and file numbers of the named transfer agents'),
      agent('3(a)', 'Appropriate regulatory agency'),
      agent('3(b)', 'Amendments of Form TA-1 filed for changed information'),
      venue('4(a)', 'Items received for transfer', received, '17 CFR 240.17Ad-1(a)(1)'),
      venue(
        '4(b)',
        'Individual securityholder accounts for which master securityholder files are maintained',
        accounts,
      ),
      venue('5(a)', 'Individual securityholder accounts', accounts),
      agent('5(b)', 'Individual securityholder accounts of dividend reinvestment and direct purchase plans'),
      agent('5(c)', 'Individual securityholder accounts of the direct registration system'),
      ...percentagesOf(classes),
      ...issuesOf(classes),
      agent('6(b)', 'Issues for which items are received and no master securityholder files are maintained'),
      agent('6(c)', 'Issues for which no items are received and master securityholder files are maintained'),
      agent('7(a)', 'Issues with dividend reinvestment or direct purchase plan services'),
      agent('7(b)', 'Issues with direct registration services'),
      ...dividendsOf(dividends),
      agent('8(a)(i)', 'Issues with record differences of more than 30 days', AGED_DIFFERENCES),
      agent('8(a)(ii)', 'Market value of record differences of more than 30 days, in dollars', AGED_DIFFERENCES),
      agent('8(b)', 'Quarterly reports filed of buy-ins', AGED_DIFFERENCES),
      agent('8(c)', 'Whether all quarterly reports of buy-ins that were required were filed', AGED_DIFFERENCES),
      ...complianceOf(turnaround),
      agent('10(a)', 'Purchases and redemptions of open-end investment company securities'),
      agent('10(b)', 'Of them, those processed on a date other than that of the receipt of the order'),
      agent('11(a)', 'Database searches for lost securityholders: dates, accounts, addresses obtained', LOST_HOLDERS),
      agent('11(b)', 'Lost securityholder accounts remitted to the states', LOST_HOLDERS),
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

const AGED_DIFFERENCES = '17 CFR 240.17Ad-11';
const LOST_HOLDERS = '17 CFR 240.17Ad-17';

/** Columns of questions 5(d) and 6. No security here is an open-end fund's or a municipality's. */
const CATEGORIES = [
  'corporate equity securities',
  'corporate debt securities',
  'open-end investment company securities',
  'limited partnership securities',
  'municipal debt securities',
  'other securities',
] as const;

const CATEGORY_OF: Readonly<Record<string, (typeof CATEGORIES)[number]>> = {
  common_stock: 'corporate equity securities',
  preferred_stock: 'corporate equity securities',
  partnership_interest: 'limited partnership securities',
  note: 'corporate debt securities',
};

function inCategories(classes: readonly ClassCount[], countOf: (each: ClassCount) => number): number[] {
  return CATEGORIES.map((category) =>
    classes
      .filter(({ securityClass }) => (CATEGORY_OF[securityClass] ?? 'other securities') === category)
      .reduce((sum, each) => sum + countOf(each), 0),
  );
}

function percentagesOf(classes: readonly ClassCount[]): FormItem[] {
  const percents = wholePercents(inCategories(classes, ({ holders }) => holders));
  return CATEGORIES.map((category, at) =>
    venue('5(d)', `Approximate percentage of individual securityholder accounts: ${category}`, percents[at] ?? 0),
  );
}

function issuesOf(classes: readonly ClassCount[]): FormItem[] {
  const issues = inCategories(classes, ({ securities }) => securities);
  return CATEGORIES.map((category, at) =>
    venue(
      '6(a)',
      `Issues for which items are received and master securityholder files are maintained: ${category}`,
      issues[at] ?? 0,
    ),
  );
}

/** The currency of the form. What was paid in another one stands beside, for the agent to convert. */
const DOLLARS = 'USD';

function dividendsOf({ issues, totals }: DividendsPaid): FormItem[] {
  const cash = (title: string, amount: number, decimals: number): FormItem => ({
    ...venue('7(c)(ii)', title, amount),
    decimals,
  });
  const amounts = totals.map(({ currency, scale, paid }) => ({ currency, scale, amount: fromScaled(paid, scale) }));
  const dollars = amounts.find(({ currency }) => currency === DOLLARS);
  return [
    venue('7(c)(i)', 'Issues for which dividends or interest were disbursed', issues),
    cash('Amount of dividends and interest disbursed, in dollars', dollars?.amount ?? 0, dollars?.scale ?? 2),
    ...amounts
      .filter(({ currency }) => currency !== DOLLARS)
      .map(({ currency, scale, amount }) =>
        cash(`Amount disbursed in ${currency}, to be added in dollars`, amount, scale),
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
