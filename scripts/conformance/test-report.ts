import { relative } from 'node:path';
import { TITLE_SEPARATOR } from './test-titles.ts';

/** A test as it ran: its title with the values of its case. */
export interface TestResult {
  readonly file: string;
  readonly title: string;
  /** `passed`, `failed`, or a word for what was not run. */
  readonly status: string;
}

/** The parts of vitest's JSON report that are read here. */
interface Report {
  readonly testResults: readonly {
    readonly name: string;
    readonly assertionResults: readonly {
      readonly ancestorTitles: readonly string[];
      readonly title: string;
      readonly status: string;
    }[];
  }[];
}

/** The results in a report of vitest's JSON reporter, with files named from `root` on. */
export function testResults(json: string, root: string): TestResult[] {
  const { testResults: files } = JSON.parse(json) as Report;
  return files.flatMap(({ name, assertionResults }) =>
    assertionResults.map(({ ancestorTitles, title, status }) => ({
      file: relative(root, name),
      title: [...ancestorTitles, title].join(TITLE_SEPARATOR),
      status,
    })),
  );
}
