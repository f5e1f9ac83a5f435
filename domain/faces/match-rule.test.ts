import { describe, expect, it } from 'vitest';
import { defaultMatchRule, type MatchRuleSetting, matchRuleOf } from './match-rule.ts';

const MODEL = { name: 'mobilefacenet' };
const NOTHING: MatchRuleSetting = { matchFrom: null, reviewFrom: null, margin: null };

describe('the rule by which a face is somebody', () => {
  it('follows the model where nobody has set anything', () => {
    expect(matchRuleOf(MODEL, [NOTHING, NOTHING])).toEqual(defaultMatchRule(MODEL));
    expect(matchRuleOf({ name: 'face-api-resnet-34' }, [])).not.toEqual(matchRuleOf(MODEL, []));
    expect(matchRuleOf({ name: 'of an operator’s own' }, [])).toEqual(defaultMatchRule({ name: 'unheard of' }));
  });

  it('takes each part from the camera before the event before the model', () => {
    const camera = { ...NOTHING, matchFrom: 0.8 };
    const event = { matchFrom: 0.7, reviewFrom: 0.65, margin: null };
    expect(matchRuleOf(MODEL, [camera, event])).toEqual({
      ...defaultMatchRule(MODEL),
      matchFrom: 0.8,
      reviewFrom: 0.65,
    });
  });

  it('reviews nothing that is a match', () => {
    const camera = { ...NOTHING, matchFrom: 0.4 };
    expect(matchRuleOf(MODEL, [camera]).reviewFrom).toBe(0.4);
  });
});
