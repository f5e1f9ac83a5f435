/** One line of a rule, changed so that the rule is gone. Some test must notice. */
export interface Mutant {
  /** The rule, as a sentence. */
  readonly rule: string;
  readonly file: string;
  /** Text that occurs once in the file, and what takes its place. */
  readonly from: string;
  readonly to: string;
  /** Test files that should notice, all of one project. */
  readonly tests: readonly string[];
}

/** Whether the text that a mutant changes occurs once in the source of its file. */
export function fits({ from }: Mutant, source: string): boolean {
  return source.split(from).length === 2;
}
