import type { MatchRuleSetting } from '../../../domain/faces/match-rule.ts';
import type { cameras, events } from '../schema.ts';

type MatchSettingColumns = Pick<
  (typeof events | typeof cameras)['$inferSelect'],
  'matchFrom' | 'reviewFrom' | 'matchMargin'
>;

/** What a row of an event or a camera says of the rule for matches. */
export function matchSetting({ matchFrom, reviewFrom, matchMargin }: MatchSettingColumns): MatchRuleSetting {
  return { matchFrom, reviewFrom, margin: matchMargin };
}

export function matchSettingColumns({ matchFrom, reviewFrom, margin }: MatchRuleSetting): MatchSettingColumns {
  return { matchFrom, reviewFrom, matchMargin: margin };
}
