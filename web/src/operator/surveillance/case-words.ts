import type { Decimal } from '../../numbers/decimal.ts';
import type { OperatorKey, OperatorWords } from '../use-operator-words.ts';
import type { SurveillanceCase } from './case-queries.ts';
import { surveillanceEn } from './texts-en.ts';

export type CaseAct = 'note' | 'take' | 'leave' | 'close' | 'reopen';

export const CASE_RULES = ['wash_trade', 'marking_the_close', 'layering'] as const;
export const CASE_OUTCOMES = ['no_action', 'warned', 'reported', 'restricted'] as const;

/** What an operator may do with a case now. A note is written at any time. */
export function actsOf(
  { state, assignee }: Pick<SurveillanceCase, 'state' | 'assignee'>,
  viewer: string | undefined,
): readonly CaseAct[] {
  if (state === 'closed') return ['note', 'reopen'];
  return ['note', assignee === viewer ? 'leave' : 'take', 'close'];
}

type Numbered = SurveillanceCase['numbers'][number];

/** A number that has decided, in the words and the marks of the reader. */
export function numberShown({ name, unit, value }: Numbered, words: OperatorWords): string {
  switch (unit) {
    case 'price':
      return words.price(value as Decimal);
    case 'bps': {
      const percent = String(Number(value) / 100) as Decimal;
      return `${name === 'price_move' ? words.signed(percent, 2) : words.number(percent, 2)} %`;
    }
    case 'ms': {
      const seconds = Number(value) / 1_000;
      return seconds % 60 === 0
        ? words.many('surveillance_unit.minutes', seconds / 60)
        : words.many('surveillance_unit.seconds', seconds);
    }
    default:
      return words.exact(value as Decimal);
  }
}

/** By the name that the API gives it; a name that this version does not know stays as it is. */
export function numberLabel(name: string, o: OperatorWords['o']): string {
  const key = `surveillance_number.${name}`;
  return Object.hasOwn(surveillanceEn, key) ? o(key as OperatorKey) : name.replaceAll('_', ' ');
}

/** Why two people are looked at as one, and which of them is what to the other. */
export function relationLabel(
  { relation, relationOf, people }: Pick<SurveillanceCase, 'relation' | 'relationOf' | 'people'>,
  o: OperatorWords['o'],
): string {
  if (relation === null) return '–';
  const key = `surveillance_relation.${relation}`;
  const name = Object.hasOwn(surveillanceEn, key) ? o(key as OperatorKey) : relation.replaceAll('_', ' ');
  const [of, relative] = [true, false].map((isOf) => people.find(({ userId }) => (userId === relationOf) === isOf));
  if (of === undefined || relative === undefined) return name;
  const called = (one: typeof of) => one.name ?? one.userId;
  return o('surveillance.relation_of', { relative: called(relative), of: called(of), relation: name });
}
