/** The name of a rule as words: `reg_d_hold` is "Reg D hold". Names are the API's, so that what is searched for in a log is found here. */
export function ruleLabel(rule: string): string {
  const words = rule
    .split('_')
    .map((word, index, all) => (all[index - 1] === 'reg' ? word.toUpperCase() : word))
    .join(' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}
