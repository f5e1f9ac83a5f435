import { z } from '@hono/zod-openapi';
import { matchSetting } from '../../data/events/sites/match-setting.ts';
import type { MatchRuleSetting } from '../../domain/faces/match-rule.ts';
import { Reason } from './corrections/correction-schema.ts';

const Cosine = z.number().min(0).max(1).nullable();

const Parts = {
  match_threshold: Cosine.openapi({ description: 'Similarity from which a face is an attendee.' }),
  review_threshold: Cosine.openapi({ description: 'From which on, where it is no match, people decide.' }),
  match_margin: Cosine.openapi({ description: 'How much more alike it must be than to the next attendee.' }),
};

/** Of an event or a camera; what is null is left to the event, and by it to the model. */
export const MatchRuleRecord = z.strictObject(Parts).openapi('MatchRule');

export const MatchRuleRequest = z
  .strictObject({
    ...Parts,
    reason: Reason.optional().openapi({ description: 'Required where a part is below the model’s own.' }),
  })
  .refine(
    ({ match_threshold: match, review_threshold: review }) => match === null || review === null || review <= match,
    { message: 'at most match_threshold', path: ['review_threshold'] },
  )
  .openapi('MatchRuleRequest');

export function matchRuleView(row: Parameters<typeof matchSetting>[0]): z.infer<typeof MatchRuleRecord> {
  const { matchFrom, reviewFrom, margin } = matchSetting(row);
  return { match_threshold: matchFrom, review_threshold: reviewFrom, match_margin: margin };
}

export function matchSettingOf(body: z.infer<typeof MatchRuleRecord>): MatchRuleSetting {
  return { matchFrom: body.match_threshold, reviewFrom: body.review_threshold, margin: body.match_margin };
}
