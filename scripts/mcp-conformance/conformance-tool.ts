import { execFile } from 'node:child_process';
import { join } from 'node:path';
import { PATHS } from '../local/paths.ts';

const TOOL = join(PATHS.root, 'node_modules', '@modelcontextprotocol', 'conformance', 'dist', 'index.js');
const SCENARIO_MS_MAX = 60_000;

export interface ScenarioResult {
  readonly passed: boolean;
  readonly output: string;
}

/** Runs one server scenario against a URL. A warning counts as a failure. */
export async function runScenario(scenario: string, url: string, results: string): Promise<ScenarioResult> {
  const { code, output } = await run(['server', '--url', url, '--scenario', scenario, '--output-dir', results]);
  return { passed: code === 0 && !/\b[1-9]\d* (failed|warnings)/.test(output), output };
}

/** Every server scenario that the installed package has. */
export async function listServerScenarios(): Promise<string[]> {
  const { output } = await run(['list', '--server']);
  return Array.from(output.matchAll(/^ {2}- (\S+)/gm), ([, name = '']) => name);
}

function run(flags: readonly string[]): Promise<{ code: number; output: string }> {
  return new Promise((resolve) => {
    execFile(process.execPath, [TOOL, ...flags], { timeout: SCENARIO_MS_MAX }, (error, stdout, stderr) => {
      resolve({ code: error === null ? 0 : 1, output: stdout + stderr });
    });
  });
}
