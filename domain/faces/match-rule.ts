/** What resemblance says who somebody is (docs/design/faces-and-galleries.md#thresholds). Cosines. */
export interface MatchRule {
  /** From here on a face is that person, if it is ahead of everybody else by the margin. */
  readonly matchFrom: number;
  /** From here on, what is no match is for a person to decide. At most `matchFrom`. */
  readonly reviewFrom: number;
  /** How much more alike the face is to that person than to the next. */
  readonly margin: number;
}

/** A rule of which some parts are left to who stands above: camera, event, model, in this order. */
export type MatchRuleSetting = { readonly [Part in keyof MatchRule]: number | null };

/**
 * By the name of the model that embeds faces. In a gallery of a thousand every false match of one pair in a thousand counts, so a match
 * stands where few strangers are of any group, and whom it misses is reviewed (docs/inference.md#error-rates).
 */
const RULES: Readonly<Record<string, MatchRule>> = {
  mobilefacenet: { matchFrom: 0.6, reviewFrom: 0.5, margin: 0.05 },
  // Different people of some groups reach 0.73.
  'face-api-resnet-34': { matchFrom: 0.75, reviewFrom: 0.6, margin: 0.05 },
};
const RULE_OF_OTHERS: MatchRule = { matchFrom: 0.6, reviewFrom: 0.5, margin: 0.05 };

/** What a model says where nobody has set anything. */
export function defaultMatchRule(model: { readonly name: string }): MatchRule {
  return RULES[model.name] ?? RULE_OF_OTHERS;
}

/** Whether a setting lets pass what the model's own rule does not. Of a model that is not known, every setting may. */
export function isLaxerThanModel(setting: MatchRuleSetting, model: { readonly name: string } | null): boolean {
  const own = model === null ? null : defaultMatchRule(model);
  return (['matchFrom', 'reviewFrom', 'margin'] as const).some((part) => {
    const value = setting[part];
    return value !== null && (own === null || value < own[part]);
  });
}

/** The rule that holds where the most particular setting comes first. */
export function matchRuleOf(model: { readonly name: string }, settings: readonly MatchRuleSetting[]): MatchRule {
  const otherwise = defaultMatchRule(model);
  const part = (name: keyof MatchRule) => settings.find((setting) => setting[name] !== null)?.[name] ?? otherwise[name];
  const matchFrom = part('matchFrom');
  return { matchFrom, reviewFrom: Math.min(part('reviewFrom'), matchFrom), margin: part('margin') };
}

/** Matches that a search answers where the caller says no number (docs/design/faces-and-galleries.md#search). */
export const TOP_K_DEFAULT = 5;
